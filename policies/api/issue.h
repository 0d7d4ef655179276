#pragma once

#include <string>
#include <string_view>

namespace aftershock::policies {

/// Something wrong or odd in what a user or another process gave us.
struct Issue {
  std::string pointer;   ///< JSON Pointer to the value, e.g. "/config/max_failures"
  std::string message;   ///< the error
  std::string expected;  ///< the right form, empty when the message says it all
  std::string nearest;   ///< nearest known name, empty when none is near
};

/// `pointer` with one more reference token, escaped as RFC 6901 wants it.
std::string pointer_to(std::string_view pointer, std::string_view member);

/// One line for people without the pointer, where that says nothing to them.
std::string describe_without_place(const Issue& issue);
/// One line for people: pointer, message, expectation, and the name that was probably meant.
std::string describe(const Issue& issue);

}  // namespace aftershock::policies
