#pragma once

#include <cstdint>

// The closed forms that sizes are held against: Daly 2006, the Poisson law, Erlang's loss formula
// (oracles.md O3, O4, O7, O8 V1). Functions of sim/chance do the work, so that the same bits come
// out on every machine.
namespace aftershock::sim::advise {

/// A job that saves now and then and fails at random (O4). All times in one unit, whichever.
struct RestartModel {
  double mtbf = 1;      ///< mean time between failures that interrupt the job, above 0
  double interval = 1;  ///< compute time between two saves, above 0
  double blocking = 0;  ///< training stands still for each save
  double restart = 0;   ///< after a failure, and another failure may strike in it
  double downtime = 0;  ///< after a failure, while no other one counts
};

/// Productive time over wall time of a long run (O4, exact): segments are saved whole or done
/// again.
double efficiency(const RestartModel& model);

/// The interval with the greatest efficiency (O3, exact): by Lambert's W0, and independent of
/// restart and downtime. 0 where saving costs nothing.
double daly_interval(double blocking, double mtbf);

/// P(N > k) of a Poisson count with this mean: more failures than k retries pay for (O7).
double poisson_tail(double mean, std::int64_t k);
/// The least k with P(N > k) <= tail, 0 < tail < 1.
std::int64_t poisson_retries(double mean, double tail);

/// The share of time in which `servers` are all busy under this load, and what comes is lost
/// (O8 V1: nodes in repair, of spares + 1).
double erlang_b(std::int64_t servers, double load);
/// The least number of spares with which a job waits for nodes at most this share of the time.
std::int64_t spares_for(double load, double share);

}  // namespace aftershock::sim::advise
