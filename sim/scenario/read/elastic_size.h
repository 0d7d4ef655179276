#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "sim/scenario/scenario.h"
#include "sim/scenario/text/located_json.h"

namespace aftershock::sim::scenario {

/// Settings of another policy get the range of sizes that a job's own policy has for it: an elastic
/// job stays elastic where the other can be. `job` and `root` are as written, `root` being the
/// whole scenario, which says how many accelerators a node has; `config` are the settings of
/// `policy`, and what they say of a size stands. Sizes in nodes are the whole ones within those in
/// workers.
void keep_elastic_size(const LocatedValue& root, const LocatedValue& job, const PolicySpec& policy,
                       nlohmann::json& config);

/// The setting of a policy that says the range; empty: it has none.
std::string_view elastic_setting(std::string_view policy);

}  // namespace aftershock::sim::scenario
