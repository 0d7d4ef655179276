#pragma once

#include <string_view>
#include <variant>

#include "sim/scenario/scenario.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::scenario {

/// The target that "node:gpu-3" or "job:llm/rank:17" means in a scenario whose cluster and jobs are
/// read.
std::variant<Target, TextProblem> resolve_target(const Scenario& scenario, std::string_view text);

/// The pool that a target lies in; that of the job where it is one.
const PoolSpec& pool_of(const Scenario& scenario, const Target& target);

/// Whether it is an experiment or one of its trials.
inline bool of_experiment(const Target& target) {
  return target.kind == TargetKind::kExperiment || target.kind == TargetKind::kTrial;
}

}  // namespace aftershock::sim::scenario
