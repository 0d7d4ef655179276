#include "reports/render/metric_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "reports/results/metrics.h"

namespace aftershock::reports {

int decimals_of(std::string_view metric, double difference) {
  constexpr double kRounding = 1e-12;
  const int usual = is_share(metric) || metric.starts_with('/') ? 4 : 2;
  const double size = std::abs(difference);
  double rounds_up = 0.5;
  for (int i = 0; i < usual; ++i) {
    rounds_up /= 10;
  }
  if (size < kRounding || size >= rounds_up) {
    return usual;
  }
  int digits = 0;
  for (double unit = 1; unit > size; unit /= 10) {
    ++digits;
  }
  return digits + 1;
}

std::string metric_value(std::string_view metric, double value, int decimals) {
  if (metric.ends_with("_us")) {
    const std::string text = format_duration(std::llround(std::abs(value)));
    return (value < 0 && text != "0 s" ? "-" : "") + text;
  }
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  return text.find_first_not_of("-0.") == text.npos && text.front() == '-' ? text.substr(1) : text;
}

std::string metric_value(std::string_view metric, double value) {
  return metric_value(metric, value, decimals_of(metric));
}

std::string difference_text(const MetricDifference& metric, const Style& style) {
  const Estimate& mean = metric.difference.mean;
  const int decimals = decimals_of(metric.name, mean.value);
  const std::string size = metric_value(metric.name, mean.value, decimals);
  const std::string text = (size.front() == '-' || mean.value <= 0 ? "" : "+") + size;
  if (!mean.interval) {
    return text + " (too few runs)";
  }
  const auto [low, high] = *mean.interval;
  if (low == high) {
    return text;
  }
  const double half = std::max(high - mean.value, mean.value - low);
  return fmt::format("{} {} {}", text, style.unicode ? "±" : "+-",
                     metric_value(metric.name, half, decimals));
}

std::string short_title(std::string_view metric) {
  const std::string title = metric_title(metric);
  return title.substr(0, title.find(" (currency)"));
}

}  // namespace aftershock::reports
