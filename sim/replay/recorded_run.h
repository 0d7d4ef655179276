#pragma once

#include <memory>
#include <string>
#include <variant>

#include "reports/recording/header.h"
#include "reports/recording/reader.h"
#include "sim/scenario/read/read.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::replay {

/// A recording that is open behind its header, and what that says it was made from.
struct RecordedRun {
  std::unique_ptr<reports::RecordingReader> reader;  ///< its next line is the first record
  std::shared_ptr<const scenario::Scenario> scenario;
  reports::RecordingHeader header;
};

/// Opens a recording. Of `makers` those of policies count alone. Else what is wrong, in words,
/// with the path.
std::variant<RecordedRun, std::string> open_recorded_run(const std::string& path,
                                                         const scenario::ReadOptions& makers);

/// A word for errors where another build than this one wrote it; empty where this one did.
std::string other_build_note(const reports::RecordingHeader& header);

}  // namespace aftershock::sim::replay
