#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

// Peers of a process that has ended. Under PyTorchJob each pod starts again by itself and the gang
// goes on when the last has, so that what is neither work nor a save is the time from the fault
// until the last process is gone. The fault strikes at 104 s, in training, or in a save that blocks
// from 100 to 120 s; the collective gives up after 60 s. A node that is down is back after 1 s.
namespace aftershock::sim::world {
namespace {

struct PeersRow {
  const char* what;
  const char* collectives;
  const char* fault;
  std::int64_t waited_us;
};

constexpr const char* kGloo = R"("transport":"gloo","peer_ended":"300ms","gone_after":"2s")";
constexpr const char* kNccl = R"("transport":"nccl")";
constexpr const char* kHccl = R"("transport":"hccl")";
constexpr const char* kOwn =
    R"("transport":"nccl","peer_ended":"5s","peer_vanished":"20s","gone_after":"3s")";

constexpr const char* kKilled =
    R"("worker_crash","how":"exit","exit_code":137,"target":"job:a/rank:0")";
constexpr const char* kClosed =
    R"("node_crash","connections":"closed","lasts":"1s","target":"node:p-1")";
constexpr const char* kSilent = R"("node_crash","lasts":"1s","target":"node:p-1")";
constexpr const char* kShortCut = R"("partition","lasts":"10s","target":"node:p-1")";
constexpr const char* kCut = R"("partition","lasts":"61s","target":"node:p-1")";
constexpr const char* kHang = R"("hang","target":"job:a/rank:0")";

// 7 x 4.096 us x 2^20 = 30,064,771 us until NCCL sees it, and 60 s until the watchdog has ended it.
constexpr std::int64_t kNcclGone = 30'064'771 + 60'000'000;

constexpr PeersRow kRows[] = {
    {"gloo, process killed: 0.3 s + 2 s", kGloo, kKilled, 2'300'000},
    {"gloo, node answers with RST: the same", kGloo, kClosed, 2'300'000},
    {"gloo, node silent: timeout + 2 s", kGloo, kSilent, 62'000'000},
    {"gloo, a short cut passes", kGloo, kShortCut, 10'000'000},
    {"gloo, a cut: timeout + 2 s", kGloo, kCut, 62'000'000},
    {"gloo, hang: timeout + 2 s", kGloo, kHang, 62'000'000},
    {"nccl, process killed: retries + 60 s", kNccl, kKilled, kNcclGone},
    {"nccl, node answers with RST", kNccl, kClosed, kNcclGone},
    {"nccl, node silent", kNccl, kSilent, kNcclGone},
    {"nccl, a short cut passes", kNccl, kShortCut, 10'000'000},
    {"nccl, a cut longer than the retries", kNccl, kCut, kNcclGone},
    {"nccl, hang: timeout + 60 s", kNccl, kHang, 120'000'000},
    {"hccl, process killed: the timeout", kHccl, kKilled, 60'000'000},
    {"hccl, node silent", kHccl, kSilent, 60'000'000},
    {"hccl, hang", kHccl, kHang, 60'000'000},
    {"a law of one's own, process killed: 5 s + 3 s", kOwn, kKilled, 8'000'000},
    {"the same, node silent: 20 s + 3 s", kOwn, kSilent, 23'000'000},
    {"unseen by law: timeout + 60 s", R"("transport":"nccl","peer_ended":"unseen")", kKilled,
     120'000'000},
};

std::int64_t waited(const PeersRow& row, const char* more, const char* at = "104s") {
  const Outcomes run = simulated(
      fmt::format(R"({{"cluster":{{"storage":[{{"name":"s","read":"1GB/s","write":"1GB/s"}}]}},)"
                  R"("job":{{"collective_timeout":"60s","collectives":{{{}}},{}"policy":{{)"
                  R"("name":"kubeflow","config":{{"max_failures":null}}}}}},)"
                  R"("faults":[{{"kind":{},"at":"{}"}}]}})",
                  row.collectives, more, row.fault, at));
  EXPECT_EQ(run.job()["outcome"], "completed");
  Buckets ledger = run.ledger();
  return run.wall() - ledger["productive"] - ledger["rolled_back"] - ledger["checkpoint_blocking"];
}

TEST(Peers, EndAsTheirTransportAndTheLossHaveIt) {
  for (const PeersRow& row : kRows) {
    SCOPED_TRACE(row.what);
    EXPECT_EQ(waited(row, ""), row.waited_us);
    EXPECT_EQ(waited(row, R"("checkpoint":{"every_steps":10,"blocking":"20s"},)"), row.waited_us);
  }
}

// Before the gang has met nobody is connected: a start that fails is its controller's to see.
TEST(Peers, AreNoneInAStart) {
  for (const char* transport : {kGloo, kNccl, kHccl}) {
    SCOPED_TRACE(transport);
    const PeersRow row{"", transport, kKilled, 0};
    for (const char* phase : {"launching", "rendezvous"}) {
      SCOPED_TRACE(phase);
      const std::string phases = fmt::format(R"("phases":{{"{}":"20s"}},)", phase);
      EXPECT_EQ(waited(row, phases.c_str(), "15s"), 35'000'000);  // 15 s in vain, and 20 s anew
    }
  }
}

// Without error handling nothing ends a wait, not even the collective timeout.
TEST(Peers, WaitForEverWhereNothingIsHandled) {
  const Outcomes run =
      simulated(R"({"until":"2000s","job":{"collective_timeout":"60s","collectives":{"transport":)"
                R"("nccl_unhandled"},"policy":{"name":"kubeflow","config":{"max_failures":null}}},)"
                R"("faults":[{"kind":"worker_crash","target":"job:a/rank:0","at":"104s"}]})");
  EXPECT_NE(run.job()["outcome"], "completed");
  EXPECT_EQ(run.ledger()["productive"], 104_s);
}

// Live, agents that look each 5 s are both charged: the peer of a worker that is killed 0.5 s after
// a look is gone before the next, by 0.5 s + 3 s at the latest. NCCL's lives longer.
TEST(Peers, AreChargedToTheirOwnAgentsWhereTheyAreGoneBeforeALook) {
  const auto charged = [](const char* transport) {
    return simulated(
               fmt::format(R"({{"job":{{"collectives":{{"transport":"{}"}},"policy":{{)"
                           R"("name":"torchrun","config":{{"max_failures":null,"max_restarts":3,)"
                           R"("monitor_interval":5}}}}}},"faults":[{{"kind":"worker_crash",)"
                           R"("how":"exit","target":"job:a/rank:0","at":"100.5s"}}]}})",
                           transport))
        .used("max_restarts");
  };
  EXPECT_EQ(charged("gloo"), 2);
  EXPECT_EQ(charged("nccl"), 1);
}

// A controller that ends a gang for one that ended leaves its peers nothing to see.
TEST(Peers, AreNotAskedWhereAControllerEndsTheGang) {
  const auto run = [](const char* transport) {
    return simulated(
               fmt::format(R"({{"job":{{"collectives":{{"transport":"{}"}}}},"faults":[{{)"
                           R"("kind":"worker_crash","target":"job:a/rank:0","at":"101s"}}]}})",
                           transport))
        .ledger();
  };
  EXPECT_EQ(run("gloo"), run("hccl"));
  EXPECT_EQ(run("nccl"), run("hccl"));
}

}  // namespace
}  // namespace aftershock::sim::world
