#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace aftershock::sim::imports {

/// Laws that lengths of time are fitted with.
enum class Law : std::uint8_t { kExponential, kWeibull, kLognormal, kGamma };
/// As scenarios name them.
inline constexpr std::array<std::string_view, 4> kLawNames{"exponential", "weibull", "lognormal",
                                                           "gamma"};

/// Lengths of time, all above zero, in whatever unit.
struct Lengths {
  std::vector<double> seen;                          ///< from their beginning to their end
  std::vector<std::pair<double, double>> cut_short;  ///< longer than this, and how many are
};

/// A law with the parameters that make the lengths most likely.
struct Fitted {
  Law law = Law::kExponential;
  double scale = 0;  ///< exponential: mean; lognormal: median
  double shape = 1;  ///< lognormal: sigma
  double log_likelihood = 0;
  double aic = 0;  ///< Akaike's: 2 * parameters - 2 * log likelihood; smaller is better
  /// Kolmogorov's and Smirnov's distance from what was seen (Kaplan and Meier's estimate, where
  /// some were cut short), and how probable one as large is. The parameters are from the same
  /// lengths, so the true probability is smaller.
  double distance = 0;
  double p = 0;
};

/// All laws, the one with the smallest AIC first. At least two different lengths must have been
/// seen.
std::vector<Fitted> fit_laws(const Lengths& lengths);

/// The mean of a fitted law.
double mean_of(const Fitted& fitted);

/// How probable a length of at most `x` is.
double probability_below(const Fitted& fitted, double x);

/// How probable a distance as large is of `count` lengths from the law that they are drawn from.
double kolmogorov_p(double distance, double count);

}  // namespace aftershock::sim::imports
