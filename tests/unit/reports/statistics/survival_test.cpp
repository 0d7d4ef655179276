#include "reports/statistics/survival.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

// Weeks of remission under 6-MP and under placebo: Freireich et al., Blood 21 (1963) 699-716.
std::vector<Watched> mercaptopurine() {
  std::vector<Watched> runs;
  for (const int week : {6, 6, 6, 7, 10, 13, 16, 22, 23}) runs.push_back({week, true});
  for (const int week : {6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35}) {
    runs.push_back({week, false});
  }
  return runs;
}

std::vector<Watched> placebo() {
  std::vector<Watched> runs;
  for (const int week : {1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23}) {
    runs.push_back({week, true});
  }
  return runs;
}

// The life table of these data as Stata's `sts list` prints it, with log(-log) intervals (Kleinbaum
// and Klein, Survival Analysis, appendix).
TEST(KaplanMeier, GivesTheLifeTableOfTheLeukaemiaTrial) {
  struct Row {
    std::int64_t week, at_risk, events;
    double survival, error, low, high;
  };
  const std::vector<Row> rows{
      {6, 21, 3, 0.8571, 0.0764, 0.6197, 0.9516},  {7, 17, 1, 0.8067, 0.0869, 0.5631, 0.9228},
      {10, 15, 1, 0.7529, 0.0963, 0.5032, 0.8894}, {13, 12, 1, 0.6902, 0.1068, 0.4316, 0.8491},
      {16, 11, 1, 0.6275, 0.1141, 0.3675, 0.8049}, {22, 7, 1, 0.5378, 0.1282, 0.2678, 0.7468},
      {23, 6, 1, 0.4482, 0.1346, 0.1881, 0.6801}};
  std::vector<Watched> runs = mercaptopurine();
  for (int order = 0; order < 2; ++order, std::ranges::reverse(runs)) {
    const auto curve = kaplan_meier(runs);
    EXPECT_EQ(curve->watched, 21);
    EXPECT_EQ(curve->events, 9);
    ASSERT_EQ(curve->steps.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const SurvivalStep& step = curve->steps[i];
      EXPECT_EQ(step.t_us, rows[i].week);
      EXPECT_EQ(step.at_risk, rows[i].at_risk);
      EXPECT_EQ(step.events, rows[i].events);
      EXPECT_NEAR(step.survival, rows[i].survival, 0.00005001);
      EXPECT_NEAR(step.error, rows[i].error, 0.00005001);
      EXPECT_NEAR(step.interval->low, rows[i].low, 0.00005001);
      EXPECT_NEAR(step.interval->high, rows[i].high, 0.00005001);
    }
  }
}

// SAS PROC LIFETEST on the same data: median 23 (13, .) and 8 (4, 11).
TEST(TimeQuantile, GivesTheMediansOfTheLeukaemiaTrial) {
  const auto treated = time_quantile(*kaplan_meier(mercaptopurine()));
  EXPECT_EQ(treated->t_us, 23);
  EXPECT_EQ(treated->low_us, 13);
  EXPECT_FALSE(treated->high_us);
  const auto control = time_quantile(*kaplan_meier(placebo()));
  EXPECT_EQ(control->t_us, 8);
  EXPECT_EQ(control->low_us, 4);
  EXPECT_EQ(control->high_us, 11);
}

// Without censoring survival is the share that is left, and Greenwood's error the binomial one.
TEST(KaplanMeier, IsTheEmpiricalShareWithoutCensoring) {
  const auto curve = kaplan_meier(placebo());
  const Estimate after_ten = survival_at(*curve, 10);
  EXPECT_NEAR(after_ten.value, 8 / 21.0, 1e-15);
  for (const SurvivalStep& step : curve->steps) {
    const double left = static_cast<double>(step.at_risk - step.events) / 21;
    EXPECT_NEAR(step.survival, left, 1e-15);
    EXPECT_NEAR(step.error, std::sqrt(left * (1 - left) / 21), 1e-15);
  }
  EXPECT_EQ(curve->steps.back().survival, 0);
  EXPECT_FALSE(curve->steps.back().interval);
  EXPECT_EQ(survival_at(*curve, 0).value, 1);
  EXPECT_EQ(survival_at(*curve, 1).value, curve->steps.front().survival);
  EXPECT_EQ(survival_at(*curve, 99).value, 0);
  // Ten events: half of them is at the fifth, whatever 9/10 * 8/9 * ... rounds to.
  std::vector<Watched> ten;
  for (std::int64_t i = 1; i <= 10; ++i) ten.push_back({i, true});
  EXPECT_EQ(time_quantile(*kaplan_meier(ten))->t_us, 5);
  EXPECT_EQ(time_quantile(*kaplan_meier(ten), 0.9)->t_us, 9);
}

TEST(KaplanMeier, SaysNothingOfOddInput) {
  EXPECT_FALSE(kaplan_meier(std::vector<Watched>{}));
  EXPECT_FALSE(kaplan_meier(std::vector<Watched>{{5, true}, {-1, false}}));
  EXPECT_FALSE(kaplan_meier(placebo(), 1));
  const auto without_events = kaplan_meier(std::vector<Watched>{{5, false}, {6, false}});
  EXPECT_TRUE(without_events->steps.empty());
  EXPECT_EQ(survival_at(*without_events, 7).value, 1);
  EXPECT_FALSE(time_quantile(*without_events));
  EXPECT_FALSE(time_quantile(*kaplan_meier(placebo()), 1));
}

}  // namespace
}  // namespace aftershock::reports
