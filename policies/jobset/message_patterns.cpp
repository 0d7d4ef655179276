#include "policies/jobset/message_patterns.h"

#include <regex>
#include <string_view>

namespace aftershock::policies::jobset {
namespace {

// ECMAScript's expressions have no such flag inside; Go's have.
constexpr std::string_view kIgnoresCase = "(?i)";

// The only source of the room that makes std::regex: a compiler takes 5 s for it.
std::regex compiled(const std::string& pattern) {
  if (pattern.starts_with(kIgnoresCase)) {
    return std::regex(pattern.substr(kIgnoresCase.size()),
                      std::regex::ECMAScript | std::regex::icase);
  }
  return std::regex(pattern);
}

}  // namespace

bool is_pattern(const std::string& pattern) {
  try {
    (void)compiled(pattern);
  } catch (const std::regex_error&) {
    return false;
  }
  return true;
}

bool pattern_matches(const std::string& pattern, const std::string& message) {
  return std::regex_search(message, compiled(pattern));
}

}  // namespace aftershock::policies::jobset
