#pragma once

#include <span>
#include <vector>

#include "policies/api/ids.h"

namespace aftershock::policies {

/// A set of ranks as disjoint, ascending, half-open intervals: what a thousand workers do alike
/// costs one interval, and one interval no memory of its own.
class RankSet {
 public:
  /// Ranks first, ..., end - 1; never empty.
  struct Interval {
    Rank first = 0;
    Rank end = 0;
    friend bool operator==(const Interval&, const Interval&) = default;
  };

  RankSet() = default;
  /// The ranks first, first + 1, ..., end - 1; empty when end <= first.
  static RankSet range(Rank first, Rank end);

  /// Adds first, ..., end - 1, merging with what touches or overlaps it.
  void add(Rank first, Rank end);
  void add(const RankSet& other);

  [[nodiscard]] bool empty() const { return intervals().empty(); }
  /// How many ranks it holds, and whether this is one of them.
  [[nodiscard]] std::uint64_t size() const;
  [[nodiscard]] bool contains(Rank rank) const;
  /// Whether there are ranks that both hold.
  [[nodiscard]] bool overlaps(const RankSet& other) const;
  /// The ranks that both hold, and those that `other` does not.
  [[nodiscard]] RankSet shared_with(const RankSet& other) const;
  [[nodiscard]] RankSet without(const RankSet& other) const;
  /// In ascending order; good until the set changes.
  [[nodiscard]] std::span<const Interval> intervals() const {
    return many_.empty() ? std::span(&only_, only_.end == 0 ? 0U : 1U) : std::span(many_);
  }

  friend bool operator==(const RankSet&, const RankSet&) = default;

 private:
  void add_to_many(const Interval& added);

  Interval only_;               // of a set that has one; end 0: it is elsewhere, or there is none
  std::vector<Interval> many_;  // two or more
};

}  // namespace aftershock::policies
