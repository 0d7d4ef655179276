#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "sim/control/external/external_source.h"

namespace aftershock::sim::control {

/// Limits on queries to an external policy: the same by every way to it.
class QueryLimits {
 public:
  /// A batch has come.
  void count(const policies::Batch& batch) {
    batches_now_ = batch.t_us == t_us_ ? batches_now_ + 1 : 1;
    t_us_ = batch.t_us;
    bool woken = true;
    for (const policies::Event& event : batch.events) {
      woken &= std::holds_alternative<policies::Timer>(event);
    }
    if (!woken || batch.t_us >= woken_since_us_ + policies::kSecondUs) {
      woken_since_us_ = batch.t_us;
      woken_ = 0;
    }
    woken_ += woken ? 1 : 0;
  }

  /// Whether there is something in it that the policy has an answer to, as far as it has said.
  [[nodiscard]] static bool is_for(const Identity& identity, const policies::Batch& batch) {
    return identity.answers.empty() || answers(identity, batch);
  }

  /// The decision about a batch that is not for the policy.
  policies::Decision without_asking(const policies::Batch& batch);

  /// Why it was asked too often; none: it was not.
  [[nodiscard]] std::optional<std::string> loops() const {
    return batches_now_ > kMost || woken_ > kMost ? why_too_often() : std::nullopt;
  }

  /// Takes in the watches that the policy has set.
  void watches(const policies::Watch& watch, const Identity& identity);

 private:
  /// Enough is enough: one that is asked again and again at once, or that has itself woken without
  /// pause, would be for ever.
  static constexpr std::uint32_t kMost = 10'000;

  static bool answers(const Identity& identity, const policies::Batch& batch);
  [[nodiscard]] std::optional<std::string> why_too_often() const;

  policies::TimeUs t_us_ = -1;
  std::uint32_t batches_now_ = 0;  ///< in the microsecond of the last one
  policies::TimeUs woken_since_us_ = 0;
  std::uint32_t woken_ = 0;  ///< batches since then of nothing but its own alarms
  policies::Watch watch_{};  ///< of the last decision, where not all batches are for it
};

}  // namespace aftershock::sim::control
