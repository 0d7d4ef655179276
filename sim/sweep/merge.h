#pragma once

#include <optional>
#include <string>
#include <vector>

namespace aftershock::sim::sweep {

/// Puts the results of all shards of one sweep together in a new file, which then is what one
/// sweep of all would have made. An error in words where a shard is missing, twice, not complete or
/// of another sweep; no file is left then.
std::optional<std::string> merge_results(const std::string& out,
                                         const std::vector<std::string>& shards);

}  // namespace aftershock::sim::sweep
