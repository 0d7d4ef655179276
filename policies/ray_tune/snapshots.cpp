#include "policies/ray_tune/snapshots.h"

#include <algorithm>

namespace aftershock::policies::ray_tune {

void Snapshots::changed(std::uint32_t trial) {
  if (trial >= dirty_.size()) {
    dirty_.resize(std::size_t{trial} + 1);
    checkpoints_.resize(std::size_t{trial} + 1);
  }
  if (!dirty_[trial]) {
    dirty_[trial] = true;
    dirty_list_.push_back(trial);
  }
}

void Snapshots::checkpointed(std::uint32_t trial, TimeUs at_us) {
  changed(trial);
  ++checkpoints_[trial];
  if (force_every_ && checkpoints_[trial] >= *force_every_) {
    clock_.force(at_us);
  }
}

void Snapshots::begin(const std::vector<Trial>& trials) {
  taken_.resize(std::max(taken_.size(), trials.size()));
  for (const std::uint32_t trial : dirty_list_) {
    taken_[trial] = trials[trial];
    taken_list_.push_back(trial);
    dirty_[trial] = false;
    checkpoints_[trial] = 0;
  }
  dirty_list_.clear();
  any_taken_ = true;
}

void Snapshots::end() {
  stored_.resize(std::max(stored_.size(), taken_.size()));
  for (const std::uint32_t trial : taken_list_) {
    stored_[trial] = taken_[trial];
  }
  taken_list_.clear();
  any_stored_ = any_taken_;
}

void Snapshots::advance(TimeUs at_us, const std::vector<Trial>& trials) {
  while (true) {
    // A snapshot of this very moment has what this moment brings.
    const auto turn = clock_.next(at_us - 1, !dirty_list_.empty() || !any_taken_);
    if (turn == SnapshotClock::Turn::kNone) {
      return;
    }
    if (turn == SnapshotClock::Turn::kBegin) {
      begin(trials);
    } else {
      end();
    }
  }
}

std::optional<std::vector<Trial>> Snapshots::stored(TimeUs at_us,
                                                    const std::vector<Trial>& trials) const {
  enum class As : std::uint8_t { kStored, kTaken, kNow };
  As stored = As::kStored;
  As taken = As::kTaken;
  SnapshotClock clock = clock_;
  bool any_stored = any_stored_;
  bool any_taken = any_taken_;
  while (true) {
    const auto turn = clock.next(at_us, taken != As::kNow);
    if (turn == SnapshotClock::Turn::kNone) {
      break;
    }
    if (turn == SnapshotClock::Turn::kBegin) {
      taken = As::kNow;
      any_taken = true;
    } else {
      stored = taken;
      any_stored = any_taken;
    }
  }
  if (!any_stored) {
    return std::nullopt;
  }
  return stored == As::kNow ? trials : stored == As::kTaken ? taken_ : stored_;
}

}  // namespace aftershock::policies::ray_tune
