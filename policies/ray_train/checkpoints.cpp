#include "policies/ray_train/checkpoints.h"

#include <algorithm>

#include "policies/api/assert.h"

namespace aftershock::policies::ray_train {

bool covers(const RankSet& ranks, std::uint32_t workers) {
  if (workers == 0) {
    return true;
  }
  const auto& intervals = ranks.intervals();
  return !intervals.empty() && intervals.front().first == 0 && intervals.front().end >= workers;
}

void Checkpoints::report(CheckpointId checkpoint, const RankSet& ranks) {
  for (Reported& entry : reported_) {
    if (entry.checkpoint == checkpoint) {
      entry.ranks.add(ranks);
      return;
    }
  }
  reported_.push_back({checkpoint, ranks});
}

Checkpoints::Head Checkpoints::head(std::uint32_t workers) const {
  if (reported_.empty()) {
    return Head::kIncomplete;
  }
  if (covers(reported_.front().ranks, workers)) {
    return Head::kComplete;
  }
  if (reported_.size() == 1) {
    return Head::kIncomplete;
  }
  RankSet reporting;
  for (const Reported& entry : reported_) {
    reporting.add(entry.ranks);
  }
  return covers(reporting, workers) ? Head::kMixed : Head::kIncomplete;
}

CheckpointId Checkpoints::commit(std::vector<CheckpointId>& evicted) {
  AFTERSHOCK_ASSERT(!reported_.empty());
  const CheckpointId checkpoint = reported_.front().checkpoint;
  reported_.erase(reported_.begin());
  kept_.push_back({checkpoint, report_index_});
  ++report_index_;
  latest_ = checkpoint;
  if (num_to_keep_) {
    // Without scores the list is in the order of commit, so the latest is always among the K kept.
    while (kept_.size() > *num_to_keep_) {
      evicted.push_back(kept_.front().checkpoint);
      kept_.pop_front();
    }
  }
  return checkpoint;
}

bool Checkpoints::discard_reports() {
  const bool any = !reported_.empty();
  reported_.clear();
  return any;
}

std::vector<CheckpointId> Checkpoints::kept() const {
  std::vector<CheckpointId> ids;
  ids.reserve(kept_.size());
  std::transform(kept_.begin(), kept_.end(), std::back_inserter(ids),
                 [](const Kept& kept) { return kept.checkpoint; });
  return ids;
}

}  // namespace aftershock::policies::ray_train
