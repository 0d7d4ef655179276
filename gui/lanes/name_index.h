#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aftershock::gui {

/// Names that count on: prefix, number, suffix.
struct NumberedNames {
  std::string prefix;
  std::string suffix;
  bool has_number = true;   ///< else there is one, of the prefix's name
  std::int64_t number = 0;  ///< of the first
  std::int64_t first = 0;   ///< slot of the first
  std::int64_t count = 0;
};

/// Finds who has a name, in time that hardly grows with the number of ranges.
class NameIndex {
 public:
  /// The place of a name: the owner that it was added for, and its slot there.
  struct Found {
    std::int64_t owner = 0;
    std::int64_t slot = 0;
  };

  /// Of names that two have the one that was added first has it.
  void add(const NumberedNames& names, std::int64_t owner);
  [[nodiscard]] std::optional<Found> find(std::string_view name) const;

 private:
  struct Range {
    NumberedNames names;
    std::int64_t owner = 0;
  };
  std::vector<Range> ranges_;
  std::map<std::string, Found, std::less<>> single_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_prefix_;
  std::vector<std::size_t> with_suffix_;  ///< the first few; there are none in our recordings
};

/// The decimal number that is all of the text.
std::optional<std::int64_t> number_in(std::string_view text);

}  // namespace aftershock::gui
