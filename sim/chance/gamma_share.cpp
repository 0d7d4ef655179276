#include "sim/chance/gamma_share.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "sim/chance/exponential.h"
#include "sim/chance/logarithm.h"

namespace aftershock::sim::chance {

namespace {

// Of a sum, and of a product whose last bits may go on swinging.
constexpr double kSmall = 0x1p-54;
constexpr double kSteady = 0x1p-50;

// Stirling's series, from 16 on: below that by the recurrence of the gamma function.
double log_gamma(double x) {
  constexpr double kEnough = 16;
  constexpr double kHalfLogOfTwoPi = 0.91893853320467274178;
  double product = 1;
  for (; x < kEnough; ++x) {
    product *= x;
  }
  const double y = 1 / (x * x);
  const double series =
      (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / x;
  return (x - 0.5) * logarithm(x) - x + kHalfLogOfTwoPi + series - logarithm(product);
}

// By the series in x, whose terms fall from the first on where x < shape + 1.
double low_share(double shape, double x) {
  double term = 1;
  double sum = 1;
  for (double n = 1; term > sum * kSmall; ++n) {
    term *= x / (shape + n);
    sum += term;
  }
  return std::min(1.0, exponential(shape * logarithm(x) - x - log_gamma(shape + 1)) * sum);
}

// The share above x, by Legendre's continued fraction from its front (Lentz's method).
double high_share(double shape, double x) {
  double b = x + 1 - shape;
  double c = 0x1p1000;
  double d = 1 / b;
  double fraction = d;
  double change = 0;
  for (double n = 1; std::abs(change - 1) > kSteady; ++n) {
    const double a = n * (shape - n);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    change = c * d;
    fraction *= change;
  }
  return std::min(1.0, exponential(shape * logarithm(x) - x - log_gamma(shape)) * fraction);
}

}  // namespace

double gamma_share(double shape, double x) {
  AFTERSHOCK_ASSERT(shape > 0);
  if (!(x > 0)) {
    return 0;
  }
  if (std::isinf(x)) {
    return 1;
  }
  return x < shape + 1 ? low_share(shape, x) : 1 - high_share(shape, x);
}

}  // namespace aftershock::sim::chance
