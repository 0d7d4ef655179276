#include "sim/import/fit_laws.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/minima.hpp>

namespace aftershock::sim::imports {

namespace {

namespace math = boost::math;

/// Results out of reach are infinite or NaN, without an exception.
using Quiet = math::policies::policy<math::policies::domain_error<math::policies::ignore_error>,
                                     math::policies::overflow_error<math::policies::ignore_error>,
                                     math::policies::pole_error<math::policies::ignore_error>>;

/// Calls with the law as Boost has it.
template <class Use>
double with_law(Law law, double scale, double shape, Use&& use) {
  switch (law) {
    case Law::kExponential:
      return use(math::exponential_distribution<double, Quiet>(1 / scale));
    case Law::kWeibull:
      return use(math::weibull_distribution<double, Quiet>(shape, scale));
    case Law::kLognormal:
      return use(math::lognormal_distribution<double, Quiet>(std::log(scale), shape));
    case Law::kGamma:
      return use(math::gamma_distribution<double, Quiet>(shape, scale));
  }
  return 0;
}

double log_of(double probability) {
  constexpr double kNever = -700;
  return probability > 0 && std::isfinite(probability) ? std::log(probability) : kNever;
}

double log_likelihood(const Lengths& lengths, Law law, double scale, double shape) {
  return with_law(law, scale, shape, [&](const auto& distribution) {
    double sum = 0;
    for (const double x : lengths.seen) {
      sum += log_of(math::pdf(distribution, x));
    }
    for (const auto& [x, count] : lengths.cut_short) {
      sum += count * log_of(math::cdf(math::complement(distribution, x)));
    }
    return sum;
  });
}

double exposure(const Lengths& lengths) {
  double sum = std::accumulate(lengths.seen.begin(), lengths.seen.end(), 0.0);
  for (const auto& [x, count] : lengths.cut_short) {
    sum += x * count;
  }
  return sum;
}

/// The scale that goes best with a shape.
double best_scale(const Lengths& lengths, Law law, double shape) {
  const auto seen = static_cast<double>(lengths.seen.size());
  if (law == Law::kExponential) {
    return exposure(lengths) / seen;
  }
  if (law == Law::kWeibull) {
    double sum = 0;
    for (const double x : lengths.seen) {
      sum += std::pow(x, shape);
    }
    for (const auto& [x, count] : lengths.cut_short) {
      sum += count * std::pow(x, shape);
    }
    return std::pow(sum / seen, 1 / shape);
  }
  if (law == Law::kGamma && lengths.cut_short.empty()) {
    return exposure(lengths) / seen / shape;
  }
  constexpr int kBits = 24;
  constexpr double kFar = 12;  // of the logarithm
  const double middle = std::log(exposure(lengths) / seen);
  const auto [at, ignored] = math::tools::brent_find_minima(
      [&](double scale) { return -log_likelihood(lengths, law, std::exp(scale), shape); },
      middle - kFar, middle + kFar, kBits);
  return std::exp(at);
}

Fitted fit(const Lengths& lengths, Law law) {
  Fitted fitted;
  fitted.law = law;
  if (law == Law::kLognormal && lengths.cut_short.empty()) {
    const auto count = static_cast<double>(lengths.seen.size());
    double mean = 0;
    for (const double x : lengths.seen) {
      mean += std::log(x) / count;
    }
    double variance = 0;
    for (const double x : lengths.seen) {
      variance += (std::log(x) - mean) * (std::log(x) - mean) / count;
    }
    fitted.scale = std::exp(mean);
    fitted.shape = std::sqrt(variance);
  } else if (law != Law::kExponential) {
    constexpr int kBits = 24;
    const auto worse = [&](double log_shape) {
      const double shape = std::exp(log_shape);
      return -log_likelihood(lengths, law, best_scale(lengths, law, shape), shape);
    };
    fitted.shape = std::exp(
        math::tools::brent_find_minima(worse, std::log(0.05), std::log(20.0), kBits).first);
  }
  if (fitted.scale == 0) {
    fitted.scale = best_scale(lengths, law, fitted.shape);
  }
  fitted.log_likelihood = log_likelihood(lengths, law, fitted.scale, fitted.shape);
  fitted.aic = (law == Law::kExponential ? 2 : 4) - 2 * fitted.log_likelihood;
  return fitted;
}

/// The greatest distance of the law from the share that ended so far, as Kaplan and Meier count it:
/// without lengths cut short the share of all.
double distance_from(const Lengths& lengths, const Fitted& fitted) {
  std::vector<double> seen = lengths.seen;
  std::ranges::sort(seen);
  std::vector<std::pair<double, double>> cut = lengths.cut_short;
  std::ranges::sort(cut);
  auto at_risk = static_cast<double>(seen.size());
  for (const auto& [x, count] : cut) {
    at_risk += count;
  }
  double lasting = 1;
  double farthest = 0;
  auto next_cut = cut.begin();
  for (std::size_t i = 0; i < seen.size();) {
    const double x = seen[i];
    for (; next_cut != cut.end() && next_cut->first < x; ++next_cut) {
      at_risk -= next_cut->second;
    }
    const double below = probability_below(fitted, x);
    farthest = std::max(farthest, std::abs(below - (1 - lasting)));
    double ended = 0;
    for (; i < seen.size() && seen[i] == x; ++i) {
      ++ended;
    }
    lasting *= 1 - ended / at_risk;
    at_risk -= ended;
    farthest = std::max(farthest, std::abs(below - (1 - lasting)));
  }
  return farthest;
}

}  // namespace

double probability_below(const Fitted& fitted, double x) {
  return with_law(fitted.law, fitted.scale, fitted.shape,
                  [x](const auto& distribution) { return math::cdf(distribution, x); });
}

double mean_of(const Fitted& fitted) {
  return with_law(fitted.law, fitted.scale, fitted.shape,
                  [](const auto& distribution) { return math::mean(distribution); });
}

// Kolmogorov's series, with Stephens' correction for few lengths.
double kolmogorov_p(double distance, double count) {
  const double root = std::sqrt(count);
  const double lambda = (root + 0.12 + 0.11 / root) * distance;
  constexpr double kSurely = 0.2;  // below it the series is 1 to all digits
  if (lambda < kSurely) {
    return 1;
  }
  double sum = 0;
  double sign = 1;
  constexpr int kTerms = 100;
  for (int j = 1; j <= kTerms; ++j) {
    sum += sign * std::exp(-2.0 * j * j * lambda * lambda);
    sign = -sign;
  }
  return std::clamp(2 * sum, 0.0, 1.0);
}

std::vector<Fitted> fit_laws(const Lengths& given) {
  // In parts of their mean, so that powers of them stay within reach.
  Lengths lengths = given;
  const auto seen = static_cast<double>(given.seen.size());
  const double unit = exposure(given) / seen;
  for (double& x : lengths.seen) {
    x /= unit;
  }
  for (auto& [x, count] : lengths.cut_short) {
    x /= unit;
  }
  std::vector<Fitted> all;
  for (const Law law : {Law::kExponential, Law::kWeibull, Law::kLognormal, Law::kGamma}) {
    Fitted& fitted = all.emplace_back(fit(lengths, law));
    fitted.distance = distance_from(lengths, fitted);
    fitted.p = kolmogorov_p(fitted.distance, seen);
    fitted.scale *= unit;
    fitted.log_likelihood -= seen * std::log(unit);
    fitted.aic += 2 * seen * std::log(unit);
  }
  std::ranges::stable_sort(all, {}, &Fitted::aic);
  return all;
}

}  // namespace aftershock::sim::imports
