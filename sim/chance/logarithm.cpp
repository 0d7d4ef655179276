#include "sim/chance/logarithm.h"

#include <bit>
#include <cstdint>
#include <limits>

// Range: x = 2^k m with sqrt(1/2) <= m < sqrt(2), read from the bits of x, and f = m - 1 is exact.
// Method: with s = f / (2 + f) is log(1 + f) = 2 atanh(s) = 2 s + s R(s^2), and R is a polynomial
// through the Chebyshev nodes of 0 <= s^2 <= (3 - sqrt(8))^2, 2^-57 off at most. 2 s is written as
// f - f^2/2 + s f^2/2, whose large parts are exact or nearly so. k log(2) is added in two parts, of
// which the product of k and the first is exact.
// Error: less than 0.9 ulp (tests/unit/sim/chance/functions_test.cpp measures it).
namespace aftershock::sim::chance {

namespace {

// Of R(z) / z.
constexpr double kLog0 = 0x1.5555555555558p-1;
constexpr double kLog1 = 0x1.99999999952e2p-2;
constexpr double kLog2 = 0x1.2492492df148dp-2;
constexpr double kLog3 = 0x1.c71c62e5800a1p-3;
constexpr double kLog4 = 0x1.7462b4ab2ef6bp-3;
constexpr double kLog5 = 0x1.39fe606542ddep-3;
constexpr double kLog6 = 0x1.2b584aae78a57p-3;

// 42 bits of log(2), and the rest.
constexpr double kLogTwoHigh = 0x1.62e42fefa3800p-1;
constexpr double kLogTwoLow = 0x1.ef35793c76730p-45;

constexpr std::uint64_t kRootOfHalfBits = 0x3fe6a09e667f3bcdU;
constexpr std::uint64_t kSignAndExponent = 0xfff0000000000000U;
constexpr unsigned kMantissaBits = 52;

}  // namespace

double logarithm(double x) {
  if (!(x > 0)) {
    return x == 0 ? -std::numeric_limits<double>::infinity()
                  : std::numeric_limits<double>::quiet_NaN();
  }
  if (x == std::numeric_limits<double>::infinity()) {
    return x;
  }
  std::int64_t exponent = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    exponent = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t above = bits - kRootOfHalfBits;
  exponent += static_cast<std::int64_t>(above) >> kMantissaBits;
  const double f = std::bit_cast<double>(bits - (above & kSignAndExponent)) - 1;
  const auto k = static_cast<double>(exponent);

  const double s = f / (2 + f);
  const double z = s * s;
  const double z2 = z * z;
  const double r = z * ((kLog0 + kLog1 * z) + (kLog2 + kLog3 * z) * z2 +
                        ((kLog4 + kLog5 * z) + kLog6 * z2) * (z2 * z2));
  const double half_square = 0.5 * f * f;
  return k * kLogTwoHigh - ((half_square - (s * (half_square + r) + k * kLogTwoLow)) - f);
}

}  // namespace aftershock::sim::chance
