// Lengths of phases that two runs had, as a scenario says them.
#include "sim/live/calibration.h"

#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::live {
namespace {

using Stays = std::vector<LiveRun::Stay>;

TEST(Calibration, TakesTheFirstStartFromTheCalmRunAndTheRestFromTheOther) {
  const Stays calm{
      {0, scenario::Phase::kLaunching, 1'000'000},   {1, scenario::Phase::kLaunching, 2'000'000},
      {1, scenario::Phase::kRendezvous, 300'000},    {1, scenario::Phase::kTraining, 2'500'000},
      {1, scenario::Phase::kCheckpointing, 120'000}, {1, scenario::Phase::kTraining, 2'500'000},
      {1, scenario::Phase::kCheckpointing, 80'000},  {1, scenario::Phase::kFinalizing, 400'000}};
  const Stays struck{
      {0, scenario::Phase::kLaunching, 9'000'000}, {1, scenario::Phase::kTraining, 1'000'000},
      {1, scenario::Phase::kUndetected, 700'000},  {1, scenario::Phase::kTearingDown, 250'000},
      {1, scenario::Phase::kLaunching, 500'000},   {2, scenario::Phase::kLaunching, 1'500'000},
      {2, scenario::Phase::kRendezvous, 200'000},  {2, scenario::Phase::kTraining, 4'000'000},
      {3, scenario::Phase::kLaunching, 50'000'000}};
  const Calibration found = calibrate({calm, 20, 2}, {struck, 20, 2});
  EXPECT_EQ(found.first.launching_us, 3'000'000);
  EXPECT_EQ(found.first.rendezvous_us, 300'000);
  ASSERT_TRUE(found.restart);
  EXPECT_EQ(found.restart->launching_us, 2'000'000);
  EXPECT_EQ(found.tearing_down_us, 250'000);
  EXPECT_EQ(found.undetected_us, 700'000);
  EXPECT_EQ(found.step_us, 250'000);
  EXPECT_EQ(found.blocking_us, 100'000);
  EXPECT_EQ(patch_text(found),
            R"("step": "250ms",
"checkpoint": {"blocking": "100ms"},
"phases": {"launching": "3000ms", "rendezvous": "300ms", "restoring": "0ms", "warming_up": "0ms", )"
            R"("tearing_down": "250ms", "finalizing": "400ms"},
"restart_phases": {"launching": "2000ms", "rendezvous": "200ms", "restoring": "0ms", )"
            R"("warming_up": "0ms", "tearing_down": "250ms", "finalizing": "400ms"}
from the fault to the decision: 0.700 s
)");
}

TEST(Calibration, SaysNothingOfARestartThatWasNotThere) {
  const Stays calm{{0, scenario::Phase::kLaunching, 1'000'000},
                   {1, scenario::Phase::kTraining, 1'000'000}};
  const Calibration found = calibrate({calm, 4, 0}, {calm, 4, 0});
  EXPECT_FALSE(found.restart);
  EXPECT_FALSE(found.undetected_us);
  EXPECT_EQ(found.blocking_us, 0);
}

}  // namespace
}  // namespace aftershock::sim::live
