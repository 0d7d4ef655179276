#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"

namespace aftershock::sim {

/// One that waits for nodes: a job, or an experiment whose trials wait.
struct Waiter {
  std::uint32_t holder = 0;  ///< the number by which pools know it
  std::int32_t priority = 0;
  bool is_job = true;
  bool first = false;  ///< a job that is served before all that are not
};

/// How a waiter was served.
enum class Served : std::uint8_t {
  kNot,        ///< not enough is free for it
  kElsewhere,  ///< it waits for another pool
  kWhole,      ///< it leaves the queue
};

/// The waiters for nodes, in order of service. It owns the order, and when
/// experiments of a pool are served next; whether one fits is for the pools to say. A waiter has
/// one place, keeps it until it is served or leaves, and equals are served in the order in which
/// they came.
class Queue {
 public:
  explicit Queue(std::size_t pools) : serving_planned_(pools) {}

  /// Behind all that it does not outrank. The waiter must not be there already.
  void join(const Waiter& waiter);
  /// Whether it had a place.
  bool leave(std::uint32_t holder);
  [[nodiscard]] std::span<const Waiter> waiters() const { return waiters_; }
  /// Asks each in order how it was served, and takes those out that were. A first job for which
  /// there is not enough reserves the rest: only others that are first are asked after it. Nobody
  /// may join or leave meanwhile.
  template <class Serve>
  void serve(const Serve& serve) {
    AFTERSHOCK_ASSERT(!serving_);
    bool reserved = false;
    serving_ = true;
    std::erase_if(waiters_, [&](const Waiter& waiter) {
      if (reserved && !waiter.first) {
        return false;
      }
      const Served served = serve(waiter);
      reserved = reserved || (waiter.first && served == Served::kNot);
      return served == Served::kWhole;
    });
    serving_ = false;
  }

  /// Whether the pool's waiters are to be served in this microsecond and nobody had said so yet.
  bool plan_serving(std::uint32_t pool);
  /// They are being served.
  void begin_serving(std::uint32_t pool) {
    AFTERSHOCK_ASSERT(pool < serving_planned_.size());
    serving_planned_[pool] = false;
  }

  /// Somebody waits in vain whom a fault may still strike: who has waited is looked at again.
  void hold_out() { holding_out_ = true; }
  [[nodiscard]] bool holding_out() const { return holding_out_; }

 private:
  std::vector<Waiter> waiters_;
  std::vector<bool> serving_planned_;  ///< by pool
  bool holding_out_ = false;
  bool serving_ = false;  ///< the waiters are being gone through: their places must not move
};

}  // namespace aftershock::sim
