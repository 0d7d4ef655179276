#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace aftershock::sim {

/// A length of time that may be random; all parameters in microseconds unless they are shapes
/// (scenario.md decision 7).
struct Distribution {
  struct Constant {
    std::int64_t value_us = 0;
    friend bool operator==(const Constant&, const Constant&) = default;
  };
  struct Exponential {
    std::int64_t mean_us = 0;
    friend bool operator==(const Exponential&, const Exponential&) = default;
  };
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
  struct Weibull {
    double scale_us = 0;
    double shape = 1;
    friend bool operator==(const Weibull&, const Weibull&) = default;
  };
  struct Gamma {
    double scale_us = 0;
    double shape = 1;
    friend bool operator==(const Gamma&, const Gamma&) = default;
  };
  struct Empirical {
    std::vector<std::int64_t> values_us;
    friend bool operator==(const Empirical&, const Empirical&) = default;
  };
  std::variant<Constant, Exponential, Uniform, Lognormal, Weibull, Gamma, Empirical> shape;
  /// Draws outside [min, max] are redrawn.
  std::optional<std::int64_t> min_us;
  std::optional<std::int64_t> max_us;

  static Distribution constant(std::int64_t value_us) {
    return {.shape = Constant{value_us}, .min_us = {}, .max_us = {}};
  }
  friend bool operator==(const Distribution&, const Distribution&) = default;
};

}  // namespace aftershock::sim
