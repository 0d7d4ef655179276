#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "sim/chance/exponential.h"
#include "sim/chance/gamma_function.h"
#include "sim/chance/inverse_normal.h"
#include "sim/chance/logarithm.h"
#include "sim/chance/power.h"

// The functions behind the laws, against those of long double.
namespace aftershock::sim::chance {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr int kPoints = 200'000;

double ulps(double value, long double exact) {
  const double near = std::abs(static_cast<double>(exact));
  const double step = std::nextafter(near, kInfinity) - near;
  return static_cast<double>(std::abs(value - exact) / step);
}

double relative(double value, long double exact) {
  return static_cast<double>(std::abs(value - exact) / std::abs(exact));
}

// The point of a grid that meets no round number.
double at(double low, double high, int i) {
  return low + (high - low) * (static_cast<double>(i) + 0.377) / kPoints;
}

TEST(Logarithm, IsWithinOneUlp) {
  for (int i = 0; i < kPoints; ++i) {
    for (const double x : {at(0.5, 2, i), at(0.999, 1.001, i), std::exp2(at(-1074, 1023, i)),
                           1 - 0x1p-53 * i, 1 + 0x1p-52 * i}) {
      if (x != 1) {
        ASSERT_LT(ulps(logarithm(x), std::log(static_cast<long double>(x))), 1) << x;
      }
    }
  }
}

TEST(Logarithm, KeepsItsEdges) {
  EXPECT_EQ(logarithm(1), 0);
  EXPECT_EQ(logarithm(0), -kInfinity);
  EXPECT_EQ(logarithm(-0.0), -kInfinity);
  EXPECT_EQ(logarithm(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(logarithm(-1)));
  EXPECT_TRUE(std::isnan(logarithm(std::nan(""))));
  EXPECT_EQ(logarithm(1 - 0x1p-53), -0x1p-53);
  EXPECT_LT(ulps(logarithm(kSmallest), std::log(static_cast<long double>(kSmallest))), 1);
}

TEST(Exponential, IsWithinOneUlp) {
  for (int i = 0; i < kPoints; ++i) {
    for (const double x : {at(-1, 1, i), at(-708, 709.7, i), at(-1e-9, 1e-9, i)}) {
      ASSERT_LT(ulps(exponential(x), std::exp(static_cast<long double>(x))), 1) << x;
    }
  }
}

TEST(Exponential, KeepsItsEdges) {
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(exponential(-kInfinity), 0);
  EXPECT_EQ(exponential(kInfinity), kInfinity);
  EXPECT_EQ(exponential(710), kInfinity);
  EXPECT_LT(exponential(709.78), kInfinity);
  EXPECT_EQ(exponential(-746), 0);
  EXPECT_EQ(exponential(-745), kSmallest);
  EXPECT_TRUE(std::isnan(exponential(std::nan(""))));
}

TEST(ExponentialLessOne, KeepsItsDigitsNearZero) {
  for (int i = 0; i < kPoints; ++i) {
    for (const double x : {at(-1, 1, i), at(-1e-9, 1e-9, i), at(-40, 700, i)}) {
      ASSERT_LT(relative(exponential_less_one(x), std::expm1(static_cast<long double>(x))), 0x1p-50)
          << x;
    }
  }
  EXPECT_EQ(exponential_less_one(0), 0);
  EXPECT_EQ(exponential_less_one(-kInfinity), -1);
  EXPECT_EQ(exponential_less_one(kInfinity), kInfinity);
}

TEST(Power, ErrsAsMuchAsItsExponentIsLarge) {
  for (int i = 0; i < kPoints; ++i) {
    const double x = std::exp2(at(-60, 6, i));
    for (const double y : {0.1, 0.7, 1.0, 1.9, 10.0}) {
      const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(y));
      const double bound = (std::abs(y * std::log(x)) + 1) * 0x1p-52;
      ASSERT_LT(relative(power(x, y), exact), bound) << x << " to " << y;
    }
  }
  EXPECT_EQ(power(0, 0.5), 0);
  EXPECT_EQ(power(-0.0, 0.5), 0);
  EXPECT_EQ(power(1, 7), 1);
}

// One step of Newton from the value, in long double, is exact to its last bits.
long double exact_quantile(double z, double p) {
  const auto x = static_cast<long double>(z);
  const long double tail = std::erfc(std::abs(x) / std::numbers::sqrt2_v<long double>) / 2;
  const long double wanted = z < 0 ? static_cast<long double>(p) : 1 - static_cast<long double>(p);
  const long double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi_v<long double>);
  const long double step = (tail - wanted) / density;
  return z < 0 ? x - step : x + step;
}

TEST(InverseNormal, IsWithinItsBound) {
  for (int i = 0; i < kPoints; ++i) {
    for (const double p : {at(0, 1, i), at(0.07, 0.08, i), at(0.92, 0.93, i),
                           std::exp2(at(-1000, -1, i)), 1 - std::exp2(at(-50, -1, i))}) {
      const double z = inverse_normal(p);
      ASSERT_LT(relative(z, exact_quantile(z, p)), 0x1p-50) << p;
    }
  }
}

TEST(InverseNormal, KeepsItsEdgesAndIsOdd) {
  EXPECT_EQ(inverse_normal(0), -kInfinity);
  EXPECT_EQ(inverse_normal(1), kInfinity);
  EXPECT_EQ(inverse_normal(0.5), 0);
  EXPECT_TRUE(std::isnan(inverse_normal(-0x1p-53)));
  EXPECT_TRUE(std::isnan(inverse_normal(std::nan(""))));
  for (std::uint64_t k = 1; k < 1U << 12U; ++k) {
    const double p = static_cast<double>(k) * 0x1p-13;
    ASSERT_EQ(inverse_normal(1 - p), -inverse_normal(p)) << p;
  }
}

TEST(GammaFunction, IsWithinItsBound) {
  for (int i = 0; i < kPoints; ++i) {
    for (const double x : {at(0.5, 3, i), at(0.5, 171, i)}) {
      const double bound = 0x1p-50 + std::max(0.0, x - 20) * 0x1p-53;
      ASSERT_LT(relative(gamma_function(x), std::tgamma(static_cast<long double>(x))), bound) << x;
    }
  }
  EXPECT_EQ(gamma_function(1), 1);
  EXPECT_EQ(gamma_function(5), 24);
  EXPECT_EQ(gamma_function(172), kInfinity);
  EXPECT_EQ(gamma_function(1e300), kInfinity);
}

}  // namespace
}  // namespace aftershock::sim::chance
