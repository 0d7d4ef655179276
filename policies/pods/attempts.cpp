#include <algorithm>
#include <utility>

#include "policies/pods/pod_table.h"

// Attempts of pods that are made and deleted one by one. A new pod waits in its rendezvous for the
// others, and does not end with a gang that it never met.
namespace aftershock::policies::pods {

std::optional<PodTable::Move> PodTable::advance() {
  switch (gang_.pods) {
    case PodGang::Pods::kNone:
      return begin();
    case PodGang::Pods::kKept:
      return join_again();
    case PodGang::Pods::kLive:
      break;
    case PodGang::Pods::kStopping:
    case PodGang::Pods::kRemoving:
      return std::nullopt;
  }
  if (trains()) {
    return mend(alive());
  }
  if (objects_.succeeded == all()) {
    return std::nullopt;
  }
  const RankSet here = objects_.deleted.without(absent());
  objects_.unmet = false;
  running_ = false;
  return Move{Move::Kind::kAllEnded, gang_.remove(longest_grace_us(here))};
}

bool PodTable::trains() const { return live() && !alive().empty(); }

void PodTable::join() {
  objects_.old.add(objects_.deleted);
  objects_.deleted = {};
  objects_.unfailed = {};
  objects_.staying = {};
  objects_.fresh = {};
  objects_.ended = {};
  objects_.live = true;
  objects_.unmet = false;
  running_ = false;
}

// An attempt begins when there is a pod for each place.
std::optional<PodTable::Move> PodTable::begin() {
  if (objects_.fresh != all()) {
    return std::nullopt;
  }
  join();
  objects_.lost.clear();
  return Move{Move::Kind::kStarted, gang_.start()};
}

// The script again in containers that were kept, and new pods beside them. Where pods were deleted
// meanwhile nobody is left to begin with the others: all of them go.
std::optional<PodTable::Move> PodTable::join_again() {
  const RankSet kept = alive();
  if (kept.size() + objects_.fresh.size() < pods_) {
    objects_.unmet = false;
    running_ = false;
    return Move{Move::Kind::kAllEnded, gang_.remove(longest_grace_us(all()))};
  }
  const RankSet anew = ranks_of(objects_.fresh);
  join();
  return Move{Move::Kind::kStarted, anew.empty() ? gang_.restart() : gang_.recreate(anew)};
}

// An attempt that has not met begins again when there are pods for those that failed, or that were
// evicted on the way: until then the others wait for them.
std::optional<PodTable::Move> PodTable::mend(const RankSet& living) {
  const RankSet here = objects_.deleted.without(absent());
  const bool all_answer = living.shared_with(absent()).empty();
  const bool on_its_way = !running_ && !objects_.fresh.empty();
  if (!(objects_.unmet || on_its_way) || living.size() + objects_.fresh.size() < pods_ ||
      !here.empty() || !all_answer) {
    return std::nullopt;
  }
  running_ = false;
  return Move{Move::Kind::kJoined, gang_.stop(longest_grace_us(living), ranks_of(objects_.fresh))};
}

}  // namespace aftershock::policies::pods
