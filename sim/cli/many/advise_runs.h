#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/advise/advice.h"
#include "sim/cli/scenario_options.h"

namespace aftershock::sim::cli {

/// How the runs of an advice are made, and where they are kept.
struct AdviceRuns {
  const ScenarioOptions& shown;
  std::string path;           ///< of the scenario, as it was given
  std::uint32_t workers = 1;  ///< processes
  std::string out;            ///< file that keeps them; empty: none
  bool resume = false;        ///< go on with those that it has
};

/// Makes the runs of the plan, and reads the advice from them. All are made where they are kept;
/// else those at other rates of failure end where it is seen whether a choice keeps the goal
/// (looks.h), and the plan says how many were wanted of each. None, with a word on standard error
/// and the exit code in `code`, where runs are missing.
std::optional<advise::Advice> advice_by_runs(const advise::AdviceQuestion& question,
                                             sweep::Plan& plan, const AdviceRuns& runs, int& code);

}  // namespace aftershock::sim::cli
