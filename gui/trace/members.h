#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aftershock::gui {

/// A member of a JSON object, as it is written.
struct Member {
  std::string_view key;    ///< between its quotes, escapes as they are
  std::string_view value;  ///< a whole JSON value
};

/// The members of an object that a recording's reader has found to be good, one after the other;
/// whatever else it is given it stays within the text.
class Members {
 public:
  explicit Members(std::string_view object);
  /// The next one; none at the end.
  std::optional<Member> next();

 private:
  std::string_view left_;
};

/// The value of the last member of that name on the outermost level; empty if there is none.
std::string_view member(std::string_view object, std::string_view key);

/// A whole number that fits; none for any other value.
std::optional<std::int64_t> integer_of(std::string_view value);

/// The bytes that a JSON text stands for; none for any other value.
std::optional<std::string> text_of(std::string_view value);

}  // namespace aftershock::gui
