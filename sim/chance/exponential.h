#pragma once

namespace aftershock::sim::chance {

/// e to the power x, within 1 ulp where the result is a normal number: 0 or infinity where it lies
/// beyond the range of a double, NaN of NaN.
double exponential(double x);

/// e^x - 1, within 2^-50 of itself: no digits are lost near 0.
double exponential_less_one(double x);

}  // namespace aftershock::sim::chance
