#include "sim/scenario/most_trials.h"

#include <algorithm>

namespace aftershock::sim::scenario {

std::int64_t most_trials(const Scenario& scenario, const ExperimentSpec& experiment) {
  std::int64_t most = experiment.trials;
  for (const ExperimentSpec& other : scenario.experiments) {
    if (!experiment.run.name.empty() && other.run.name == experiment.run.name) {
      most = std::max<std::int64_t>(most, other.trials);
    }
  }
  return most;
}

}  // namespace aftershock::sim::scenario
