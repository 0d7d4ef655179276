#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/recording/file_sink.h"

// The recordings that commands make and read.
namespace aftershock::sim::cli {

/// Whether a path has the name of a recording: it ends in .aftershock or .aftershock.zst.
bool named_as_recording(std::string_view path);

/// False, and said why, when --record names what must not be written over.
bool may_record(const std::string& record);

/// Opens what --record names. False, and said why, when it cannot be written to.
bool open_recording(const std::string& record, std::optional<reports::FileSink>& sink);

}  // namespace aftershock::sim::cli
