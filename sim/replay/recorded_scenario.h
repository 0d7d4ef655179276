#pragma once

#include <memory>
#include <string>
#include <variant>

#include "reports/recording/header.h"
#include "reports/recording/reader.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim {

/// What a recording was made from, as its header says.
struct RecordedScenario {
  std::shared_ptr<const Scenario> scenario;
  reports::RecordingHeader header;
};

/// Takes the header off a recording, whose next line is then the first record. Else what is wrong,
/// in words, with the path.
std::variant<RecordedScenario, std::string> read_recorded_scenario(reports::RecordingReader& reader,
                                                                   const std::string& path);

/// A word for errors where another build than this one wrote it; empty where this one did.
std::string other_build_note(const reports::RecordingHeader& header);

}  // namespace aftershock::sim
