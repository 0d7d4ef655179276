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
    const auto differs = std::ranges::mismatch(
        in_a.steps, in_b.steps,
        [](const AnswerStep& x, const AnswerStep& y) { return x.says_the_same(y); });
    const auto at = static_cast<std::size_t>(differs.in1 - in_a.steps.begin());
    if (at < in_a.steps.size() || at < in_b.steps.size()) {
      found.push_back({.entity = in_a.entity,
                       .fault = in_a.fault,
                       .a = step_at(in_a, at),
                       .b = step_at(in_b, at),
                       .a_us = time_at(a, in_a, at),
                       .b_us = time_at(b, in_b, at)});
    }
  }
  std::ranges::stable_sort(found, {}, &Divergence::a_us);
  return found;
}

}  // namespace aftershock::gui
