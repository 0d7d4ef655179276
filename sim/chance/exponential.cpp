#include "sim/chance/exponential.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// Range: x = k log(2) + r with a whole k and |r| <= log(2) / 2. k log(2) is taken away in two
// parts, and the first difference is exact. Method: e^r = 1 + (r + r^2 P(r)), where P is a
// polynomial through the Chebyshev nodes of that range, 2^-61 of the result off at most. The
// product with 2^k is exact, except for results below the normal numbers, which are rounded once
// more. Error: less than 1 ulp (tests/unit/sim/chance/functions_test.cpp measures it).
namespace aftershock::sim::chance {

namespace {

constexpr double kExp0 = 0x1.0000000000000p-1;
constexpr double kExp1 = 0x1.5555555555557p-3;
constexpr double kExp2 = 0x1.5555555555556p-5;
constexpr double kExp3 = 0x1.11111111100dfp-7;
constexpr double kExp4 = 0x1.6c16c16c162d6p-10;
constexpr double kExp5 = 0x1.a01a01abe62ddp-13;
constexpr double kExp6 = 0x1.a01a01a6d7808p-16;
constexpr double kExp7 = 0x1.71de02375656cp-19;
constexpr double kExp8 = 0x1.27e4db67b4303p-22;
constexpr double kExp9 = 0x1.af4ddd84882fep-26;
constexpr double kExp10 = 0x1.1f72fc730b4ffp-29;

constexpr double kOneByLogTwo = 0x1.71547652b82fep+0;
constexpr double kFirstOfLogTwo = 0x1.62e42fefa3800p-1;
constexpr double kRestOfLogTwo = 0x1.ef35793c76730p-45;

// Beyond these the result is infinite, or rounds to 0.
constexpr double kLargestArgument = 0x1.62e42fefa39efp+9;
constexpr double kSmallestArgument = -0x1.74910d52d3052p+9;

// 2^k of a normal number.
double two_to(std::int64_t k) {
  constexpr std::int64_t kBias = 1023;
  return std::bit_cast<double>(static_cast<std::uint64_t>(k + kBias) << 52U);
}

}  // namespace

double exponential(double x) {
  if (!(x <= kLargestArgument)) {
    return x > 0 ? std::numeric_limits<double>::infinity() : x;
  }
  if (x < kSmallestArgument) {
    return 0;
  }
  const auto k = static_cast<std::int64_t>(x * kOneByLogTwo + (x < 0 ? -0.5 : 0.5));
  const auto turns = static_cast<double>(k);
  const double r = (x - turns * kFirstOfLogTwo) - turns * kRestOfLogTwo;

  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double p = ((kExp0 + kExp1 * r) + (kExp2 + kExp3 * r) * r2) +
                   ((kExp4 + kExp5 * r) + (kExp6 + kExp7 * r) * r2) * r4 +
                   ((kExp8 + kExp9 * r) + kExp10 * r2) * (r4 * r4);
  const double y = 1 + (r + r2 * p);
  // In two steps, since 2^k alone may be beyond the normal numbers.
  return y * two_to(k / 2) * two_to(k - k / 2);
}

// By the series near 0, where e^x and 1 would cancel.
double exponential_less_one(double x) {
  if (!(std::abs(x) < 0.5)) {
    return exponential(x) - 1;
  }
  double term = x;
  double sum = x;
  for (double n = 2; std::abs(term) > std::abs(sum) * 0x1p-54; ++n) {
    term *= x / n;
    sum += term;
  }
  return sum;
}

}  // namespace aftershock::sim::chance
