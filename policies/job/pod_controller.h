#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/policy.h"
#include "policies/job/spec.h"
#include "policies/job/status.h"
#include "policies/parts/pod_gang.h"

// The controller that Jobs and JobSets share: the pods of a gang belong to one Job or more, fail
// one by one, and are counted by the Job that they belong to.
namespace aftershock::policies::job {

/// States of both, in the order of their infos.
enum class State : std::uint16_t {
  kPending,      ///< pods are created, and start when each has a node
  kRunning,      ///< all of them run
  kRecovering,   ///< pods have failed, and others are still there
  kTerminating,  ///< pods are being deleted
  kComplete,
  kFailed,
  kDeleted,  ///< by its user
};

/// States that nothing leads out of.
constexpr bool is_terminal(State state) { return state >= State::kComplete; }

/// Rules of both, the first ones of their tables.
enum class Common : std::uint16_t {
  kCreated,
  kRestored,
  kRunning,
  kComplete,
  kDeleted,
  kUnschedulable,
  kPodFailed,
  kPodIgnored,
  kIndexFailed,
  kIndexMissing,
  kNodeUnreachable,
  kEvicted,
  kReachedAgain,
  kRecreate,
  kStarted,
  kNotHeard,
  kNotCurrent,
  kCommandFailed,
  kCount,
};

/// A Job, and which of the gang's pods are its.
struct Child {
  Spec spec{};
  std::string name{};      ///< of the replicated job it is one of; empty for a Job by itself
  std::uint32_t pods = 0;  ///< 0: its share of all
};

/// Why a Job is Failed.
struct ChildFailure {
  std::uint16_t at = 0;  ///< the event
  std::uint32_t child = 0;
  std::string_view reason{};  ///< as its condition has it
  std::string message{};
  ChargeCause cause = ChargeCause::kApplication;
};

/// Pods on a node that is not reached, until they are evicted.
struct LostPods {
  RankSet pods{};
  TimeUs due_us = 0;
  static constexpr auto fields(auto list) {
    return list(field("pods", &LostPods::pods), field("due_us", &LostPods::due_us));
  }
};

/// All that is known beyond the moment: it is the objects' status, and survives where they do.
struct PodMemory {
  Epoch epoch = 0;
  std::uint32_t workers = 0;
  /// Since when the Jobs are active; none: they are made when their pods are, which a controller of
  /// theirs waits with until those before them are gone.
  std::optional<TimeUs> started_us = 0;
  std::vector<Status> children{};  ///< one a Job
  std::int64_t restarts = 0;       ///< of a JobSet, those that count
  RankSet broken{};                ///< pods that failed since the gang last started
  RankSet disrupted{};             ///< those of them whose node went
  std::vector<LostPods> lost{};    ///< in the order of their evictions
  TimeUs due_us = 0;               ///< when what failed may be made anew
  bool gang_broken = false;        ///< all of it is to be made anew then
  RankSet staying{};               ///< pods of lost nodes whose objects outlive their eviction
  RankSet deleted{};               ///< those of them that were, and have not failed before they go
  static constexpr auto fields(auto list) {
    return list(
        field("epoch", &PodMemory::epoch), field("workers", &PodMemory::workers),
        field("started_us", &PodMemory::started_us), field("children", &PodMemory::children),
        field("restarts", &PodMemory::restarts), field("broken", &PodMemory::broken),
        field("disrupted", &PodMemory::disrupted), field("lost", &PodMemory::lost),
        field("due_us", &PodMemory::due_us), field("gang_broken", &PodMemory::gang_broken),
        sparse_field("staying", &PodMemory::staying), sparse_field("deleted", &PodMemory::deleted));
  }
};

/// How a controller takes the objects of pods that outlive their node.
struct ObjectRules {
  std::uint16_t terminating = 0;  ///< rule: pods were deleted, and stay
  std::uint16_t gone = 0;         ///< rule: they are gone
  /// A Job is Failed when the last of its pods is gone, and what its failure asks for comes then.
  bool failures_wait = false;
};

/// The controller, but for what becomes of it all when a Job is Failed.
class PodController : public Policy {
 public:
  [[nodiscard]] Decision on_events(const Batch& batch, const View& view) override;
  [[nodiscard]] nlohmann::json durable(TimeUs at_us) const override;
  [[nodiscard]] std::uint16_t state() const override { return static_cast<std::uint16_t>(state_); }

 protected:
  /// Position of an event in its batch.
  using Index = std::uint16_t;

  /// One batch in work.
  struct Turn {
    const Batch& batch;
    Decision decision{};
    std::vector<Index> not_current{};
    std::vector<Index> not_heard{};
    std::vector<ChildFailure> failed{};
    std::optional<Index> restored{};
    std::optional<Index> runs_on{};
  };

