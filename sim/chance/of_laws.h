#pragma once

#include "sim/scenario/distribution.h"

namespace aftershock::sim::chance {

/// The mean of a law without its cut, in microseconds.
double mean_us(const scenario::Distribution& law);

/// The share of a law's draws, without its cut, that are at most so many microseconds.
double share_up_to(const scenario::Distribution& law, double us);

}  // namespace aftershock::sim::chance
