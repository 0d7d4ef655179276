#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/import/import.h"

namespace aftershock::sim::imports {

/// "line 3", or "lines 3, 5, ...": the first few.
std::string lines_text(const std::vector<std::uint64_t>& lines);

/// The report of an import: figures of the trace, and the lines that were dropped; `path` is that
/// of the file.
std::string import_text(const Imported& imported, const std::string& path);
/// {file, format, rows, faults, outages, nodes, repair_h, unavailability, ..., dropped[]}
nlohmann::ordered_json import_json(const Imported& imported, const std::string& path);

}  // namespace aftershock::sim::imports
