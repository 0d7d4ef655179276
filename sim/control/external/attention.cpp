#include "sim/control/external/attention.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

namespace aftershock::sim {

void Attention::count(const policies::Batch& batch) {
  batches_now_ = batch.t_us == t_us_ ? batches_now_ + 1 : 1;
  t_us_ = batch.t_us;
  const bool woken = std::ranges::all_of(batch.events, [](const policies::Event& event) {
    return std::holds_alternative<policies::Timer>(event);
  });
  if (!woken || batch.t_us >= woken_since_us_ + policies::kSecondUs) {
    woken_since_us_ = batch.t_us;
    woken_ = 0;
  }
  woken_ += woken ? 1 : 0;
}

bool Attention::is_for(const Identity& identity, const policies::Batch& batch) {
  // Who asked for a batch without events gets it.
  return identity.answers.empty() || batch.events.empty() ||
         std::ranges::any_of(batch.events, [&](const policies::Event& event) {
           return identity.answers[event.index()];
         });
}

policies::Decision Attention::without_asking(const policies::Batch& batch) {
  if (watch_.wake_us && *watch_.wake_us <= batch.t_us) {
    watch_.wake_us.reset();  // that was it
  }
  return {{}, watch_};
}

/// Enough is enough: one that is asked again and again at once, or that has itself woken without
/// pause, would be for ever.
std::optional<std::string> Attention::loops() const {
  constexpr std::uint32_t kMost = 10'000;
  if (batches_now_ > kMost) {
    return fmt::format("loops: it was asked {} times in one microsecond", kMost);
  }
  if (woken_ > kMost) {
    return fmt::format(
        "loops: it had itself woken {} times in a second of simulated time in which nothing "
        "happened",
        kMost);
  }
  return std::nullopt;
}

void Attention::watches(const policies::Watch& watch, const Identity& identity) {
  if (!identity.answers.empty()) {
    watch_ = watch;
  }
}

}  // namespace aftershock::sim
