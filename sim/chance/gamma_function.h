#pragma once

namespace aftershock::sim::chance {

/// Euler's gamma function for x >= 1/2: (x - 1)! where x is whole. Within 2^-50 of itself for x up
/// to 20, and n 2^-53 more for x = 20 + n; infinity where it lies beyond the range of a double.
double gamma_function(double x);

}  // namespace aftershock::sim::chance
