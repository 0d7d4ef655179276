#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "reports/check/words.h"
#include "reports/render/format.h"

namespace aftershock::reports {
namespace {

bool is_percent(std::string_view metric) { return metric == "ettr" || metric == "useful_share"; }

bool is_yes_or_no(std::string_view metric) {
  constexpr std::array<std::string_view, 5> kEvents{"completed", "alive", "failed", "stuck",
                                                    "exhausted"};
  return std::ranges::find(kEvents, metric) != kEvents.end();
}

std::string amount_text(std::string_view metric, double value) {
  if (is_percent(metric)) {
    return fmt::format("{:.2f}", value * 100);
  }
  if (metric.ends_with("_accelerator_us")) {
    return format_accelerator_time(std::llround(value), "accelerator");
  }
  if (metric.ends_with("_us")) {
    return format_duration(std::llround(value));
  }
  return value == std::round(value) && std::abs(value) < 1e15 ? format_count(std::llround(value))
                                                              : fmt::format("{:.2f}", value);
}

}  // namespace

std::string metric_text(std::string_view metric, const MetricValue& value) {
  const auto number = number_of(value);
  if (!number) {
    return "none";
  }
  if (is_yes_or_no(metric)) {
    return *number != 0 ? "yes" : "no";
  }
  return amount_text(metric, *number) + (is_percent(metric) ? " %" : "");
}

std::string difference_text(std::string_view metric, double difference) {
  if (is_yes_or_no(metric)) {
    return {};
  }
  return (difference < 0 ? "-" : "+") + amount_text(metric, std::abs(difference)) +
         (is_percent(metric) ? " points" : "");
}

}  // namespace aftershock::reports
