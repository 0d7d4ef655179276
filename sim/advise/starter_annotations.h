#pragma once

#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::advise {

/// A job's annotations as its policy takes them.
struct StarterAnnotations {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();  ///< texts by key
  std::vector<std::string> warnings;
};

/// Reads KEY=VALUE each, as a job of that policy has them. An error in words where one is none,
/// stands there twice, is not read by the policy, or has a value that it does not take.
std::variant<StarterAnnotations, std::string> read_annotations(
    const std::vector<std::string>& texts, const scenario::PolicySpec& policy);

}  // namespace aftershock::sim::advise
