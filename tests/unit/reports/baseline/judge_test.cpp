#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/reports/baseline/judged.h"

namespace aftershock::reports {
namespace {

struct Row {
  std::string why;
  Values old;
  Values now;
  Standing standing;
};

void hold(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.why);
    EXPECT_EQ(judged(run_with(row.old), run_with(row.now)).standing, row.standing);
  }
}

TEST(Judge, ByDirectionsMarginsAndRanks) {
  hold({
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
  });
}

TEST(Judge, ByUsefulWorkBehindTheOutcome) {
  hold({
      {"it fails later, after more useful work, and was charged more for it",
       {{"failed", 1}, {"useful_us", 5 * kHour}, {"charges", 3}, {"cost", 100}, {"ettr", 0.95}},
       {{"failed", 1}, {"useful_us", 11 * kDay}, {"charges", 9}, {"cost", 900}, {"ettr", 0.6}},
       Standing::kBetter},
      {"it fails sooner, and was charged less for it",
       {{"failed", 1}, {"useful_us", 11 * kDay}, {"charges", 9}, {"lost_us", 9 * kHour}},
       {{"failed", 1}, {"useful_us", 5 * kHour}, {"charges", 3}},
       Standing::kWorse},
      {"however it ended: by another reason than a budget, with less useful work",
       {{"failed", 1}, {"exhausted", 1}, {"exhausted_us", 9 * kHour}, {"useful_us", 9 * kHour}},
       {{"failed", 1}, {"useful_us", 8 * kHour}},
       Standing::kWorse},
      {"a minute of useful work is let pass",
       {{"useful_us", 10 * kHour}},
       {{"useful_us", 10 * kHour - kMinute}},
       Standing::kChanged},
      {"more of it is not",
       {{"useful_us", 10 * kHour}},
       {{"useful_us", 10 * kHour - kMinute - 1}},
       Standing::kWorse},
      {"0.05 % of much useful work is more than a minute",
       {{"useful_us", 2000 * kHour}},
       {{"useful_us", 1999 * kHour}},
       Standing::kChanged},
      {"it completes sooner, after more losses",
       {{"completed", 1}, {"alive", 1}, {"finish_us", 10 * kHour}, {"lost_us", kHour}},
       {{"completed", 1}, {"alive", 1}, {"finish_us", 9 * kHour}, {"lost_us", 2 * kHour}},
       Standing::kBetter},
      {"it lives on with less useful work",
       {{"failed", 1}, {"useful_us", 11 * kDay}},
       {{"alive", 1}, {"useful_us", 5 * kHour}},
       Standing::kBetter},
      {"it is stuck instead of failed, of the same use",
       {{"failed", 1}, {"useful_us", kHour}, {"charges", 3}},
       {{"stuck", 1}, {"useful_us", kHour}},
       Standing::kWorse},
      {"a share is not judged beside the time that it is of",
       {{"useful_share", 0.9}},
       {{"useful_share", 0.5}},
       Standing::kChanged},
      {"of one rank the worse one counts",
       {{"ettr", 0.9}, {"charges", 3}},
       {{"ettr", 0.95}, {"charges", 4}},
       Standing::kWorse},
  });
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
  const Values good{{"completed", 1}, {"alive", 1}};
  const Values bad{{"failed", 1}};
  struct Verdicts {
    Verdict old;
    Verdict now;
    Standing standing;
  };
  // The order of design.md 5: 6 5 2 4 3 1 7 8 0.
  for (const Verdicts& row :
       {Verdicts{Verdict::kPassed, Verdict::kFailed, Standing::kWorse},
        Verdicts{Verdict::kFailed, Verdict::kInvalid, Standing::kWorse},
        Verdicts{Verdict::kInvalid, Verdict::kStuck, Standing::kBetter},
        Verdicts{Verdict::kPassed, Verdict::kInconclusive, Standing::kWorse},
        Verdicts{Verdict::kInternalError, Verdict::kPolicyFailed, Standing::kBetter}}) {
    EXPECT_EQ(judged(run_with(good, row.old), run_with(bad, row.now)).standing, row.standing);
    EXPECT_EQ(judged(run_with(bad, row.old), run_with(good, row.now)).standing, row.standing);
  }
  for (const Verdict missed : {Verdict::kInconclusive, Verdict::kFailed, Verdict::kStuck}) {
    EXPECT_EQ(judged(run_with(bad, missed), run_with(good)).standing, Standing::kBetter);
    EXPECT_EQ(judged(run_with(good, missed), run_with(good)).standing, Standing::kBetter);
    // A job that dies meets an expectation of ETTR, and is not better for that.
    EXPECT_EQ(judged(run_with(good, missed), run_with(bad)).standing, Standing::kWorse);
  }
}

struct Verdicts {
  std::string why;
  Verdict old;
  Values before;
  Verdict now;
  Values after;
  Standing standing;
  std::vector<std::string> deciding;
};

