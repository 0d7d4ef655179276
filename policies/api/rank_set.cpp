#include "policies/api/rank_set.h"

#include <algorithm>

namespace aftershock::policies {

RankSet RankSet::range(Rank first, Rank end) {
  RankSet set;
  set.add(first, end);
  return set;
}

void RankSet::add(Rank first, Rank end) {
  if (end <= first) {
    return;
  }
  // Everything from `begin` on ends at or after `first`, so it overlaps, touches, or lies behind.
  const auto begin =
      std::lower_bound(intervals_.begin(), intervals_.end(), first,
                       [](const Interval& interval, Rank value) { return interval.end < value; });
  auto stop = begin;
  Interval merged{first, end};
  while (stop != intervals_.end() && stop->first <= end) {
    merged.first = std::min(merged.first, stop->first);
    merged.end = std::max(merged.end, stop->end);
    ++stop;
  }
  if (begin == stop) {
    intervals_.insert(begin, merged);
    return;
  }
  *begin = merged;
  intervals_.erase(begin + 1, stop);
}

void RankSet::add(const RankSet& other) {
  for (const Interval& interval : other.intervals_) {
    add(interval.first, interval.end);
  }
}

std::uint64_t RankSet::size() const {
  std::uint64_t count = 0;
  for (const Interval& interval : intervals_) {
    count += interval.end - interval.first;
  }
  return count;
}

bool RankSet::contains(Rank rank) const {
  const auto after =
      std::upper_bound(intervals_.begin(), intervals_.end(), rank,
                       [](Rank value, const Interval& interval) { return value < interval.first; });
  return after != intervals_.begin() && rank < (after - 1)->end;
}

}  // namespace aftershock::policies
