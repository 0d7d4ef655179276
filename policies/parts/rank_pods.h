#pragma once

#include <algorithm>
#include <cstdint>

#include "policies/api/rank_set.h"

namespace aftershock::policies {

/// All ranks of the pods that have one of `ranks`, pods being of `each` ranks from rank 0 on.
inline RankSet whole_pods(const RankSet& ranks, std::uint32_t each, std::uint32_t workers) {
  RankSet pods;
  for (const RankSet::Interval& interval : ranks.intervals()) {
    pods.add(interval.first / each * each,
             std::min(workers, ((interval.end - 1) / each + 1) * each));
  }
  return pods;
}

/// How many pods of `each` ranks these whole pods are.
inline std::int64_t count_pods(const RankSet& pods, std::uint32_t each) {
  return static_cast<std::int64_t>((pods.size() + each - 1) / each);
}

}  // namespace aftershock::policies
