#include "sim/chance/inverse_normal.h"

#include <array>
#include <cmath>
#include <limits>

#include "sim/chance/logarithm.h"

// Method: Wichura's algorithm AS 241, PPND16 (Applied Statistics 37, 1988, pages 477 to 484): three
// ratios of polynomials of degree 7, each within 1e-16 of the function where it is used.
// Range: the middle, |p - 1/2| <= 0.425, by q = p - 1/2 and 0.425^2 - q^2; the tails by
// r = sqrt(-log(the smaller of p and 1 - p)), up to r = 5 and beyond it.
// Error: relative, less than 2^-50 (tests/unit/sim/chance/functions_test.cpp measures it).
namespace aftershock::sim::chance {

namespace {

// Numerator and denominator, from the constant upwards.
struct Ratio {
  std::array<double, 8> above;
  std::array<double, 8> below;
};

constexpr Ratio kMiddle{
    {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
     1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
     3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
     2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
     5.2264952788528545610e+3}};
constexpr Ratio kNearTail{
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
constexpr Ratio kFarTail{
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

double polynomial(const std::array<double, 8>& c, double x) {
  const double x2 = x * x;
  return ((c[0] + c[1] * x) + (c[2] + c[3] * x) * x2) +
         ((c[4] + c[5] * x) + (c[6] + c[7] * x) * x2) * (x2 * x2);
}

double ratio(const Ratio& of, double x) {
  return polynomial(of.above, x) / polynomial(of.below, x);
}

}  // namespace

double inverse_normal(double p) {
  if (!(p > 0 && p < 1)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return p == 0 ? -infinity : p == 1 ? infinity : std::numeric_limits<double>::quiet_NaN();
  }
  constexpr double kHalfOfMiddle = 0.425;
  constexpr double kMiddleShift = 0.180625;
  constexpr double kNear = 5;
  constexpr double kNearShift = 1.6;
  const double q = p - 0.5;
  if (q >= -kHalfOfMiddle && q <= kHalfOfMiddle) {
    return q * ratio(kMiddle, kMiddleShift - q * q);
  }
  const double r = std::sqrt(-logarithm(q < 0 ? p : 1 - p));
  const double z = r <= kNear ? ratio(kNearTail, r - kNearShift) : ratio(kFarTail, r - kNear);
  return q < 0 ? -z : z;
}

}  // namespace aftershock::sim::chance
