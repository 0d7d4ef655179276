#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/advise/analytic.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::advise {

/// The parameters of the closed forms for a scenario with one job.
struct JobModel {
  RestartModel restart;        ///< in seconds; an infinite mtbf where nothing fails at random
  double in_repair = 0;        ///< nodes at a time, in the mean
  std::int64_t spares = 0;     ///< of the job's pool, those beyond its workers among them
  bool waits = false;          ///< lost nodes come back by repair, so that the job may wait for one
  bool whole_restarts = true;  ///< a policy that does less leaves the formula behind
  double hang_downtime = 0;    ///< seconds of the mean downtime that hangs are to blame for
  double upload = 0;           ///< seconds from a save until it counts, beside training
};

/// The model; none where there is no job, or more than one thing runs, or it saves nothing.
std::optional<JobModel> job_model(const scenario::Scenario& scenario);

/// Productive time over wall time by O4, less the time without a node by O8 V1.
double formula_ettr(const JobModel& model);

/// Where the scenario does what the formulas do not know, a sentence each.
std::vector<std::string> model_limits(const scenario::Scenario& scenario, const JobModel& model);

/// The mean of a length, in seconds; where it is cut short, that of the whole law.
double mean_seconds(const scenario::Distribution& law);

}  // namespace aftershock::sim::advise
