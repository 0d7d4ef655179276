#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policies/ray_tune/snapshot_clock.h"
#include "policies/ray_tune/trial.h"

namespace aftershock::policies::ray_tune {

/// The trials of an experiment as storage holds them. Nothing is copied but trials that changed
/// since the snapshot before, and only when time has come to one.
class Snapshots {
 public:
  /// `force_every`: a trial with so many checkpoints since the last snapshot forces one; none:
  /// checkpoints force nothing.
  Snapshots(SnapshotTiming timing, std::optional<std::uint32_t> force_every)
      : clock_(timing), force_every_(force_every) {}

  /// The experiment begins.
  void start(TimeUs at_us) { clock_.start(at_us); }

  /// The trial is not what it was, or is new.
  void changed(std::uint32_t trial);

  /// The trial registered a checkpoint at this time.
  void checkpointed(std::uint32_t trial, TimeUs at_us);

  /// A snapshot that does not wait for its period.
  void force(TimeUs at_us) { clock_.force(at_us); }

  /// The driver ends without another snapshot.
  void stop() { clock_.stop(); }

  /// Catches up with all that came before `at_us`; `trials` have not changed since the call before.
  void advance(TimeUs at_us, const std::vector<Trial>& trials);

  /// The trials as storage has them at `at_us`, by number; none where no snapshot has ended yet.
  /// `trials` are as they have been since the last advance.
  [[nodiscard]] std::optional<std::vector<Trial>> stored(TimeUs at_us,
                                                         const std::vector<Trial>& trials) const;

  /// When storage got what it holds at `at_us`: every snapshot writes its file anew, one without
  /// news as well. None before the first.
  [[nodiscard]] std::optional<TimeUs> stored_us(TimeUs at_us) const {
    return clock_.last_end_us(at_us);
  }

 private:
  void begin(const std::vector<Trial>& trials);
  void end();

  SnapshotClock clock_;
  std::optional<std::uint32_t> force_every_;
  std::vector<bool> dirty_;
  std::vector<std::uint32_t> dirty_list_;
  std::vector<std::uint32_t> checkpoints_;  // of each trial since the last snapshot
  std::vector<Trial> taken_;                // as the newest snapshot took them
  std::vector<std::uint32_t> taken_list_;   // the differences from stored_
  std::vector<Trial> stored_;
  bool any_taken_ = false;
  bool any_stored_ = false;
};

}  // namespace aftershock::policies::ray_tune
