#include "gui/app/typed_time.h"

#include <array>
#include <string>
#include <utility>

#include "gui/app/run_progress.h"

namespace aftershock::gui {

namespace {

/// A number of at most so many digits at the front, taken off the text.
std::optional<std::int64_t> taken_number(std::string_view& text, std::size_t most) {
  std::size_t digits = 0;
  std::int64_t number = 0;
  while (digits < text.size() && digits <= most && text[digits] >= '0' && text[digits] <= '9') {
    number = number * 10 + (text[digits++] - '0');
  }
  if (digits == 0 || digits > most) {
    return std::nullopt;
  }
  text.remove_prefix(digits);
  return number;
}

bool take(std::string_view& text, std::string_view what) {
  const bool there = text.starts_with(what);
  text.remove_prefix(there ? what.size() : 0);
  return there;
}

/// "1d 06:47:52.5", as reports and cards have it; days and the part of a second may be left out.
std::optional<std::int64_t> clock_time_us(std::string_view text) {
  constexpr std::size_t kDayDigits = 6;
  std::int64_t days = 0;
  if (const std::size_t day = text.find('d'); day != std::string_view::npos) {
    const auto number = taken_number(text, kDayDigits);
    if (!number || !take(text, "d")) {
      return std::nullopt;
    }
    days = *number;
    take(text, " ");
  }
  const auto hours = taken_number(text, 2);
  const auto minutes = hours && take(text, ":") ? taken_number(text, 2) : std::nullopt;
  const auto seconds = minutes && take(text, ":") ? taken_number(text, 2) : std::nullopt;
  if (!seconds || *hours > 23 || *minutes > 59 || *seconds > 59) {
    return std::nullopt;
  }
  std::int64_t part_us = 0;
  if (take(text, ".")) {
    for (std::int64_t unit_us = 100'000; !text.empty(); unit_us /= 10) {
      if (text[0] < '0' || text[0] > '9' || unit_us == 0) {
        return std::nullopt;
      }
      part_us += (text[0] - '0') * unit_us;
      text.remove_prefix(1);
    }
  }
  return text.empty()
             ? std::optional((((days * 24 + *hours) * 60 + *minutes) * 60 + *seconds) * 1'000'000 +
                             part_us)
             : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> typed_time_us(std::string_view text) {
  if (const auto us = clock_time_us(text)) {
    return us;
  }
  std::int64_t sum_us = 0;
  bool any = false;
  const auto is_number = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
  std::string part;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool ends =
        i == text.size() || (is_number(text[i]) && !part.empty() && !is_number(part.back()));
    if (ends && !part.empty()) {
      // People write "m" for minutes; months do not exist here.
      const auto us = duration_us(part.ends_with('m') ? part + "in" : part);
      if (!us || __builtin_add_overflow(sum_us, *us, &sum_us)) {
        return std::nullopt;
      }
      any = true;
      part.clear();
    }
    if (i < text.size() && text[i] != ' ') {
      part += text[i];
    }
  }
  return any ? std::optional(sum_us) : std::nullopt;
}

std::optional<std::int64_t> signed_time_us(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  const auto us = typed_time_us(is_negative ? text.substr(1) : text);
  return us && is_negative ? std::optional(-*us) : us;
}

std::string typed_text(std::int64_t t_us) {
  constexpr std::array<std::pair<const char*, std::uint64_t>, 6> kUnits{{{"d", 86'400'000'000},
                                                                         {"h", 3'600'000'000},
                                                                         {"min", 60'000'000},
                                                                         {"s", 1'000'000},
                                                                         {"ms", 1'000},
                                                                         {"us", 1}}};
  if (t_us == 0) {
    return "0s";
  }
  std::string text = t_us < 0 ? "-" : "";
  auto left = static_cast<std::uint64_t>(t_us);
  left = t_us < 0 ? 0 - left : left;
  for (const auto& [unit, us] : kUnits) {
    if (left >= us) {
      text += std::to_string(left / us) + unit;
      left %= us;
    }
  }
  return text;
}

}  // namespace aftershock::gui
