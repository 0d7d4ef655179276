#include <algorithm>

#include <gtest/gtest.h>

#include "tests/validation/renewal.h"

// The oracles hold exactly, whatever the numbers: limits, and changes that change nothing. (Without
// failures, tau / (tau + d): O4WithoutFailures.)
namespace aftershock::sim::validation {
namespace {

constexpr Renewal kHourly{"hourly", 30, 2, 10, 5, 60, 200, 0};
constexpr std::uint64_t kSeeds = 20;

scenario::Scenario renewal(const Renewal& row, const std::vector<std::string>& more = {}) {
  auto sets = sets_of(row);
  sets.insert(sets.end(), more.begin(), more.end());
  return read("tests/validation/renewal.json", sets).value();
}

/// All that a job's summary says in time and counts.
bool same_job(const reports::JobSummary& a, const reports::JobSummary& b) {
  return a.outcome == b.outcome && a.wall_us == b.wall_us && a.ledger_us == b.ledger_us &&
         a.attempts == b.attempts && a.lost_us == b.lost_us &&
         a.checkpoints_committed == b.checkpoints_committed && a.ettr == b.ettr;
}

// Saves and restarts that take no time, and no failures: all time is productive.
TEST(Degenerate, NothingLost) {
  const scenario::Scenario scenario = renewal(
      kHourly, {"/faults=[]", "/jobs/0/checkpoint/blocking=0s", "/jobs/0/steps=null", "/until=9d"});
  const FinishedRun run = run_once(scenario, 1);
  EXPECT_EQ(run.job().ettr, 1.0);
  EXPECT_EQ(run.productive_us(), minutes(9 * 1440));
}

// As lam L goes to 0 the efficiency goes to 1: a failure costs less than L.
TEST(Degenerate, LittleLost) {
  double before = 0;
  for (const double tau : {10.0, 1.0, 0.1}) {
    const scenario::Scenario scenario =
        renewal({"", tau, 0, 0, 0, 1440, 1, 0}, {"/jobs/0/steps=null", "/until=20d"});
    const FinishedRun run = run_once(scenario, 1);
    const auto failures = static_cast<std::int64_t>(run.faults.size());
    EXPECT_GT(failures, 10);
    EXPECT_LE(run.job().wall_us - run.productive_us(), failures * minutes(tau));
    EXPECT_GT(run.job().ettr, before);
    before = run.job().ettr;
  }
  EXPECT_GT(before, 0.9999);
}

// With spares enough nobody waits for a node, however long repairs take; with one too few at some
// time, somebody does.
TEST(Degenerate, SparesEnough) {
  const auto halted_us = [](int spares, std::uint64_t seed) {
    const scenario::Scenario scenario =
        renewal(kHourly, {"/cluster/pools/0/replacement=none",
                          fmt::format("/cluster/pools/0/spares={}", spares),
                          "/cluster/pools/0/repair=10h", "/faults/0/source/exponential/mtbf=5h"});
    const FinishedRun run = run_once(scenario, seed);
    return run.job().ledger_us[static_cast<std::size_t>(reports::Bucket::kWaitingForCapacity)];
  };
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    EXPECT_EQ(halted_us(40, seed), 0) << "seed " << seed;
    EXPECT_GT(halted_us(0, seed), 0) << "seed " << seed;
  }
}

// Time moved from the restart to the downtime never makes a run longer: no failure can strike it
// there. It holds run by run, since the failures are the same and every attempt begins no later.
TEST(Metamorphic, RestartMovedToDowntime) {
  int shorter = 0;
  for (const double moved : {1, 5, 10}) {
    Renewal after = kHourly;
    after.restart -= moved;
    after.downtime += moved;
    const scenario::Scenario first = renewal(kHourly);
    const scenario::Scenario second = renewal(after);
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const std::int64_t before_us = run_once(first, seed).job().wall_us;
      const std::int64_t after_us = run_once(second, seed).job().wall_us;
      EXPECT_LE(after_us, before_us) << moved << " min, seed " << seed;
      shorter += after_us < before_us ? 1 : 0;
    }
    EXPECT_LT(
        segment_time(after.lam(), after.tau, after.save, after.restart, after.downtime),
        segment_time(kHourly.lam(), kHourly.tau, kHourly.save, kHourly.restart, kHourly.downtime));
  }
  EXPECT_GT(shorter, 0);
}

