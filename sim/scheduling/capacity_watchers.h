#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/assert.h"

namespace aftershock::sim::scheduling {

/// The jobs that are told how many workers their pool could run, in order of their number: a change
/// of a pool costs a step per watcher, not per job.
class CapacityWatchers {
 public:
  /// `job` watches, and did not.
  void add(std::uint32_t job) {
    const auto at = std::ranges::lower_bound(jobs_, job);
    AFTERSHOCK_ASSERT(at == jobs_.end() || *at != job);
    jobs_.insert(at, job);
  }
  /// `job` watched, and does no more.
  void remove(std::uint32_t job) {
    const auto at = std::ranges::lower_bound(jobs_, job);
    AFTERSHOCK_ASSERT(at != jobs_.end() && *at == job);
    jobs_.erase(at);
  }
  [[nodiscard]] const std::vector<std::uint32_t>& jobs() const { return jobs_; }

 private:
  std::vector<std::uint32_t> jobs_;
};

}  // namespace aftershock::sim::scheduling
