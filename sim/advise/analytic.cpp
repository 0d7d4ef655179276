#include "sim/advise/analytic.h"

#include <cmath>

#include "reports/statistics/laws.h"

namespace aftershock::sim {
namespace {

using Exact = long double;

}  // namespace

double efficiency(const RestartModel& model) {
  const Exact rate = 1 / static_cast<Exact>(model.mtbf);
  const Exact segment = Exact{model.interval} + model.blocking;
  // expm1: of a segment that is short against the time between failures no digits are lost.
  const Exact wall = std::exp(rate * model.restart) * (model.mtbf + Exact{model.downtime}) *
                     std::expm1(rate * segment);
  return static_cast<double>(model.interval / wall);
}

double daly_interval(double blocking, double mtbf) {
  if (blocking <= 0) {
    return 0;
  }
  const Exact argument = -std::exp(-(1 + Exact{blocking} / mtbf));
  return static_cast<double>(mtbf * (1 + reports::lambert_w0(argument)));
}

double poisson_tail(double mean, std::int64_t k) {
  if (k < 0 || mean <= 0) {
    return k < 0 ? 1 : 0;
  }
  return static_cast<double>(reports::poisson_above(mean, static_cast<Exact>(k)));
}

std::int64_t poisson_retries(double mean, double tail) {
  if (mean <= 0) {
    return 0;
  }
  auto k = static_cast<std::int64_t>(reports::poisson_quantile_above(mean, tail));
  while (k > 0 && poisson_tail(mean, k - 1) <= tail) --k;
  while (poisson_tail(mean, k) > tail) ++k;
  return k;
}

double erlang_b(std::int64_t servers, double load) {
  Exact lost = 1;
  for (std::int64_t busy = 1; busy <= servers; ++busy) {
    lost = load * lost / (static_cast<Exact>(busy) + load * lost);
  }
  return static_cast<double>(lost);
}

std::int64_t spares_for(double load, double share) {
  Exact lost = load / (1 + Exact{load});
  std::int64_t spares = 0;
  while (lost > share) {
    ++spares;
    lost = load * lost / (static_cast<Exact>(spares + 1) + load * lost);
  }
  return spares;
}

}  // namespace aftershock::sim
