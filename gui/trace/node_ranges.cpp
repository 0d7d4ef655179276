#include "gui/trace/node_ranges.h"

#include <charconv>
#include <cstddef>

namespace aftershock::gui {

namespace {

/// Takes a number off the front of a text.
bool take_number(std::string_view& text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) {
    return false;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char character) {
  if (!text.starts_with(character)) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

}  // namespace

bool append_node_ranges(std::vector<NodeRange>& to, std::string_view text) {
  const std::size_t before = to.size();
  while (!text.empty()) {
    NodeRange range;
    bool good = take_number(text, range.first);
    range.last = range.first;
    good = good && (!take(text, '-') || take_number(text, range.last));
    good =
        good && range.first <= range.last && (text.empty() || (take(text, ',') && !text.empty()));
    if (!good) {
      to.resize(before);
      return false;
    }
    to.push_back(range);
  }
  return true;
}

}  // namespace aftershock::gui
