#include "gui/timeline/timeline_link.h"

#include <QScrollBar>
#include <algorithm>
#include <utility>

namespace aftershock::gui {

bool same_lanes(const Directory& a, const Directory& b) {
  const auto same_pool = [](const PoolNames& one, const PoolNames& other) {
    return one.name == other.name && one.racks == other.racks &&
           one.accelerators == other.accelerators && one.slots == other.slots;
  };
  return a.jobs == b.jobs && a.experiments == b.experiments && a.trials == b.trials &&
         std::ranges::equal(a.pools, b.pools, same_pool);
}

TimelineLink::TimelineLink(Timeline& a, Timeline& b, TimeMap map)
    : a_(a), b_(b), map_(std::move(map)) {
  RunSession* session_a = a.session();
  RunSession* session_b = b.session();
  same_lanes_ = session_a->scene() != nullptr && session_b->scene() != nullptr &&
                same_lanes(session_a->scene()->directory(), session_b->scene()->directory());
  // A time beside the end of the longer one must have its place in the shorter one.
  a.set_least_end(map_.to_a(session_b->trace().last_us));
  b.set_least_end(map_.to_b(session_a->trace().last_us));
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const auto go = [this, leader = one, follower = other] { follow(*leader, *follower); };
    connect(one, &Timeline::state_changed, this, go);
    // One that closes has no view that the other should take.
    connect(one, &Timeline::leaving, this, [this] { following_ = true; });
    connect(one, &Timeline::cursor_moved, this, go);
    connect(one->verticalScrollBar(), &QScrollBar::valueChanged, this, go);
  }
  follow(a, b);
}

TimelineLink::~TimelineLink() {
  following_ = true;
  a_.set_least_end(0);
  b_.set_least_end(0);
}

std::int64_t TimelineLink::moment_in(const Timeline& follower, std::int64_t t_us) const {
  return &follower == &b_ ? map_.to_b(t_us) : map_.to_a(t_us);
}

void TimelineLink::follow(Timeline& leader, Timeline& follower) {
  if (following_) {
    return;
  }
  following_ = true;
  const ViewState& from = leader.state();
  ViewState next = follower.state();
  const std::int64_t begin_us = moment_in(follower, from.shown.begin_us);
  next.shown = {begin_us, std::max(begin_us + 1, moment_in(follower, from.shown.end_us))};
  next.cursor_us = moment_in(follower, from.cursor_us);
  if (same_lanes_) {
    next.lanes = from.lanes;
    next.lane = from.lane;
  }
  follower.change(std::move(next), Joining::kJoined);
  if (same_lanes_) {
    if (const auto top = leader.top_lane()) {
      follower.show_at_top(*top);
    }
  }
  following_ = false;
}

}  // namespace aftershock::gui
