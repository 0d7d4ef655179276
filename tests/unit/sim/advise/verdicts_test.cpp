#include "sim/advise/verdicts.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "sim/sweep/run_values.h"

namespace aftershock::sim::advise {
namespace {

using reports::Estimate;
using reports::Interval;

scenario::Expression goal_of(std::string_view text) {
  auto parsed = scenario::parse_many_runs(text, scenario::Scenario{}, true);
  return std::get<scenario::Expression>(std::move(parsed));
}

/// The estimates of the terms that are not numbers, in their order; numbers are as they are.
std::vector<std::optional<Estimate>> terms_of(const scenario::Expression& goal,
                                              std::vector<Estimate> estimates) {
  std::vector<std::optional<Estimate>> terms;
  std::size_t next = 0;
  for (const scenario::Term& term : goal.terms) {
    if (term.kind == scenario::Term::Kind::kNumber) {
      terms.push_back(Estimate{term.number, {}});
    } else {
      terms.push_back(next < estimates.size() ? std::optional(estimates[next]) : std::nullopt);
      ++next;
    }
  }
  return terms;
}

TEST(Verdicts, AConditionThatDecidesWhateverTheShareIsIsRefused) {
  const struct {
    const char* goal;
    bool refused;
  } rows[] = {
      {"p(stuck) < -5%", true},  {"p(failed) < 0", true},     {"p(failed) <= 0", false},
      {"p(alive) > 100%", true}, {"p(alive) >= 100%", false}, {"p(alive) > -1%", true},
      {"100% < p(alive)", true}, {"95% < p(alive)", false},   {"p(alive) == 2", true},
      {"p(alive) < 101%", true}, {"p(alive) > 0", false},     {"p(alive) > p(failed)", false},
      {"ettr < 0", false},
  };
  for (const auto& row : rows) {
    const auto parsed = scenario::parse_many_runs(std::string(row.goal) + " and max ettr",
                                                  scenario::Scenario{}, true);
    EXPECT_EQ(std::holds_alternative<scenario::ExpressionProblem>(parsed), row.refused) << row.goal;
  }
}

TEST(Verdicts, SureWhereTheIntervalSaysSo) {
  struct Row {
    const char* goal;
    Estimate estimate;
    Keeps keeps;
  };
  const Estimate few{0.005, Interval{0.001, 0.009}};
  const Estimate open{0.005, Interval{0.001, 0.02}};
  const Estimate many{0.015, Interval{0.009, 0.02}};
  const Estimate most{0.5, Interval{0.4, 0.6}};
  const Estimate edge{0.01, Interval{0.01, 0.01}};
  for (const Row& row : {
           Row{"p(exhausted) < 1% and max ettr", few, Keeps::kSurely},
           Row{"p(exhausted) < 1% and max ettr", open, Keeps::kLikely},
           Row{"p(exhausted) < 1% and max ettr", many, Keeps::kUnlikely},
           Row{"p(exhausted) < 1% and max ettr", most, Keeps::kNot},
           Row{"p(exhausted) < 1% and max ettr", edge, Keeps::kNot},
           Row{"p(exhausted) <= 1% and max ettr", edge, Keeps::kSurely},
           Row{"1% > p(exhausted) and max ettr", open, Keeps::kLikely},
           Row{"not p(exhausted) >= 1% and max ettr", few, Keeps::kSurely},
           Row{"not p(exhausted) >= 1% and max ettr", many, Keeps::kUnlikely},
           Row{"(p(exhausted) < 1% or p(exhausted) > 99%) and max ettr", most, Keeps::kNot},
           Row{"p(exhausted) == 1% and max ettr", edge, Keeps::kSurely},
           Row{"p(exhausted) != 1% and max ettr", open, Keeps::kLikely},
           Row{"max ettr", most, Keeps::kSurely},
       }) {
    const scenario::Expression goal = goal_of(row.goal);
    // Every term that is not a number has the same estimate here, except the objective's.
    std::vector<Estimate> estimates(goal.terms.size(), row.estimate);
    EXPECT_EQ(keeps_condition(goal, terms_of(goal, estimates)), row.keeps)
        << row.goal << " " << row.estimate.value;
  }
}

TEST(Verdicts, WhatHasNoValueKeepsNothing) {
  const scenario::Expression goal = goal_of("recovery_us < 10min and max ettr");
  EXPECT_EQ(keeps_condition(goal, terms_of(goal, {})), Keeps::kUnlikely);
}

TEST(Verdicts, MissedByPointsOfAShareAndByPartsOfAnAmount) {
  const scenario::Expression goal = goal_of("p(exhausted) < 1% and ettr > 90% and max ettr");
  EXPECT_NEAR(missed_by(goal, terms_of(goal, {{0.04, {}}, {0.81, {}}, {0.81, {}}})), 0.12, 1e-12);
  EXPECT_EQ(missed_by(goal, terms_of(goal, {{0.004, {}}, {0.95, {}}, {0.95, {}}})), 0);
  EXPECT_NEAR(missed_by(goal, terms_of(goal, {{0.04, {}}, {0.95, {}}, {0.95, {}}})), 0.03, 1e-12);
  const scenario::Expression amount = goal_of("charges < 10 and max ettr");
  EXPECT_NEAR(missed_by(amount, terms_of(amount, {{15, {}}, {0.5, {}}})), 0.5, 1e-12);
}

// None of 100 runs is nearer to fewer than 1 % than 96 of 100.
TEST(Verdicts, AnOpenIntervalMissesByLessThanACertainOne) {
  const scenario::Expression goal = goal_of("p(exhausted) < 1% and max useful_share");
  const auto missed = [&goal](double low, double value, double high) {
    const Estimate share{value, Interval{low, high}};
    return missed_by(goal, terms_of(goal, {share, {0.5, {}}}));
  };
  EXPECT_LT(missed(0, 0, 0.037), missed(0.902, 0.96, 0.984));
  EXPECT_LT(missed(0, 0, 0.037), missed(0.01, 0.05, 0.09));
}

}  // namespace
}  // namespace aftershock::sim::advise
