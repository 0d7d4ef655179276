// Faults of machines that do not end them. The job trains from 0 to 1,000 s without a checkpoint,
// so an attempt that ends loses all that it did; a node that dies at the second after a heartbeat
// is known to be dead 14 s later.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

struct TroubleRow {
  const char* name;
  const char* pool;
  const char* faults;
  Buckets ledger;
  std::int64_t attempts;
  std::int64_t charged;
};

void expect_troubles(std::initializer_list<TroubleRow> rows) {
  for (const TroubleRow& row : rows) {
    SCOPED_TRACE(row.name);
    const Outcomes run =
        simulated(fmt::format(R"({{"pool": {}, "faults": [{}]}})", row.pool, row.faults));
    EXPECT_EQ(run.ledger(), row.ledger);
    EXPECT_EQ(run.job()["attempts"], row.attempts);
    EXPECT_EQ(run.used("max_failures"), row.charged);
    EXPECT_EQ(run.job()["outcome"], "completed");
  }
}

// Work goes on at 1/slowdown; what healthy workers would have needed is productive.
TEST(WorldStraggler, SlowsTheWholeJob) {
  expect_troubles({
      {"half as fast for 100 s",
       "{}",
       R"({"kind": "straggler", "target": "node:p-1", "at": "100s", "slowdown": 2, "lasts": "100s"})",
       {{"productive", 1000_s}, {"straggling", 50_s}},
       1,
       0},
      {"a third as fast from 400 s on",
       "{}",
       R"({"kind": "straggler", "target": "accelerator:p-0/1", "at": "400s", "slowdown": 3})",
       {{"productive", 1000_s}, {"straggling", 1200_s}},
       1,
       0},
      // 100 to 200 s: 50 s of work; to 240 s: 10 s; to 300 s: 30 s.
      {"the slower of two decides",
       "{}",
       R"({"kind": "straggler", "target": "node:p-0", "at": "100s", "slowdown": 2, "lasts": "200s"},
          {"kind": "straggler", "target": "job:a/rank:3", "at": "200s", "slowdown": 4, "lasts": "40s"})",
       {{"productive", 1000_s}, {"straggling", 110_s}},
       1,
       0},
      {"on a node that nobody uses",
       R"({"spares": 1})",
       R"({"kind": "straggler", "target": "node:p-spare-0", "at": "100s", "slowdown": 2})",
       {{"productive", 1000_s}},
       1,
       0},
      // 101 s at 2/3 of the speed: 67.333333 s of work, and the poll that sees the end is at 1034.
      {"no microsecond is lost",
       "{}",
       R"({"kind": "straggler", "target": "node:p-1", "at": "100s", "slowdown": 1.5, "lasts": "101s"})",
       {{"productive", 1000_s}, {"straggling", 33'666'667}, {"finalizing", 333'333}},
       1,
       0},
      // At 201 s it has done 150.5 s of work; the machine in its place is as fast as the other.
      {"its machine is replaced",
       R"({"replacement": "now"})",
       R"({"kind": "straggler", "target": "node:p-1", "at": "100s", "slowdown": 2},
          {"kind": "node_crash", "target": "node:p-1", "at": "201s"})",
       {{"productive", 1000_s},
        {"straggling", 50.5_s},
        {"rolled_back", 150.5_s},
        {"undetected", 14_s}},
       2,
       1},
      {"its machine is repaired",
       R"({"repair": "30s"})",
       R"({"kind": "straggler", "target": "node:p-1", "at": "100s", "slowdown": 2},
          {"kind": "node_crash", "target": "node:p-1", "at": "201s"})",
       {{"productive", 1000_s},
        {"straggling", 50.5_s},
        {"rolled_back", 150.5_s},
        {"undetected", 14_s},
        {"waiting_for_capacity", 16_s}},
       2,
       1},
      // The hang stops at 150 s what had gone at half the speed since 100 s, and goes on so.
      {"a hang while it is slow",
       "{}",
       R"({"kind": "straggler", "target": "node:p-1", "at": "100s", "slowdown": 2, "lasts": "150s"},
          {"kind": "hang", "target": "job:a/rank:0", "at": "150s", "lasts": "50s"})",
       {{"productive", 1000_s}, {"straggling", 50_s}, {"undetected", 50_s}},
       1,
       0},
  });
}

