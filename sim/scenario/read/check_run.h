#pragma once

#include "sim/scenario/scenario.h"
#include "sim/scenario/shape/fields.h"
#include "sim/scenario/text/error_list.h"

namespace aftershock::sim::scenario {

/// Warns where a run's path, its file system and its storage do not fit each other. `run` is what
/// `spec` was read from.
void check_run(const Fields& run, const RunSpec& spec, const ClusterSpec& cluster,
               ErrorList& errors);

/// Warns of jobs that write under one storage path and name at a time. `list` is what the jobs were
/// read from.
void check_run_names(const LocatedValue& list, const std::vector<JobSpec>& jobs, ErrorList& errors);
/// The same of experiments.
void check_run_names(const LocatedValue& list, const std::vector<ExperimentSpec>& experiments,
                     ErrorList& errors);

}  // namespace aftershock::sim::scenario
