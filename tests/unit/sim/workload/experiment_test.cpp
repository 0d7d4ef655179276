#include "sim/workload/experiment.h"

#include <gtest/gtest.h>

namespace aftershock::sim::workload {
namespace {

TEST(ExperimentDeathTest, ATrialHasANumberInItsOwnExperiment) {
  Experiment experiment;
  experiment.trials.resize(2);
  const Trial other;
  EXPECT_EQ(number_of(experiment, experiment.trials[1]), 1U);
  EXPECT_DEATH(number_of(experiment, other), "assertion failed");
}

}  // namespace
}  // namespace aftershock::sim::workload
