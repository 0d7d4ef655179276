#pragma once

#include <QObject>

#include "gui/compare/time_map.h"
#include "gui/timeline/timeline.h"

namespace aftershock::gui {

/// Two timelines that show the same: where one goes the other follows, through a map of their
/// times. Lanes follow, too, where both runs have the same ones. For as long as it lives.
class TimelineLink : public QObject {
  Q_OBJECT

 public:
  /// Shows in `b` what `a` shows. Both outlive it and keep their sessions meanwhile.
  TimelineLink(Timeline& a, Timeline& b, TimeMap map);
  ~TimelineLink() override;

  [[nodiscard]] const TimeMap& map() const { return map_; }

 private:
  void follow(Timeline& leader, Timeline& follower);
  [[nodiscard]] std::int64_t moment_in(const Timeline& follower, std::int64_t t_us) const;

  Timeline& a_;
  Timeline& b_;
  TimeMap map_;
  bool same_lanes_;
  bool following_ = false;
};

/// Whether two runs list the same jobs, experiments and clusters: a lane of one can be told to the
/// other.
bool same_lanes(const Directory& a, const Directory& b);

}  // namespace aftershock::gui
