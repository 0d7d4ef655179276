#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policies/api/policy.h"
#include "policies/parts/pod_gang.h"
#include "policies/pods/pod_objects.h"

namespace aftershock::policies::pods {

/// The pods of one training job, which a controller makes and deletes one by one, and their
/// attempts, which begin and end whole. It owns both: what has become of each pod, its kubelet's
/// answers, evictions (Kubernetes, pkg/controller/tainteviction) and the commands that attempts
/// take. It decides about no failure: a pod that fails stays failed until its controller acts.
class PodTable {
 public:
  /// A step of an attempt that the pods that are there ask for.
  struct Move {
    /// Pods start together, have all ended, or begin again with those that were made anew.
    enum class Kind : std::uint8_t { kStarted, kAllEnded, kJoined };
    Kind kind = Kind::kStarted;
    Command command;
  };

  /// Lays out `terms`. Their pods have `ranks_each` of the workers, from rank 0 on, and the last
  /// one what is left; 0: all have the same share.
  void lay_out(std::vector<PodTerms> terms, std::uint32_t workers, std::uint32_t ranks_each = 0);

  [[nodiscard]] const PodObjects& objects() const { return objects_; }
  [[nodiscard]] const PodGang& gang() const { return gang_; }
  [[nodiscard]] PodGang& gang() { return gang_; }
  [[nodiscard]] bool running() const { return running_; }  ///< the attempt has met
  [[nodiscard]] bool live() const { return gang_.pods == PodGang::Pods::kLive; }
  [[nodiscard]] std::uint32_t count() const { return pods_; }
  [[nodiscard]] RankSet all() const { return RankSet::range(0, pods_); }
  [[nodiscard]] RankSet pods_with(const RankSet& ranks) const;
  [[nodiscard]] RankSet ranks_of(const RankSet& pods) const;
  /// Pods of the attempt that have not ended, and that nobody has deleted.
  [[nodiscard]] RankSet alive() const;
  /// Those whose node is not reached.
  [[nodiscard]] RankSet absent() const;
  /// Nobody has evicted them yet.
  [[nodiscard]] RankSet lost() const;
  /// The next eviction, or end of a grace.
  [[nodiscard]] std::optional<TimeUs> next_due_us() const;

  // A controller acts.
  void make(const RankSet& pods) { objects_.fresh.add(pods); }
  /// Pods that no node has are gone at once, all others when they have ended.
  void remove(const RankSet& pods, TimeUs now_us);
  /// Objects of pods that ended go at once.
  void drop(const RankSet& pods);
  /// These fail no more as they go.
  void count_now(const RankSet& pods) { objects_.unfailed = objects_.unfailed.without(pods); }
  void forget_success(const RankSet& pods) {
    objects_.succeeded = objects_.succeeded.without(pods);
  }
  /// Pods that are well wait until an attempt may begin anew.
  void wait_for_others() { objects_.unmet = true; }

  // The world tells.
  /// Another controller finds these objects. Where their processes are gone, so are the pods, and
  /// nobody has seen them fail.
  void take_up(PodObjects objects, bool runs_on);
  void met() { running_ = true; }
  /// Those that ended well by now.
  RankSet finished();
  /// None where all had ended.
  std::optional<PodChange> fail(const RankSet& pods);
  /// Their node is not reached. Those that a controller does not know of yet.
  RankSet lose(const RankSet& pods, TimeUs now_us, bool stays);
  /// The evictions that are due, in their order.
  std::vector<Eviction> evict_due(TimeUs now_us);
  /// Pods whose grace is over end.
  PodChange kill_due(TimeUs now_us);
  /// Objects of pods that nobody could reach are gone. None: there were none.
  std::optional<PodChange> take_away(const RankSet& pods);
  /// Those of these whose kubelet, back again, ends them, as they were deleted meanwhile.
  [[nodiscard]] RankSet ending_when_back(const RankSet& pods) const;
  /// Their kubelets are back. Those that were lost, and are so no more if `alive`.
  RankSet come_back(const RankSet& pods, bool alive);
  /// All processes have ended. Those that were deleted, and are gone with them.
  RankSet stopped();

  // attempts.cpp
  /// Begins and ends attempts, as the pods that are there want it.
  std::optional<Move> advance();
  /// Pods have not all ended, and the attempt has not been asked to end.
  [[nodiscard]] bool trains() const;

 private:
  template <class Visit>
  void each_terms(const RankSet& pods, Visit visit) const;
  [[nodiscard]] RankSet of_those_that_wait(const RankSet& pods) const;
  [[nodiscard]] DurationUs longest_grace_us(const RankSet& pods) const;
  [[nodiscard]] Eviction evict(const RankSet& pods);
  void forget_lost(const RankSet& pods);
  std::optional<Move> begin();
  std::optional<Move> join_again();
  std::optional<Move> mend(const RankSet& living);
  void join();

  PodGang gang_;
  PodObjects objects_;
  std::vector<PodTerms> terms_;
  std::uint32_t pods_ = 0;
  std::uint32_t ranks_each_ = 1;
  bool running_ = false;
};

}  // namespace aftershock::policies::pods
