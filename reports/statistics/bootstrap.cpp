#include "reports/statistics/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

// MicroURNG.hpp is made of what philox.h brings along.
// clang-format off
#include <Random123/philox.h>
#include <Random123/MicroURNG.hpp>
// clang-format on
#include <boost/random/uniform_int_distribution.hpp>

#include "reports/statistics/laws.h"
#include "reports/statistics/ordered.h"
#include "reports/statistics/quantile.h"

namespace aftershock::reports {
namespace {

using Real = long double;
using Random = r123::MicroURNG<r123::Philox4x32>;

Random random_of(std::uint64_t seed, std::uint32_t resample) {
  return Random({{resample, 0, 0, 0}},
                {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)}});
}

std::vector<double> resampled_ratios(const std::vector<Pair>& runs, const Bootstrap& options) {
  std::vector<double> ratios;
  ratios.reserve(options.resamples);
  const boost::random::uniform_int_distribution<std::uint32_t> index(
      0, static_cast<std::uint32_t>(runs.size() - 1));
  for (std::uint32_t resample = 0; resample < options.resamples; ++resample) {
    Random random = random_of(options.seed, resample);
    Real first = 0;
    Real second = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const Pair& run = runs[index(random)];
      first += static_cast<Real>(run.first);
      second += static_cast<Real>(run.second);
    }
    ratios.push_back(static_cast<double>(first / second));
  }
  return ratios;
}

/// Efron's acceleration: a sixth of the skewness of the ratio when one run is left out.
Real acceleration(const std::vector<Pair>& runs, Real first, Real second) {
  std::vector<Real> without;
  without.reserve(runs.size());
  Real mean = 0;
  for (const Pair& run : runs) {
    without.push_back((first - static_cast<Real>(run.first)) /
                      (second - static_cast<Real>(run.second)));
    mean += without.back() / static_cast<Real>(runs.size());
  }
  Real squares = 0;
  Real cubes = 0;
  for (const Real ratio : without) {
    const Real off = mean - ratio;
    squares += off * off;
    cubes += off * off * off;
  }
  const Real result = cubes / (6 * squares * std::sqrt(squares));
  return std::isfinite(result) ? result : 0;
}

/// Where BCa takes its end in place of the quantile at `p`.
Real corrected(Real p, Real bias, Real skew) {
  const Real z = bias + normal_quantile(p);
  return normal_cdf(bias + z / (1 - skew * z));
}

std::optional<Estimate> bootstrap(const std::vector<Pair>& runs, const Bootstrap& options) {
  Real first = 0;
  Real second = 0;
  for (const Pair& run : runs) {
    first += static_cast<Real>(run.first);
    second += static_cast<Real>(run.second);
  }
  const auto value = static_cast<double>(first / second);
  if (!std::isfinite(value) || !is_level(options.level)) return std::nullopt;
  Estimate estimate{.value = value, .interval = {}};
  if (runs.size() < 2 || options.resamples == 0 ||
      runs.size() > std::numeric_limits<std::uint32_t>::max()) {
    return estimate;
  }
  const auto ratios = ordered(resampled_ratios(runs, options));
  if (!ratios) return estimate;

  const Real tail = (1 - static_cast<Real>(options.level)) / 2;
  Real low = tail;
  Real high = 1 - tail;
  if (options.method == Bootstrap::Method::kBca && ratios->front() != ratios->back()) {
    const auto [from, to] = std::ranges::equal_range(*ratios, value);
    const auto below = static_cast<Real>(from - ratios->begin());
    const auto all = static_cast<Real>(ratios->size());
    // Ties count half; a share of nothing or all would be an endless correction.
    const Real share = (below + static_cast<Real>(to - from) / 2) / all;
    const Real bias = normal_quantile(std::clamp(share, 1 / (2 * all), 1 - 1 / (2 * all)));
    const Real skew = acceleration(runs, first, second);
    low = corrected(tail, bias, skew);
    high = corrected(1 - tail, bias, skew);
  }
  estimate.interval = Interval{quantile_of_ordered(*ratios, static_cast<double>(low)),
                               quantile_of_ordered(*ratios, static_cast<double>(high))};
  return estimate;
}

}  // namespace

std::optional<Estimate> bootstrap_mean(std::span<const double> values, const Bootstrap& options) {
  std::vector<Pair> runs;
  runs.reserve(values.size());
  for (const double value : values) runs.push_back({value, 1});
  return bootstrap_ratio(runs, options);
}

std::optional<Estimate> bootstrap_ratio(std::span<const Pair> runs, const Bootstrap& options) {
  const auto in_order = ordered(runs);
  return in_order ? bootstrap(*in_order, options) : std::nullopt;
}

}  // namespace aftershock::reports
