#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/ids.h"
#include "policies/api/rank_set.h"
#include "policies/ray_train/profile.h"

namespace aftershock::policies::ray_train {

/// Whether the set holds every rank of a group of `workers`.
bool covers(const RankSet& ranks, std::uint32_t workers);

/// CheckpointConfig(checkpoint_score_attribute, checkpoint_score_order).
struct Scoring {
  std::string attribute{};  ///< metric by which checkpoints are ranked; empty: by their order
  bool smaller_is_better = false;
};

/// The controller's book of reported and committed checkpoints: Ray Train V2,
/// checkpoint/{report_handler,checkpoint_manager}.py, for jobs whose every report has a checkpoint.
class Checkpoints {
 public:
  explicit Checkpoints(std::optional<std::uint32_t> num_to_keep, Scoring scoring = {})
      : num_to_keep_(num_to_keep), scoring_(std::move(scoring)) {}

  /// Appends a report to the queue of each of these ranks. The metrics of a checkpoint are those of
  /// rank 0: `score_e6` of others is not looked at.
  void report(CheckpointId checkpoint, const RankSet& ranks,
              std::optional<std::int64_t> score_e6 = {});

  /// The combination of the oldest reports of all ranks.
  enum class Head : std::uint8_t {
    kIncomplete,  ///< some rank has nothing queued
    kComplete,    ///< every rank's oldest report is of one checkpoint
    kMixed,       ///< every rank has a report, but they name different checkpoints
  };
  /// The combination that the oldest reports of all ranks make.
  [[nodiscard]] Head head(std::uint32_t workers) const;
  /// The same of these ranks alone; others are not waited for.
  [[nodiscard]] Head head(const RankSet& required) const;

  /// Commits the oldest set, which must be complete: it is the latest now. Returns its id; what
  /// retention no longer keeps is appended to `evicted`. Kept are the best num_to_keep, and the
  /// latest.
  CheckpointId commit(std::vector<CheckpointId>& evicted);

  /// Forgets all reports that are not committed. False if there were none.
  bool discard_reports();

  /// The last committed one, none before the first.
  [[nodiscard]] std::optional<CheckpointId> latest() const {
    return latest_ ? std::optional(latest_->checkpoint) : std::nullopt;
  }
  /// The best of those kept, none where nothing is scored.
  [[nodiscard]] std::optional<CheckpointId> best() const;
  /// Committed and kept, in Ray's order: worst score first, in the order of commit where they are
  /// alike or have none.
  [[nodiscard]] std::vector<CheckpointId> kept() const;

  /// The content of checkpoint_manager_snapshot.json as the profile's version writes it.
  [[nodiscard]] nlohmann::json snapshot(const Profile& profile) const;

  /// Takes over what a snapshot of the profile's form holds, whatever version it names. False, and
  /// nothing changed, when it cannot be read.
  [[nodiscard]] bool restore(std::string_view snapshot, const Profile& profile);

 private:
  /// Reports of one checkpoint that wait for those of the other ranks. Equal reports of ranks are
  /// one entry, so the queues of all ranks together are a short list.
  struct Reported {
    CheckpointId checkpoint = 0;
    RankSet ranks;
    std::optional<std::int64_t> score_e6;
  };
  struct Kept {
    CheckpointId checkpoint = 0;
    std::uint32_t report_index = 0;
    std::optional<std::int64_t> score_e6;  // none where nothing is scored
  };

  /// `holds` says whether a set of ranks is all that is waited for.
  template <class Holds>
  [[nodiscard]] Head head_that(Holds holds) const;
  [[nodiscard]] bool is_worse(const Kept& left, const Kept& right) const;
  void evict(std::vector<CheckpointId>& evicted);
  [[nodiscard]] nlohmann::json result_of(const Kept& kept) const;
  [[nodiscard]] std::optional<Kept> read_result(const nlohmann::json& result) const;

  std::optional<std::uint32_t> num_to_keep_;
  Scoring scoring_;
  std::vector<Reported> reported_;  // in the order of first report
  std::deque<Kept> kept_;           // worst first
  std::optional<Kept> latest_;
  std::uint32_t report_index_ = 0;
};

/// The directory that a checkpoint has in storage, e.g. "checkpoint_000012".
std::string checkpoint_dir_name(CheckpointId checkpoint);

/// The checkpoint of a directory name, none if it is not one of ours.
std::optional<CheckpointId> checkpoint_of_dir_name(std::string_view name);

}  // namespace aftershock::policies::ray_train
