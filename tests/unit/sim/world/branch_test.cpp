#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "sim/world/closing.h"
#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

std::shared_ptr<const scenario::Scenario> patched(const std::string& patch) {
  scenario::ReadResult result = scenario::read_scenario_text(scenario_text(patch), "test.json");
  return std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(result).scenario));
}

void play_until(World& world, std::int64_t t_us) {
  while (!world.over() && !world.calendar().empty() && world.calendar().top().t_us <= t_us) {
    world.play(world.calendar().pop());
  }
}

std::uint64_t end_of(World world, std::uint64_t branch) {
  take_branch(world, branch);
  play_until(world, INT64_MAX);
  close_run(world);
  EXPECT_TRUE(inconsistencies(world).empty());
  return world.core.recorder().hash();
}

constexpr const char* kCrashes = R"({
  "pool": {"nodes": 8, "spares": 1, "repair": {"exponential": {"mean": "1h"}}},
  "job": {"steps": null, "checkpoint": {"every": "100s"}, "policy": {"config": {"max_failures": -1}},
          "restart_phases": {"rendezvous": {"uniform": ["1s", "60s"]}}},
  "faults": [{"kind": "node_crash", "target": "pool:p",
              "source": {"exponential": {"mtbf": "2h", "per": "pool"}}},
             {"kind": "worker_crash", "target": "job:a",
              "source": {"exponential": {"mtbf": "3h", "per": "job"}, "clock": "training"}}],
  "until": "3d"})";

