#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// The knowledge of a quantity from independent runs, and how far it may be from theory.
namespace aftershock::sim::validation {

struct Moments {
  explicit Moments(const std::vector<double>& values) : count(static_cast<double>(values.size())) {
    for (const double value : values) {
      mean += value / count;
    }
    double fourth = 0;
    for (const double value : values) {
      const double off = value - mean;
      variance += off * off / (count - 1);
      fourth += off * off * off * off / count;
    }
    variance_error = std::sqrt(std::max(0.0, fourth - variance * variance) / count);
  }

  [[nodiscard]] double mean_error() const { return std::sqrt(variance / count); }

  double count;
  double mean = 0;
  double variance = 0;
  double variance_error = 0;  ///< standard error of the variance
};

/// The rule of all validation: not further off than four standard errors, with seeds that are fixed
/// before anybody looks. Every comparison is printed, so that a row can be read as a result.
inline void expect_within_four_errors(const std::string& what, double got, double wanted,
                                      double error) {
  const double z = (got - wanted) / error;
  std::printf("%-40s %16.9g, expected %16.9g, z %+.2f\n", what.c_str(), got, wanted, z);
  EXPECT_LT(std::abs(z), 4) << what << ": " << got << " instead of " << wanted;
}

/// The same for a share of `count` trials of which each succeeds with probability `wanted`.
inline void expect_share(const std::string& what, std::int64_t successes, std::uint64_t count,
                         double wanted) {
  const auto n = static_cast<double>(count);
  expect_within_four_errors(what, static_cast<double>(successes) / n, wanted,
                            std::sqrt(wanted * (1 - wanted) / n));
}

/// A printed figure: `digits` after the point, the last one rounded.
inline void expect_printed(const std::string& what, double formula, double printed, int digits) {
  EXPECT_NEAR(formula, printed, 0.5000001 * std::pow(10.0, -digits)) << what;
}

}  // namespace aftershock::sim::validation
