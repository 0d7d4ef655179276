#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/ids.h"
#include "policies/api/rank_set.h"

namespace aftershock::policies::ray_train {

/// Whether the set holds every rank of a group of `workers`.
bool covers(const RankSet& ranks, std::uint32_t workers);

/// The controller's book of reported and committed checkpoints: Ray Train V2,
/// checkpoint/{report_handler,checkpoint_manager}.py (2026-05), for jobs that report no metrics.
class Checkpoints {
 public:
  explicit Checkpoints(std::optional<std::uint32_t> num_to_keep) : num_to_keep_(num_to_keep) {}

  /// Appends a report to the queue of each of these ranks.
  void report(CheckpointId checkpoint, const RankSet& ranks);

  /// What the oldest reports of all ranks may make together.
  enum class Head : std::uint8_t {
    kIncomplete,  ///< some rank has nothing queued
    kComplete,    ///< every rank's oldest report is of one checkpoint
    kMixed,       ///< every rank has a report, but they name different checkpoints
  };
  /// What the oldest reports of all ranks make together.
  [[nodiscard]] Head head(std::uint32_t workers) const;

  /// Commits the oldest set, which must be complete: it is the latest now. Returns its id; what
  /// retention no longer keeps is appended to `evicted`.
  CheckpointId commit(std::vector<CheckpointId>& evicted);

  /// Forgets all reports that are not committed. False if there were none.
  bool discard_reports();

  [[nodiscard]] std::optional<CheckpointId> latest() const { return latest_; }
  /// Committed and kept, oldest first.
  [[nodiscard]] std::vector<CheckpointId> kept() const;

  /// The content of checkpoint_manager_snapshot.json.
  [[nodiscard]] nlohmann::json snapshot(std::string_view ray_version) const;

  /// Takes over what a snapshot holds. False, and nothing changed, when it cannot be read.
  [[nodiscard]] bool restore(std::string_view snapshot);

 private:
  /// Reports of one checkpoint that wait for those of the other ranks. What ranks report alike is
  /// one entry, so the queues of all ranks together are a short list.
  struct Reported {
    CheckpointId checkpoint = 0;
    RankSet ranks;
  };
  struct Kept {
    CheckpointId checkpoint = 0;
    std::uint32_t report_index = 0;
  };

  std::optional<std::uint32_t> num_to_keep_;
  std::vector<Reported> reported_;  // in the order of first report
  std::deque<Kept> kept_;           // in the order of commit
  std::optional<CheckpointId> latest_;
  std::uint32_t report_index_ = 0;
};

/// The directory that a checkpoint has in storage, e.g. "checkpoint_000012".
std::string checkpoint_dir_name(CheckpointId checkpoint);

/// The checkpoint of a directory name, none if it is not one of ours.
std::optional<CheckpointId> checkpoint_of_dir_name(std::string_view name);

}  // namespace aftershock::policies::ray_train
