#include "sim/control/external/last_lines.h"

#include <cstddef>

#include "sim/control/external/line_faults.h"

namespace aftershock::sim::control {
namespace {

constexpr std::size_t kMostLines = 20;
constexpr std::size_t kLongest = 400;  ///< of one

}  // namespace

void LastLines::add(std::string_view text) {
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::string_view piece = text.substr(0, newline);
    if (!open_) {
      lines_.emplace_back();
    }
    // A line without end must not fill the memory, and its beginning says the most.
    if (lines_.back().size() < kLongest) {
      lines_.back().append(piece.substr(0, kLongest - lines_.back().size()));
    }
    open_ = newline == std::string_view::npos;
    text.remove_prefix(open_ ? text.size() : newline + 1);
    if (lines_.size() > kMostLines) {
      lines_.pop_front();
    }
  }
}

std::string LastLines::words() const {
  std::string out;
  for (const std::string& line : lines_) {
    out += "\n  | " + shown_line(line);
  }
  return out.empty() ? out : "\n  the last lines of its standard error:" + out;
}

}  // namespace aftershock::sim::control
