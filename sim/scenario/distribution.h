#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace aftershock::sim::scenario {

/// A length of time that may be random; all parameters in microseconds unless they are shapes
/// (scenario.md decision 7).
struct Distribution {
  /// Always the same.
  struct Constant {
    std::int64_t value_us = 0;
    friend bool operator==(const Constant&, const Constant&) = default;
  };
  /// Without memory.
  struct Exponential {
    std::int64_t mean_us = 0;
    friend bool operator==(const Exponential&, const Exponential&) = default;
  };
  /// Any length from low to high.
  struct Uniform {
    std::int64_t low_us = 0;
    std::int64_t high_us = 0;
    friend bool operator==(const Uniform&, const Uniform&) = default;
  };
  /// Location is the median; a file that gives the mean is converted when it is read.
  struct Lognormal {
    double median_us = 0;
    double sigma = 0;
    friend bool operator==(const Lognormal&, const Lognormal&) = default;
  };
  /// A shape below 1 has the early failures, above 1 the wear.
  struct Weibull {
    double scale_us = 0;
    double shape = 1;
    friend bool operator==(const Weibull&, const Weibull&) = default;
  };
  /// The mean is shape times scale.
  struct Gamma {
    double scale_us = 0;
    double shape = 1;
    friend bool operator==(const Gamma&, const Gamma&) = default;
  };
  /// One of these, each as likely as the others.
  struct Empirical {
    std::vector<std::int64_t> values_us;
    friend bool operator==(const Empirical&, const Empirical&) = default;
  };
  std::variant<Constant, Exponential, Uniform, Lognormal, Weibull, Gamma, Empirical> shape;
  /// Draws outside [min, max] are redrawn.
  std::optional<std::int64_t> min_us;
  std::optional<std::int64_t> max_us;

  /// A length that is not random.
  static Distribution constant(std::int64_t value_us) {
    return {.shape = Constant{value_us}, .min_us = {}, .max_us = {}};
  }
  friend bool operator==(const Distribution&, const Distribution&) = default;
};

}  // namespace aftershock::sim::scenario
