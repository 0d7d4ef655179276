#pragma once

#include "sim/scenario/shape/shape.h"

namespace aftershock::sim::scenario {

/// A length of time that may be random (scenario.md decision 7): a duration, or one law.
Shape distribution_shape();

}  // namespace aftershock::sim::scenario
