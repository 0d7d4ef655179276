#include "sim/advise/choices.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/advise/policy_settings.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::advise {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

scenario::Scenario to_choose_for(const std::string& path,
                                 const std::vector<std::string>& sets = {}) {
  scenario::ReadOptions options;
  options.sets = sets;
  auto result = scenario::read_scenario_file(path, options);
  return std::get<scenario::ReadScenario>(std::move(result)).scenario;
}

constexpr const char* kPlainJob = "scenarios/reference_54_days.json";
constexpr const char* kPodsJob = "scenarios/modelarts/npu_4096_sample_budgets.json";

std::vector<std::string> values(const sweep::Dimension& dimension) {
  std::vector<std::string> all;
  for (const auto& point : dimension.points) all.push_back(point.front());
  return all;
}

std::vector<sweep::Dimension> chosen(const scenario::Scenario& scenario,
                                     const std::vector<std::string>& texts) {
  auto read = read_choices(texts, scenario);
  EXPECT_EQ(read.index(), 0U) << (read.index() == 1 ? std::get<1>(read) : "");
  std::vector<sweep::Dimension> dimensions;
  for (Choosable& each : std::get<0>(read)) {
    dimensions.push_back(std::move(each.dimension));
  }
  return dimensions;
}

std::string refused(const scenario::Scenario& scenario, const std::string& text) {
  auto read = read_choices({text}, scenario);
  EXPECT_EQ(read.index(), 1U);
  return read.index() == 1 ? std::get<1>(read) : "";
}

TEST(Choices, ARangeGoesToThePlaceOfTheWord) {
  const scenario::Scenario scenario = to_choose_for(kPlainJob);
  const auto dimensions =
      chosen(scenario, {"checkpoint=10min..20min:5min", "spares=0..2", "/jobs/0/step=6s,12s"});
  ASSERT_EQ(dimensions.size(), 3U);
  EXPECT_THAT(dimensions[0].names, ElementsAre("/jobs/0/checkpoint/every"));
  EXPECT_THAT(values(dimensions[0]), ElementsAre("10min", "15min", "20min"));
  EXPECT_THAT(dimensions[1].names, ElementsAre("/cluster/pools/0/spares"));
  EXPECT_THAT(dimensions[2].names, ElementsAre("/jobs/0/step"));
}

TEST(Choices, IntervalsAreAroundDalysAndTheOneThereIs) {
  // O3 for d = 30 s and M = 11135.08 s is 797.5 s, 13 min. The scenario has 30 min.
  const auto dimension = chosen(to_choose_for(kPlainJob), {"checkpoint"}).front();
  EXPECT_THAT(values(dimension), Contains("13min"));
  EXPECT_THAT(values(dimension), Contains("30min"));
  EXPECT_GE(dimension.points.size(), 7U);
  const auto steps = chosen(to_choose_for(kPlainJob, {"/jobs/0/checkpoint/every=null",
                                                      "/jobs/0/checkpoint/every_steps=50"}),
                            {"checkpoint"})
                         .front();
  EXPECT_THAT(steps.names, ElementsAre("/jobs/0/checkpoint/every_steps"));
  EXPECT_THAT(values(steps), Contains("133"));  // of 6 s
  EXPECT_THAT(values(steps), Contains("50"));
}

TEST(Choices, BudgetsGoByTheirOwnNames) {
  const scenario::Scenario scenario = to_choose_for(kPodsJob);
  const auto all = chosen(scenario, {"budget"});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all[0].names, ElementsAre("/jobs/0/policy/config/fault-tolerance~1job-retry-num"));
  // The guide's example has 8; annotations are strings, and 128 is the most.
  EXPECT_THAT(values(all[0]), ElementsAre("\"8\"", "\"16\"", "\"32\"", "\"64\""));
  const auto one = chosen(scenario, {"pod-retry-num=3,300"});
  EXPECT_THAT(values(one.front()), ElementsAre("\"3\"", "\"300\""));
  EXPECT_THAT(choice_words(scenario),
              ElementsAre("checkpoint", "spares", "budget", "job-retry-num", "pod-retry-num"));
}

struct ExpectedCharges {
  const char* path;
  std::vector<std::string> sets;
  double expected;  ///< failures over the horizon, as the scenario's rates have them
};

