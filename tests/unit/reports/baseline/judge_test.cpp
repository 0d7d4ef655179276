#include "reports/baseline/judge.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

using Values = std::vector<std::pair<std::string, double>>;

BaselineRun run_with(const Values& values, Verdict verdict = Verdict::kPassed) {
  BaselineRun run;
  run.verdict = verdict;
  run.values.resize(metrics().size());
  for (const auto& [name, value] : values) {
    run.values[*metric_named(name)] =
        name == "ettr" ? MetricValue{value} : MetricValue{static_cast<std::int64_t>(value)};
  }
  return run;
}

Judgement judged(const BaselineRun& old, const BaselineRun& now, const Margins& margins = {}) {
  return judge(old, now, {}, margins);
}

struct Row {
  std::string why;
  Values old;
  Values now;
  Standing standing;
};

constexpr double kMinute = 60e6;
constexpr double kHour = 3600e6;

TEST(Judge, ByDirectionsMarginsAndRanks) {
  const std::vector<Row> rows{
      {"nothing", {{"ettr", 0.9}}, {{"ettr", 0.9}}, Standing::kSame},
      {"within the margin of 0.0005", {{"ettr", 0.9}}, {{"ettr", 0.8996}}, Standing::kChanged},
      {"lower ETTR", {{"ettr", 0.9}}, {{"ettr", 0.8994}}, Standing::kWorse},
      {"higher ETTR", {{"ettr", 0.9}}, {{"ettr", 0.9006}}, Standing::kBetter},
      {"a minute is let pass",
       {{"lost_us", 10 * kMinute}},
       {{"lost_us", 11 * kMinute}},
       Standing::kChanged},
      {"more is not",
       {{"lost_us", 10 * kMinute}},
       {{"lost_us", 11 * kMinute + 1}},
       Standing::kWorse},
      {"1 % of much is more than a minute",
       {{"lost_us", 1000 * kHour}},
       {{"lost_us", 1010 * kHour}},
       Standing::kChanged},
      {"one charge more", {{"charges", 3}}, {{"charges", 4}}, Standing::kWorse},
      {"one charge less, to none", {{"charges", 1}}, {}, Standing::kBetter},
      {"what is not judged",
       {{"launching_us", kHour}},
       {{"launching_us", 2 * kHour}},
       Standing::kChanged},
      {"what has no direction", {{"wall_us", kHour}}, {{"wall_us", 2 * kHour}}, Standing::kChanged},
      {"it completes, and costs more for it",
       {{"failed", 1}, {"exhausted", 1}, {"exhausted_us", kHour}, {"ettr", 0.9}, {"charges", 3}},
       {{"completed", 1}, {"ettr", 0.8}, {"charges", 4}, {"lost_us", kHour}},
       Standing::kBetter},
      {"it fails, and costs less",
       {{"completed", 1}, {"charges", 4}},
       {{"failed", 1}, {"charges", 3}},
       Standing::kWorse},
      {"it is exhausted later, after more losses",
       {{"exhausted", 1}, {"exhausted_us", kHour}, {"lost_us", kHour}},
       {{"exhausted", 1}, {"exhausted_us", 3 * kHour}, {"lost_us", 2 * kHour}},
       Standing::kBetter},
      {"of one rank the worse one counts",
       {{"ettr", 0.9}, {"charges", 3}},
       {{"ettr", 0.95}, {"charges", 4}},
       Standing::kWorse},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.why);
    EXPECT_EQ(judged(run_with(row.old), run_with(row.now)).standing, row.standing);
  }
}

TEST(Judge, WhatLosesDecidesAgainstWhatGains) {
  const auto old = run_with({{"ettr", 0.9}, {"charges", 3}, {"lost_us", kHour}});
  const auto deciding = [&old](const Values& now) {
    std::vector<std::string> names;
    for (const MetricChange& change : judged(old, run_with(now)).changes) {
      if (change.decides) names.push_back(metrics()[change.metric].name);
    }
    return names;
  };
  EXPECT_EQ(deciding({{"ettr", 0.95}, {"charges", 4}, {"lost_us", kMinute}}),
            std::vector<std::string>{"charges"});
  EXPECT_EQ(deciding({{"ettr", 0.95}, {"charges", 3}, {"lost_us", kMinute}}),
            (std::vector<std::string>{"ettr", "lost_us"}));
}

