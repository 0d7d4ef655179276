#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace aftershock::sim {

/// A line to a policy, and what it answered.
struct Exchange {
  std::string to;
  std::string from;  ///< where there is no answer, why
  bool answered = true;
};

/// What was said in a run: by policy, in the order in which they were begun.
using Exchanges = std::vector<std::vector<Exchange>>;

}  // namespace aftershock::sim
