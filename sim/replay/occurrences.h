#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/faults/fault_record.h"
#include "sim/scenario/read/read.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::replay {

/// A scenario in which every random source lists what it sent in a run instead of drawing it:
/// `strikes` is all that struck (WorldOptions::strikes). Seed and all else stay, so that its run is
/// that run, to the hash.
nlohmann::ordered_json with_occurrences(const scenario::Scenario& scenario,
                                        const std::vector<faults::FaultRecord>& strikes);

/// A recording's run, scripted as with_occurrences.
struct ScriptedRun {
  nlohmann::ordered_json scenario;
  std::int64_t sources = 0;      ///< that were random
  std::int64_t occurrences = 0;  ///< that they sent
  std::string hash;              ///< of its run, and of the recording where that is whole
  bool whole = true;             ///< the recording has its end
};

/// Makes the run of a recording again for that. Else why it cannot be, in words: the file is not a
/// recording, or its run is another one with this build. `makers`: see open_recorded_run.
std::variant<ScriptedRun, std::string> scripted_run(const std::string& path,
                                                    const scenario::ReadOptions& makers = {});

}  // namespace aftershock::sim::replay
