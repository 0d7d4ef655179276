#include "policies/api/rank_set.h"

#include <algorithm>
#include <utility>

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
  if (!many_.empty()) {
    add_to_many({first, end});
  } else if (only_.end == 0) {
    only_ = {first, end};
  } else if (first <= only_.end && only_.first <= end) {
    only_ = {std::min(first, only_.first), std::max(end, only_.end)};
  } else {
    many_ = {only_, {first, end}};
    if (end < only_.first) {
      std::swap(many_[0], many_[1]);
    }
    only_ = {};
  }
}

void RankSet::add_to_many(const Interval& added) {
  // Everything from `begin` on ends at or after it begins: it overlaps, touches, or lies behind.
  const auto begin =
      std::lower_bound(many_.begin(), many_.end(), added.first,
                       [](const Interval& interval, Rank value) { return interval.end < value; });
  auto stop = begin;
  Interval merged = added;
  while (stop != many_.end() && stop->first <= added.end) {
    merged.first = std::min(merged.first, stop->first);
    merged.end = std::max(merged.end, stop->end);
    ++stop;
  }
  if (begin == stop) {
    many_.insert(begin, merged);
    return;
  }
  *begin = merged;
  many_.erase(begin + 1, stop);
  if (many_.size() == 1) {
    only_ = many_.front();
    many_.clear();
  }
}

void RankSet::add(const RankSet& other) {
  for (const Interval& interval : other.intervals()) {
    add(interval.first, interval.end);
  }
}

std::uint64_t RankSet::size() const {
  std::uint64_t count = 0;
  for (const Interval& interval : intervals()) {
    count += interval.end - interval.first;
  }
  return count;
}

bool RankSet::contains(Rank rank) const {
  const std::span<const Interval> all = intervals();
  const auto after =
      std::upper_bound(all.begin(), all.end(), rank,
                       [](Rank value, const Interval& interval) { return value < interval.first; });
  return after != all.begin() && rank < (after - 1)->end;
}

bool RankSet::overlaps(const RankSet& other) const {
  const std::span<const Interval> others = other.intervals();
  auto theirs = others.begin();
  for (const Interval& mine : intervals()) {
    while (theirs != others.end() && theirs->end <= mine.first) {
      ++theirs;
    }
    if (theirs != others.end() && theirs->first < mine.end) {
      return true;
    }
  }
  return false;
}

RankSet RankSet::shared_with(const RankSet& other) const {
  RankSet shared;
  const std::span<const Interval> others = other.intervals();
  auto theirs = others.begin();
  for (const Interval& mine : intervals()) {
    while (theirs != others.end() && theirs->end <= mine.first) {
      ++theirs;
    }
    // The last one that begins in mine may reach into the next.
    for (auto at = theirs; at != others.end() && at->first < mine.end; ++at) {
      shared.add(std::max(mine.first, at->first), std::min(mine.end, at->end));
    }
  }
  return shared;
}

RankSet RankSet::without(const RankSet& other) const {
  if (other.empty()) {
    return *this;
  }
  RankSet left;
  for (const Interval& mine : intervals()) {
    Rank next = mine.first;
    const RankSet shared = RankSet::range(mine.first, mine.end).shared_with(other);
    for (const Interval& gone : shared.intervals()) {
      left.add(next, gone.first);
      next = gone.end;
    }
    left.add(next, mine.end);
  }
  return left;
}

}  // namespace aftershock::policies