TEST(WorldBranch, GivesACopyAFutureOfItsOwn) {
  const auto scenario = patched(kCrashes);
  World world(scenario, simulate::make_hosts(*scenario), {});
  play_until(world, 86'400_s);
  std::set<std::uint64_t> ends;
  for (std::uint64_t branch = 1; branch <= 5; ++branch) {
    const std::uint64_t end = end_of(world, branch);
    EXPECT_TRUE(ends.insert(end).second) << branch;
    EXPECT_EQ(end, end_of(world, branch)) << "the same branch is the same future";
  }
  // The past stays, and occurrences are numbered on from there.
  World branched = world;
  take_branch(branched, 1);
  play_until(branched, INT64_MAX);
  ASSERT_GT(branched.faults.records().size(), world.faults.records().size());
  std::uint64_t next[2] = {0, 0};
  for (std::size_t i = 0; i < branched.faults.records().size(); ++i) {
    const faults::FaultRecord& fault = branched.faults[i];
    EXPECT_GE(fault.nth, next[fault.spec]) << i;  // one that was masked is not among them
    next[fault.spec] = fault.nth + 1;
    if (i < world.faults.records().size()) {
      EXPECT_EQ(fault.t_us, world.faults[i].t_us);
      EXPECT_EQ(fault.branch, 0U);
    } else {
      EXPECT_EQ(fault.branch, 1U);
    }
  }
}

// A branch at the begin of a world is what another seed would be: another sample of the same.
TEST(WorldBranch, OfAWorldThatHasNotBegunIsAnotherRun) {
  const auto scenario = patched(kCrashes);
  const World world(scenario, simulate::make_hosts(*scenario), {});
  std::set<std::uint64_t> ends;
  for (std::uint64_t branch = 0; branch < 20; ++branch) {
    EXPECT_TRUE(ends.insert(end_of(world, branch)).second) << branch;
  }
  World plain(scenario, simulate::make_hosts(*scenario), {});
  play_until(plain, INT64_MAX);
  close_run(plain);
  EXPECT_EQ(end_of(world, 0), plain.core.recorder().hash()) << "branch 0 is the run itself";
}

// A source without a memory strikes after a gap of its law, whenever one begins to wait. Of 2,000
// exponential gaps the mean has a standard error of mean/sqrt(2000); the share that is longer than
// the mean is 1/e.
void expect_exponential(const std::string& clock, const char* when) {
  const auto scenario = patched(R"({
    "job": {"steps": null, "policy": {"config": {"max_failures": -1}}},
    "faults": [{"kind": "worker_crash", "target": "job:a",
                "source": {"exponential": {"mtbf": "1h", "per": "job"}, "clock": ")" +
                                clock + R"("}}],
    "until": "100d"})");
  World world(scenario, simulate::make_hosts(*scenario), {});
  play_until(world, 100'000_s);
  const std::size_t before = world.faults.records().size();
  constexpr int kBranches = 2000;
  constexpr double kMean = 3.6e9;
  double sum = 0;
  int longer = 0;
  for (std::uint64_t branch = 1; branch <= kBranches; ++branch) {
    World copy = world;
    take_branch(copy, branch);
    while (copy.faults.records().size() == before) {
      copy.play(copy.calendar().pop());
    }
    const auto gap = static_cast<double>(copy.now_us() - world.now_us());
    sum += gap;
    longer += gap > kMean ? 1 : 0;
  }
  EXPECT_LT(std::abs(sum / kBranches - kMean), 4 * kMean / std::sqrt(kBranches)) << when;
  const double share = std::exp(-1);
  EXPECT_LT(std::abs(longer - kBranches * share), 4 * std::sqrt(kBranches * share * (1 - share)))
      << when;
}

TEST(WorldBranch, WaitsForTheNextArrivalAsIfItBegan) {
  expect_exponential("calendar", "on the calendar");
  expect_exponential("training", "in training");
}

// A gap that ends beyond the horizon has no entry; drawn anew it may end before.
TEST(WorldBranch, DrawsAnewWhatWasBeyondTheHorizon) {
  const auto scenario = patched(R"({
    "job": {"steps": null, "policy": {"config": {"max_failures": -1}}},
    "faults": [{"kind": "worker_crash", "target": "job:a",
                "source": {"exponential": {"mtbf": "1h", "per": "job"}}}], "until": "1h"})");
  World world(scenario, simulate::make_hosts(*scenario), {});
  int none = 0;
  constexpr int kBranches = 2000;
  for (std::uint64_t branch = 1; branch <= kBranches; ++branch) {
    take_branch(world, branch);  // in place of all that the branch before planned
    World copy = world;
    play_until(copy, INT64_MAX);
    none += copy.faults.records().empty() ? 1 : 0;
  }
  const double share = std::exp(-1);
  EXPECT_LT(std::abs(none - kBranches * share), 4 * std::sqrt(kBranches * share * (1 - share)));
}

// The attempt that is under way has its lengths; those of the next are another matter.
TEST(WorldBranch, KeepsWhatHasBegun) {
  const auto scenario = patched(R"({
    "job": {"steps": null, "policy": {"config": {"max_failures": -1}},
            "phases": {"launching": "10s", "rendezvous": {"uniform": ["1s", "60s"]}}},
    "faults": [{"kind": "worker_crash", "target": "job:a", "at": "500s"}], "until": "1000s"})");
  World world(scenario, simulate::make_hosts(*scenario), {});
  play_until(world, 5_s);
  ASSERT_EQ(world.jobs.front().stage, workload::Stage::kLaunching);
  std::set<std::int64_t> first;
  std::set<std::int64_t> second;
  for (std::uint64_t branch = 0; branch < 4; ++branch) {
    World copy = world;
    take_branch(copy, branch);
    while (copy.jobs.front().stage != workload::Stage::kTraining) {
      copy.play(copy.calendar().pop());
    }
    first.insert(copy.now_us());
    play_until(copy, 500_s);
    while (copy.jobs.front().stage != workload::Stage::kTraining ||
           copy.jobs.front().attempts < 2) {
      copy.play(copy.calendar().pop());
    }
    second.insert(copy.now_us());
  }
  EXPECT_EQ(first.size(), 1U);
  EXPECT_EQ(second.size(), 4U);
}

}  // namespace
}  // namespace aftershock::sim::world
