#include <map>
#include <utility>

#include "gui/curves/curves.h"

namespace aftershock::gui {

namespace {

constexpr std::int64_t kDay_us = 86'400'000'000;
constexpr std::int64_t kPart_us = 36'000'000;  // a hundredth of an hour

}  // namespace

std::optional<Curve> lost_curve(const Trace& trace, std::uint32_t job) {
  std::map<std::int64_t, std::int64_t> lost_us;  // by day
  for (const RolledBack& each : trace.rolled_back) {
    if (each.entity == job && each.lost_us > 0) {
      lost_us[each.at_us / kDay_us] += each.lost_us;
    }
  }
  if (lost_us.empty()) {
    return std::nullopt;
  }
  Curve curve{.facet = Facet::kCounters, .name = "lost_per_day", .samples = {}};
  curve.samples.entity = job;
  curve.decimals = 2;
  curve.unit = " h";
  const auto add = [&](std::int64_t day, std::int64_t value) {
    Counter& to = curve.samples;
    const std::int64_t t_us = day * kDay_us;
    if (!to.t_us.empty() && to.t_us.back() == t_us) {
      to.value.back() = value;
    } else if (to.value.empty() || to.value.back() != value) {
      to.t_us.push_back(t_us);
      to.value.push_back(value);
    }
  };
  add(0, 0);
  for (const auto& [day, us] : lost_us) {
    add(day, (us + kPart_us / 2) / kPart_us);
    add(day + 1, 0);
  }
  return curve;
}

}  // namespace aftershock::gui
