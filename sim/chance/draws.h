#pragma once

#include <cstdint>

#include "sim/chance/random_draw.h"
#include "sim/scenario/distribution.h"

namespace aftershock::sim::chance {

/// A length of time from the distribution, in whole microseconds, at least 0.
std::int64_t draw_us(const scenario::Distribution& distribution, RandomDraw random);

/// An exponential gap with the given mean, in whole microseconds.
std::int64_t draw_exponential_us(double mean_us, RandomDraw random);

/// From the gamma law with this shape and mean 1.
double draw_gamma(double shape, RandomDraw random);

/// Uniform over 0 .. count-1.
std::uint32_t draw_index(std::uint32_t count, RandomDraw random);

/// Uniform over [0, 1).
double draw_unit(RandomDraw random);

/// The nearest whole number of microseconds, half of one upwards: 0 for what is below, and a length
/// far beyond every run for what is above 64 bits.
std::int64_t whole_us(double us);

}  // namespace aftershock::sim::chance
