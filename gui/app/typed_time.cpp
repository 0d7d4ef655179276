#include "gui/app/typed_time.h"

#include <array>
#include <string>
#include <utility>

#include "gui/app/run_progress.h"

namespace aftershock::gui {

std::optional<std::int64_t> typed_time_us(std::string_view text) {
  std::int64_t sum_us = 0;
  bool any = false;
  const auto is_number = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
  std::string part;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool ends =
        i == text.size() || (is_number(text[i]) && !part.empty() && !is_number(part.back()));
    if (ends && !part.empty()) {
      const auto us = duration_us(part);
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
