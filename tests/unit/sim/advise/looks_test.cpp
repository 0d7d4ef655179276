#include "sim/advise/looks.h"

#include <gtest/gtest.h>

namespace aftershock::sim::advise {
namespace {

/// One choice at the present rate and at another, at which it keeps the goal so.
struct OneChoice {
  AdviceQuestion question;
  sweep::Plan plan;
  Advice advice;

  OneChoice(std::uint32_t replicas, Keeps keeps) {
    question.choices.resize(1);
    plan.replicas = replicas;
    plan.cells.resize(2);
    advice.results.resize(2);
    advice.results[0].resize(1);
    advice.results[1].emplace_back().keeps = keeps;
  }
};

TEST(Looks, DoubleTheRunsUntilItIsSeenWhetherTheGoalIsKept) {
  const struct {
    std::uint32_t replicas;
    Keeps keeps;
    std::vector<std::uint32_t> runs;  ///< of the cell at the other rate, look by look
  } rows[] = {
      {400, Keeps::kSurely, {100}},           {400, Keeps::kNot, {100}},
      {400, Keeps::kLikely, {100, 200, 400}}, {400, Keeps::kUnlikely, {100, 200, 400}},
      {250, Keeps::kLikely, {100, 200, 250}}, {60, Keeps::kLikely, {60}},
      {4'000'000'000, Keeps::kSurely, {100}},
  };
  for (const auto& row : rows) {
    OneChoice one(row.replicas, row.keeps);
    begin_looks(one.question, one.plan);
    std::vector<std::uint32_t> runs{one.plan.replicas_of(1)};
    while (look_again(one.question, one.advice, one.plan)) {
      runs.push_back(one.plan.replicas_of(1));
    }
    EXPECT_EQ(runs, row.runs) << row.replicas << " " << name_of(row.keeps);
    EXPECT_EQ(one.plan.replicas_of(0), row.replicas);
  }
}

TEST(Looks, LeaveRunsThatAreKeptWhole) {
  OneChoice one(400, Keeps::kLikely);
  EXPECT_FALSE(look_again(one.question, one.advice, one.plan));
  EXPECT_EQ(one.plan.replicas_of(1), 400U);
}

}  // namespace
}  // namespace aftershock::sim::advise
