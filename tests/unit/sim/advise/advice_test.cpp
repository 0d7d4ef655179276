#include "sim/advise/advice.h"

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
    if (objective) result.objective = reports::Estimate{*objective, {}};
    return result;
  };
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
    EXPECT_EQ(nearest_choice(row.results, true), row.greatest);
    EXPECT_EQ(nearest_choice(row.results, false), row.least);
  }
}

}  // namespace
}  // namespace aftershock::sim