// P(N > k) of a Poisson count, term by term.
double exceeded(double mean, std::int64_t k) {
  double term = std::exp(-mean);
  double below = term;
  for (std::int64_t n = 1; n <= k; ++n) {
    term *= mean / static_cast<double>(n);
    below += term;
  }
  return 1 - below;
}

// From what there is over what is charged in the mean to what next to no run exceeds.
TEST(Choices, BudgetsBracketTheChargesThatAreExpected) {
  const ExpectedCharges rows[] = {
      {kPlainJob, {"/jobs/0/policy/config/max_failures=3"}, 419},
      {kPlainJob, {"/jobs/0/policy/config/max_failures=3", "/until=27d"}, 209.5},
      {"scenarios/llama3_54_days.json", {"/jobs/0/policy/config/max_failures=20"}, 419},
  };
  for (const auto& [path, sets, expected] : rows) {
    SCOPED_TRACE(fmt::format("{} {}", path, fmt::join(sets, " ")));
    const auto dimension = chosen(to_choose_for(path, sets), {"budget"}).front();
    std::vector<std::int64_t> limits;
    for (const std::string& value : values(dimension)) {
      limits.push_back(std::stoll(value));
    }
    ASSERT_GE(limits.size(), 4U);
    EXPECT_LT(limits.front(), 0.1 * expected) << "what there is";
    EXPECT_NEAR(static_cast<double>(limits[1]), expected, 0.02 * expected) << "about the mean";
    EXPECT_LT(exceeded(expected, limits.back()), 0.0015) << "enough for nearly every run";
    EXPECT_GT(exceeded(expected, limits.back() - 5), 0.0005) << "and not for many more";
  }
}

// Of 2,048 nodes with 30 in repair up to 96 spares would be tried.
TEST(Choices, SparesStayBelowTheLimitOfTheirPool) {
  for (const auto& [limit, most] : {std::pair("2122", 74), std::pair("2300", 96)}) {
    const auto dimension =
        chosen(to_choose_for("scenarios/llama3_54_days.json",
                             {std::string("/cluster/pools/0/max_nodes=") + limit}),
               {"spares"})
            .front();
    EXPECT_LE(std::stoi(values(dimension).back()), most) << limit;
    EXPECT_GE(std::stoi(values(dimension).back()), 64) << limit;
  }
}

TEST(Choices, SparesAreNoneWhereThePoolHasRoomForNone) {
  const auto dimension =
      chosen(to_choose_for("scenarios/llama3_54_days.json",
                           {"/cluster/pools/0/max_nodes=2048", "/cluster/pools/0/spares=0",
                            "/cluster/pools/0/racks=1024"}),
             {"spares"})
          .front();
  EXPECT_THAT(values(dimension), ElementsAre("0"));
}

TEST(Choices, ValuesThatThePolicyRefusesAreLeftOut) {
  const auto dimension =
      chosen(to_choose_for(kPodsJob,
                           {R"(/jobs/0/policy/config/fault-tolerance~1job-retry-num="100")"}),
             {"job-retry-num"})
          .front();
  EXPECT_THAT(values(dimension), ElementsAre("\"100\""));
}

TEST(Choices, BudgetsArePutBackWhereTheyWere) {
  const scenario::Scenario scenario = to_choose_for("scenarios/modelarts/four_nodes.json");
  const auto dimension = chosen(scenario, {"job-retry-num=4"}).front();
  EXPECT_TRUE(present_value(scenario, dimension.names.front())) << dimension.names.front();
}

TEST(Choices, WhatIsNoChoiceIsSaid) {
  const scenario::Scenario scenario = to_choose_for(kPlainJob);
  EXPECT_THAT(refused(scenario, "chekpoint"), HasSubstr("did you mean checkpoint?"));
  EXPECT_THAT(refused(scenario, "rates=1,2"), HasSubstr("rates"));
  EXPECT_THAT(refused(scenario, "/jobs/0/step=6s rates=1"), HasSubstr("rates"));
  EXPECT_THAT(refused(scenario, "spares"), HasSubstr("needs a range"));
  EXPECT_THAT(refused(scenario, "budget"), HasSubstr("limited"));
  EXPECT_THAT(refused(to_choose_for(kPlainJob, {"/faults=[]"}), "checkpoint"),
              HasSubstr("needs a range"));
  EXPECT_THAT(refused(to_choose_for("scenarios/tune/spot_savings.json"), "checkpoint"),
              HasSubstr("one job"));
}

}  // namespace
}  // namespace aftershock::sim::advise
