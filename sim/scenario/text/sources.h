#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/text/error.h"

namespace aftershock::sim::scenario {

/// Where a key or a value was written: which source, and the offset of its first byte there.
struct Place {
  std::uint32_t source = 0;
  std::uint64_t offset = 0;
};

/// A text that values came from: a file, or an argument of the command line.
struct Source {
  std::string name;
  std::string text;
  bool has_lines = true;    ///< false: errors name the source only
  bool names_keys = false;  ///< the path of an argument of the command line
};

/// The texts that one scenario was put together from.
class Sources {
 public:
  /// Returns the index by which places refer to it.
  std::uint32_t add(Source source);

  /// The text that `add` gave this index to.
  [[nodiscard]] const Source& at(std::uint32_t index) const { return sources_[index]; }

  /// An error with file, line and column of the place; the rest is left empty.
  [[nodiscard]] ScenarioError error_at(Place place) const;

 private:
  std::vector<Source> sources_;
};

}  // namespace aftershock::sim::scenario
