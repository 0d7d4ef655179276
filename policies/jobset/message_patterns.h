#pragma once

#include <string>

namespace aftershock::policies::jobset {

/// Whether `pattern` is a regular expression as JobSet's `onJobFailureMessagePatterns` take them,
/// which are those of Go's regexp. Of its flags only a `(?i)` at the front is known here.
[[nodiscard]] bool is_pattern(const std::string& pattern);

/// Whether `pattern`, for which is_pattern holds, matches anywhere in `message`.
[[nodiscard]] bool pattern_matches(const std::string& pattern, const std::string& message);

}  // namespace aftershock::policies::jobset
