#pragma once

namespace aftershock::sim::chance {

/// z with P(Z <= z) = p for a standard normal Z, within 2^-50 of itself: -infinity of 0, infinity
/// of 1, NaN of what lies outside. inverse_normal(1 - p) is -inverse_normal(p) to the bit,
/// where 1 - p is exact.
double inverse_normal(double p);

}  // namespace aftershock::sim::chance