  PodController(std::vector<Child> children, const ObjectRules& objects);

  /// Jobs are Failed; never empty.
  virtual void children_failed(Turn& turn) = 0;
  /// Adds what pods that failed come to for budgets, if they come to anything.
  virtual void charge(Step& step, const Child& child, const Status& status, Verdict verdict,
                      ChargeCause cause) const = 0;

  Step& add_step(Turn& turn, std::uint16_t rule, State to, Index at);
  Step& add_step(Turn& turn, Common rule, State to, Index at) {
    return add_step(turn, static_cast<std::uint16_t>(rule), to, at);
  }
  void fail(Step& step, std::string reason);
  /// Deletes the pods of `anew`, ends the processes of all others, and makes what it deleted anew
  /// when they are gone; with the command in the last step. All pods: nothing is kept.
  void restart(RankSet anew);
  void begin_anew();  ///< Jobs begin with status and deadlines of their own
  [[nodiscard]] RankSet ranks_of(const RankSet& pods) const;
  [[nodiscard]] RankSet pods_of(std::uint32_t child) const;
  [[nodiscard]] RankSet all_pods() const { return RankSet::range(0, pods_); }
  /// Pods whose node went since the gang last started.
  [[nodiscard]] RankSet without_node() const;
  [[nodiscard]] RankSet lost_pods() const;
  void forget_lost(const RankSet& pods);
  [[nodiscard]] const std::vector<Child>& children() const { return children_; }

  PodMemory memory_;
  PodGang gang_;
  State state_ = State::kPending;

 private:
  void on(Turn& turn, Index at, const ControllerStarted& started);
  void on(Turn& turn, Index at, const JobSubmitted& submitted);
  void on(Turn& turn, Index at, const AttemptRunning& running);
  void on(Turn& turn, Index at, const AttemptStartFailed& failed);
  void on(Turn& turn, Index at, const WorkersFailed& failed);
  void on(Turn& turn, Index at, const WorkersFinished& finished);
  void on(Turn& turn, Index at, const WorkersStopped& stopped);
  void on(Turn& turn, Index at, const NodeUnreachable& lost);
  void on(Turn& turn, Index at, const NodeJoined& joined);
  void on(Turn& turn, Index at, const Timer& timer);
  void on(Turn& turn, Index at, const StopRequested& stop);
  void on(Turn& turn, Index at, const CommandResult& result);
  // These events show to a controller of pods when a process ends, or its node goes.
  void on(Turn& turn, Index at, const DeviceFault&) { turn.not_heard.push_back(at); }
  void on(Turn& turn, Index at, const HangSuspected&) { turn.not_heard.push_back(at); }
  void on(Turn& turn, Index at, const PreemptionNotice&) { turn.not_heard.push_back(at); }
  template <class Other>
  void on(Turn&, Index, const Other&) {}

  void lay_out(std::uint32_t workers);
  [[nodiscard]] RankSet pods_with(const RankSet& ranks) const;
  void pods_failed(Turn& turn, Index at, const RankSet& pods, const PodEnd& end, ChargeCause cause);
  void count_failed(Turn& turn, Index at, std::uint32_t child, const RankSet& pods,
                    const PodEnd& end, ChargeCause cause);
  [[nodiscard]] bool index_missing() const;
  void pods_lost(Turn& turn, Index at, const RankSet& pods);
  void take_up(Turn& turn);
  void advance(Turn& turn, Index at);
  // pod_objects.cpp
  void evict(Turn& turn, Index at, const RankSet& pods);
  void objects_gone(Turn& turn, Index at, const RankSet& pods);
  [[nodiscard]] bool kubelet_ends(Turn& turn, Index at, const RankSet& pods);
  void hold_failures(Turn& turn);

  [[nodiscard]] static Index first_heard(const Turn& turn);
  [[nodiscard]] std::optional<std::uint32_t> next_deadline() const;
  [[nodiscard]] std::optional<TimeUs> deadline_us() const;
  [[nodiscard]] Watch watch(TimeUs now_us) const;

  std::vector<Child> children_;
  ObjectRules objects_;
  std::vector<ChildFailure> held_;  ///< of Jobs that are to be Failed when their pods are gone
  std::vector<std::uint32_t> first_pod_;
  std::uint32_t pods_ = 0;
  TimeUs delayed_since_us_ = 0;  ///< when that failed for which memory_.due_us is
  RankSet anew_;                 ///< ranks whose pods are made anew when they are gone
};

}  // namespace aftershock::policies::job
