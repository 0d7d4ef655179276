#pragma once

#include <cstdint>

#include "sim/chance/random_draw.h"

// The laws in their standard forms, from the bits of a draw. Nothing but what IEEE 754 rounds
// exactly computes them (+, -, x, / and the square root of doubles), so that no compiler, library
// or processor changes a bit of what they give.
namespace aftershock::sim::chance {

/// Uniform over [0, 1), in steps of 2^-53.
double unit(RandomDraw& random);
/// Uniform over (0, 1], in steps of 2^-53.
double positive_unit(RandomDraw& random);
/// Uniform over 0 .. count-1, each exactly as likely as the others.
std::uint64_t below(std::uint64_t count, RandomDraw& random);

/// The exponential law with mean 1.
double standard_exponential(RandomDraw& random);
/// The normal law with mean 0 and variance 1.
double standard_normal(RandomDraw& random);
/// The lognormal law with median 1; `sigma` is the deviation of its logarithm.
double standard_lognormal(double sigma, RandomDraw& random);
/// The Weibull law of this shape and scale 1.
double standard_weibull(double shape, RandomDraw& random);
/// The gamma law of this shape and scale 1.
double standard_gamma(double shape, RandomDraw& random);

}  // namespace aftershock::sim::chance
