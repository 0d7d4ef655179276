#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "sim/scenario/read/read.h"

namespace aftershock::sim::replay {

/// Where a run and its recording part.
struct ReplayDifference {
  std::int64_t t_us = 0;  ///< the earlier of the two records
  std::int64_t line = 0;  ///< of the recording; where it has no more, its last
  std::string job;        ///< the subject, "job:llm"; empty where no job is named
  std::string recorded;   ///< the record, JSON; empty: the recording has no more
  std::string replayed;   ///< empty: the run has no more
};

/// A recording's run, made again.
struct Replay {
  std::string scenario;
  std::int64_t records = 0;  ///< the same in both, up to a difference
  std::int64_t t_us = 0;     ///< of the last of them
  bool whole = true;         ///< the recording has its end
  std::string hash;          ///< of the run
  std::string note;          ///< which other build wrote it; empty: this one
  std::string recorded_by;   ///< policies, "mine@1"
  std::string replayed_by;   ///< the same, of those that decided now
  std::string failure;       ///< of an external policy, in words; empty: none failed
  std::optional<ReplayDifference> difference;
};

/// Runs again what a recording's header says, and holds every record of the run against it: spans,
/// instants, decisions, faults and counters; what follows from them (snapshots, ledgers, summary)
/// is not compared. `makers`: see open_recorded_run. Of a recording that was
/// cut short what there is. Else why it cannot be, in words.
std::variant<Replay, std::string> replay(const std::string& path,
                                         const scenario::ReadOptions& makers = {});

}  // namespace aftershock::sim::replay