// Saves come after the same work.
TEST(WorldStraggler, DoesNotMoveSaves) {
  const auto run_at = [](const char* faults) {
    return simulated(fmt::format(
        R"({{"job": {{"checkpoint": {{"every": "90s", "blocking": "10s"}}}}, "faults": [{}]}})",
        faults));
  };
  const Buckets healthy = run_at("").ledger();
  Buckets slow = run_at(R"({"kind": "straggler", "target": "pool:p", "slowdown": 1.25,
                            "source": {"maintenance": {"first": "0s", "every": "9d"}}})")
                     .ledger();
  EXPECT_EQ(slow["straggling"], 250_s);
  slow.erase("straggling");
  EXPECT_EQ(slow, healthy);
}

TEST(WorldStraggler, IsMaskedWhereThereIsNoMachine) {
  const Outcomes run = simulated(
      R"({"pool": {"max_nodes": 3}, "faults": [{"kind": "straggler", "target": "node:p-2", "at": "100s", "slowdown": 2}]})");
  EXPECT_EQ(run.faults("straggler"), "fired 0 masked 1 detected 0");
}

constexpr const char* kFour = R"({"nodes": 4, "racks": 2, "power_domains": 4})";

// Rack 0 is p-0 and p-1, which the job holds; p-2 and p-3 take it.
TEST(WorldDomains, GoTogether) {
  expect_troubles({
      {"both nodes of the job at once",
       kFour,
       R"({"kind": "node_crash", "target": "rack:p/0", "at": "151s"})",
       {{"productive", 1000_s}, {"rolled_back", 151_s}, {"undetected", 14_s}},
       2,
       1},
      {"a rack that is idle",
       kFour,
       R"({"kind": "node_crash", "target": "rack:p/1", "at": "151s"})",
       {{"productive", 1000_s}},
       1,
       0},
      {"a power domain of one node",
       kFour,
       R"({"kind": "node_crash", "target": "power_domain:p/1", "at": "151s"})",
       {{"productive", 1000_s}, {"rolled_back", 151_s}, {"undetected", 14_s}},
       2,
       1},
      // Both return at 191 s, 26 s after the start that found one node down.
      {"and come back together",
       R"({"racks": 1})",
       R"({"kind": "node_crash", "target": "rack:p/0", "at": "151s", "lasts": "40s"})",
       {{"productive", 1000_s},
        {"rolled_back", 151_s},
        {"undetected", 14_s},
        {"waiting_for_capacity", 26_s}},
       2,
       1},
  });
}

TEST(WorldDomains, AreOneFault) {
  const Outcomes run = simulated(fmt::format(
      R"({{"pool": {}, "faults": [{{"kind": "node_crash", "target": "rack:p/0", "at": "151s"}},
                                  {{"kind": "node_crash", "target": "rack:p/0", "at": "152s"}},
                                  {{"kind": "node_crash", "target": "node:p-1", "at": "153s"}}]}})",
      kFour));
  EXPECT_EQ(run.faults("node_crash"), "fired 1 masked 2 detected 1");
  EXPECT_EQ(run.summary["cluster"]["idle_us"]["spares"], 0);
}

// Announced for 160 s: what befalls one node of two befalls both.
TEST(WorldDomains, ArePreemptedTogether) {
  const auto run_of = [](const char* target) {
    return simulated(fmt::format(
        R"({{"pool": {}, "faults": [{{"kind": "preemption", "target": "{}", "at": "100s", "notice": "60s"}}]}})",
        kFour, target));
  };
  const Outcomes rack = run_of("rack:p/0");
  EXPECT_EQ(rack.ledger(), run_of("node:p-1").ledger());
  EXPECT_EQ(rack.faults("preemption"), "fired 1 masked 0 detected 1");
}

// A new driver of a run without a name begins from nothing.
TEST(WorldOutage, TakesHeadsToo) {
  constexpr const char* kOutage =
      R"("faults": [{"kind": "cluster_outage", "target": "cluster", "at": "151s", "lasts": "100s"}])";
  const Outcomes back = simulated(fmt::format(
      R"({{"cluster": {{"heads": [{{"name": "h", "restart": {{"after": "30s"}}}}]}}, {}}})",
      kOutage));
  EXPECT_EQ(back.ledger(),
            (Buckets{{"productive", 1000_s}, {"rolled_back", 151_s}, {"controller_down", 130_s}}));
  EXPECT_EQ(back.faults("cluster_outage"), "fired 1 masked 0 detected 0");
  const Outcomes gone =
      simulated(fmt::format(R"({{"cluster": {{"heads": [{{"name": "h"}}]}}, {}}})", kOutage));
  EXPECT_EQ(gone.job()["reason"], "unrecoverable(driver lost: cluster_outage)");
  EXPECT_EQ(gone.wall(), 151_s);
}

constexpr const char* kCrash = R"({"kind": "node_crash", "target": "node:p-1", "at": "151s"})";

