#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/control/external/fast_path.h"

namespace aftershock::sim::control {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 53U;

policies::PolicyInfo info_of_one() {
  policies::PolicyInfo info;
  info.states = {"A", "B"};
  info.budgets = {"retries"};
  info.rules = {{"one", "", ""}};
  return info;
}

/// The answer of a policy after a batch.
struct DirectAnswer {
  policies::Decision decision;
  std::vector<policies::BudgetState> budgets;
};

/// An answer that is plain until it is spoiled so.
DirectAnswer answer_with(const std::function<void(DirectAnswer&)>& spoil) {
  DirectAnswer answer;
  answer.budgets = {{0, 3}};
  policies::Step step{.to_state = 1, .saw = {0}, .budgets = {{.used = kLargest - 1, .limit = 3}}};
  step.commands.emplace_back(policies::StartAttempt{.epoch = 1, .workers = 8});
  step.commands.emplace_back(policies::Fail{.reason = "exhausted(retries)"});
  answer.decision.steps.push_back(step);
  answer.decision.watch.poll = policies::PollWatch{.period_us = 1};
  spoil(answer);
  return answer;
}

bool plain_with(const std::function<void(DirectAnswer&)>& spoil) {
  const DirectAnswer answer = answer_with(spoil);
  return is_plain(answer.decision, 1, info_of_one()) && is_plain(answer.budgets, info_of_one());
}

TEST(IsPlain, TakesWhatPoliciesSay) {
  EXPECT_TRUE(plain_with([](DirectAnswer&) {}));
}

TEST(IsPlain, TakesNothingThatAMessageMayNotSay) {
  const auto step = [](DirectAnswer& answer) -> policies::Step& {
    return answer.decision.steps.front();
  };
  const auto start = [&](DirectAnswer& answer) -> policies::StartAttempt& {
    return std::get<policies::StartAttempt>(step(answer).commands[0]);
  };
  const std::vector<std::function<void(DirectAnswer&)>> spoiling{
      [&](auto& answer) { step(answer).saw = {0, 1}; },
      [&](auto& answer) { step(answer).budgets[0].used = -1; },
      [&](auto& answer) { step(answer).budgets[0].limit = kLargest + 1; },
      [&](auto& answer) { start(answer).id = static_cast<std::uint64_t>(kLargest) + 1; },
      [&](auto& answer) { start(answer).placement_wait_us = -7; },
      [&](auto& answer) { std::get<policies::Fail>(step(answer).commands[1]).reason = "\xc3\xa9"; },
      [&](auto& answer) { step(answer).decision = "\x80"; },
      [&](auto& answer) { step(answer).rejected.push_back({"x", "\xff"}); },
      [](auto& answer) { answer.budgets.clear(); },
      [](auto& answer) { answer.budgets[0].used = -1; },
      [](auto& answer) { answer.decision.watch.poll->period_us = 0; },
      [](auto& answer) { answer.decision.watch.poll->anchor_us = -1; },
      [](auto& answer) { answer.decision.watch.wake_us = kLargest + 1; },
  };
  for (std::size_t i = 0; i < spoiling.size(); ++i) {
    EXPECT_FALSE(plain_with(spoiling[i])) << i;
  }
}

TEST(IsPlain, OfTrialsToo) {
  EXPECT_TRUE(is_plain({{.trial = 1, .id = "a", .status = "RUNNING"}}));
  EXPECT_FALSE(is_plain({{.trial = 1, .id = "a", .status = "RUNNING", .failures = -1}}));
  EXPECT_FALSE(is_plain({{.trial = 1, .id = "\xff", .status = "RUNNING"}}));
}

// Nor what JSON has no words for.
TEST(IsPlain, TakesNoIndexAndNoEnumeratorThatIsNone) {
  const std::vector<std::function<void(policies::Step&)>> spoiling{
      [](auto& step) { step.rule = 1; },
      [](auto& step) { step.from_state = 2; },
      [](auto& step) { step.to_state = 9; },
      [](auto& step) { step.budgets[0].budget = 1; },
      [](auto& step) { step.budgets[0].cause = static_cast<policies::ChargeCause>(99); },
  };
  for (std::size_t i = 0; i < spoiling.size(); ++i) {
    EXPECT_FALSE(plain_with([&](auto& answer) { spoiling[i](answer.decision.steps.front()); }))
        << i;
  }
}

}  // namespace
}  // namespace aftershock::sim::control