// Twice the rate and half of every time: the same counts, and half the time, but for the rounding
// of each failure to a microsecond and the controller's one, which is not halved.
TEST(Metamorphic, TwiceTheRateHalfTheTimes) {
  Renewal half = kHourly;
  for (double* time : {&half.tau, &half.save, &half.restart, &half.downtime, &half.mtbf}) {
    *time /= 2;
  }
  const scenario::Scenario first = renewal(kHourly);
  const scenario::Scenario second = renewal(half);
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const FinishedRun slow = run_once(first, seed);
    const FinishedRun fast = run_once(second, seed);
    EXPECT_EQ(slow.faults.size(), fast.faults.size());
    EXPECT_EQ(slow.job().attempts, fast.job().attempts);
    EXPECT_EQ(slow.job().checkpoints_committed, fast.job().checkpoints_committed);
    const auto rounding_us = static_cast<std::int64_t>(2 * slow.faults.size() + 2);
    EXPECT_LE(std::abs(slow.job().wall_us - 2 * fast.job().wall_us), rounding_us);
    EXPECT_NEAR(slow.job().ettr, fast.job().ettr, 1e-6);
  }
}

// Twice the nodes, each failing half as often: the job fails at the same times.
TEST(Metamorphic, TwiceTheNodesHalfTheRate) {
  const std::vector<std::string> per_node{"/faults/0/source/exponential/per=node"};
  Renewal small = kHourly;
  small.mtbf *= 4;
  Renewal large = kHourly;
  large.mtbf *= 8;
  const scenario::Scenario first = renewal(small, per_node);
  const scenario::Scenario second =
      renewal(large, {per_node.front(), "/cluster/pools/0/nodes=8", "/jobs/0/workers=16"});
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const FinishedRun few = run_once(first, seed);
    const FinishedRun many = run_once(second, seed);
    EXPECT_TRUE(same_job(few.job(), many.job())) << "seed " << seed;
    EXPECT_GT(few.faults.size(), 10U);
  }
}

// Which cause is called what, and how many there are, changes neither when nor how often it fails.
TEST(Metamorphic, CausesRelabelled) {
  const auto causes = [](const char* text) {
    return std::vector<std::string>{"/faults/0/kind=null", std::string("/faults/0/causes=") + text};
  };
  const scenario::Scenario one = renewal(kHourly);
  const scenario::Scenario first =
      renewal(kHourly, causes(R"([{"kind": "node_crash", "label": "power", "weight": 1},
                          {"kind": "node_crash", "label": "disk", "weight": 3}])"));
  const scenario::Scenario renamed =
      renewal(kHourly, causes(R"([{"kind": "node_crash", "label": "disk", "weight": 1},
                          {"kind": "node_crash", "label": "power", "weight": 3}])"));
  const auto labelled = [](const scenario::Scenario& scenario, const FinishedRun& run,
                           const char* label) {
    return std::ranges::count_if(run.faults, [&](const faults::FaultRecord& fault) {
      return scenario.faults.front().effects[fault.effect].effect.label == label;
    });
  };
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const FinishedRun whole = run_once(one, seed);
    const FinishedRun split = run_once(first, seed);
    const FinishedRun other = run_once(renamed, seed);
    EXPECT_TRUE(same_job(whole.job(), split.job())) << "seed " << seed;
    EXPECT_TRUE(same_job(split.job(), other.job())) << "seed " << seed;
    const auto power = labelled(first, split, "power");
    EXPECT_EQ(power, labelled(renamed, other, "disk"));
    EXPECT_EQ(labelled(first, split, "disk"), labelled(renamed, other, "power"));
    EXPECT_EQ(power + labelled(first, split, "disk"),
              static_cast<std::int64_t>(whole.faults.size()));
  }
}

}  // namespace
}  // namespace aftershock::sim::validation