// The new machine of 165 s fails 11 s after that, at 176 s, which is known at 190 s.
TEST(WorldBadReplacement, FailsOnceItIsUsed) {
  const std::string provisioned = fmt::format(
      R"({}, {{"kind": "bad_replacement", "target": "pool:p", "at": "10s", "after": "11s"}})",
      kCrash);
  const std::string spare = fmt::format(
      R"({}, {{"kind": "bad_replacement", "target": "pool:p", "at": "10s", "after": "11s", "machines": "spares"}})",
      kCrash);
  const std::string accelerator = fmt::format(
      R"({}, {{"kind": "bad_replacement", "target": "pool:p", "at": "10s", "after": "11s", "code": "xid:94"}})",
      kCrash);
  const Buckets twice{{"productive", 1000_s}, {"rolled_back", 162_s}, {"undetected", 28_s}};
  expect_troubles({
      {"a new machine", R"({"replacement": "now"})", provisioned.c_str(), twice, 3, 2},
      {"a spare", R"({"spares": 2})", spare.c_str(), twice, 3, 2},
      // It dies at 176 s; polls are at odd seconds since 165 s.
      {"its accelerator",
       R"({"replacement": "now"})",
       accelerator.c_str(),
       {{"productive", 1000_s}, {"rolled_back", 162_s}, {"undetected", 15_s}},
       3,
       2},
      {"spares are not what is bad",
       R"({"spares": 1, "replacement": "now"})",
       R"({"kind": "node_crash", "target": "node:p-1", "at": "151s"},
          {"kind": "bad_replacement", "target": "pool:p", "at": "10s", "machines": "provisioned"})",
       {{"productive", 1000_s}, {"rolled_back", 151_s}, {"undetected", 14_s}},
       2,
       1},
  });
}

// Without it the machine is there at 165 s; the start that waits is tried again at 225 s.
TEST(WorldCapacityDenial, KeepsMachinesAway) {
  const auto denial = [](const char* more) {
    return fmt::format(
        R"({}, {{"kind": "capacity_denial", "target": "pool:p", "at": "10s", "lasts": "255s"{}}})",
        kCrash, more);
  };
  const std::string plain = denial("");
  const std::string spares_too = denial(R"(, "spares": true)");
  const Buckets late{{"productive", 1000_s},
                     {"rolled_back", 151_s},
                     {"undetected", 14_s},
                     {"waiting_for_capacity", 100_s}};
  const Buckets at_once{{"productive", 1000_s}, {"rolled_back", 151_s}, {"undetected", 14_s}};
  expect_troubles({
      {"new machines", R"({"replacement": "now"})", plain.c_str(), late, 3, 1},
      {"spares, if it says so", R"({"spares": 1})", spares_too.c_str(), late, 3, 1},
      {"else they are there", R"({"spares": 1})", plain.c_str(), at_once, 2, 1},
  });
}

// Down at 151 s, back at 181 s, down again 100 s later, known at 295 s, back at 311 s.
TEST(WorldLemon, FailsAgainUntilItIsReplaced) {
  const char* twice =
      R"({"kind": "lemon_node", "target": "node:p-1", "at": "151s", "every": "100s", "times": 2, "lasts": "30s"})";
  const char* for_ever =
      R"({"kind": "lemon_node", "target": "node:p-1", "at": "151s", "every": "100s", "lasts": "30s"})";
  expect_troubles({
      {"twice",
       "{}",
       twice,
       {{"productive", 1000_s},
        {"rolled_back", 251_s},
        {"undetected", 28_s},
        {"waiting_for_capacity", 32_s}},
       3,
       2},
      {"another machine is none",
       R"({"replacement": "now"})",
       for_ever,
       {{"productive", 1000_s}, {"rolled_back", 151_s}, {"undetected", 14_s}},
       2,
       1},
      {"its repair cures it",
       "{}",
       R"({"kind": "lemon_node", "target": "node:p-1", "at": "151s", "every": "100s", "lasts": "30s",
           "cured_by_repair": 1})",
       {{"productive", 1000_s},
        {"rolled_back", 151_s},
        {"undetected", 14_s},
        {"waiting_for_capacity", 16_s}},
       2,
       1},
  });
  // Nine failures are allowed; the tenth ends the job.
  const Outcomes run = simulated(fmt::format(R"({{"faults": [{}]}})", for_ever));
  EXPECT_EQ(run.job()["reason"], "exhausted(max_failures)");
  EXPECT_EQ(run.faults("lemon_node"), "fired 10 masked 0 detected 10");
}

constexpr const char* kBothNodes =
    R"({"kind": "node_crash", "target": "node:p-1", "at": "151s"},
       {"kind": "node_crash", "target": "node:p-0", "at": "151s"})";

