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

RankSet RankSet::shared_with(const RankSet& other) const {
  RankSet shared;
  auto theirs = other.intervals_.begin();
  for (const Interval& mine : intervals_) {
    while (theirs != other.intervals_.end() && theirs->end <= mine.first) {
      ++theirs;
    }
    // The last one that begins in mine may reach into the next.
    for (auto at = theirs; at != other.intervals_.end() && at->first < mine.end; ++at) {
      shared.add(std::max(mine.first, at->first), std::min(mine.end, at->end));
    }
  }
  return shared;
}

RankSet RankSet::without(const RankSet& other) const {
  RankSet left;
  for (const Interval& mine : intervals_) {
    Rank next = mine.first;
    for (const Interval& shared :
         RankSet::range(mine.first, mine.end).shared_with(other).intervals_) {
      left.add(next, shared.first);
      next = shared.end;
    }
    left.add(next, mine.end);
  }
  return left;
}

}  // namespace aftershock::policies
