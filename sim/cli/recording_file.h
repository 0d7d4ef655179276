#pragma once

#include <optional>
#include <string>

#include "reports/recording/file_sink.h"

// The recording that a command makes.
namespace aftershock::sim::cli {

/// False, and said why, when --record names what must not be written over.
bool may_record(const std::string& record);

/// Opens what --record names. False, and said why, when it cannot be written to.
bool open_recording(const std::string& record, std::optional<reports::FileSink>& sink);

}  // namespace aftershock::sim::cli
