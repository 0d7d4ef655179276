#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace aftershock::reports {

/// Puts the spans of a lane, in order of their begins, on tracks so that no two of a track overlap:
/// each on the first track that is free. As many tracks as there are spans at once.
class Depths {
 public:
  /// The track of a span [begin_us, end_us), counted from 0.
  std::size_t place(std::int64_t begin_us, std::int64_t end_us) {
    AFTERSHOCK_ASSERT(begin_us >= last_begin_us_ && begin_us <= end_us);
    last_begin_us_ = begin_us;
    for (; !taken_.empty() && taken_.top().first <= begin_us; taken_.pop()) {
      free_.push(taken_.top().second);
    }
    std::size_t track = count_;
    if (free_.empty()) {
      ++count_;
    } else {
      track = free_.top();
      free_.pop();
    }
    taken_.emplace(end_us, track);
    return track;
  }

 private:
  template <class Value>
  using Lowest = std::priority_queue<Value, std::vector<Value>, std::greater<>>;

  Lowest<std::pair<std::int64_t, std::size_t>> taken_;
  Lowest<std::size_t> free_;
  std::size_t count_ = 0;
  std::int64_t last_begin_us_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace aftershock::reports
