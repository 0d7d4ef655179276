#include "sim/scheduling/queue.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::sim {

void Queue::join(const Waiter& waiter) {
  AFTERSHOCK_ASSERT(!serving_);
  AFTERSHOCK_ASSERT(std::ranges::find(waiters_, waiter.holder, &Waiter::holder) == waiters_.end());
  const auto after = std::ranges::find_if(waiters_, [&](const Waiter& other) {
    // Trials take what is free piece by piece: an experiment goes by priority alone.
    const bool alike = !waiter.is_job || other.first == waiter.first;
    return alike ? other.priority < waiter.priority : !other.first;
  });
  waiters_.insert(after, waiter);
}

bool Queue::leave(std::uint32_t holder) {
  AFTERSHOCK_ASSERT(!serving_);
  return std::erase_if(waiters_, [&](const Waiter& waiter) { return waiter.holder == holder; }) > 0;
}

bool Queue::plan_serving(std::uint32_t pool) {
  AFTERSHOCK_ASSERT(pool < serving_planned_.size());
  // One entry serves all who ask in a microsecond, so that priority decides among them and not the
  // order of asking.
  if (serving_planned_[pool]) {
    return false;
  }
  serving_planned_[pool] = true;
  return true;
}

}  // namespace aftershock::sim
