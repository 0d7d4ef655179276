#pragma once

namespace aftershock::sim::chance {

/// The share of the gamma law with this shape and scale 1 that lies below x; for a whole shape k
/// also P(N >= k) of a Poisson count with mean x. Within 2^-50 (10 + shape + x) (1 + |log x|) of
/// itself where it is below a half, and of the rest to 1 where it is above.
double gamma_share(double shape, double x);

}  // namespace aftershock::sim::chance
