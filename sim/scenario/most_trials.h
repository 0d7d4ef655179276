#pragma once

#include <cstdint>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::scenario {

/// The most trials that the experiment may come to have: its own, or as many as another had that
/// ran under the same name, which it may restore.
std::int64_t most_trials(const Scenario& scenario, const ExperimentSpec& experiment);

}  // namespace aftershock::sim::scenario
