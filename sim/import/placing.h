#pragma once

#include <string>
#include <vector>

#include "sim/import/import.h"
#include "sim/import/site_names.h"

// Which nodes of a scenario the machines of what is imported into it are.
namespace aftershock::sim::imports {

/// An error about an argument of the command line.
std::vector<scenario::ScenarioError> argument_error(const std::string& argument,
                                                    std::string message, std::string expected,
                                                    std::string nearest = {});

/// Of a trace into a scenario: none where that has all of its nodes; by --map, where there is one;
/// else the pool's nodes in their order.
SiteNamesResult sites_of_trace(const ImportRequest& request, const scenario::Scenario& base,
                               const Trace& trace);

/// Of an incident: by --map, where there is one; the pool's nodes in their order where it knows
/// none of the scenario's nodes; else none.
SiteNamesResult sites_of_incident(const ImportRequest& request, const scenario::Scenario& base);

}  // namespace aftershock::sim::imports