// Both are down at 151 s and known to be at 165 s. Of those that break at once the lowest node is
// repaired first: p-0 is back at 181 s, p-1 at 211 s.
TEST(WorldRepairCrew, RepairsSoManyAtATime) {
  const auto run_with = [](const char* cluster, const char* pool, const char* faults) {
    return simulated(
        fmt::format(R"({{"cluster": {}, "pool": {}, "faults": [{}]}})", cluster, pool, faults));
  };
  const auto waits = [](std::int64_t us, std::int64_t undetected_us = 14_s) {
    return Buckets{{"productive", 1000_s},
                   {"rolled_back", 151_s},
                   {"undetected", undetected_us},
                   {"waiting_for_capacity", us}};
  };
  const char* repair = R"({"repair": "30s"})";
  EXPECT_EQ(run_with("{}", repair, kBothNodes).ledger(), waits(16_s));
  EXPECT_EQ(run_with(R"({"repair_crew": 2})", repair, kBothNodes).ledger(), waits(16_s));
  const Outcomes one = run_with(R"({"repair_crew": 1})", repair, kBothNodes);
  EXPECT_EQ(one.ledger(), waits(46_s));
  EXPECT_EQ(one.summary["cluster"]["idle_us"]["repairing"], 90_s) << "30 s and 60 s";
  // Power that is off until 251 s holds p-1 for longer than its turn; nobody repairs power.
  const std::string power = fmt::format(
      R"({}, {{"kind": "node_crash", "target": "node:p-1", "at": "161s", "lasts": "90s"}})",
      kBothNodes);
  EXPECT_EQ(run_with(R"({"repair_crew": 1})", repair, power.c_str()).ledger(), waits(86_s));
  // A crash that says its length is over by itself.
  const char* brief = R"({"kind": "node_crash", "target": "node:p-0", "at": "151s"},
                         {"kind": "node_crash", "target": "node:p-1", "at": "151s", "lasts": "35s"})";
  EXPECT_EQ(run_with(R"({"repair_crew": 1})", repair, brief).ledger(), waits(21_s));
  // Accelerators are mended one after the other, too: at 191 s and 231 s. The poll of 152 s sees
  // what happened to their processes.
  const char* devices =
      R"({"kind": "accelerator_fault", "code": "xid:79", "needs": "replacement",
          "target": "accelerator:p-1/0", "at": "151s"},
         {"kind": "accelerator_fault", "code": "xid:79", "needs": "replacement",
          "target": "accelerator:p-0/0", "at": "151s"})";
  const char* repairs = R"({"repairs": {"replacement": "40s"}})";
  EXPECT_EQ(run_with("{}", repairs, devices).ledger(), waits(39_s, 1_s));
  EXPECT_EQ(run_with(R"({"repair_crew": 1})", repairs, devices).ledger(), waits(79_s, 1_s));
}

// Heartbeats of 155, 160 and 165 s stay away. A head that asks waits 3 s for each answer of a node
// that has fallen silent; one that has shut down, or closes its connections, refuses at once. A
// poll that nobody answers waits for the node, so that the loss is seen when it is known.
TEST(WorldNodeLoss, CostsTheTimeoutsOfAHeadThatAsksWhereTheNodeIsSilent) {
  struct Row {
    const char* fault;
    std::int64_t undetected_us;
  };
  const Row rows[] = {
      {R"("kind": "node_crash")", 14_s + 9_s},
      {R"("kind": "node_crash", "connections": "closed")", 14_s},
      {R"("kind": "preemption")", 14_s},
      {R"("kind": "partition", "lasts": "1h")", 14_s + 9_s},
  };
  for (const Row& row : rows) {
    const Outcomes run = simulated(fmt::format(
        R"({{"cluster": {{"heartbeat": {{"every": "5s", "timeout": "3s", "misses": 3}}}},
             "pool": {{"spares": 1}},
             "faults": [{{{}, "target": "node:p-1", "at": "151s"}}]}})",
        row.fault));
    EXPECT_EQ(run.ledger()["undetected"], row.undetected_us) << row.fault;
  }
}

// Ray hears nothing of devices, and this job has nobody who looks for hangs.
TEST(WorldFalseAlarm, IsMaskedWhereNobodyListens) {
  const Outcomes run = simulated(
      R"({"faults": [{"kind": "false_alarm", "target": "node:p-1", "at": "100s", "code": "xid:79"},
                     {"kind": "false_alarm", "target": "job:a/rank:0", "at": "100s", "alarm": "hang"}]})");
  EXPECT_EQ(run.faults("false_alarm"), "fired 0 masked 2 detected 0");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 1000_s}}));
}

}  // namespace
}  // namespace aftershock::sim::world
