#include "gui/compare/divergences.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace aftershock::gui {

namespace {

std::optional<AnswerStep> step_at(const Answer& answer, std::size_t i) {
  return i < answer.steps.size() ? std::optional(answer.steps[i]) : std::nullopt;
}

std::int64_t time_at(const Trace& trace, const Answer& answer, std::size_t i) {
  return trace.decisions[answer.steps[std::min(i, answer.steps.size() - 1)].decision].t_us;
}

/// The policy that a rule is of: "ray_train".
std::string_view policy_of(const Answer& answer) {
  const std::string_view rule = answer.steps.front().rule;
  return rule.substr(0, rule.find('.'));
}

/// Where two answers part, as indices among their steps; none where they do not. Rules of one
/// policy are compared with what they order. Another policy has other rules: there only what is
/// ordered counts.
std::optional<std::pair<std::size_t, std::size_t>> parting(const Answer& a, const Answer& b) {
  const bool same_policy = policy_of(a) == policy_of(b);
  const auto next = [&](const Answer& answer, std::size_t i) {
    while (!same_policy && i < answer.steps.size() && answer.steps[i].commands.empty()) {
      ++i;
    }
    return i;
  };
  std::size_t i = next(a, 0);
  std::size_t j = next(b, 0);
  while (i < a.steps.size() && j < b.steps.size()) {
    if (same_policy ? !a.steps[i].says_the_same(b.steps[j])
                    : a.steps[i].commands != b.steps[j].commands) {
      return std::pair(i, j);
    }
    i = next(a, i + 1);
    j = next(b, j + 1);
  }
  return i < a.steps.size() || j < b.steps.size() ? std::optional(std::pair(i, j)) : std::nullopt;
}

}  // namespace

std::vector<Divergence> find_divergences(const Trace& a, const std::vector<Answer>& answers_a,
                                         const Trace& b, const std::vector<Answer>& answers_b) {
  std::map<std::pair<std::string_view, std::string_view>, const Answer*> of_b;
  for (const Answer& answer : answers_b) {
    of_b.try_emplace({answer.entity, answer.fault}, &answer);
  }
  std::vector<Divergence> found;
  for (const Answer& in_a : answers_a) {
    const auto other = of_b.find({in_a.entity, in_a.fault});
    if (other == of_b.end() || in_a.steps.empty() || other->second->steps.empty()) {
      continue;
    }
    const Answer& in_b = *other->second;
    if (const auto at = parting(in_a, in_b)) {
      found.push_back({.entity = in_a.entity,
                       .fault = in_a.fault,
                       .a = step_at(in_a, at->first),
                       .b = step_at(in_b, at->second),
                       .a_us = time_at(a, in_a, at->first),
                       .b_us = time_at(b, in_b, at->second)});
    }
  }
  std::ranges::stable_sort(found, {}, &Divergence::a_us);
  return found;
}

}  // namespace aftershock::gui
