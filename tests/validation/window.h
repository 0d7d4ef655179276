#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

// Three events of a Poisson process within less than a window of time 1: the gap recursion of
// oracle O9, solved on a grid.
namespace aftershock::sim::validation {

/// The chance that it does not happen within `horizon`, by trapezoids of 1/cells. With v(t, m) the
/// chance of the same in the time t after an event, when the next must stay away for m of it:
///   v(t, m) = exp(-nu t) + int_m^t nu exp(-nu h) v(t - h, max(0, 1 - h)) dh
/// and the first event is as one after which any gap will do.
inline double no_three_within(double nu, double horizon, int cells) {
  const auto n = static_cast<std::size_t>(cells);
  const double step = 1.0 / cells;
  const auto steps = static_cast<std::size_t>(std::llround(horizon * cells));
  const auto density = [&](std::size_t at) {
    return nu * std::exp(-nu * step * static_cast<double>(at));
  };
  std::vector<std::vector<double>> v;  // by t and m, in steps
  double beyond = 0;                   // the integral from 1 on
  for (std::size_t t = 0; t <= steps; ++t) {
    if (t > n) {
      beyond = beyond * std::exp(-nu * step) +
               step / 2 * (density(n) * v[t - n][0] + density(n + 1) * v[t - n - 1][0]);
    }
    const double none = std::exp(-nu * step * static_cast<double>(t));
    std::vector<double> row(n + 1, none + beyond);
    const auto integrand = [&](std::size_t h) {
      return density(h) * (h == 0 ? row[n] : v[t - h][n - h]);
    };
    double within = 0;
    for (std::size_t m = std::min(n, t); m-- > 0;) {
      within += step / 2 * (integrand(m) + integrand(m + 1));
      row[m] += within;
    }
    v.push_back(std::move(row));
  }
  double sum = 0;
  for (std::size_t t = 0; t <= steps; ++t) {
    sum += density(t) * v[steps - t][0] * (t == 0 || t == steps ? step / 2 : step);
  }
  return std::exp(-nu * step * static_cast<double>(steps)) + sum;
}

/// The chance that it happens, with Richardson's extrapolation from two grids.
inline double three_within(double nu, double horizon) {
  constexpr int kCells = 60;
  const double coarse = 1 - no_three_within(nu, horizon, kCells);
  const double fine = 1 - no_three_within(nu, horizon, 2 * kCells);
  return (4 * fine - coarse) / 3;
}

/// The expected number of such threes, an upper bound of that chance.
inline double expected_threes(double nu, double horizon) {
  const double q = 1 - std::exp(-nu) * (1 + nu);
  return nu * (horizon - 1) * q + nu * (1 - 2 * (1 - std::exp(-nu)) / nu + std::exp(-nu));
}

}  // namespace aftershock::sim::validation
