#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/special_functions/lambert_w.hpp>

// The closed forms of the oracles, by their numbers. All times of one call are in one unit, rates
// in its inverse. lam: failures of the whole system; mtbf: 1/lam; tau: compute between saves; d: a
// save; in a restart failures strike, in a downtime they do not.
namespace aftershock::sim::validation {

/// Minutes between failures of the 54 days of Llama 3: 185.5847.
inline constexpr double kLlama = 54 * 1440 / 419.0;

// O1
inline std::pair<double, double> garwood(double events, double confidence) {
  const double tail = (1 - confidence) / 2;
  const auto quantile = [](double degrees, double p) {
    return boost::math::quantile(boost::math::chi_squared(degrees), p) / 2;
  };
  return {events > 0 ? quantile(2 * events, tail) : 0, quantile(2 * events + 2, 1 - tail)};
}

// O2
inline double young_tau(double d, double mtbf) { return std::sqrt(2 * d * mtbf); }
inline double young_overhead(double tau, double d, double restart, double mtbf) {
  return d / tau + tau / (2 * mtbf) + restart / mtbf;
}

// O3
inline double daly_first_tau(double d, double restart, double mtbf) {
  return std::sqrt(2 * d * (mtbf + restart)) - d;
}
inline double daly_higher_tau(double d, double mtbf) {
  const double ratio = d / (2 * mtbf);
  return d >= 2 * mtbf ? mtbf
                       : std::sqrt(2 * d * mtbf) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - d;
}
inline double daly_exact_tau(double d, double mtbf) {
  return mtbf * (1 + boost::math::lambert_w0(-std::exp(-(1 + d / mtbf))));
}

// O4, a segment of compute and a save
inline double segment_failures(double lam, double tau, double d, double restart) {
  return std::exp(lam * restart) * std::expm1(lam * (tau + d));
}
inline double segment_time(double lam, double tau, double d, double restart, double downtime = 0) {
  return segment_failures(lam, tau, d, restart) * (1 / lam + downtime);
}
inline double efficiency(double lam, double tau, double d, double restart, double downtime = 0) {
  return tau / segment_time(lam, tau, d, restart, downtime);
}
/// Where restart = downtime = 0.
inline double segment_variance(double lam, double tau, double d) {
  const double x = lam * (tau + d);
  return (std::exp(2 * x) - 2 * x * std::exp(x) - 1) / (lam * lam);
}

// O5, a failure loses
inline double time_lost(double lam, double segment) {
  return 1 / lam - segment / std::expm1(lam * segment);
}
/// The work of it: nothing more is lost while the save goes on.
inline double work_lost(double lam, double tau, double d) {
  const double fails = -std::expm1(-lam * (tau + d));
  return (-std::expm1(-lam * tau) / lam - tau * std::exp(-lam * (tau + d))) / fails;
}
/// Saves that count `upload` after they were taken, and take no time. The failure's phase is not
/// taken to be uniform: the first of its tau + upload have nothing to fall back on.
inline double async_work_lost(double lam, double tau, double upload) {
  const double first = tau + upload;
  const double within = (1 - std::exp(-lam * first) * (1 + lam * first)) / lam;
  return within + std::exp(-lam * first) * (upload + time_lost(lam, tau));
}

// O6; q is queueing time, dt = tau, w = d, u0 = the restart
inline double ettr_v2(double lam, double dt, double w, double u0) {
  return (1 - lam * (u0 + dt / 2)) / (1 + w / dt);
}
inline double ettr_v1(double lam, double dt, double u0, double q, double wanted) {
  return (1 - lam * (u0 + dt / 2)) / (1 + (u0 + q) / wanted + lam * q * (1 - dt / (2 * wanted)));
}

// O7: more than k failures in so long an exposure
inline double exhausted(double lam, double exposure, double k) {
  return boost::math::cdf(boost::math::complement(boost::math::poisson(lam * exposure), k));
}

// O8, V1: so many failures and repairs at a time, and one spare too few halts the job.
inline double erlang_b(int servers, double load) {
  double blocked = 1;
  for (int i = 1; i <= servers; ++i) {
    blocked = load * blocked / (i + load * blocked);
  }
  return blocked;
}
inline double halted(double load, int spares) { return erlang_b(spares + 1, load); }
/// V3: chances of so many failed nodes where so many people repair, each at the rate `repair`, and
/// nodes fail at `rates[i]` together while i of them are down.
inline std::vector<double> failed_nodes(const std::vector<double>& rates, double repair, int crew) {
  std::vector<double> chances{1};
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const int busy = std::min(crew, static_cast<int>(i) + 1);
    chances.push_back(chances.back() * rates[i] / (repair * busy));
  }
  const double all = std::accumulate(chances.begin(), chances.end(), 0.0);
  for (double& chance : chances) {
    chance /= all;
  }
  return chances;
}

// O13; the period includes the save
inline double availability(double period, double save, double mtbf, double restart) {
  return (1 - save / period) * mtbf / (mtbf + restart + period / 2);
}
inline double best_period(double save, double mtbf, double restart) {
  return save + std::sqrt(2 * (mtbf + restart) * save + save * save);
}

}  // namespace aftershock::sim::validation
