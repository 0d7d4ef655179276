#include "sim/faults/arrivals.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/core/entry_kind.h"
#include "sim/core/run_core.h"
#include "sim/faults/fault_record.h"

namespace aftershock::sim::faults {
namespace {

constexpr std::int64_t kSecondUs = 1'000'000;

/// A source that strikes a pool of four nodes, once in 10 s in the mean.
scenario::StochasticSource random_source() {
  scenario::StochasticSource source;
  source.mean_gap_us = 10 * kSecondUs;
  source.per = scenario::RatePer::kPool;
  return source;
}

core::RunCore core_with(scenario::StochasticSource source, std::int64_t until_us) {
  auto scenario = std::make_shared<scenario::Scenario>();
  scenario->until_us = until_us;
  scenario->jobs.resize(1);
  scenario->cluster.pools.resize(1);
  scenario->cluster.pools[0].nodes = 4;
  scenario->cluster.pools[0].max_nodes = 4;
  scenario::FaultSpec fault;
  fault.target.kind = scenario::TargetKind::kPool;
  fault.source = std::move(source);
  scenario->faults.push_back(fault);
  return {scenario, nullptr, nullptr, 1000};
}

// When the source strikes, of all that is on the calendar up to then.
std::vector<std::int64_t> strikes_until(core::RunCore& core, Arrivals& arrivals,
                                        std::int64_t t_us) {
  std::vector<std::int64_t> times_us;
  while (!core.calendar().empty() && core.calendar().top().t_us <= t_us) {
    const engine::Entry entry = core.calendar().pop();
    core.begin(entry);
    if (arrivals.arrive(core, entry)) {
      times_us.push_back(core.now_us());
    }
  }
  core.move_to(t_us);
  return times_us;
}

TEST(Arrivals, PlanTheNextBehindEachUntilTheHorizon) {
  scenario::StochasticSource planned = random_source();
  planned.maintenance = {.first_us = 10 * kSecondUs, .every_us = 10 * kSecondUs, .nodes = 1};
  core::RunCore core = core_with(planned, 35 * kSecondUs);
  Arrivals arrivals(core.scenario());
  arrivals.begin(core, 0);
  EXPECT_FALSE(arrivals.has_clocks());
  EXPECT_THAT(strikes_until(core, arrivals, 35 * kSecondUs),
              testing::ElementsAre(10 * kSecondUs, 20 * kSecondUs, 30 * kSecondUs));
  EXPECT_TRUE(core.calendar().empty());
}

// The strikes of a source on the clock of a job's training that runs from the start on.
std::vector<std::int64_t> strikes_of_training(std::int64_t stands_from_us, std::int64_t for_us) {
  scenario::StochasticSource source = random_source();
  source.training_job = 0;
  core::RunCore core = core_with(source, 100 * kSecondUs);
  Arrivals arrivals(core.scenario());
  const auto on_target = [](std::uint32_t) { return true; };
  arrivals.begin(core, 0);
  arrivals.turn(core, 0, true, on_target);
  std::vector<std::int64_t> times_us = strikes_until(core, arrivals, stands_from_us);
  arrivals.turn(core, 0, false, on_target);
  EXPECT_THAT(strikes_until(core, arrivals, stands_from_us + for_us), testing::IsEmpty());
  arrivals.turn(core, 0, true, on_target);
  const std::vector<std::int64_t> later_us = strikes_until(core, arrivals, 100 * kSecondUs);
  times_us.insert(times_us.end(), later_us.begin(), later_us.end());
  return times_us;
}

TEST(Arrivals, StandStillWhileTheirJobDoesNotTrain) {
  constexpr std::int64_t kFromUs = 20 * kSecondUs;
  constexpr std::int64_t kForUs = 30 * kSecondUs;
  std::vector<std::int64_t> expected_us = strikes_of_training(kFromUs, 0);
  ASSERT_GE(expected_us.size(), 3U);
  for (std::int64_t& t_us : expected_us) {
    t_us += t_us > kFromUs ? kForUs : 0;
  }
  std::erase_if(expected_us, [](std::int64_t t_us) { return t_us > 100 * kSecondUs; });
  EXPECT_EQ(strikes_of_training(kFromUs, kForUs), expected_us);
}

// The first strike of a source on the clock of units, of which so many are at risk until `until_us`
// and one from then on.
std::int64_t first_strike_us(std::int64_t units, std::int64_t until_us) {
  scenario::StochasticSource source = random_source();
  source.exposure = scenario::Exposure::kPowered;
  source.per = scenario::RatePer::kNode;
  core::RunCore core = core_with(source, 1000 * kSecondUs);
  Arrivals arrivals(core.scenario());
  std::int64_t at_risk = units;
  const auto count = [&](std::uint32_t) { return at_risk; };
  arrivals.begin(core, 0);
  EXPECT_TRUE(arrivals.has_clocks());
  arrivals.expose(core, count);
  std::vector<std::int64_t> times_us = strikes_until(core, arrivals, until_us);
  if (times_us.empty()) {
    at_risk = 1;
    arrivals.expose(core, count);
    times_us = strikes_until(core, arrivals, 1000 * kSecondUs);
  }
  return times_us.empty() ? -1 : times_us.front();
}

TEST(Arrivals, GoOnAsFastAsThereAreUnitsAtRisk) {
  const std::int64_t alone_us = first_strike_us(1, 0);
  ASSERT_GT(alone_us, 4);
  EXPECT_EQ(first_strike_us(4, 1000 * kSecondUs), (alone_us + 3) / 4);
  // Three units let three microseconds of the gap go by in each, until one is left.
  const std::int64_t two_of_three_us = alone_us / 6;
  EXPECT_EQ(first_strike_us(3, two_of_three_us), alone_us - 2 * two_of_three_us);
}

TEST(Arrivals, BringThoseThatFollow) {
  scenario::StochasticSource source = random_source();
  source.burst = {.share_ppm = 1'000'000, .more = 2, .within_us = kSecondUs};
  core::RunCore core = core_with(source, 1000 * kSecondUs);
  Arrivals arrivals(core.scenario());
  arrivals.begin(core, 0);
  const engine::Entry first = core.calendar().pop();
  core.begin(first);
  ASSERT_TRUE(arrivals.arrive(core, first));
  std::vector<std::uint64_t> followed;
  while (!core.calendar().empty()) {
    const engine::Entry entry = core.calendar().pop();
    if (core::kind_of(entry) != core::EntryKind::kFollower) {
      continue;
    }
    EXPECT_LE(entry.t_us, first.t_us + kSecondUs);
    followed.push_back(Arrivals::follow(entry).nth);
  }
  EXPECT_THAT(followed, testing::UnorderedElementsAre(follower(0, 1), follower(0, 2)));
}

}  // namespace
}  // namespace aftershock::sim::faults
