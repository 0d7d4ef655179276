#pragma once

#include <string>

#include "reports/render/style.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::cli {

/// The assumptions about the starts of pods, lines for each job whose policy makes pods: which of
/// them take no time, since the scenario does not say how long, and the numbers of those it says.
std::string pods_text(const scenario::Scenario& scenario, const reports::Style& style);

}  // namespace aftershock::sim::cli
