#pragma once

#include <cstdint>

#include "sim/scenario/scenario.h"

// Jobs and experiments by one number, as policies, pools and the queue know them: jobs first, then
// experiments, both in the order of the scenario.
namespace aftershock::sim::scenario {

/// The job of this number; null where it is an experiment's.
[[nodiscard]] inline const JobSpec* job_spec_of(const Scenario& scenario, std::uint32_t holder) {
  return holder < scenario.jobs.size() ? &scenario.jobs[holder] : nullptr;
}

/// The experiment of this number; null where it is a job's.
[[nodiscard]] inline const ExperimentSpec* experiment_spec_of(const Scenario& scenario,
                                                              std::uint32_t holder) {
  return holder < scenario.jobs.size() ? nullptr
                                       : &scenario.experiments[holder - scenario.jobs.size()];
}

/// The number of the experiment at this place of the scenario.
[[nodiscard]] inline std::uint32_t holder_of_experiment(const Scenario& scenario,
                                                        std::uint32_t index) {
  return static_cast<std::uint32_t>(scenario.jobs.size()) + index;
}

/// The answer of `of` for the one or the other: for members that both specs have by one name.
template <class Of>
decltype(auto) of_holder(const Scenario& scenario, std::uint32_t holder, const Of& of) {
  const JobSpec* job = job_spec_of(scenario, holder);
  return job != nullptr ? of(*job) : of(*experiment_spec_of(scenario, holder));
}

}  // namespace aftershock::sim::scenario
