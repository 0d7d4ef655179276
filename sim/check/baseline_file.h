#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reports/baseline/baseline.h"
#include "sim/check/check_plan.h"
#include "sim/check/check_runs.h"

// A baseline as a file. In it scenarios are named from its own folder, so that it is the same
// wherever the tree lies and from wherever a check is started; in memory by plain_path.
namespace aftershock::sim::check {

/// The baseline that a file holds; else the error, in words.
std::variant<reports::Baseline, std::string> read_baseline_file(const std::string& path);

/// Writes these; what went wrong, in words.
std::optional<std::string> write_baseline_file(const std::string& path,
                                               std::vector<reports::BaselineRun> runs);

/// A baseline brought up to date.
struct UpdatedBaseline {
  std::vector<reports::BaselineRun> runs;
  std::int64_t kept = 0;          ///< lines of scenarios and variants that were not asked for
  std::int64_t taken_out = 0;     ///< lines of what was asked for and has no such run any more
  std::vector<std::string> gone;  ///< scenarios that are no longer there, whose lines go, too
};

/// The baseline of this run, and of `old` (none: null) the entries that were not asked for.
UpdatedBaseline updated(const CheckPlan& plan, const CheckRuns& runs, const reports::Baseline* old);

}  // namespace aftershock::sim::check
