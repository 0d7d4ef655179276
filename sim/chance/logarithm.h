#pragma once

namespace aftershock::sim::chance {

/// The natural logarithm, within 1 ulp: -infinity of 0, infinity of infinity, NaN of what is below
/// 0 and of NaN.
double logarithm(double x);

}  // namespace aftershock::sim::chance
