#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace aftershock::sim::invariants {

/// Jobs that are in the queue and were not served, and since when free nodes have been enough for
/// each. A look costs steps per pool and per job for which they are, not per job that waits.
class WaitingJobs {
 public:
  /// One that waits. Those that need less come first, and of equals those that came first.
  struct Place {
    std::uint32_t needed = 0;  ///< nodes
    std::uint32_t job = 0;
    std::uint64_t number = 0;  ///< counts those that came
    friend auto operator<=>(const Place& a, const Place& b) {
      return std::pair(a.needed, a.number) <=> std::pair(b.needed, b.number);
    }
    friend bool operator==(const Place& a, const Place& b) { return (a <=> b) == 0; }
  };

  WaitingJobs(std::size_t jobs, std::size_t pools) : of_job_(jobs), of_pool_(pools) {}

  /// Whether none waits.
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// The job waits for so many nodes. One that is there keeps its number. A `first` one of a pool
  /// stands before all that are not.
  void join(std::uint32_t job, std::uint32_t pool, bool first, std::uint32_t needed) {
    OfJob& its = of_job_[job];
    const std::uint64_t number = its.waits ? its.place.number : ++came_;
    leave(job);
    its = {.waits = true,
           .first = first,
           .pool = pool,
           .place = {needed, job, number},
           .fits_since_us = {}};
    of_pool_[pool][first ? 0 : 1].insert(its.place);
    ++count_;
  }
  /// Does nothing where it does not wait.
  void leave(std::uint32_t job) {
    if (OfJob& its = of_job_[job]; its.waits) {
      of_pool_[its.pool][its.first ? 0 : 1].erase(its.place);
      its = {};
      --count_;
    }
  }

  /// Looks at `now_us` for whom `available(pool)` is enough, and calls `fits(place, since_us)` with
  /// each, by number. Since the last look, at `looked_us`, nothing has changed. `since_us` is kept,
  /// as `fits` leaves it, for as long as they are enough.
  template <class Available, class Fits>
  void look(std::int64_t looked_us, const Available& available, const Fits& fits) {
    std::vector<Place> now;
    for (std::uint32_t pool = 0; pool < of_pool_.size(); ++pool) {
      const auto& [first, others] = of_pool_[pool];
      for (const Place& place : first.empty() ? others : first) {
        if (place.needed > available(pool)) {
          break;
        }
        now.push_back(place);
      }
    }
    if (now.empty() && fitting_.empty()) {
      return;
    }
    std::ranges::sort(now, {}, &Place::number);
    for (const Place& place : fitting_) {
      if (!std::ranges::binary_search(now, place.number, {}, &Place::number)) {
        of_job_[place.job].fits_since_us.reset();
      }
    }
    for (const Place& place : now) {
      auto& since_us = of_job_[place.job].fits_since_us;
      since_us = since_us.value_or(looked_us);
      fits(place, *since_us);
    }
    fitting_ = std::move(now);
  }

 private:
  struct OfJob {
    bool waits = false;
    bool first = false;
    std::uint32_t pool = 0;
    Place place;
    std::optional<std::int64_t> fits_since_us;
  };

  std::vector<OfJob> of_job_;
  std::vector<std::array<std::set<Place>, 2>> of_pool_;  ///< first ones, and others
  std::vector<Place> fitting_;                           ///< at the last look
  std::size_t count_ = 0;
  std::uint64_t came_ = 0;
};

}  // namespace aftershock::sim::invariants
