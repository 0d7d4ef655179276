#pragma once

#include <cmath>
#include <utility>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/special_functions/lambert_w.hpp>

// The closed forms of the oracles, by their numbers. All times of one call are in one unit, rates
// in its inverse. lam: failures of the whole system; M = 1/lam; tau: compute between saves; d: a
// save; R: a restart, in which failures strike; D: downtime, in which they do not.
namespace aftershock::sim::validation {

// O1
inline std::pair<double, double> garwood(double events, double confidence) {
  const double tail = (1 - confidence) / 2;
  const auto quantile = [](double degrees, double p) {
    return boost::math::quantile(boost::math::chi_squared(degrees), p) / 2;
  };
  return {events > 0 ? quantile(2 * events, tail) : 0, quantile(2 * events + 2, 1 - tail)};
}

// O2
inline double young_tau(double d, double M) { return std::sqrt(2 * d * M); }
inline double young_overhead(double tau, double d, double R, double M) {
  return d / tau + tau / (2 * M) + R / M;
}

// O3
inline double daly_first_tau(double d, double R, double M) {
  return std::sqrt(2 * d * (M + R)) - d;
}
inline double daly_higher_tau(double d, double M) {
  const double ratio = d / (2 * M);
  return d >= 2 * M ? M : std::sqrt(2 * d * M) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - d;
}
inline double daly_exact_tau(double d, double M) {
  return M * (1 + boost::math::lambert_w0(-std::exp(-(1 + d / M))));
}

// O4, a segment of compute and a save
inline double segment_failures(double lam, double tau, double d, double R) {
  return std::exp(lam * R) * std::expm1(lam * (tau + d));
}
inline double segment_time(double lam, double tau, double d, double R, double D = 0) {
  return segment_failures(lam, tau, d, R) * (1 / lam + D);
}
inline double efficiency(double lam, double tau, double d, double R, double D = 0) {
  return tau / segment_time(lam, tau, d, R, D);
}
/// Where R = D = 0.
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

// O6; q is queueing time, dt = tau, w = d, u0 = R
inline double ettr_v2(double lam, double dt, double w, double u0) {
  return (1 - lam * (u0 + dt / 2)) / (1 + w / dt);
}
inline double ettr_v1(double lam, double dt, double u0, double q, double wanted) {
  return (1 - lam * (u0 + dt / 2)) / (1 + (u0 + q) / wanted + lam * q * (1 - dt / (2 * wanted)));
}

// O7: more than k failures in exposure T
inline double exhausted(double lam, double T, double k) {
  return boost::math::cdf(boost::math::complement(boost::math::poisson(lam * T), k));
}

// O13; Tc includes the save Ts
inline double availability(double Tc, double Ts, double Tf, double Tr) {
  return (1 - Ts / Tc) * Tf / (Tf + Tr + Tc / 2);
}
inline double best_period(double Ts, double Tf, double Tr) {
  return Ts + std::sqrt(2 * (Tf + Tr) * Ts + Ts * Ts);
}

}  // namespace aftershock::sim::validation
