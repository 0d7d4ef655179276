#include "reports/compare/divergence.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/assert.h"

namespace aftershock::reports {

namespace {

using Key = std::pair<std::string_view, std::string_view>;  // owner and fault

/// The policy that a rule is of: "ray_train".
std::string_view policy_of(const DecisionStep& step) {
  const std::string_view rule = step.rule;
  return rule.substr(0, rule.find('.'));
}

bool same_commands(const DecisionStep& a, const DecisionStep& b) {
  return std::ranges::equal(a.commands, b.commands, {}, &OrderedCommand::type,
                            &OrderedCommand::type);
}

/// Whether the same came of it for each budget, wherever it stands.
bool same_charges(const DecisionStep& a, const DecisionStep& b) {
  return std::ranges::equal(a.budgets, b.budgets, [](const BudgetMove& x, const BudgetMove& y) {
    return std::tie(x.budget, x.charged, x.exhausted) == std::tie(y.budget, y.charged, y.exhausted);
  });
}

/// By what was done; none: the same was.
std::optional<Differs> done_otherwise(const DecisionStep& a, const DecisionStep& b,
                                      bool same_policy) {
  if (same_policy && a.rule != b.rule) {
    return Differs::kRule;
  }
  if (same_policy && !same_charges(a, b)) {
    return Differs::kBudgets;
  }
  return same_commands(a, b) ? std::nullopt : std::optional(Differs::kCommands);
}

/// By everything that a record says.
std::optional<Differs> said_otherwise(const DecisionStep& a, const DecisionStep& b) {
  const auto words = [](const OrderedCommand& command) { return std::string_view(command.words); };
  if (a.t_us != b.t_us) {
    return Differs::kTime;
  }
  if (a.fault != b.fault || a.false_alarm != b.false_alarm) {
    return Differs::kFault;
  }
  if (a.rule != b.rule) {
    return Differs::kRule;
  }
  if (a.from != b.from || a.to != b.to || a.word != b.word) {
    return Differs::kStates;
  }
  if (a.budgets != b.budgets) {
    return Differs::kBudgets;
  }
  return std::ranges::equal(a.commands, b.commands, {}, words, words)
             ? std::nullopt
             : std::optional(Differs::kCommands);
}

/// Steps of one owner, or of one answer.
using Steps = std::vector<const DecisionStep*>;

Steps pointers_to(const Answer& answer) {
  Steps steps;
  for (const DecisionStep& step : answer.steps) {
    steps.push_back(&step);
  }
  return steps;
}

/// Two sequences that part at their ith and jth steps.
Divergence parting(const Steps& a, std::size_t i, const Steps& b, std::size_t j, Differs differs) {
  Divergence found;
  found.differs = differs;
  const auto take = [](const Steps& steps, std::size_t at, std::optional<DecisionStep>& step) {
    if (at < steps.size()) {
      step = *steps[at];
    }
    return steps.empty() ? std::nullopt
                         : std::optional(steps[std::min(at, steps.size() - 1)]->t_us);
  };
  const auto a_us = take(a, i, found.a);
  const auto b_us = take(b, j, found.b);
  found.a_us = a_us.value_or(b_us.value_or(0));
  found.b_us = b_us.value_or(found.a_us);
  AFTERSHOCK_ASSERT(found.a || found.b);
  const DecisionStep& of = found.a ? *found.a : *found.b;
  found.owner = of.owner;
  found.fault = of.fault;
  found.false_alarm = of.false_alarm;
  return found;
}

/// Where two answers part. Of two policies, steps that order nothing are passed over.
std::optional<Divergence> answered_otherwise(const Steps& a, const Steps& b) {
  const bool same_policy =
      !a.empty() && !b.empty() && policy_of(*a.front()) == policy_of(*b.front());
  const auto next = [&](const Steps& steps, std::size_t i) {
    while (!same_policy && i < steps.size() && steps[i]->commands.empty()) {
      ++i;
    }
    return i;
  };
  std::size_t i = next(a, 0);
  std::size_t j = next(b, 0);
  while (i < a.size() && j < b.size()) {
    if (const auto differs = done_otherwise(*a[i], *b[j], same_policy)) {
      return parting(a, i, b, j, *differs);
    }
    i = next(a, i + 1);
    j = next(b, j + 1);
  }
  return i < a.size() || j < b.size() ? std::optional(parting(a, i, b, j, Differs::kEnded))
                                      : std::nullopt;
}

std::map<Key, const Answer*> by_key(const std::vector<Answer>& answers) {
  std::map<Key, const Answer*> found;
  for (const Answer& answer : answers) {
    found.try_emplace({answer.owner, answer.fault}, &answer);
  }
  return found;
}

std::int64_t earlier_us(const Divergence& divergence) {
  return std::min(divergence.a_us, divergence.b_us);
}

/// Keeps the earlier of two; of two at one time the one that was there.
void keep_earlier(std::optional<Divergence>& first, std::optional<Divergence> other) {
  if (other && (!first || earlier_us(*other) < earlier_us(*first))) {
    first = std::move(other);
  }
}

}  // namespace

std::vector<Answer> answers_in(std::span<const DecisionStep> steps) {
  std::vector<Answer> answers;
  std::map<Key, std::size_t> known;
  for (const DecisionStep& step : steps) {
    if (step.fault.empty() && !step.false_alarm) {
      continue;
    }
    const auto [place, is_new] = known.try_emplace({step.owner, step.fault}, answers.size());
    if (is_new) {
      answers.push_back({.owner = step.owner, .fault = step.fault, .steps = {}});
    }
    answers[place->second].steps.push_back(step);
  }
  return answers;
}

std::optional<Divergence> first_difference(std::span<const DecisionStep> a,
                                           std::span<const DecisionStep> b) {
  std::map<std::string_view, std::pair<Steps, Steps>> owners;
  for (const DecisionStep& step : a) {
    owners[step.owner].first.push_back(&step);
  }
  for (const DecisionStep& step : b) {
    owners[step.owner].second.push_back(&step);
  }
  std::optional<Divergence> first;
  for (const auto& [owner, both] : owners) {
    const auto& [in_a, in_b] = both;
    const std::size_t common = std::min(in_a.size(), in_b.size());
    std::optional<Differs> differs;
    std::size_t i = 0;
    while (i < common && !(differs = said_otherwise(*in_a[i], *in_b[i]))) {
      ++i;
    }
    if (differs || in_a.size() != in_b.size()) {
      keep_earlier(first, parting(in_a, i, in_b, i, differs.value_or(Differs::kEnded)));
    }
  }
  return first;
}

std::vector<Divergence> divergences_by_fault(const std::vector<Answer>& a,
                                             const std::vector<Answer>& b) {
  const std::map<Key, const Answer*> of_b = by_key(b);
  std::vector<Divergence> found;
  for (const Answer& in_a : a) {
    const auto other = of_b.find({in_a.owner, in_a.fault});
    if (other == of_b.end() || in_a.steps.empty() || other->second->steps.empty()) {
      continue;
    }
    if (auto parted = answered_otherwise(pointers_to(in_a), pointers_to(*other->second))) {
      found.push_back(std::move(*parted));
    }
  }
  std::ranges::stable_sort(found, {}, &Divergence::a_us);
  return found;
}

std::optional<Divergence> first_by_fault(std::span<const DecisionStep> a,
                                         std::span<const DecisionStep> b) {
  const std::vector<Answer> in_a = answers_in(a);
  const std::vector<Answer> in_b = answers_in(b);
  std::optional<Divergence> first;
  for (Divergence& each : divergences_by_fault(in_a, in_b)) {
    keep_earlier(first, std::move(each));
  }
  const auto add_alone = [&first](const std::vector<Answer>& answers,
                                  const std::map<Key, const Answer*>& others, bool is_a) {
    for (const Answer& answer : answers) {
      if (!others.contains({answer.owner, answer.fault})) {
        const Steps steps = pointers_to(answer);
        keep_earlier(first, is_a ? answered_otherwise(steps, {}) : answered_otherwise({}, steps));
      }
    }
  };
  add_alone(in_a, by_key(in_b), true);
  add_alone(in_b, by_key(in_a), false);
  return first;
}

}  // namespace aftershock::reports
