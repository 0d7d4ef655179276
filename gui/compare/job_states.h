#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// The state of a job or trial: a phase, or the reason why it is in none.
struct JobState {
  /// Whether there is a phase, else why not.
  enum class Is : std::uint8_t {
    kPhase,
    kNothing,    ///< not begun, or ended without having done its work
    kCompleted,  ///< its work is done
    kUnknown,    ///< the recording does not go so far
  };

  Is is = Is::kNothing;
  Kind phase = Kind::kCount;  ///< kCount where there is none

  friend bool operator==(const JobState&, const JobState&) = default;
};

/// A state and the time from which on it holds.
struct StateFrom {
  std::int64_t begin_us = 0;
  JobState state;

  friend bool operator==(const StateFrom&, const StateFrom&) = default;
};

/// The states of an entity with a lane of phases, one after the other from before all time; no two
/// neighbours are equal. Where phases overlap, which no run writes, the one that began last counts.
/// `after`: what follows the last phase, if that ended. Takes time for its phases.
std::vector<StateFrom> job_states(const Trace& trace, const Lane& phases, const JobState& after);

/// The states of all jobs and trials of a run.
struct RunStates {
  std::map<std::string, std::vector<StateFrom>, std::less<>> of;  ///< by entity, "job:llm"
  std::int64_t last_us = 0;                                       ///< of the run
};

/// Whether a job completed is in the summary; of trials it is not, and after their end nothing is
/// known. Takes time for all phases and for the summary: to be kept.
RunStates run_states(const Trace& trace);

}  // namespace aftershock::gui
