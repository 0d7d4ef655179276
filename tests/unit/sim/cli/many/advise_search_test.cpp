#include "sim/cli/many/advise_search.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "sim/sweep/where.h"

// The search on its own: in place of runs, useful work is the nearer to 1 the nearer the values are
// to the best ones.
namespace aftershock::sim::cli {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSpares = "/cluster/pools/0/spares";
constexpr const char* kEvery = "/jobs/0/checkpoint/every_steps";

struct Tried {
  std::size_t choices = 0;
  std::map<std::uint32_t, std::size_t> by_runs;
};

class Searched {
 public:
  Searched(std::vector<sweep::Dimension> dimensions, bool by_model,
           std::map<std::string, double> best)
      : best_(std::move(best)) {
    scenario::ReadOptions options;
    options.sets = {"/jobs/0/checkpoint/every=null", "/jobs/0/checkpoint/every_steps=50"};
    scenario_ = std::get<scenario::ReadScenario>(
                    scenario::read_scenario_file("scenarios/reference_54_days.json", options))
                    .scenario;
    question_.goal = {.text = "max useful",
                      .terms = {scenario::Term{}},
                      .steps = {},
                      .objective = scenario::Objective{}};
    question_.by_model.assign(dimensions.size(), by_model);
    question_.present.assign(dimensions.size(), std::nullopt);
    question_.dimensions = std::move(dimensions);
    question_.choices = std::get<0>(sweep::combine(question_.dimensions));
  }

  std::string search(bool keep_all = false) {
    return narrow_choices(question_, scenario_, keep_all,
                          [this](const std::vector<sweep::Point>& points, std::uint32_t runs,
                                 std::optional<std::uint64_t> /*first_seed*/) {
                            tried_.choices += points.size();
                            tried_.by_runs[runs] += points.size();
                            return results(points);
                          })
        .value_or("not made");
  }

  [[nodiscard]] bool has(const std::string& label) const {
    return std::ranges::any_of(question_.choices, [&](const sweep::Point& each) {
      return advise::choice_label(each) == label;
    });
  }
  [[nodiscard]] const advise::AdviceQuestion& question() const { return question_; }
  [[nodiscard]] const Tried& tried() const { return tried_; }

 private:
  std::optional<std::vector<advise::ChoiceResult>> results(
      const std::vector<sweep::Point>& points) {
    std::vector<advise::ChoiceResult> results;
    for (const sweep::Point& point : points) {
      double useful = 1;
      for (const auto& [place, value] : point) {
        useful -= std::abs(std::log1p(*sweep::amount_of(value)) - std::log1p(best_.at(place)));
      }
      results.emplace_back().terms = {reports::Estimate{useful, {}}};
    }
    return results;
  }

  std::map<std::string, double> best_;
  scenario::Scenario scenario_;
  advise::AdviceQuestion question_;
  Tried tried_;
};

sweep::Dimension counts(const char* place, std::initializer_list<const char*> values) {
  sweep::Dimension dimension{{place}, {}};
  for (const char* value : values) {
    dimension.points.push_back({value});
  }
  return dimension;
}

TEST(AdviseSearch, GoesBeyondTheModelsGridUntilTheBestLiesWithin) {
  const struct {
    double best;
    const char* found;
    const char* words;
  } cases[] = {
      {60, "every_steps=56", "every_steps up to "},
      {4, "every_steps=4", "every_steps down to "},
      {14, "every_steps=14", ""},
  };
  for (const auto& row : cases) {
    Searched search({counts(kEvery, {"10", "14", "20"})}, true, {{kEvery, row.best}});
    const std::string words = search.search();
    EXPECT_TRUE(search.has("checkpoint/" + std::string(row.found))) << row.best;
    EXPECT_THAT(words, HasSubstr(row.words));
    EXPECT_EQ(words.empty(), *row.words == '\0') << words;
    EXPECT_LE(search.question().choices.size(), 4U) << "what is far from the best went";
  }
}

TEST(AdviseSearch, KeepsToTheValuesThatAreTold) {
  Searched search({counts(kEvery, {"10", "14", "20"})}, false, {{kEvery, 60}});
  EXPECT_EQ(search.search(), "");
  EXPECT_TRUE(search.has("checkpoint/every_steps=20"));
  EXPECT_EQ(search.question().choices.size(), 3U);
  EXPECT_FALSE(needs_search(search.question(), false));
}

TEST(AdviseSearch, FindsTheBestTogetherAndStopsTheLostEarly) {
  const auto grid = {"1", "2", "4", "8", "16", "32", "64", "128"};
  Searched search({counts(kSpares, grid), counts(kEvery, grid)}, false,
                  {{kSpares, 15}, {kEvery, 33}});
  ASSERT_TRUE(needs_search(search.question(), false));
  EXPECT_FALSE(needs_search(search.question(), true)) << "all of them are kept";
  EXPECT_THAT(search.search(), HasSubstr("Of 64 combinations "));
  EXPECT_TRUE(search.has("spares=16, checkpoint/every_steps=32"));
  EXPECT_LE(search.question().choices.size(), 5U);
  EXPECT_LT(search.tried().choices, 64U);
  // Half of 8 alone, twice, and of 9 together, got all the runs.
  EXPECT_EQ(search.tried().by_runs,
            (std::map<std::uint32_t, std::size_t>{{10, 16}, {40, 8}, {15, 9}, {60, 5}}));
}

TEST(AdviseSearch, LeavesEveryChoiceWhereAllAreKept) {
  const auto grid = {"1", "2", "4", "8", "16", "32", "64", "128"};
  Searched search({counts(kSpares, grid), counts(kEvery, grid)}, true,
                  {{kSpares, 15}, {kEvery, 33}});
  search.search(true);
  EXPECT_EQ(search.question().choices.size(), 64U);
}

}  // namespace
}  // namespace aftershock::sim::cli
