#include <algorithm>

#include <gtest/gtest.h>

#include "sim/advise/tried_cures.h"

namespace aftershock::sim::advise {
namespace {

TEST(ShortNames, SayWhatIsChosen) {
  EXPECT_EQ(short_name("/jobs/0/checkpoint/every"), "checkpoint/every");
  EXPECT_EQ(short_name("/jobs/0/policy/config/max_failures"), "max_failures");
  EXPECT_EQ(short_name("/jobs/0/policy/config/backend~1max_restarts"), "max_restarts");
  EXPECT_EQ(short_name("/cluster/pools/0/spares"), "spares");
  EXPECT_EQ(short_name("/jobs/1/policy/config/max_failures"), "jobs/1/max_failures");
  EXPECT_EQ(short_name("/jobs/10/checkpoint/every"), "jobs/10/checkpoint/every");
  EXPECT_EQ(short_name("/cluster/pools/1/spares"), "pools/1/spares");
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
  const scenario::Expression most{.text = "max useful",
                                  .terms = {scenario::Term{}},
                                  .steps = {},
                                  .objective = scenario::Objective{}};
  scenario::Expression least = most;
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
  const scenario::Expression goal{.text = "max useful",
                                  .terms = {scenario::Term{}},
                                  .steps = {},
                                  .objective = scenario::Objective{}};
  ChoiceResult without;
  without.summary.alive = reports::Estimate{0.4, {}};
  const auto sorted = by_help(
      {cure("dies", Keeps::kUnlikely, 0.99, 0.5), cure("lives, and waits", Keeps::kSurely, 0.07, 1),
       cure("as many die", Keeps::kSurely, 0.628, 0.9),
       cure("one change", Keeps::kSurely, 0.627, 0.99),
       cure("all of these", Keeps::kSurely, 0.629, 0.99)},
      goal, without);
  const std::vector<std::string> expected{"one change", "all of these", "as many die",
                                          "lives, and waits", "dies"};
  std::vector<std::string> order;
  std::ranges::transform(sorted, std::back_inserter(order), &TriedCure::words);
  EXPECT_EQ(order, expected);
}

TEST(Cures, HelpByMoreThanChance) {
  const auto result = [](Keeps keeps, double alive, double low, std::int64_t runs,
                         double high = 1) {
    ChoiceResult made;
    made.keeps = keeps;
    made.summary.runs = runs;
    made.summary.alive = reports::Estimate{alive, reports::Interval{low, high}};
    return made;
  };
  const auto working = [](ChoiceResult of, double share, double low) {
    of.summary.useful_share = reports::Estimate{share, reports::Interval{low, 1}};
    return of;
  };
  const struct {
    const char* why;
    ChoiceResult without;
    ChoiceResult with;
    Help help;
  } rows[] = {
      {"1 of 60 saved may be chance", result(Keeps::kSurely, 58.0 / 60, 0, 60),
       result(Keeps::kSurely, 59.0 / 60, 0, 60), Help::kNot},
      {"2 of 60 saved, which are all that fail, may be chance",
       result(Keeps::kSurely, 58.0 / 60, 0, 60), result(Keeps::kSurely, 1, 0.9, 60), Help::kNot},
      {"none of 400 fails", result(Keeps::kSurely, 394.0 / 400, 0, 400),
       result(Keeps::kSurely, 1, 0.9, 400), Help::kCures},
      {"5 saved, not all", result(Keeps::kSurely, 0.98, 0, 400),
       result(Keeps::kSurely, 0.9925, 0, 400), Help::kHelps},
      {"the goal is kept", result(Keeps::kNot, 0.5, 0, 400),
       result(Keeps::kSurely, 0.99, 0.96, 200), Help::kCures},
      {"the goal is left open", result(Keeps::kNot, 0.5, 0, 400),
       result(Keeps::kLikely, 0.96, 0.92, 200), Help::kHelps},
      {"more live, by chance", result(Keeps::kNot, 0.5, 0, 400),
       result(Keeps::kNot, 0.52, 0.45, 200), Help::kNot},
      {"as many live, which do more", working(result(Keeps::kSurely, 1, 0.9, 60), 0.4, 0.3),
       working(result(Keeps::kSurely, 1, 0.9, 60), 0.8, 0.7), Help::kHelps},
      {"they do more by chance", working(result(Keeps::kSurely, 1, 0.9, 60), 0.4, 0.3),
       working(result(Keeps::kSurely, 1, 0.9, 60), 0.45, 0.38), Help::kNot},
      {"fewer live, which do more", working(result(Keeps::kNot, 0.5, 0, 400), 0.4, 0.3),
       working(result(Keeps::kNot, 0.3, 0.2, 200, 0.4), 0.8, 0.7), Help::kNot},
      {"fewer live", result(Keeps::kNot, 0.5, 0, 400), result(Keeps::kNot, 0.4, 0.3, 200),
       Help::kNot},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(help_of({.words = {}, .flags = {}, .result = row.with}, row.without), row.help)
        << row.why;
  }
}

}  // namespace
}  // namespace aftershock::sim::advise
