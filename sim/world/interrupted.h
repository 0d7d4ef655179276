#pragma once

#include <algorithm>
#include <variant>
#include <vector>

#include "policies/api/events.h"

namespace aftershock::sim::world {

/// Whether a user has stopped the driver in this microsecond, before the fault that ends it: its
/// controller still answers that. `pending`: what it is yet to hear.
inline bool interrupted(const std::vector<policies::Event>& pending) {
  return std::ranges::any_of(pending, [](const policies::Event& event) {
    return std::holds_alternative<policies::StopRequested>(event);
  });
}

}  // namespace aftershock::sim::world
