#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "sim/control/external/external_source.h"

namespace aftershock::sim {

/// What a policy from elsewhere is asked about, and how often: the same by every way to it.
class Attention {
 public:
  /// A batch has come.
  void count(const policies::Batch& batch);

  /// Whether there is something in it that the policy has an answer to, as far as it has said.
  [[nodiscard]] static bool is_for(const Identity& identity, const policies::Batch& batch);

  /// What is decided about a batch that is not for it.
  policies::Decision without_asking(const policies::Batch& batch);

  /// Why it was asked too often; none: it was not.
  [[nodiscard]] std::optional<std::string> loops() const;

  /// What it has decided to watch.
  void watches(const policies::Watch& watch, const Identity& identity);

 private:
  policies::TimeUs t_us_ = -1;
  std::uint32_t batches_now_ = 0;  ///< in the microsecond of the last one
  policies::TimeUs woken_since_us_ = 0;
  std::uint32_t woken_ = 0;  ///< batches since then of nothing but its own alarms
  policies::Watch watch_{};  ///< of the last decision, where not all batches are for it
};

}  // namespace aftershock::sim
