#include "policies/ray_train/checkpoints.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"

namespace aftershock::policies::ray_train {

bool covers(const RankSet& ranks, std::uint32_t workers) {
  if (workers == 0) {
    return true;
  }
  const auto intervals = ranks.intervals();
  return !intervals.empty() && intervals.front().first == 0 && intervals.front().end >= workers;
}

void Checkpoints::report(CheckpointId checkpoint, const RankSet& ranks,
                         std::optional<std::int64_t> score_e6) {
  // A report that came twice has been dealt with. Numbers count up, and so do those that are kept
  // in the order in which they came: what is newer than the last of them is new.
  const bool in_order = scoring_.attribute.empty();
  for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) {
    if (kept->checkpoint == checkpoint) {
      return;
    }
    if (in_order && kept->checkpoint < checkpoint) {
      break;
    }
  }
  if (scoring_.attribute.empty() || !ranks.contains(0)) {
    score_e6.reset();
  }
  for (Reported& entry : reported_) {
    if (entry.checkpoint == checkpoint) {
      entry.ranks.add(ranks);
      entry.score_e6 = score_e6 ? score_e6 : entry.score_e6;
      return;
    }
  }
  reported_.push_back({checkpoint, ranks, score_e6});
}

template <class Holds>
Checkpoints::Head Checkpoints::head_that(Holds holds) const {
  if (reported_.empty()) {
    return Head::kIncomplete;
  }
  if (holds(reported_.front().ranks)) {
    return Head::kComplete;
  }
  if (reported_.size() == 1) {
    return Head::kIncomplete;
  }
  RankSet reporting;
  for (const Reported& entry : reported_) {
    reporting.add(entry.ranks);
  }
  return holds(reporting) ? Head::kMixed : Head::kIncomplete;
}

Checkpoints::Head Checkpoints::head(std::uint32_t workers) const {
  return head_that([&](const RankSet& ranks) { return covers(ranks, workers); });
}

Checkpoints::Head Checkpoints::head(const RankSet& required) const {
  return head_that([&](const RankSet& ranks) { return required.without(ranks).empty(); });
}

bool Checkpoints::is_worse(const Kept& left, const Kept& right) const {
  if (!left.score_e6 || !right.score_e6) {
    return !left.score_e6 && right.score_e6;
  }
  return scoring_.smaller_is_better ? *left.score_e6 > *right.score_e6
                                    : *left.score_e6 < *right.score_e6;
}

CheckpointId Checkpoints::commit(std::vector<CheckpointId>& evicted) {
  AFTERSHOCK_ASSERT(!reported_.empty());
  const Kept fresh{reported_.front().checkpoint, report_index_, reported_.front().score_e6};
  reported_.erase(reported_.begin());
  ++report_index_;
  latest_ = fresh;
  auto place = kept_.end();
  while (place != kept_.begin() && is_worse(fresh, *std::prev(place))) {
    --place;
  }
  kept_.insert(place, fresh);
  evict(evicted);
  return fresh.checkpoint;
}

void Checkpoints::evict(std::vector<CheckpointId>& evicted) {
  if (!num_to_keep_ || kept_.size() <= *num_to_keep_) {
    return;
  }
  // Everything below the best K goes but the latest, which may be worse than they are.
  std::optional<Kept> spared;
  for (std::size_t excess = kept_.size() - *num_to_keep_; excess > 0; --excess) {
    if (kept_.front().checkpoint == latest()) {
      spared = kept_.front();
    } else {
      evicted.push_back(kept_.front().checkpoint);
    }
    kept_.pop_front();
  }
  if (spared) {
    kept_.push_front(*spared);
  }
}

std::optional<CheckpointId> Checkpoints::best() const {
  if (kept_.empty() || !kept_.back().score_e6) {
    return std::nullopt;
  }
  return kept_.back().checkpoint;
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
