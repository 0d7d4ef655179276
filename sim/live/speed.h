#pragma once

#include <vector>

#include "sim/live/plan.h"

namespace aftershock::sim::live {

/// The scenario's intervals that a run at this speed would hold against times which do not change
/// with it: a start of processes that is longer than its phase, another constant of the controller
/// that exceeds a tenth of the interval, a setting that the controller reads as whole seconds and
/// that would be more than a tenth off. Empty at speed 1.
std::vector<Refusal> refused_speed(const scenario::Scenario& scenario, const PlanOptions& options);

}  // namespace aftershock::sim::live
