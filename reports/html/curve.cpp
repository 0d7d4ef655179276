#include "reports/html/curve.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"

namespace aftershock::reports {
namespace {

constexpr std::size_t kPointsKept = 8192;
constexpr std::size_t kBinsKept = 1024;
constexpr std::size_t kBinsDrawn = 300;

/// The points that are kept of one stretch of time: at most four, in their order.
void keep_of_bin(const std::vector<CurvePoint>& points, std::size_t from, std::size_t to,
                 std::vector<CurvePoint>& out) {
  std::size_t least = from;
  std::size_t greatest = from;
  for (std::size_t i = from; i < to; ++i) {
    least = points[i].value < points[least].value ? i : least;
    greatest = points[i].value > points[greatest].value ? i : greatest;
  }
  std::vector<std::size_t> kept{from, least, greatest, to - 1};
  std::ranges::sort(kept);
  const auto doubles = std::ranges::unique(kept);
  kept.erase(doubles.begin(), doubles.end());
  for (const std::size_t i : kept) {
    out.push_back(points[i]);
  }
}

}  // namespace

std::vector<CurvePoint> reduced(const std::vector<CurvePoint>& points, std::size_t bins) {
  AFTERSHOCK_ASSERT(bins > 0);
  if (points.size() <= 4 * bins) {
    return points;
  }
  const std::int64_t first_us = points.front().t_us;
  const std::int64_t width_us =
      (points.back().t_us - first_us) / static_cast<std::int64_t>(bins) + 1;
  std::vector<CurvePoint> out;
  for (std::size_t from = 0; from < points.size();) {
    const std::int64_t bin = (points[from].t_us - first_us) / width_us;
    std::size_t to = from;
    while (to < points.size() && (points[to].t_us - first_us) / width_us == bin) {
      ++to;
    }
    keep_of_bin(points, from, to, out);
    from = to;
  }
  return out;
}

void CurveBuilder::add(std::int64_t t_us, double value) {
  AFTERSHOCK_ASSERT(points_.empty() || t_us >= points_.back().t_us);
  if (points_.size() >= kPointsKept) {
    points_ = reduced(points_, kBinsKept);
  }
  points_.push_back({t_us, value});
}

std::vector<CurvePoint> CurveBuilder::points() const { return reduced(points_, kBinsDrawn); }

namespace {

void write_numbers(JsonWriter& json, std::string_view key, const std::vector<double>& numbers) {
  json.key(key);
  json.open_array();
  for (const double number : numbers) {
    json.value(number);
  }
  json.close_array();
}

}  // namespace

void write_chart(JsonWriter& json, const Chart& chart) {
  json.open_object();
  json.member("id", chart.id);
  json.member("kind", "lines");
  json.member("title", chart.title);
  json.member("y", chart.y_axis);
  json.member("steps", chart.steps);
  json.member("share", chart.share);
  json.member("timed", chart.timed);
  json.member("fits", chart.fits);
  json.key("marks");
  json.open_array();
  for (const auto& [name, at] : chart.marks) {
    json.open_object();
    json.member("name", name);
    json.member("at", at);
    json.close_object();
  }
  json.close_array();
  json.key("levels");
  json.open_array();
  for (const Chart::Level& level : chart.levels) {
    json.open_object();
    json.member("name", level.name);
    json.member("value", level.value);
    json.close_object();
  }
  json.close_array();
  json.key("series");
  json.open_array();
  for (const Series& series : chart.series) {
    AFTERSHOCK_ASSERT(series.low.size() == series.high.size());
    AFTERSHOCK_ASSERT(series.low.empty() || series.low.size() == series.points.size());
    json.open_object();
    json.member("name", series.name);
    json.key("points");
    json.open_array();
    for (const CurvePoint& point : series.points) {
      json.open_array();
      json.value(point.t_us);
      json.value(point.value);
      json.close_array();
    }
    json.close_array();
    write_numbers(json, "low", series.low);
    write_numbers(json, "high", series.high);
    json.close_object();
  }
  json.close_array();
  json.close_object();
}

double value_at(const Series& series, std::int64_t t_us, bool steps) {
  const auto next = std::ranges::upper_bound(series.points, t_us, {}, &CurvePoint::t_us);
  if (next == series.points.begin()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const CurvePoint& before = *std::prev(next);
  if (steps || next == series.points.end()) {
    return before.value;
  }
  const double share =
      static_cast<double>(t_us - before.t_us) / static_cast<double>(next->t_us - before.t_us);
  return before.value + share * (next->value - before.value);
}

}  // namespace aftershock::reports
