#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/matrix/matrix.h"
#include "reports/results/run_store.h"
#include "sim/chaos/explore_store.h"

namespace aftershock::sim::chaos {

/// The verdict on a run whose faults were chosen to break it.
struct JudgedRun {
  reports::CellState state = reports::CellState::kRecovered;
  std::string why;  ///< of all but those that recovered
  /// The failure: none where it recovered, was ended by its policy or by the
  /// simulation's end, was past recovery, or was not broken.
  std::optional<FoundFailure> failure;
};

/// `policy`: of the job, as Setting::family or name@profile.
JudgedRun judge(const reports::RunRow& row, std::string_view policy);

}  // namespace aftershock::sim::chaos
