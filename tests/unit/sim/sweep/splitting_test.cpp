#include "sim/sweep/splitting.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <boost/math/distributions/binomial.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/scenario/read/read.h"
#include "sim/sweep/splitting_levels.h"
#include "sim/sweep/splitting_text.h"
#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::sweep {
namespace {

using testing::HasSubstr;

/// A crash an hour of a job that never ends by itself.
std::string crashes(const std::string& config, const std::string& until) {
  return fmt::format(R"({{
    "job": {{"steps": null, "policy": {{"config": {}}}}},
    "faults": [{{"kind": "worker_crash", "target": "job:a",
                 "source": {{"exponential": {{"mtbf": "1h", "per": "job"}}}}}}], "until": "{}"}})",
                     config, until);
}

std::variant<SplittingEstimate, std::string> estimated(const std::string& patch,
                                                       const SplittingOptions& options) {
  scenario::ReadResult result =
      scenario::read_scenario_text(world::scenario_text(patch), "test.json");
  if (auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&result)) {
    return scenario::format(errors->front());
  }
  return estimate_exhaustion(std::make_shared<const scenario::Scenario>(
                                 std::move(std::get<scenario::ReadScenario>(result).scenario)),
                             options);
}

SplittingEstimate estimate_of(const std::string& patch, const SplittingOptions& options) {
  auto result = estimated(patch, options);
  if (const auto* why = std::get_if<std::string>(&result)) {
    ADD_FAILURE() << *why;
    return {};
  }
  return std::get<SplittingEstimate>(std::move(result));
}

std::string refusal_of(const std::string& patch, const SplittingOptions& options) {
  const auto result = estimated(patch, options);
  const auto* why = std::get_if<std::string>(&result);
  return why != nullptr ? *why : "";
}

const SplittingOptions kSmall{.effort = 20, .repetitions = 4};

TEST(SplittingLevels, AreTheRetriesOfEveryBudget) {
  policies::PolicyInfo info;
  info.budgets = {"short", "none", "long", "zero"};
  const auto levels = levels_of(info, {{0, 1}, {0, {}}, {0, 3}, {0, 0}});
  std::string names;
  for (const Level& level : levels) {
    names += fmt::format("{:g} {}, ", level.share, level.name);
  }
  EXPECT_EQ(names, "0.25 long 1 of 3, 0.5 short 1 of 1, 0.75 long 3 of 3, 1 exhausted, ");
  EXPECT_EQ(levels_of(info, {{0, {}}}).size(), 0U);
  EXPECT_EQ(levels_of(info, {{0, 0}}).size(), 1U);
  EXPECT_EQ(levels_of(info, {{0, -5}}).size(), 1U);
  EXPECT_LE(levels_of(info, {{0, INT64_MAX - 1}}).size(), 258U);
}

TEST(SplittingLevels, ChargesThatCount) {
  struct Case {
    policies::BudgetMove move;
    double share;
  };
  const Case cases[] = {{{.used = 1, .limit = 3}, 0.25},
                        {{.used = 3, .limit = 3}, 0.75},
                        {{.used = 4, .limit = 3, .exhausted = true}, 1},
                        {{.used = 4, .limit = 3}, 0.75},
                        {{.used = 1, .limit = 0, .exhausted = true}, 1},
                        {{.used = 7, .limit = {}}, 0},
                        {{.used = 3, .limit = 3, .exempt = true}, 0}};
  workload::Job job;
  for (const Case& one : cases) {
    workload::ChargeRecord record;
    record.move = one.move;
    job.control.charges.push_back(record);
    EXPECT_EQ(worst_share(job, job.control.charges.size() - 1), one.share);
  }
  EXPECT_EQ(worst_share(job, 0), 1);
  EXPECT_EQ(worst_share(job, 5), 0);
  EXPECT_EQ(worst_share(job, job.control.charges.size()), 0);
}

TEST(Splitting, IsTheSameOnAnyNumberOfThreads) {
  const std::string patch = crashes(R"({"max_failures": 6})", "2h");
  SplittingOptions options{.effort = 30, .repetitions = 5};
  const std::string one = policies::text_from_json(splitting_json(estimate_of(patch, options)));
  EXPECT_EQ(policies::text_from_json(splitting_json(estimate_of(patch, options))), one);
  options.threads = 3;
  EXPECT_EQ(policies::text_from_json(splitting_json(estimate_of(patch, options))), one);
  options.effort = 31;
  EXPECT_NE(policies::text_from_json(splitting_json(estimate_of(patch, options))), one);
}

// No more than 3 / 80 at 95 %, exactly 1 - 0.05^(1/80), when none of 80 worlds fails at all.
TEST(Splitting, WhatNeverHappensHasAnUpperBound) {
  const std::string patch = crashes(R"({"max_failures": 2})", "1s");
  const SplittingEstimate got = estimate_of(patch, kSmall);
  EXPECT_EQ(got.probability, 0);
  EXPECT_FALSE(got.standard_error);
  EXPECT_FALSE(got.plain_runs);
  EXPECT_EQ(got.lo, 0);
  EXPECT_NEAR(got.hi, 1 - std::pow(0.05, 1 / 80.0), 1e-12);
  const std::string text = splitting_text(got, {});
  EXPECT_THAT(text, HasSubstr("P(exhausted) of job a: at most 0.0368 at 95 %"));
  EXPECT_TRUE(splitting_json(got)["standard_error"].is_null());
}

