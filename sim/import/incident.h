#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sim/import/site_names.h"
#include "sim/import/to_scenario.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::imports {

/// The columns of an incident.
inline constexpr const char* kIncidentHelp =
    "A first row: time,kind,target,detail. time: a date and time (2026-11-20T18:00:00+08:00; one "
    "without a zone is in that of the scenario's start), or seconds or a duration since clock "
    "zero. kind: of fault, as `aftershock faults list` has them, or recovered: the end of what "
    "befell that target. target: as in scenarios, node:gpu-3, or with the machines of --map. "
    "detail: "
    "parameters of the fault and words, lasts=2h; notice=2min; power supply.";

/// An incident in a scenario, as scripted faults; what is wrong with single rows is told at once,
/// up to twenty. Machines of `sites` become nodes. Kinds and targets are not looked at: the
/// scenario is checked with them in it.
std::variant<ScriptedFaults, std::vector<scenario::ScenarioError>> read_incident(
    const std::string& text, const std::string& name, const scenario::Scenario& base,
    const std::string& prefix, const SiteNames& sites);

}  // namespace aftershock::sim::imports
