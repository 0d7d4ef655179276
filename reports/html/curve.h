#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "reports/json/json_writer.h"

// The curves of a page: points in order of time, few enough to draw.
namespace aftershock::reports {

/// A value at a time.
struct CurvePoint {
  std::int64_t t_us = 0;
  double value = 0;

  bool operator==(const CurvePoint&) const = default;
};

/// Of each of `bins` equal stretches of time the first, the least, the greatest and the last point;
/// all of them where they are no more than that.
std::vector<CurvePoint> reduced(const std::vector<CurvePoint>& points, std::size_t bins);

/// Takes points in order of time, as many as there are, and keeps a bounded number: no peak is
/// lost, however many times it was made coarser.
class CurveBuilder {
 public:
  /// The next point; its time is not before the last one's.
  void add(std::int64_t t_us, double value);
  [[nodiscard]] bool empty() const { return points_.empty(); }
  /// The point that came last.
  [[nodiscard]] const CurvePoint& last() const {
    AFTERSHOCK_ASSERT(!points_.empty());
    return points_.back();
  }
  /// As many points as a page draws.
  [[nodiscard]] std::vector<CurvePoint> points() const;

 private:
  std::vector<CurvePoint> points_;
};

/// One line of a chart, with a band around it where `low` and `high` are not empty.
struct Series {
  std::string name;
  std::vector<CurvePoint> points;
  std::vector<double> low = {};
  std::vector<double> high = {};
};

/// The content of a chart of lines over time.
struct Chart {
  std::string id;      ///< of ours
  std::string title;   ///< text
  std::string y_axis;  ///< text
  bool steps = false;  ///< level until the next point, else straight between points
  bool share = false;  ///< values are shares of 1
  bool timed = true;   ///< along it are microseconds, else plain numbers
  bool fits = false;   ///< its axes begin and end where points do; their places are shown
  std::vector<Series> series;
  /// A level to hold the lines against.
  struct Level {
    std::string name;
    double value = 0;
  };
  std::vector<Level> levels;
  /// Places along it: a name, and the microsecond or number.
  std::vector<std::pair<std::string, std::int64_t>> marks;

  [[nodiscard]] bool empty() const { return series.empty(); }
};

/// The chart as the page's script takes it.
void write_chart(JsonWriter& json, const Chart& chart);

/// A series at a time: what it was last, or, where lines are straight, between its points. None
/// before its first point is NaN.
double value_at(const Series& series, std::int64_t t_us, bool steps);

}  // namespace aftershock::reports
