#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

// Steps of shrinking: each proposes the scenario without some of its parts. Whether that is still a
// scenario is found out by reading it.
namespace aftershock::sim::chaos {

/// "/cluster/pools" from its parts.
nlohmann::ordered_json::json_pointer pointer_to(const std::vector<std::string>& path);

/// Every member of an object that may have a default, those that hold others first; but the policy
/// with its configuration, and what is expected of it, are what is on trial.
std::vector<nlohmann::ordered_json::json_pointer> optional_keys(
    const nlohmann::ordered_json& scenario);

/// With fewer nodes in one pool, the fewest first: jobs have fewer workers, and faults strike nodes
/// and ranks that are left, in the same order.
std::vector<nlohmann::ordered_json> fewer_nodes(const nlohmann::ordered_json& scenario);

/// With fewer steps in one job, the fewest first.
std::vector<nlohmann::ordered_json> fewer_steps(const nlohmann::ordered_json& scenario);

/// With one fault at a rounder time, the roundest first.
std::vector<nlohmann::ordered_json> rounder_times(const nlohmann::ordered_json& scenario);

}  // namespace aftershock::sim::chaos
