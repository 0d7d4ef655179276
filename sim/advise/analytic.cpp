#include "sim/advise/analytic.h"

#include <algorithm>
#include <cmath>

#include "sim/chance/exponential.h"
#include "sim/chance/gamma_share.h"
#include "sim/chance/logarithm.h"

namespace aftershock::sim::advise {
namespace {

// -log(1 - y) - y, by its series where the two would cancel.
double beyond_linear(double y) {
  constexpr double kSmall = 0.1;
  if (y > kSmall) {
    return -chance::logarithm(1 - y) - y;
  }
  double power = y * y;
  double sum = 0;
  for (double n = 2; power > sum * 0x1p-54; ++n) {
    sum += power / n;
    power *= y;
  }
  return sum;
}

}  // namespace

double efficiency(const RestartModel& model) {
  const double rate = 1 / model.mtbf;
  const double segment = model.interval + model.blocking;
  const double wall = chance::exponential(rate * model.restart) * (model.mtbf + model.downtime) *
                      chance::exponential_less_one(rate * segment);
  return model.interval / wall;
}

// With y = 1 + W0(-exp(-(1 + s))) Lambert's equation is -log(1 - y) - y = s. Its left side is
// convex, so that Newton's steps from above fall towards the root; both places to begin lie above.
double daly_interval(double blocking, double mtbf) {
  if (blocking <= 0) {
    return 0;
  }
  const double s = blocking / mtbf;
  double y = std::min(std::sqrt(2 * s), 1 - chance::exponential(-(1 + s)));
  for (double before = 2; y < before && y < 1;) {
    before = y;
    y -= (beyond_linear(y) - s) * (1 - y) / y;
  }
  return mtbf * y;
}

double poisson_tail(double mean, std::int64_t k) {
  if (k < 0 || mean <= 0) {
    return k < 0 ? 1 : 0;
  }
  return chance::gamma_share(static_cast<double>(k) + 1, mean);
}

std::int64_t poisson_retries(double mean, double tail) {
  std::int64_t too_few = -1;
  std::int64_t enough = 0;
  while (poisson_tail(mean, enough) > tail) {
    too_few = enough;
    enough = 2 * enough + 1;
  }
  while (enough - too_few > 1) {
    const std::int64_t middle = too_few + (enough - too_few) / 2;
    (poisson_tail(mean, middle) > tail ? too_few : enough) = middle;
  }
  return enough;
}

double erlang_b(std::int64_t servers, double load) {
  double lost = 1;
  for (std::int64_t busy = 1; busy <= servers; ++busy) {
    lost = load * lost / (static_cast<double>(busy) + load * lost);
  }
  return lost;
}

std::int64_t spares_for(double load, double share) {
  double lost = load / (1 + load);
  std::int64_t spares = 0;
  while (lost > share) {
    ++spares;
    lost = load * lost / (static_cast<double>(spares + 1) + load * lost);
  }
  return spares;
}

}  // namespace aftershock::sim::advise