void hold(const Verdicts& row) {
  SCOPED_TRACE(row.why);
  const Judgement found = judged(run_with(row.before, row.old), run_with(row.after, row.now));
  EXPECT_TRUE(found.verdict_changed);
  EXPECT_EQ(found.standing, row.standing);
  std::vector<std::string> deciding;
  for (const MetricChange& change : found.changes) {
    if (change.decides) deciding.push_back(metrics()[change.metric].name);
  }
  EXPECT_EQ(deciding, row.deciding);
}

// A job that dies after five hours is not better than one that is stuck after eleven days.
TEST(Judge, BetweenFailedAndStuckTheUsefulWorkComesFirst) {
  const Values stuck_late{{"stuck", 1}, {"useful_us", 11 * kDay}, {"charges", 9}};
  const Values failed_soon{{"failed", 1}, {"useful_us", 5 * kHour}, {"charges", 3}};
  const std::vector<Verdicts> rows{
      {"it dies long before it would have been stuck",
       Verdict::kStuck,
       stuck_late,
       Verdict::kFailed,
       failed_soon,
       Standing::kWorse,
       {"useful_us"}},
      {"it is stuck long after it had died",
       Verdict::kFailed,
       failed_soon,
       Verdict::kStuck,
       stuck_late,
       Standing::kBetter,
       {"useful_us"}},
      {"its outcome comes before its useful work",
       Verdict::kStuck,
       stuck_late,
       Verdict::kFailed,
       {{"alive", 1}, {"useful_us", 5 * kHour}},
       Standing::kBetter,
       {"alive"}},
      // Nothing but the verdict tells these apart: losses and charges do not.
      {"stuck is worse where both are of the same use",
       Verdict::kFailed,
       {{"failed", 1}, {"useful_us", kHour}, {"charges", 9}, {"lost_us", kHour}},
       Verdict::kStuck,
       {{"stuck", 1}, {"useful_us", kHour}},
       Standing::kWorse,
       {}},
      {"failed is better where both are of the same use",
       Verdict::kStuck,
       {{"stuck", 1}, {"useful_us", kHour}},
       Verdict::kFailed,
       {{"failed", 1}, {"useful_us", kHour + kMinute}, {"charges", 9}},
       Standing::kBetter,
       {}},
      // More work makes no other verdict better than it is.
      {"not where one is invalid",
       Verdict::kFailed,
       failed_soon,
       Verdict::kInvalid,
       stuck_late,
       Standing::kWorse,
       {}},
  };
  for (const Verdicts& row : rows) {
    hold(row);
  }
}

// A scenario that expects nothing passes with a job that died.
TEST(Judge, ADeadJobThatPassedIsJudgedByItsUsefulWorkToo) {
  const Values stuck_late{{"stuck", 1}, {"useful_us", 11 * kDay}};
  const Values failed_soon{{"failed", 1}, {"useful_us", 5 * kHour}};
  const std::vector<Verdicts> rows{
      {"the dead one is the old one",
       Verdict::kPassed,
       failed_soon,
       Verdict::kStuck,
       stuck_late,
       Standing::kBetter,
       {"useful_us"}},
      {"it is the new one",
       Verdict::kStuck,
       stuck_late,
       Verdict::kPassed,
       failed_soon,
       Standing::kWorse,
       {"useful_us"}},
      {"not one that lives",
       Verdict::kPassed,
       {{"alive", 1}, {"useful_us", 5 * kHour}},
       Verdict::kStuck,
       stuck_late,
       Standing::kWorse,
       {}},
  };
  for (const Verdicts& row : rows) {
    hold(row);
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

// An hour at half the size was an hour of useful work once, and is half of one since.
TEST(Judge, AnElasticRunIsNoWorseForAnotherMeasure) {
  const Values before{
      {"useful_share", 0.9}, {"useful_us", 9 * kHour}, {"useful_accelerator_us", 60 * kHour}};
  const Values since{
      {"useful_share", 0.75}, {"useful_us", 7.5 * kHour}, {"useful_accelerator_us", 60 * kHour}};
  const Judgement same_events = judged(run_with(before), run_with(since));
  EXPECT_EQ(same_events.standing, Standing::kChanged);
  EXPECT_EQ(same_events.not_judged, std::vector<std::size_t>{*metric_named("useful_us")});
  // Of other events, and of less work by the same ones, nothing is excused.
  BaselineRun other = run_with(since);
  other.hash = 1;
  EXPECT_EQ(judged(run_with(before), other).standing, Standing::kWorse);
  const Values less{
      {"useful_share", 0.75}, {"useful_us", 7.5 * kHour}, {"useful_accelerator_us", 50 * kHour}};
  EXPECT_EQ(judged(run_with(before), run_with(less)).standing, Standing::kWorse);
}

TEST(Judge, OnlyWhatCanBecomeWorseIsJudged) {
  for (const Metric& metric : metrics()) {
    EXPECT_TRUE(metric.better != Better::kNeither || !usual_margin(metric.name)) << metric.name;
  }
  for (const char* name : {"completed", "alive", "failed", "stuck", "exhausted", "useful_us",
                           "finish_us", "ettr", "lost_us", "charges"}) {
    EXPECT_TRUE(usual_margin(name)) << name;
  }
}

}  // namespace
}  // namespace aftershock::reports