// How many of the 20 worlds come to the first level is binomial, and the 31st failure within half
// an hour is out of reach: its bound is no higher than that level's exact one, P(X <= came) = 5 %.
TEST(Splitting, WhatWasNotReachedIsNoMoreProbableThanWhatWas) {
  const SplittingEstimate got =
      estimate_of(crashes(R"({"max_failures": 30})", "30min"), {.effort = 5, .repetitions = 4});
  EXPECT_EQ(got.probability, 0);
  EXPECT_FALSE(got.standard_error);
  EXPECT_GT(got.hi, 0);
  const double came = std::round(20 * got.levels.front().reached);
  ASSERT_GT(came, 0);
  EXPECT_GE(boost::math::cdf(boost::math::binomial(20, got.hi), came), 0.05 - 1e-9);
}

TEST(Splitting, WhatAlwaysHappensHasALowerBound) {
  const SplittingEstimate got = estimate_of(crashes(R"({"max_failures": 0})", "1000h"), kSmall);
  EXPECT_EQ(got.probability, 1);
  EXPECT_FALSE(got.standard_error);
  EXPECT_NEAR(got.lo, std::pow(0.05, 1 / 80.0), 1e-12);
  EXPECT_EQ(got.hi, 1);
  EXPECT_EQ(got.levels.size(), 1U);
  EXPECT_THAT(splitting_text(got, {}), HasSubstr("at least 0.96"));
}

TEST(Splitting, CountsWhatItTook) {
  const SplittingEstimate got = estimate_of(crashes(R"({"max_failures": 6})", "2h"), kSmall);
  ASSERT_EQ(got.levels.size(), 7U);
  EXPECT_EQ(got.levels.front().name, "max_failures 1 of 6");
  std::int64_t entries = 0;
  std::int64_t copies = 0;
  for (std::size_t i = 0; i < got.levels.size(); ++i) {
    entries += got.levels[i].entries;
    copies += got.levels[i].copies;
    EXPECT_LE(got.levels[i].worlds, 80);
    EXPECT_LE(got.levels[i].reached, i == 0 ? 1 : got.levels[i - 1].reached);
  }
  EXPECT_GT(got.entries, entries) << "runs that look ahead are work, too";
  EXPECT_EQ(got.worlds, 20 + 80 + copies);
  EXPECT_GT(copies, 0);
}

TEST(Splitting, SaysWhyThereIsNoEstimate) {
  const std::string usual = crashes(R"({"max_failures": 2})", "2h");
  struct Case {
    std::string patch;
    SplittingOptions options;
    const char* says;
  };
  const std::string two = R"({"jobs": [{"name": "llm"}, {"name": "eval"}], "until": "1h",
    "pool": {"nodes": 4}})";
  const std::string shared = R"({"cluster": {"storage": [{"name": "s", "read": "1GB/s",
    "write": "1GB/s"}]}, "pool": {"nodes": 4}, "until": "1h",
    "jobs": [{"name": "llm", "checkpoint": {"every": "100s", "bytes": "7GB"}},
             {"name": "eval", "checkpoint": {"every": "100s", "bytes": "7GB"}}]})";
  const Case cases[] = {
      {crashes(R"({"max_failures": -1})", "2h"), kSmall, "no budget of its policy ray_train has a"},
      {usual, {.job = "b"}, "there is no job \"b\": expected a"},
      {two, kSmall, "it is not said which job's retries: expected one of llm, eval"},
      {two, {.job = "evil"}, "did you mean \"eval\"?"},
      {R"({"experiments": [{}], "until": "1h"})", kSmall, "has no job"},
      {usual, {.effort = 1}, "at least 2 of each"},
      {usual, {.repetitions = 1}, "at least 2 of each"},
      {usual, {.confidence = 1}, "between 0 and 1"},
      {shared, {.job = "llm"}, "takes SimGrid"},
      {usual, {.effort = 2, .repetitions = 2, .max_entries = 3}, "did not come to its end"},
      {usual, {.effort = 2, .go_on = [](double) { return false; }}, "stopped"},
      {R"({"faults": [{"id": "half", "kind": "hang", "target": "job:a",
            "when": {"enter": "training", "offset": "50%"}}], "until": "1h"})",
       kSmall, "fault half strikes at a share of a phase"},
  };
  for (const Case& one : cases) {
    EXPECT_THAT(refusal_of(one.patch, one.options), HasSubstr(one.says));
  }
}

TEST(Splitting, TellsHowFarItIs) {
  std::vector<double> told;
  SplittingOptions options = kSmall;
  options.go_on = [&told](double done) {
    told.push_back(done);
    return true;
  };
  estimate_of(crashes(R"({"max_failures": 2})", "2h"), options);
  ASSERT_EQ(told.size(), 12U);  // three levels of four repetitions
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_DOUBLE_EQ(told[i], static_cast<double>(i + 1) / 12);
  }
}

TEST(SplittingText, ShowsSomeOfVeryManyLevels) {
  SplittingEstimate estimate;
  estimate.job = "a\x1b[31m";
  estimate.probability = 1e-6;
  estimate.standard_error = 1e-7;
  estimate.lo = 8e-7;
  estimate.hi = 1.25e-6;
  estimate.plain_runs = 1e8;
  for (int i = 1; i <= 100; ++i) {
    estimate.levels.push_back({.name = fmt::format("b {} of 99", i), .worlds = 1, .entries = 2});
  }
  estimate.levels.back().name = "exhausted";
  const std::string text = splitting_text(estimate, {});
  EXPECT_THAT(text, HasSubstr("1e-06, 95 % interval 8e-07 to 1.25e-06, standard error 1e-07"));
  EXPECT_THAT(text, HasSubstr("plain sampling takes 100,000,000 runs"));
  EXPECT_THAT(text, HasSubstr("exhausted"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24 + 4);
}

}  // namespace
}  // namespace aftershock::sim::sweep
