#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/advise/advice.h"
#include "sim/advise/known_runs.h"
#include "sim/cli/scenario_options.h"
#include "sim/sweep/worker_pool.h"

namespace aftershock::sim::cli {

/// How the runs of an advice are made, and where they are kept.
struct AdviceRuns {
  const ScenarioOptions& shown;
  std::string path;           ///< of the scenario, as it was given
  std::uint32_t workers = 1;  ///< processes
  std::string out;            ///< file that keeps them; empty: none
  bool resume = false;        ///< go on with those that it has
};

/// Makes the runs of the plan that its store lacks and that do not follow from known ones, which it
/// adds to. The exit code, with a word on standard error where it is not kOk. `tell_soon`: see
/// Progress.
int make_unknown_runs(sweep::Plan& plan, reports::RunStore& store, sweep::WorkerPool& pool,
                      const ScenarioOptions& shown, bool tell_soon, advise::KnownRuns& known);

/// Makes the runs of the plan, and reads the advice from them. All are made where they are kept;
/// else those at other rates of failure end where it is seen whether a choice keeps the goal
/// (looks.h), the plan says how many were wanted of each, and runs that follow from known ones are
/// not made. None, with a word on standard error and the exit code in `code`, where runs are
/// missing.
std::optional<advise::Advice> advice_by_runs(const advise::AdviceQuestion& question,
                                             sweep::Plan& plan, const AdviceRuns& runs,
                                             advise::KnownRuns& known, int& code);

}  // namespace aftershock::sim::cli
