#include "gui/app/typed_time.h"

#include <string>

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

}  // namespace aftershock::gui
