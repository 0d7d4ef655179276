#include "sim/control/external/query_limits.h"

#include <algorithm>

#include <fmt/format.h>

namespace aftershock::sim::control {

bool QueryLimits::answers(const Identity& identity, const policies::Batch& batch) {
  // A batch without events goes to the policy that asked for it.
  return batch.events.empty() ||
         std::ranges::any_of(batch.events, [&](const policies::Event& event) {
           return identity.answers[event.index()];
         });
}

policies::Decision QueryLimits::without_asking(const policies::Batch& batch) {
  if (watch_.wake_us && *watch_.wake_us <= batch.t_us) {
    watch_.wake_us.reset();  // that was it
  }
  return {{}, watch_};
}

std::optional<std::string> QueryLimits::why_too_often() const {
  return batches_now_ > kMost
             ? fmt::format("loops: it was asked {} times in one microsecond", kMost)
             : fmt::format(
                   "loops: it had itself woken {} times in a second of simulated time in which "
                   "nothing happened",
                   kMost);
}

void QueryLimits::watches(const policies::Watch& watch, const Identity& identity) {
  if (!identity.answers.empty()) {
    watch_ = watch;
  }
}

}  // namespace aftershock::sim::control
