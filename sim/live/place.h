#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/recording/recorder.h"
#include "sim/live/fact.h"
#include "sim/scenario/scenario.h"

// Places that a driver names, as recordings have them.
namespace aftershock::sim::live {

/// The slot of the node of that name in the first pool; none: the scenario names no such node.
std::optional<std::uint32_t> node_of(const scenario::Scenario& scenario, std::string_view name);

/// The thing that a target names, "node:gpu-1"; the job where it names none or a rank.
reports::Entity place_of(const scenario::Scenario& scenario, std::string_view target);

/// The members of a fault's record, which is the `number`th that struck and is called `id`.
std::string fault_members(const scenario::Scenario& scenario, std::uint32_t number,
                          std::string_view id, const FaultTold& told);

}  // namespace aftershock::sim::live
