#include "gui/scene/curve.h"

namespace aftershock::gui {

namespace {

std::string decimal(std::int64_t value, int decimals) {
  const bool negative = value < 0;
  std::string digits = std::to_string(value);
  digits.erase(0, negative ? 1 : 0);
  const auto behind = static_cast<std::size_t>(decimals);
  if (behind > 0) {
    digits.insert(0, digits.size() <= behind ? behind + 1 - digits.size() : 0, '0');
    digits.insert(digits.size() - behind, 1, '.');
  }
  return (negative ? "-" : "") + digits;
}

}  // namespace

const std::vector<std::string>& curve_names() {
  static const std::vector<std::string> names{"progress", "useful", "ettr", "lost_per_day"};
  return names;
}

std::string value_text(const Curve& curve, std::int64_t value) {
  std::string text = decimal(value, curve.decimals) + curve.unit;
  if (curve.limit) {
    text += " of " + decimal(*curve.limit, curve.decimals) + curve.unit;
  }
  return text;
}

}  // namespace aftershock::gui
