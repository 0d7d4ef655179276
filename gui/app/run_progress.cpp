#include "gui/app/run_progress.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"
#include "reports/recording/header.h"
#include "reports/recording/reader.h"

namespace aftershock::gui {

namespace {

// Snapshots are the longest lines behind the header; where one is longer still, the next look finds
// a shorter one.
constexpr std::int64_t kTail = std::int64_t{256} << 10U;

std::optional<std::int64_t> last_time(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::int64_t>(file.tellg());
  if (size <= 0) {
    return std::nullopt;
  }
  const std::int64_t begin = std::max<std::int64_t>(0, size - kTail);
  std::string tail(static_cast<std::size_t>(size - begin), '\0');
  file.seekg(begin);
  file.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  constexpr std::string_view kMark = "\n{\"t\":";
  std::size_t at = tail.rfind(kMark);
  while (at != tail.npos) {
    std::int64_t t_us = 0;
    const char* first = tail.data() + at + kMark.size();
    const char* last = tail.data() + tail.size();
    // A number that ends with the file may go on.
    if (const auto [end, problem] = std::from_chars(first, last, t_us);
        problem == std::errc{} && end != last) {
      return t_us;
    }
    if (at == 0) {
      break;
    }
    at = tail.rfind(kMark, at - 1);
  }
  return std::nullopt;
}

std::optional<std::int64_t> horizon(std::string_view scenario) {
  const auto json = reports::json_or_discarded(scenario);
  if (!json.is_object() || !json.contains("until") || !json["until"].is_string()) {
    return std::nullopt;
  }
  return duration_us(json["until"].get_ref<const std::string&>());
}

}  // namespace

std::optional<std::int64_t> duration_us(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
      {{"us", 1.0}, {"ms", 1e3}, {"s", 1e6}, {"min", 6e7}, {"h", 3.6e9}, {"d", 8.64e10}}};
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto known = std::ranges::find(kUnits, unit, &std::pair<std::string_view, double>::first);
  if (problem != std::errc{} || known == kUnits.end()) {
    return std::nullopt;
  }
  const double us = value * known->second;
  return us >= 0 && us < 9e18 ? std::optional(std::llround(us)) : std::nullopt;
}

RunProgress look_at_recording(const std::string& path, const RunProgress& last) {
  RunProgress now = last;
  if (!now.has_header) {
    reports::read_recording(path, [&](const reports::Record& record) {
      if (const auto header = reports::parse_header(record.text)) {
        now.has_header = true;
        now.horizon_us = header->live ? std::nullopt : horizon(header->scenario_json);
      }
      return false;
    });
  }
  if (now.has_header) {
    now.t_us = last_time(path).value_or(now.t_us);
  }
  return now;
}

}  // namespace aftershock::gui
