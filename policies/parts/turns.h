#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <variant>

#include "policies/api/decision.h"
#include "policies/api/events.h"

// How a controller goes through a batch, and writes down what it does.
namespace aftershock::policies {

/// Calls `apply(index, event)` with the events of a batch, in their order, until `is_over()`.
template <class IsOver, class Apply>
void each_event(const Batch& batch, IsOver is_over, Apply apply) {
  constexpr std::size_t kLastIndex = std::numeric_limits<std::uint16_t>::max();
  for (std::size_t at = 0; at < batch.events.size() && !is_over(); ++at) {
    // A batch longer than an index reaches is acted on in full; only who saw what is blurred.
    const auto index = static_cast<std::uint16_t>(std::min(at, kLastIndex));
    std::visit([&](const auto& event) { apply(index, event); }, batch.events[at]);
  }
}

/// The place of the timer, where there is one, and else that of the first event that the controller
/// has not `left` aside (ascending), or 0: messages of the same moment may say nothing.
inline std::uint16_t woken_by(const Batch& batch, std::span<const std::uint16_t> left = {}) {
  std::optional<std::uint16_t> first;
  auto next_left = left.begin();
  for (std::size_t at = 0; at < std::min(batch.events.size(), std::size_t{UINT16_MAX}); ++at) {
    const auto index = static_cast<std::uint16_t>(at);
    if (std::holds_alternative<Timer>(batch.events[at])) {
      return index;
    }
    if (next_left != left.end() && *next_left == index) {
      ++next_left;
    } else if (!first) {
      first = index;
    }
  }
  return first.value_or(0);
}

/// Adds a step by which `state` becomes `to`, for the event at `at`. Rules and states are indices
/// into a PolicyInfo.
template <class State>
Step& append_step(Decision& decision, std::uint16_t rule, State& state, State to,
                  std::uint16_t at) {
  Step& step = decision.steps.emplace_back();
  step.rule = rule;
  step.from_state = static_cast<std::uint16_t>(state);
  step.to_state = static_cast<std::uint16_t>(to);
  step.saw = {at};
  state = to;
  return step;
}

}  // namespace aftershock::policies
