#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sim/sweep/plan.h"

namespace aftershock::sim::sweep {

/// Some runs of one cell, in order.
struct Task {
  std::uint32_t cell = 0;
  std::uint32_t first = 0;  ///< replica
  std::uint32_t count = 0;
  bool record = false;  ///< leave a recording of each in the worker's folder
};

/// The name of a recording that a run leaves behind, by cell and replica, in the folder of
/// recordings.
std::string recording_name(std::uint32_t cell, std::uint32_t replica);

/// Removes recordings that nobody finishes any more; no worker may be at one.
void remove_unfinished_recordings(const std::string& folder);

/// Removes what is called like a recording of a run, but is none of these.
void remove_other_recordings(const std::string& folder, const std::set<std::string>& names);

/// Runs of a plan, one at a time. Keeps what it read of the cell that it ran last.
class Worker {
 public:
  /// `folder`: where recordings go. The plan must outlive it.
  Worker(const Plan& plan, std::string folder);

  /// None where a process that the run needed for itself died. A recording that could not be
  /// written is told by `take_problem`; its run counts.
  std::optional<reports::RunRow> run(std::uint32_t cell, std::uint32_t replica, bool record);
  /// The error in the recording of the last run, in words, once; empty: none.
  std::string take_problem() { return std::exchange(problem_, {}); }

 private:
  std::optional<reports::RunRow> run_one(std::uint32_t cell, std::uint32_t replica, bool record);
  /// The error in a scenario that was made for its number.
  std::optional<std::string> load(std::uint32_t cell);
  reports::RunRow unmade_row(std::uint32_t cell, std::uint32_t replica, reports::Verdict verdict,
                             std::string why);
  reports::RunRow run_here(bool record);

  const Plan& plan_;
  std::string folder_;
  std::optional<std::uint32_t> loaded_;
  std::shared_ptr<scenario::Scenario> scenario_;
  bool contends_ = false;
  std::uint32_t replica_ = 0;
  std::string problem_;
};

}  // namespace aftershock::sim::sweep
