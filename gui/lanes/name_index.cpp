#include "gui/lanes/name_index.h"

#include <charconv>

namespace aftershock::gui {
namespace {

constexpr std::size_t kMostWithSuffix = 64;
constexpr std::size_t kMostOfPrefix = 64;

std::optional<std::int64_t> slot_in(const NumberedNames& names, std::string_view name) {
  if (!name.starts_with(names.prefix) || !name.ends_with(names.suffix) ||
      name.size() <= names.prefix.size() + names.suffix.size()) {
    return std::nullopt;
  }
  const auto number = number_in(
      name.substr(names.prefix.size(), name.size() - names.prefix.size() - names.suffix.size()));
  if (!number || *number < names.number || *number - names.number >= names.count) {
    return std::nullopt;
  }
  return names.first + (*number - names.number);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void NameIndex::add(const NumberedNames& names, std::int64_t owner) {
  if (names.count <= 0) {
    return;
  }
  if (!names.has_number) {
    single_.try_emplace(names.prefix, Found{owner, names.first});
    return;
  }
  const std::size_t index = ranges_.size();
  ranges_.push_back({names, owner});
  if (names.suffix.empty()) {
    std::vector<std::size_t>& of_prefix = by_prefix_[names.prefix];
    if (of_prefix.size() < kMostOfPrefix) {
      of_prefix.push_back(index);
    }
  } else if (with_suffix_.size() < kMostWithSuffix) {
    with_suffix_.push_back(index);
  }
}

std::optional<NameIndex::Found> NameIndex::find(std::string_view name) const {
  if (const auto single = single_.find(name); single != single_.end()) {
    return single->second;
  }
  const auto among = [&](const std::vector<std::size_t>& ranges) -> std::optional<Found> {
    for (const std::size_t index : ranges) {
      if (const auto slot = slot_in(ranges_[index].names, name)) {
        return Found{ranges_[index].owner, *slot};
      }
    }
    return std::nullopt;
  };
  // A prefix may end in digits itself.
  for (std::size_t end = name.size(); end > 0 && is_digit(name[end - 1]); --end) {
    if (const auto of_prefix = by_prefix_.find(name.substr(0, end - 1));
        of_prefix != by_prefix_.end()) {
      if (const auto found = among(of_prefix->second)) {
        return found;
      }
    }
    if (name.size() - end > 20) {
      break;
    }
  }
  return among(with_suffix_);
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  // As numbers are written: "05" is the name of nobody.
  if (error != std::errc{} || end != text.data() + text.size() || std::to_string(number) != text) {
    return std::nullopt;
  }
  return number;
}

}  // namespace aftershock::gui
