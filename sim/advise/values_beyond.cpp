#include "sim/advise/values_beyond.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sim/advise/accepted.h"
#include "sim/advise/starter_numbers.h"
#include "sim/sweep/where.h"

namespace aftershock::sim::advise {
namespace {

constexpr double kTimes[] = {1.4, 2.0, 2.8};

std::optional<std::int64_t> count_in(std::string_view text) {
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, count);
  return problem == std::errc{} && stopped == end ? std::optional(count) : std::nullopt;
}

std::int64_t scaled(std::int64_t value, double times, std::int64_t unit, bool up) {
  const double units = static_cast<double>(value) / static_cast<double>(unit);
  const double wanted = std::min(up ? units * times : units / times, 1e15);
  // A count of nothing doubles to nothing.
  return (std::llround(wanted) + (up && value == 0 ? 1 : 0)) * unit;
}

}  // namespace

std::string interval_text(std::int64_t length_us) {
  return length_us % 1'000'000 == 0 ? whole_time(length_us / 1'000'000)
                                    : fmt::format("{}us", length_us);
}

std::int64_t grid_unit_us(const scenario::JobSpec& job, std::int64_t length_us) {
  constexpr std::int64_t kMinuteUs = 60'000'000;
  return length_us > 10 * kMinuteUs && kMinuteUs % job.step_us == 0 ? kMinuteUs : job.step_us;
}

std::optional<double> reach_of(std::string_view value) {
  const auto amount = sweep::amount_of(value);
  return amount && *amount < 0 ? std::optional(HUGE_VAL) : amount;
}

std::vector<std::string> values_beyond(const scenario::Scenario& scenario,
                                       const sweep::Dimension& dimension, bool up) {
  if (dimension.names.size() != 1 || scenario.jobs.empty()) {
    return {};
  }
  std::string edge = up ? dimension.points.back().front() : dimension.points.front().front();
  const bool quoted = edge.size() >= 2 && edge.starts_with('"') && edge.ends_with('"');
  if (quoted) {
    edge = edge.substr(1, edge.size() - 2);
  }
  const auto count = count_in(edge);
  const auto length_us = count ? std::nullopt : sweep::amount_of(edge);
  if ((!count && !length_us) || count.value_or(0) < 0) {
    return {};
  }
  const std::int64_t value = count ? *count : std::llround(*length_us);
  const std::int64_t unit = count ? 1 : grid_unit_us(scenario.jobs.front(), value);
  std::vector<std::string> values;
  std::int64_t before = value;
  for (const double times : kTimes) {
    const std::int64_t next = scaled(value, times, unit, up);
    std::string text = count ? std::to_string(next) : interval_text(next);
    text = quoted ? fmt::format("\"{}\"", text) : text;
    if (next != before && is_accepted(scenario, {{dimension.names.front(), text}})) {
      values.push_back(std::move(text));
      before = next;
    }
  }
  return values;
}

}  // namespace aftershock::sim::advise
