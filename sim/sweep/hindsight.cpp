#include "sim/sweep/hindsight.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/chance/of_laws.h"
#include "sim/workload/pod_start.h"

namespace aftershock::sim::sweep {
namespace {

/// Of the law as it is, without its cuts, but within them.
double mean_within_us(const scenario::Distribution& law) {
  double mean = chance::mean_us(law);
  if (law.min_us) {
    mean = std::max(mean, static_cast<double>(*law.min_us));
  }
  return law.max_us ? std::min(mean, static_cast<double>(*law.max_us)) : mean;
}

double start_us(const scenario::PhaseLengths& phases) {
  return mean_within_us(phases.launching) + mean_within_us(phases.rendezvous) +
         mean_within_us(phases.warming_up);
}

}  // namespace

std::optional<reports::StartCosts> start_costs(const scenario::Scenario& scenario) {
  if (!scenario.experiments.empty() || scenario.jobs.empty()) {
    return std::nullopt;
  }
  double first = 0;
  double restart = std::numeric_limits<double>::max();
  std::int64_t horizon_us = 0;
  for (const scenario::JobSpec& job : scenario.jobs) {
    const std::int64_t pods_us =
        workload::gang_start_us(job, scenario.cluster.pools[job.pool], true);
    horizon_us += scenario.until_us ? *scenario.until_us - job.submit_us : 0;
    first += start_us(job.phases) + static_cast<double>(job.script.setup_us + pods_us);
    restart = std::min(restart,
                       start_us(job.restart_phases) + mean_within_us(job.restart_phases.restoring));
  }
  return reports::StartCosts{.first_us = std::llround(first),
                             .restart_us = std::llround(restart),
                             .horizon_us = horizon_us};
}

std::vector<std::string> moving_faults(const scenario::Scenario& scenario) {
  std::vector<std::string> ids;
  for (const scenario::FaultSpec& fault : scenario.faults) {
    if (fault.when || fault.at_step || (fault.source && scenario::on_clock(*fault.source))) {
      ids.push_back(fault.id);
    }
  }
  return ids;
}

}  // namespace aftershock::sim::sweep
