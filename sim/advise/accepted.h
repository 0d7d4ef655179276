#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::advise {

/// The scenario with these values: places and what `--set` would have there. None where its reader
/// or its policy does not take them.
std::optional<scenario::Scenario> with_values(
    const scenario::Scenario& scenario,
    const std::vector<std::pair<std::string, std::string>>& sets);

/// Whether the scenario's reader and its policy take these values: places and what `--set` would
/// have there.
bool is_accepted(const scenario::Scenario& scenario,
                 const std::vector<std::pair<std::string, std::string>>& sets);

}  // namespace aftershock::sim::advise
