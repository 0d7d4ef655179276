#include "policies/nvrx/launcher.h"

#include <gtest/gtest.h>

namespace aftershock::policies::nvrx {
namespace {

/// Feeds one batch; what is answered is the case files' matter.
void feed(Launcher& launcher, std::uint64_t seq, std::vector<Event> events) {
  static_cast<void>(
      launcher.on_events({seq, static_cast<TimeUs>(seq) * kSecondUs, std::move(events)}, View{}));
}

TEST(Launcher, ACopyGoesItsOwnWay) {
  Launcher launcher(Config{});
  feed(launcher, 1, {JobSubmitted{0, 2}});
  feed(launcher, 2, {AttemptRunning{0, 1}});
  const auto copy = launcher.clone();
  feed(launcher, 3, {WorkersFailed{.epoch = 1, .ranks = RankSet::range(0, 2)}});
  EXPECT_EQ(launcher.info().states[launcher.state()], "FAILED");
  EXPECT_EQ(copy->info().states[copy->state()], "HEALTHY");
}

TEST(Launcher, LimitsAreWhatMayStillHappen) {
  const auto budgets = Launcher({.in_process = InProcess{.max_iterations = 3},
                                 .max_restarts = 5,
                                 .max_no_progress_cycles = 4})
                           .budgets();
  EXPECT_EQ(budgets[0].limit, 5);
  EXPECT_EQ(budgets[1].limit, 3);
  EXPECT_EQ(budgets[2].limit, 2);
  const auto endless = Launcher({.max_no_progress_cycles = 0}).budgets();
  EXPECT_FALSE(endless[1].limit.has_value());
  EXPECT_FALSE(endless[2].limit.has_value());
}

}  // namespace
}  // namespace aftershock::policies::nvrx
