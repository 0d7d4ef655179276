#pragma once

#include <string>
#include <vector>

namespace aftershock::policies {

/// The differences between the keys of two mappings, in words: missing "a", "b"; new "c". Both
/// lists are sorted; empty where they are alike.
std::string key_changes(const std::vector<std::string>& before,
                        const std::vector<std::string>& now);

}  // namespace aftershock::policies
