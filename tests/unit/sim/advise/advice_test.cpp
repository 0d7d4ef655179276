#include "sim/advise/advice.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace aftershock::sim {
namespace {

TEST(ShortNames, SayWhatIsChosen) {
  EXPECT_EQ(short_name("/jobs/0/checkpoint/every"), "checkpoint/every");
  EXPECT_EQ(short_name("/jobs/0/policy/config/max_failures"), "max_failures");
  EXPECT_EQ(short_name("/jobs/0/policy/config/backend~1max_restarts"), "max_restarts");
  EXPECT_EQ(short_name("/cluster/pools/0/spares"), "spares");
  EXPECT_EQ(short_name("rates"), "rates");
  EXPECT_EQ(
      choice_label({{"/jobs/0/checkpoint/every", "\"12min\""}, {"/cluster/pools/0/spares", "4"}}),
      "checkpoint/every=12min, spares=4");
}

TEST(NearestChoice, MissesTheConditionByLeastAndIsTheBestOfThose) {
  const auto choice = [](double missed, std::optional<double> objective) {
    ChoiceResult result;
    result.missed = missed;
    result.terms = {objective ? std::optional(reports::Estimate{*objective, {}}) : std::nullopt};
    return result;
  };
  const Expression most{
      .text = "max useful", .terms = {Term{}}, .steps = {}, .objective = Objective{}};
  Expression least = most;
  least.objective->greatest = false;
  const struct {
    std::vector<ChoiceResult> results;
    std::size_t greatest;  ///< where the objective is "max"
    std::size_t least;
  } rows[] = {
      {{choice(0.5, 0.99), choice(0.1, 0.2)}, 1, 1},
      {{choice(0.1, 0.64), choice(0.1, 0.65), choice(0.1, 0.6)}, 1, 2},
      {{choice(0.2, 0.9), choice(0.1, {}), choice(0.1, 0.3)}, 2, 2},
      {{choice(0.1, 0.5), choice(0.1, 0.5)}, 0, 0},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(nearest_choice(most, row.results), row.greatest);
    EXPECT_EQ(nearest_choice(least, row.results), row.least);
  }
}

TEST(Cures, ThatKeepTheGoalStandFirstAndTheSimplestOfThoseThatHelpAsMuch) {
  const auto cure = [](const char* words, Keeps keeps, double useful, double alive) {
    TriedCure made{.words = words, .flags = {}, .result = {}};
    made.result.keeps = keeps;
    made.result.terms = {reports::Estimate{useful, {}}};
    made.result.summary.alive = reports::Estimate{alive, {}};
    return made;
  };
  const Expression goal{
      .text = "max useful", .terms = {Term{}}, .steps = {}, .objective = Objective{}};
  const auto sorted = by_help(
      {cure("dies", Keeps::kUnlikely, 0.99, 0.5), cure("lives, and waits", Keeps::kSurely, 0.07, 1),
       cure("as many die", Keeps::kLikely, 0.628, 0.9),
       cure("one change", Keeps::kLikely, 0.627, 0.99),
       cure("all of these", Keeps::kSurely, 0.629, 0.99)},
      goal);
  const std::vector<std::string> expected{"one change", "all of these", "as many die",
                                          "lives, and waits", "dies"};
  std::vector<std::string> order;
  std::ranges::transform(sorted, std::back_inserter(order), &TriedCure::words);
  EXPECT_EQ(order, expected);
}

}  // namespace
}  // namespace aftershock::sim
