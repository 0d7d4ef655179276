#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace aftershock::sim::control {

/// A line to a policy, and what it answered.
struct Exchange {
  std::string to;
  std::string from;  ///< where there is no answer, why
  bool answered = true;
};

/// The exchanges of a run: by policy, in the order in which the policies were begun.
using Exchanges = std::vector<std::vector<Exchange>>;

}  // namespace aftershock::sim::control
