#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/fields.h"
#include "policies/api/ids.h"
#include "policies/ray_tune/failure.h"

namespace aftershock::policies::ray_tune {

/// Trial.status: experiment/trial.py.
enum class TrialStatus : std::uint8_t { kPending, kRunning, kPaused, kTerminated, kError };

/// Whether nothing leads out of it but a restore of the experiment.
constexpr bool is_finished(TrialStatus status) {
  return status == TrialStatus::kTerminated || status == TrialStatus::kError;
}

/// Tune's knowledge of one trial, all of which a snapshot keeps but the count of restore failures.
struct Trial {
  std::uint32_t session = 0;  ///< of the experiment in which it was created
  TrialStatus status = TrialStatus::kPending;
  FailureCounts counts{};
  std::int64_t max_failures = 0;
  std::optional<CheckpointId> checkpoint{};  ///< the latest that was registered
  std::vector<CheckpointId> kept{};          ///< oldest first; empty where all are kept
  std::uint32_t iteration = 0;               ///< of the last result, 0: none yet
  std::optional<TimeUs> last_result_us{};
};

/// Its id, which a trial that is restarted as a new one does not inherit.
std::string trial_id(const Trial& trial, std::uint32_t number);

/// Registers a checkpoint as the latest; gives what `num_to_keep` drops.
std::vector<CheckpointId> register_checkpoint(Trial& trial, CheckpointId checkpoint,
                                              std::optional<std::uint32_t> num_to_keep);

}  // namespace aftershock::policies::ray_tune

template <>
struct aftershock::policies::EnumNames<aftershock::policies::ray_tune::TrialStatus> {
  static constexpr std::array<std::string_view, 5> kNames{"PENDING", "RUNNING", "PAUSED",
                                                          "TERMINATED", "ERROR"};
};
