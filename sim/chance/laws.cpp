#include "sim/chance/laws.h"

#include <cmath>

#include "base/assert.h"
#include "sim/chance/exponential.h"
#include "sim/chance/inverse_normal.h"
#include "sim/chance/logarithm.h"
#include "sim/chance/power.h"

namespace aftershock::sim::chance {

namespace {

__extension__ typedef unsigned __int128 Product;

}  // namespace

double unit(RandomDraw& random) { return static_cast<double>(random.bits64() >> 11U) * 0x1p-53; }

double positive_unit(RandomDraw& random) {
  return static_cast<double>((random.bits64() >> 11U) + 1) * 0x1p-53;
}

// Lemire's method: the high half of a product with 64 bits, of which those are drawn again that
// would make some numbers more likely than others.
std::uint64_t below(std::uint64_t count, RandomDraw& random) {
  AFTERSHOCK_ASSERT(count > 0);
  Product product = Product{random.bits64()} * count;
  if (static_cast<std::uint64_t>(product) < count) {
    const std::uint64_t too_many = (0 - count) % count;
    while (static_cast<std::uint64_t>(product) < too_many) {
      product = Product{random.bits64()} * count;
    }
  }
  return static_cast<std::uint64_t>(product >> 64U);
}

double standard_exponential(RandomDraw& random) { return 0 - logarithm(positive_unit(random)); }

double standard_normal(RandomDraw& random) {
  // The middles of 2^52 equal parts: never 0 nor 1, and as far from one as from the other.
  return inverse_normal(static_cast<double>((random.bits64() >> 12U) * 2 + 1) * 0x1p-53);
}

double standard_lognormal(double sigma, RandomDraw& random) {
  return exponential(sigma * standard_normal(random));
}

double standard_weibull(double shape, RandomDraw& random) {
  return power(standard_exponential(random), 1 / shape);
}

// Marsaglia and Tsang (ACM Transactions on Mathematical Software 26, 2000): the cube of a normal
// that is shifted and scaled, kept with the probability that makes the law exact. The first
// comparison keeps nearly all of those without a logarithm. Below shape 1 their remark: a power of
// a uniform times the law of one shape more.
double standard_gamma(double shape, RandomDraw& random) {
  AFTERSHOCK_ASSERT(shape > 0);
  if (shape < 1) {
    const double share = power(positive_unit(random), 1 / shape);
    return share * standard_gamma(shape + 1, random);
  }
  constexpr double kThird = 1.0 / 3;
  constexpr double kSurely = 0.0331;
  const double d = shape - kThird;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = standard_normal(random);
    const double root = 1 + c * x;
    if (root <= 0) {
      continue;
    }
    const double v = root * root * root;
    const double u = positive_unit(random);
    const double square = x * x;
    if (u < 1 - kSurely * square * square ||
        logarithm(u) < 0.5 * square + d * (1 - v + logarithm(v))) {
      return d * v;
    }
  }
}

}  // namespace aftershock::sim::chance
