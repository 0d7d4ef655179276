#pragma once

#include <deque>
#include <string>
#include <string_view>

namespace aftershock::sim::control {

/// The last lines of a text that comes in pieces and may be endless.
class LastLines {
 public:
  /// The text goes on so.
  void add(std::string_view text);
  /// The kept lines, each indented on a line of its own behind a heading; empty: nothing came.
  [[nodiscard]] std::string words() const;

 private:
  std::deque<std::string> lines_;
  bool open_ = false;  ///< the last one has no end yet
};

}  // namespace aftershock::sim::control
