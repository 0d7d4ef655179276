#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"

namespace aftershock::sim {

/// A checkpoint of a trial, as storage holds it.
struct TrialCheckpoint {
  std::uint32_t id = 0;
  std::int64_t steps = 0;          ///< iterations that it holds
  std::int64_t productive_us = 0;  ///< of its trial's account when it was written
  std::uint32_t writer = 0;        ///< experiment whose account that is
};

/// What storage holds of one trial.
struct StoredTrial {
  std::vector<TrialCheckpoint> checkpoints;  ///< by id
  std::uint32_t next_checkpoint = 1;

  /// The checkpoint of this id, null when storage has it no more.
  [[nodiscard]] const TrialCheckpoint* find(std::uint32_t id) const;
  /// The newest one that this experiment wrote, null when there is none.
  [[nodiscard]] const TrialCheckpoint* newest_of(std::uint32_t writer) const;
  /// Removes it, if it is there.
  void remove(std::uint32_t id);
};

/// What is left of a run in storage, whoever ran it: who comes later under the same path and name
/// finds it.
struct StoredRun {
  std::string durable;  ///< of the last controller that is gone, JSON; empty: there was none
  std::vector<StoredTrial> trials;
};

/// The stored text of a controller after a crash in the middle of writing `file`: Ray Train V2
/// keeps one snapshot and the text is cut short; Tune and Train V1 keep theirs beside what they
/// write once.
std::string torn(std::string durable, std::string_view file);

/// Under which key storage holds the run. One without a name gets a name that nobody else has;
/// `index` tells it from others.
std::string run_key(const RunSpec& run, std::uint32_t index);

}  // namespace aftershock::sim
