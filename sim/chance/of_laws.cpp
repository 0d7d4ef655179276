#include "sim/chance/of_laws.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <variant>

#include "sim/chance/exponential.h"
#include "sim/chance/gamma_function.h"
#include "sim/chance/gamma_share.h"
#include "sim/chance/logarithm.h"
#include "sim/chance/power.h"

namespace aftershock::sim::chance {

namespace {

struct Mean {
  double operator()(const scenario::Distribution::Constant& law) const {
    return static_cast<double>(law.value_us);
  }
  double operator()(const scenario::Distribution::Exponential& law) const {
    return static_cast<double>(law.mean_us);
  }
  double operator()(const scenario::Distribution::Uniform& law) const {
    return static_cast<double>(law.low_us) / 2 + static_cast<double>(law.high_us) / 2;
  }
  double operator()(const scenario::Distribution::Lognormal& law) const {
    return law.median_us * exponential(law.sigma * law.sigma / 2);
  }
  double operator()(const scenario::Distribution::Weibull& law) const {
    return law.scale_us * gamma_function(1 + 1 / law.shape);
  }
  double operator()(const scenario::Distribution::Gamma& law) const {
    return law.scale_us * law.shape;
  }
  double operator()(const scenario::Distribution::Empirical& law) const {
    const double sum = std::accumulate(law.values_us.begin(), law.values_us.end(), 0.0);
    return law.values_us.empty() ? 0 : sum / static_cast<double>(law.values_us.size());
  }
};

// Half of the square of a standard normal has the gamma law of shape 1/2.
double normal_share(double z) {
  const double within = gamma_share(0.5, z * z / 2);
  return z < 0 ? (1 - within) / 2 : (1 + within) / 2;
}

struct ShareUpTo {
  double us = 0;

  double operator()(const scenario::Distribution::Constant& law) const {
    return us >= static_cast<double>(law.value_us) ? 1 : 0;
  }
  double operator()(const scenario::Distribution::Exponential& law) const {
    return us <= 0 ? 0 : 1 - exponential(-us / static_cast<double>(law.mean_us));
  }
  double operator()(const scenario::Distribution::Uniform& law) const {
    const auto low = static_cast<double>(law.low_us);
    const auto high = static_cast<double>(law.high_us);
    if (us <= low) {
      return us == low && low == high ? 1 : 0;
    }
    return us >= high ? 1 : (us - low) / (high - low);
  }
  double operator()(const scenario::Distribution::Lognormal& law) const {
    return us <= 0 ? 0 : normal_share(logarithm(us / law.median_us) / law.sigma);
  }
  double operator()(const scenario::Distribution::Weibull& law) const {
    return us <= 0 ? 0 : 1 - exponential(-power(us / law.scale_us, law.shape));
  }
  double operator()(const scenario::Distribution::Gamma& law) const {
    return gamma_share(law.shape, us / law.scale_us);
  }
  double operator()(const scenario::Distribution::Empirical& law) const {
    const auto count = std::ranges::count_if(
        law.values_us, [this](std::int64_t v) { return static_cast<double>(v) <= us; });
    return static_cast<double>(count) / static_cast<double>(law.values_us.size());
  }
};

}  // namespace

double mean_us(const scenario::Distribution& law) { return std::visit(Mean{}, law.shape); }

double share_up_to(const scenario::Distribution& law, double us) {
  return std::visit(ShareUpTo{us}, law.shape);
}

}  // namespace aftershock::sim::chance
