#pragma once

#include <string>

#include "reports/render/style.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::cli {

/// The starts of pods that take no time in the runs of a scenario since it does not say how long
/// they take, a line a job; empty where it says so, or no policy makes pods.
std::string pods_text(const Scenario& scenario, const reports::Style& style);

}  // namespace aftershock::sim::cli
