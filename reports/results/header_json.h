#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/results/run_store.h"

// The header of a file of results as JSON, its cells apart: what the table `sweep` holds.
namespace aftershock::reports {

/// The header as it is written.
std::string header_json(const StoreHeader& header);
/// Reads one that anybody may have written; an error in words: "its shard is 0 of 0".
std::optional<std::string> read_header_json(std::string_view text, StoreHeader& header);

/// The changes of a cell as they are written.
std::string parameters_json(const Cell& cell);
/// Reads that; false where the text is something else.
bool read_parameters_json(std::string_view text, Cell& cell);

}  // namespace aftershock::reports
