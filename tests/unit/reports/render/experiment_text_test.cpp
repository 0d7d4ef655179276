#include "reports/render/experiment_text.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "tests/unit/times.h"

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ExperimentSummary sample(std::size_t trials) {
  ExperimentSummary experiment;
  experiment.name = "search";
  experiment.policy = "ray_tune@2026-05";
  experiment.outcome = "completed";
  experiment.vendor_state = "FINISHED";
  experiment.wall_us = 90 * kMinute;
  experiment.statuses = {{"PENDING", 0}, {"TERMINATED", 998}, {"ERROR", 2}};
  experiment.ledger_us[0] = 60 * kMinute;
  experiment.lost_steps = 3;
  experiment.lost_us = 30 * kMinute;
  experiment.attempts = 1003;
  for (std::size_t i = 0; i < trials; ++i) {
    experiment.trials.push_back({"t" + std::to_string(i), "TERMINATED", 36, 1, 1, 0,
                                 static_cast<std::int64_t>(i) * kMinute});
  }
  return experiment;
}

Style plain() {
  Style style;
  style.color = false;
  style.unicode = false;
  style.accelerator = "GPU";
  return style;
}

TEST(ExperimentText, CountsTrialsByTheirStatus) {
  const std::string text = experiment_text(sample(1), plain());
  EXPECT_THAT(text, HasSubstr("search under ray_tune@2026-05, ended as FINISHED"));
  EXPECT_THAT(text, HasSubstr("TERMINATED 998, ERROR 2; attempts 1,003"));
  EXPECT_THAT(text, Not(HasSubstr("PENDING")));
  EXPECT_THAT(text, HasSubstr("lost progress: 3 steps, 00:30:00"));
}

TEST(ExperimentText, IsAsLongForAThousandTrialsAsForFive) {
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  const std::string many = experiment_text(sample(1'000), plain());
  EXPECT_EQ(lines(many), lines(experiment_text(sample(5), plain())));
  EXPECT_THAT(many, HasSubstr("t999"));
  EXPECT_THAT(many, Not(HasSubstr("t994")));
}

TEST(ExperimentText, SaysNothingOfTrialsThatLostNothing) {
  ExperimentSummary experiment = sample(0);
  experiment.lost_steps = 0;
  experiment.lost_us = 0;
  const std::string text = experiment_text(experiment, plain());
  EXPECT_THAT(text, HasSubstr("lost progress: none"));
  EXPECT_THAT(text, Not(HasSubstr("those that lost most")));
}

TEST(ExperimentText, TellsOfRestores) {
  ExperimentSummary experiment = sample(0);
  experiment.restores.push_back({60 * kMinute, 12});
  experiment.lost_trials = {"trial:3", "trial:4"};
  const std::string text = experiment_text(experiment, plain());
  EXPECT_THAT(text, HasSubstr("restored at 01:00:00 with 12 trials"));
  EXPECT_THAT(text, HasSubstr("trials lost to the restore: 2"));
}

TEST(ExperimentText, IsEmptyForOneThatWasNeverSubmitted) {
  ExperimentSummary experiment;
  experiment.outcome = "running";
  EXPECT_EQ(experiment_text(experiment, plain()), "");
}

}  // namespace
}  // namespace aftershock::reports
