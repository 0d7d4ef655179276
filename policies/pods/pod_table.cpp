#include "policies/pods/pod_table.h"

#include <algorithm>
#include <utility>

// How pods end, and when they are gone. A pod that is deleted has its grace; on a node that is not
// reached it stays until its kubelet is back, or somebody removes it.
namespace aftershock::policies::pods {
namespace {

void add_due(std::vector<DuePods>& list, const RankSet& pods, TimeUs due_us) {
  const auto same = std::ranges::find(list, due_us, &DuePods::due_us);
  if (same == list.end()) {
    list.push_back({pods, due_us});
  } else {
    same->pods.add(pods);
  }
}

}  // namespace

void PodTable::lay_out(std::vector<PodTerms> terms, std::uint32_t workers,
                       std::uint32_t ranks_each) {
  terms_ = std::move(terms);
  gang_.workers = workers;
  pods_ = 0;
  for (const PodTerms& one : terms_) {
    pods_ += one.pods;
  }
  ranks_each_ = std::max(1U, ranks_each > 0 ? ranks_each : workers / std::max(1U, pods_));
}

template <class Visit>
void PodTable::each_terms(const RankSet& pods, Visit visit) const {
  std::uint32_t first = 0;
  for (const PodTerms& one : terms_) {
    if (const RankSet share = pods.shared_with(RankSet::range(first, first + one.pods));
        !share.empty()) {
      visit(one, share);
    }
    first += one.pods;
  }
}

RankSet PodTable::pods_with(const RankSet& ranks) const {
  RankSet pods;
  for (const RankSet::Interval& interval : ranks.intervals()) {
    pods.add(std::min(interval.first / ranks_each_, pods_ - 1),
             std::min((interval.end - 1) / ranks_each_, pods_ - 1) + 1);
  }
  return pods;
}

RankSet PodTable::ranks_of(const RankSet& pods) const {
  RankSet ranks;
  for (const RankSet::Interval& interval : pods.intervals()) {
    const bool last = interval.end == pods_;
    ranks.add(interval.first * ranks_each_, last ? gang_.workers : interval.end * ranks_each_);
  }
  return ranks;
}

RankSet PodTable::alive() const {
  return gang_.pods == PodGang::Pods::kNone
             ? RankSet()
             : all().without(objects_.ended).without(objects_.deleted).without(objects_.succeeded);
}

RankSet PodTable::lost() const {
  RankSet pods;
  for (const DuePods& one : objects_.lost) {
    pods.add(one.pods);
  }
  return pods;
}

RankSet PodTable::absent() const {
  RankSet pods = objects_.staying;
  pods.add(lost());
  return pods;
}

std::optional<TimeUs> PodTable::next_due_us() const {
  std::optional<TimeUs> next_us;
  if (!objects_.lost.empty()) {
    next_us = objects_.lost.front().due_us;
  }
  if (live()) {
    for (const DuePods& one : objects_.killed) {
      next_us = std::min(next_us.value_or(one.due_us), one.due_us);
    }
  }
  return next_us;
}

DurationUs PodTable::longest_grace_us(const RankSet& pods) const {
  DurationUs longest_us = 0;
  each_terms(pods, [&](const PodTerms& terms, const RankSet& /*share*/) {
    longest_us = std::max(longest_us, terms.grace_us);
  });
  return longest_us;
}

RankSet PodTable::of_those_that_wait(const RankSet& pods) const {
  RankSet waiting;
  each_terms(pods, [&](const PodTerms& terms, const RankSet& share) {
    waiting.add(terms.fails_when_gone ? share : RankSet());
  });
  return waiting;
}

void PodTable::forget_lost(const RankSet& pods) {
  for (DuePods& one : objects_.lost) {
    one.pods = one.pods.without(pods);
  }
  std::erase_if(objects_.lost, [](const DuePods& one) { return one.pods.empty(); });
}

void PodTable::remove(const RankSet& pods, TimeUs now_us) {
  objects_.fresh = objects_.fresh.without(pods);
  const RankSet deleted = alive().shared_with(pods);
  objects_.deleted.add(deleted);
  each_terms(deleted.without(lost()), [&](const PodTerms& terms, const RankSet& share) {
    add_due(objects_.killed, share, whole_second(now_us) + terms.grace_us);
  });
}

void PodTable::drop(const RankSet& pods) {
  const RankSet good = objects_.succeeded.shared_with(pods);
  objects_.succeeded = objects_.succeeded.without(good);
  objects_.ended.add(good);
}

void PodTable::take_up(PodObjects objects, bool runs_on) {
  objects_ = std::move(objects);
  // A memory of more pods than there are speaks of none.
  for (RankSet* pods : {&objects_.succeeded, &objects_.fresh, &objects_.ended, &objects_.deleted,
                        &objects_.unfailed, &objects_.staying, &objects_.old}) {
    *pods = pods->shared_with(all());
  }
  for (std::vector<DuePods>* list : {&objects_.lost, &objects_.killed}) {
    for (DuePods& one : *list) {
      one.pods = one.pods.shared_with(all());
    }
  }
  if (runs_on) {
    gang_.pods = PodGang::Pods::kLive;
    running_ = !objects_.unmet;
    return;
  }
  for (RankSet* pods :
       {&objects_.fresh, &objects_.deleted, &objects_.unfailed, &objects_.staying, &objects_.old}) {
    *pods = {};
  }
  objects_.lost.clear();
  objects_.killed.clear();
  objects_.unmet = false;
  objects_.ended = objects_.live ? all() : RankSet();
  gang_.pods = objects_.live ? PodGang::Pods::kLive : PodGang::Pods::kNone;
}

RankSet PodTable::finished() {
  const RankSet left = RankSet::range(0, gang_.workers).without(gang_.finished);
  const RankSet done = all()
                           .without(pods_with(left))
                           .without(objects_.ended)
                           .without(objects_.deleted)
                           .without(objects_.succeeded);
  objects_.succeeded.add(done);
  forget_lost(done);
  return done;
}

// A pod that was deleted has ended for good, and has been counted but where its controller waits
// for that.
std::optional<PodChange> PodTable::fail(const RankSet& pods) {
  const RankSet ends = pods.without(objects_.ended).without(objects_.succeeded);
  if (ends.empty()) {
    return std::nullopt;
  }
  PodChange change{.failed = ends.without(objects_.deleted),
                   .late = ends.shared_with(objects_.unfailed),
                   .gone = ends.shared_with(objects_.deleted),
                   .heard = ends};
  objects_.ended.add(ends);
  objects_.deleted = objects_.deleted.without(ends);
  objects_.unfailed = objects_.unfailed.without(ends);
  forget_lost(ends);
  return change;
}

// Nobody knows whether they run: they are left alone for as long as they tolerate it.
RankSet PodTable::lose(const RankSet& pods, TimeUs now_us, bool stays) {
  objects_.staying.add(stays ? pods.shared_with(alive()) : RankSet());
  RankSet fresh = pods.shared_with(alive()).without(lost());
  each_terms(fresh, [&](const PodTerms& terms, const RankSet& share) {
    add_due(objects_.lost, share, now_us + terms.toleration_us);
  });
  std::ranges::stable_sort(objects_.lost, {}, &DuePods::due_us);
  return fresh;
}

std::vector<Eviction> PodTable::evict_due(TimeUs now_us) {
  std::vector<Eviction> evictions;
  while (!objects_.lost.empty() && objects_.lost.front().due_us <= now_us) {
    const RankSet pods = std::exchange(objects_.lost.front().pods, {});
    objects_.lost.erase(objects_.lost.begin());
    evictions.push_back(evict(pods));
  }
  return evictions;
}

Eviction PodTable::evict(const RankSet& pods) {
  const RankSet stay = pods.shared_with(objects_.staying);
  const RankSet gone = pods.without(stay);
  const RankSet evicted = pods.without(objects_.deleted);
  const RankSet waiting = of_those_that_wait(evicted.shared_with(stay));
  objects_.ended.add(gone);
  objects_.deleted = objects_.deleted.without(gone);
  objects_.deleted.add(stay);
  objects_.unfailed.add(waiting);
  return {.change = {.failed = evicted.without(waiting), .gone = gone, .heard = pods},
          .fresh = !evicted.empty(),
          .waiting = waiting};
}

PodChange PodTable::kill_due(TimeUs now_us) {
  if (!live()) {
    return {};
  }
  RankSet ends;
  for (const DuePods& one : objects_.killed) {
    ends.add(one.due_us <= now_us ? one.pods : RankSet());
  }
  std::erase_if(objects_.killed, [&](const DuePods& one) { return one.due_us <= now_us; });
  ends = ends.shared_with(objects_.deleted);
  objects_.ended.add(ends);
  objects_.deleted = objects_.deleted.without(ends);
  return {.gone = ends, .heard = ends};
}

std::optional<PodChange> PodTable::take_away(const RankSet& pods) {
  const RankSet gone = pods.shared_with(absent());
  const RankSet old = pods.shared_with(objects_.old);
  if (gone.empty() && old.empty()) {
    return std::nullopt;
  }
  PodChange change{.failed = gone.without(objects_.deleted).without(objects_.ended),
                   .late = gone.shared_with(objects_.unfailed),
                   .gone = gone,
                   .heard = gone};
  change.heard.add(old);
  objects_.old = objects_.old.without(old);
  objects_.ended.add(gone);
  objects_.deleted = objects_.deleted.without(gone);
  objects_.unfailed = objects_.unfailed.without(gone);
  objects_.staying = objects_.staying.without(gone);
  forget_lost(gone);
  return change;
}

RankSet PodTable::ending_when_back(const RankSet& pods) const {
  RankSet ends = objects_.deleted.shared_with(absent());
  ends.add(objects_.old);
  return ends.shared_with(pods);
}

RankSet PodTable::come_back(const RankSet& pods, bool alive) {
  objects_.staying = objects_.staying.without(pods);
  RankSet back = pods.shared_with(lost());
  if (alive) {
    forget_lost(back);
  }
  return back;
}

RankSet PodTable::stopped() {
  const RankSet there = absent();
  RankSet gone = objects_.deleted.without(there);
  objects_.deleted = objects_.deleted.shared_with(there);
  objects_.ended = {};
  objects_.killed.clear();
  objects_.live = false;
  return gone;
}

}  // namespace aftershock::policies::pods
