#pragma once

namespace aftershock::sim::chance {

/// x to the power y, for x >= 0 and y > 0, as e^(y log x). The error of the logarithm counts as
/// often as the exponent is large: (|y log x| + 1) 2^-52 of the result at most.
double power(double x, double y);

}  // namespace aftershock::sim::chance