TEST(Judge, ByMarginsOfTheScenario) {
  const auto old = run_with({{"ettr", 0.9}, {"attempts", 4}, {"charges", 4}});
  const auto now = run_with({{"ettr", 0.88}, {"attempts", 5}, {"charges", 5}});
  EXPECT_EQ(judged(old, now, {{"ettr", {0.02001, 0}}, {"charges", {1, 0}}}).standing,
            Standing::kChanged);
  EXPECT_EQ(
      judged(old, now, {{"ettr", {0.05, 0}}, {"charges", {0, 0.25}}, {"attempts", {}}}).standing,
      Standing::kWorse);
}

TEST(Judge, AVerdictComesFirst) {
  const Values good{{"completed", 1}};
  const Values bad{{"failed", 1}};
  struct Verdicts {
    Verdict old;
    Verdict now;
    Standing standing;
  };
  // The order of design section 5: 6 5 2 4 3 1 7 8 0.
  for (const Verdicts& row :
       {Verdicts{Verdict::kPassed, Verdict::kFailed, Standing::kWorse},
        Verdicts{Verdict::kFailed, Verdict::kPassed, Standing::kBetter},
        Verdicts{Verdict::kFailed, Verdict::kStuck, Standing::kWorse},
        Verdicts{Verdict::kInvalid, Verdict::kStuck, Standing::kBetter},
        Verdicts{Verdict::kPassed, Verdict::kInconclusive, Standing::kWorse},
        Verdicts{Verdict::kInternalError, Verdict::kPolicyFailed, Standing::kBetter}}) {
    EXPECT_EQ(judged(run_with(good, row.old), run_with(bad, row.now)).standing, row.standing);
    EXPECT_EQ(judged(run_with(bad, row.old), run_with(good, row.now)).standing, row.standing);
  }
}

TEST(Judge, AnythingElseIsAChange) {
  const BaselineRun old = run_with({{"ettr", 0.9}});
  const auto with = [&old](auto change) {
    BaselineRun now = old;
    change(now);
    return judged(old, now).standing;
  };
  EXPECT_EQ(with([](BaselineRun&) {}), Standing::kSame);
  EXPECT_EQ(with([](BaselineRun& run) { run.hash = 1; }), Standing::kChanged);
  EXPECT_EQ(with([](BaselineRun& run) { run.text = "x"; }), Standing::kChanged);
  EXPECT_EQ(with([](BaselineRun& run) { run.outcome = "running"; }), Standing::kChanged);
  TimedTrace trace;
  trace.trace.count = 1;
  trace.trace.first = {{"p.a", 1}};
  const Judgement decided = judge(old, old, trace, {});
  EXPECT_EQ(decided.standing, Standing::kChanged);
  EXPECT_EQ(decided.decision->now.text, "p.a");
}

TEST(Judge, AMetricThatTheBaselineDoesNotKnowIsNotJudged) {
  const auto without = [](const char* metric) {
    BaselineRun old = run_with({});
    old.known.assign(metrics().size(), true);
    old.known[*metric_named(metric)] = false;
    return old;
  };
  // Not the better for it, and not in silence.
  const Judgement judged_run = judged(without("charges"), run_with({{"charges", 3}}));
  EXPECT_EQ(judged_run.standing, Standing::kChanged);
  EXPECT_TRUE(judged_run.changes.empty());
  EXPECT_EQ(judged_run.not_judged, std::vector<std::size_t>{*metric_named("charges")});
  EXPECT_EQ(judged(without("charges"), run_with({{"completed", 1}})).standing, Standing::kBetter);
  EXPECT_EQ(judged(without("wall_us"), run_with({})).standing, Standing::kSame)
      << "nobody judges it";
}

TEST(Judge, OnlyWhatCanBecomeWorseIsJudged) {
  for (const Metric& metric : metrics()) {
    EXPECT_TRUE(metric.better != Better::kNeither || !usual_margin(metric.name)) << metric.name;
  }
  for (const char* name : {"completed", "failed", "exhausted", "ettr", "lost_us", "charges"}) {
    EXPECT_TRUE(usual_margin(name)) << name;
  }
}

}  // namespace
}  // namespace aftershock::reports
