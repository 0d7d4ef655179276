#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/advise/starter_numbers.h"

namespace aftershock::sim::advise {

/// Parts of a scenario to start from that depend on a policy with settings of its own.
struct StarterPolicy {
  std::string config;  ///< as JSON
  std::string note;    ///< where its numbers are from, beginning with their place
};

/// None for Ray and ModelArts, whose settings starter.cpp writes.
std::optional<StarterPolicy> starter_policy(std::string_view policy, const StarterNumbers& numbers);

/// Whether processes that fail start again on the node that they had, as long as there is one.
bool restarts_in_place(std::string_view policy);

}  // namespace aftershock::sim::advise
