#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/check/report.h"
#include "sim/check/check_plan.h"
#include "sim/sweep/dispatch.h"

namespace aftershock::sim::check {

/// The outcome of all runs.
struct CheckRuns {
  sweep::Ended ended = sweep::Ended::kDone;
  std::string why;                    ///< no workers
  std::vector<reports::RunRow> rows;  ///< by cell and replica
  std::vector<std::string> troubles;  ///< the problems that workers died over
};

/// Runs every scenario with its seeds. `progress` is told how far it is.
CheckRuns run_checks(const CheckPlan& plan, sweep::WorkerPool& pool,
                     const std::function<void(std::uint64_t, std::uint64_t)>& progress);

/// The part of a row that a baseline keeps.
reports::BaselineRun baseline_run_of(const CheckedScenario& scenario, const reports::RunRow& row);

/// Every run with how it stands against the baseline (none: null), by key. Where `runs` is whole
/// also those that are missing: lines of the variants that were run.
std::vector<reports::CheckedRun> judge_runs(const CheckPlan& plan, const CheckRuns& runs,
                                            const reports::Baseline* baseline);

/// Each condition on the runs of a scenario together; none where the check was interrupted.
std::vector<reports::JointCondition> judge_together(const CheckPlan& plan, const CheckRuns& runs);

/// Runs that were planned and did not happen.
std::vector<reports::SkippedRun> skipped_runs(const CheckPlan& plan, const CheckRuns& runs);

}  // namespace aftershock::sim::check
