#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/assert.h"
#include "policies/api/rank_set.h"

namespace aftershock::sim::scenario {
struct JobSpec;
}  // namespace aftershock::sim::scenario

namespace aftershock::sim::orphans {

/// Workers of an attempt that has ended, which nobody could stop yet.
struct Zombies {
  std::uint32_t job = 0;
  std::uint32_t fault = 0;
  std::uint32_t node = 0;  ///< of the job's pool: that they live on
  std::int64_t accelerators = 0;
  std::int64_t since_us = 0;
  std::optional<std::int64_t> until_us;  ///< their own end; none: they wait for a word
  std::uint32_t epoch = 0;               ///< of their attempt
  policies::RankSet watched{};  ///< those whose agent lives on beside them, and sees them end
};

/// A whole attempt whose controller has given it up and could stop none of its workers. They see
/// each other, so they train on, and save.
struct OrphanedAttempt {
  std::uint32_t job = 0;
  std::uint32_t epoch = 0;
  std::vector<std::uint32_t> nodes;  ///< of the job's pool, by slot
  std::uint32_t workers = 0;
  std::int64_t began_us = 0;       ///< work that it began with
  std::int64_t work_us = 0;        ///< that its next checkpoint will hold
  std::int64_t productive_us = 0;  ///< of the job's account, that is in it
  bool gone = false;               ///< stopped, or turned away by storage
};

/// Accelerators of a job that zombies kept busy, times their time, in us.
struct StaleTime {
  std::uint32_t job = 0;
  std::int64_t accelerator_us = 0;
};

/// The workers and whole attempts that live on although their job has gone on without them. It
/// owns both lists, and tells of zombies that have ended what they had kept busy; what hears whom
/// is the network's to say, and what a late checkpoint does, the world's.
class Orphans {
 public:
  /// These live on from now.
  void leave(const Zombies& zombies);
  /// Those whose words the cut `fault` keeps from others.
  [[nodiscard]] std::vector<Zombies> behind(std::uint32_t fault) const;
  /// The end of a run.
  [[nodiscard]] std::vector<StaleTime> end_all(std::int64_t now_us);
  /// The zombies on the attempt's nodes, which end with it.
  [[nodiscard]] std::vector<StaleTime> end_on(const OrphanedAttempt& attempt, std::int64_t now_us);

  /// The attempt lives on from now. The number that it has from here on.
  std::uint32_t add(OrphanedAttempt attempt);
  /// `number` is one that add() gave.
  [[nodiscard]] const OrphanedAttempt& attempt(std::uint32_t number) const;
  /// Whether the job's attempt is one that trains on.
  [[nodiscard]] bool train_on(std::uint32_t job, std::uint32_t epoch) const;
  /// It has been stopped, or turned away.
  void end_attempt(std::uint32_t number);
  /// When its next checkpoint will be in storage, `from_us` being when the interval before it
  /// began; none: it takes no more. Its transfers take nothing from those of others.
  /// `bytes_per_s` is above zero where the job has a storage.
  [[nodiscard]] std::optional<std::int64_t> next_save_us(std::uint32_t number,
                                                         const scenario::JobSpec& job,
                                                         std::int64_t bytes_per_s,
                                                         std::int64_t from_us);

  /// The cut `fault` has ended. `cut_of(job, node)` is the fault that keeps words from a node of
  /// the job's pool still, and none where it hears. Zombies of `fault` that hear end; others are
  /// those of what still cuts them off. An attempt ends with the first node that hears.
  template <class CutOf>
  [[nodiscard]] std::vector<StaleTime> cut_ended(std::uint32_t fault, std::int64_t now_us,
                                                 const CutOf& cut_of) {
    for (OrphanedAttempt& each : attempts_) {
      each.gone = each.gone || std::ranges::any_of(each.nodes, [&](std::uint32_t node) {
                    return !cut_of(each.job, node);
                  });
    }
    return end_where(now_us, [&](Zombies& zombies) {
      if (zombies.fault != fault) {
        return false;
      }
      const std::optional<std::uint32_t> other = cut_of(zombies.job, zombies.node);
      zombies.fault = other.value_or(fault);
      return !other;
    });
  }

 private:
  template <class Ends>
  std::vector<StaleTime> end_where(std::int64_t now_us, const Ends& ends) {
    std::vector<StaleTime> stale;
    std::erase_if(zombies_, [&](Zombies& zombies) {
      const bool over = ends(zombies);
      if (over) {
        stale.push_back(stale_time(zombies, now_us));
      }
      return over;
    });
    return stale;
  }
  static StaleTime stale_time(const Zombies& zombies, std::int64_t now_us);

  std::vector<Zombies> zombies_;
  std::vector<OrphanedAttempt> attempts_;
};

}  // namespace aftershock::sim::orphans
