#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "base/assert.h"

namespace aftershock::sim::scheduling {

/// One that waits for nodes: a job, or an experiment whose trials wait.
struct Waiter {
  std::uint32_t holder = 0;  ///< the number by which pools know it
  std::int32_t priority = 0;
  bool is_job = true;
  bool first = false;        ///< a job that is served before all that are not
  std::uint32_t pool = 0;    ///< that it waits for
  std::uint32_t needed = 0;  ///< fewer free nodes than these are never enough for it
  std::uint64_t number = 0;  ///< the queue's own count of those that came, from 1
};

/// The waiters for nodes, by pool and in order of service. It owns the order, and when
/// experiments of a pool are served next; whether one fits is for the pools to say. A waiter has
/// one place, keeps it until it is served or leaves, and equals are served in the order in which
/// they came. Service costs steps per waiter that may fit, not per waiter.
class Queue {
 public:
  explicit Queue(std::size_t pools) : lines_(pools) {}

  /// Behind all that it does not outrank. The waiter must not be there already.
  void join(Waiter waiter);
  /// Whether it had a place.
  bool leave(std::uint32_t holder);
  /// Those of a pool, in their order.
  [[nodiscard]] const std::deque<Waiter>& waiters(std::uint32_t pool) const {
    return lines_[pool].waiters;
  }
  /// Asks the pool's waiters in order whether `serve(waiter)` served them, and takes those out
  /// that were. It asks nobody who needs more than `available()` nodes. A first job for which
  /// there is not enough reserves the rest: only others that are first are asked after it. Nobody
  /// may join or leave meanwhile.
  template <class Available, class Serve>
  void serve(std::uint32_t pool, const Available& available, const Serve& serve) {
    AFTERSHOCK_ASSERT(!serving_ && pool < lines_.size());
    Line& line = lines_[pool];
    std::vector<std::size_t> served;
    std::size_t firsts_left = line.firsts;
    bool reserved = false;
    serving_ = true;
    for (std::size_t i = 0; i < line.waiters.size() && may_fit(line, available()); ++i) {
      const Waiter& waiter = line.waiters[i];
      if (reserved && firsts_left == 0) {
        break;
      }
      firsts_left -= waiter.first ? 1 : 0;
      if (reserved && !waiter.first) {
        continue;
      }
      if (waiter.needed <= available() && serve(waiter)) {
        uncount(line, waiter);
        served.push_back(i);
      } else {
        reserved = reserved || waiter.first;
      }
    }
    serving_ = false;
    for (auto i = served.rbegin(); i != served.rend(); ++i) {
      take_out(line, *i);
    }
  }

  /// The job in the queue is told that it waits.
  void tell(std::uint32_t holder);
  /// Whether another job of the pool was told so.
  [[nodiscard]] bool other_waits(std::uint32_t pool, std::uint32_t holder) const;
  /// Those of the pool that were not, and its experiments, in their order.
  std::vector<std::uint32_t> untold(std::uint32_t pool);

  /// Whether the pool's waiters are to be served in this microsecond and nobody had said so yet.
  bool plan_serving(std::uint32_t pool);
  /// They are being served.
  void begin_serving(std::uint32_t pool) {
    AFTERSHOCK_ASSERT(pool < lines_.size());
    lines_[pool].serving_planned = false;
  }

  /// Somebody waits in vain whom a fault may still strike: who has waited is looked at again.
  void hold_out() { holding_out_ = true; }
  [[nodiscard]] bool holding_out() const { return holding_out_; }

 private:
  /// The waiters of a pool.
  struct Line {
    std::deque<Waiter> waiters;
    std::map<std::uint32_t, std::size_t> by_need;  ///< how many need so many nodes
    std::vector<Waiter> untold;                    ///< some of which have left, or were told
    std::size_t firsts = 0;
    std::size_t experiments = 0;
    std::size_t told = 0;
    bool serving_planned = false;
  };
  /// Of a holder: what it joined as, with the number 0 where it did not, and whether it was told.
  struct Place {
    Waiter waiter;
    bool told = false;
  };

  [[nodiscard]] static bool may_fit(const Line& line, std::uint32_t available) {
    return !line.by_need.empty() && line.by_need.begin()->first <= available;
  }
  [[nodiscard]] const Place* place_of(std::uint32_t holder) const;
  static void uncount(Line& line, const Waiter& waiter);
  void take_out(Line& line, std::size_t at);

  std::vector<Line> lines_;    ///< by pool
  std::vector<Place> places_;  ///< by holder
  std::uint64_t came_ = 0;
  bool holding_out_ = false;
  bool serving_ = false;  ///< the waiters are being gone through: their places must not move
};

}  // namespace aftershock::sim::scheduling
