#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/policy.h"
#include "policies/job/pod_memory.h"
#include "policies/pods/pod_table.h"

// The controller that Jobs and JobSets share: the pods of a gang belong to one Job or more, fail
// one by one, and are counted by the Job that they belong to. It is the Job controller of
// Kubernetes 1.36 over an API server that has the pods.
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
  kPodEnded,
  kPodFailed,
  kPodIgnored,
  kIndexFailed,
  kIndexMissing,
  kNodeUnreachable,
  kEvicted,
  kReachedAgain,
  kFailureTarget,
  kRecreate,
  kAllEnded,
  kJoined,
  kStarted,
  kStopped,
  kTerminating,
  kObjectsGone,
  kNotHeard,
  kNotCurrent,
  kCommandFailed,
  kCount,
};

/// How a set differs from a Job by itself.
struct SetRules {
  bool waits_for_all = false;  ///< no Job is made anew before all that are deleted are gone
  bool in_place = false;       ///< a container that ends is restarted in place, with all others
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
    std::optional<Index> stopped{};
    bool completed = false;  ///< a Job was
    Index woken_by = 0;      ///< the event to which what is due is put down
    bool created = false;    ///< the last step is that of the Job's creation
  };

  PodController(std::vector<Child> children, const SetRules& set);

  /// Jobs are Failed; never empty.
  virtual void children_failed(Turn& turn) = 0;
  /// Adds what pods that failed come to for budgets, if they come to anything: after them `used`
  /// have counted, and these where not `ignored`.
  virtual void charge(Step& step, const Child& child, ChargeCause cause, std::int64_t used,
                      bool ignored) const = 0;
  /// Adds that so many indexes have failed for good.
  virtual void charge_indexes(Step& step, const Child& child, ChargeCause cause,
                              std::int64_t used) const = 0;
  /// activeDeadlineSeconds of a Job are over, which the step tells.
  virtual void overran(Step& /*step*/) const {}
  /// A process ended in a set that restarts in place. False: that is one time too many.
  virtual bool restarts_in_place(Turn& /*turn*/, Index /*at*/, ChargeCause /*cause*/) {
    return true;
  }

  Step& add_step(Turn& turn, std::uint16_t rule, Index at);
  Step& add_step(Turn& turn, Common rule, Index at) {
    return add_step(turn, static_cast<std::uint16_t>(rule), at);
  }
  /// A step that ends it all.
  Step& end_step(Turn& turn, std::uint16_t rule, State to, Index at);
  void fail(Step& step, std::string reason);
  /// Deletes Jobs, all or one, and makes them anew when their pods are gone.
  void restart_all(TimeUs now_us);
  void restart_one(std::uint32_t child, TimeUs now_us);
  [[nodiscard]] const std::vector<Child>& children() const { return children_; }
  [[nodiscard]] PodGang& gang() { return pods_.gang(); }

  PodMemory memory_;
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
  void on(Turn& turn, Index at, const StopRequested& stop);
  void on(Turn& turn, Index at, const CommandResult& result);
  // These events show to a controller of pods when a process ends, or its node goes.
  void on(Turn& turn, Index at, const DeviceFault&) { turn.not_heard.push_back(at); }
  void on(Turn& turn, Index at, const HangSuspected&) { turn.not_heard.push_back(at); }
  void on(Turn& turn, Index at, const PreemptionNotice&) { turn.not_heard.push_back(at); }
  template <class Other>
  void on(Turn&, Index, const Other&) {}

  void take_up(Turn& turn);
  void settle(Turn& turn);
  bool jobs_changed(Turn& turn);
  void show_state(Turn& turn);
  [[nodiscard]] State state_now() const;
  [[nodiscard]] Watch watch(TimeUs now_us) const;

  // pod_objects.cpp
  void lay_out(std::uint32_t workers);
  [[nodiscard]] RankSet pods_of(std::uint32_t child) const;
  bool advance(Turn& turn);
  void pods_failed(Turn& turn, Index at, const RankSet& pods, const PodEnd& end, ChargeCause cause);
  void process_failed(Turn& turn, Index at, const RankSet& pods, const PodEnd& end,
                      ChargeCause cause);
  void pods_lost(Turn& turn, Index at, const RankSet& pods, bool stays);
  void pass(Turn& turn);
  void evicted(Turn& turn, const pods::Eviction& eviction);
  void objects_gone(Turn& turn, Index at, const RankSet& pods, const PodEnd& end);
  [[nodiscard]] bool kubelet_back(Turn& turn, Index at, const RankSet& pods, bool alive);
  void unseen(const RankSet& pods, TimeUs at_us, const PodEnd& end, ChargeCause cause);
  void touch(const RankSet& pods, TimeUs now_us);

  // job_sync.cpp
  void request(std::uint32_t child, TimeUs at_us);
  void sync_due(Turn& turn);
  void sync(Turn& turn, std::uint32_t child);
  [[nodiscard]] std::optional<FailureTarget> see(std::uint32_t child, Tally& tally);
  void remember_failures(std::uint32_t child);
  [[nodiscard]] std::optional<FailureTarget> target_of(std::uint32_t child, const Tally& tally,
                                                       bool past_deadline) const;
  void count_delayed(std::uint32_t child, Tally& tally);
  [[nodiscard]] bool take_target(std::uint32_t child, Tally& tally, TimeUs now_us);
  void tell(Turn& turn, std::uint32_t child, const Tally& tally);
  void finish(Turn& turn, std::uint32_t child);
  void tell_cause(Turn& turn, std::uint32_t child, ChargeCause cause, std::int64_t used,
                  bool ignored);
  [[nodiscard]] std::string pod_name(std::uint32_t child, const RankSet& pods) const;
  [[nodiscard]] std::optional<TimeUs> deadline_us(std::uint32_t child) const;
  [[nodiscard]] RankSet indexes_of(std::uint32_t child, const RankSet& pods) const;
  bool manage(Turn& turn, std::uint32_t child);
  [[nodiscard]] RankSet due_of(std::uint32_t child, const RankSet& missing, TimeUs now_us);
  void create_job(std::uint32_t child, TimeUs now_us);
  bool recreate_jobs(TimeUs now_us);
  void delete_job(std::uint32_t child);
  /// Calls `visit` with each child that has some of the pods, in their order.
  template <class Visit>
  void each_child(const RankSet& pods, Visit visit) const {
    for (const RankSet::Interval& interval : pods.intervals()) {
      auto child = static_cast<std::uint32_t>(std::ranges::upper_bound(first_pod_, interval.first) -
                                              first_pod_.begin() - 1);
      for (std::uint32_t first = interval.first; first < interval.end; ++child) {
        const std::uint32_t end = std::min(interval.end, first_pod_[child] + children_[child].pods);
        visit(child, RankSet::range(first, end));
        first = end;
      }
    }
  }

  std::vector<Child> children_;
  SetRules set_;
  pods::PodTable pods_;
  std::optional<pods::PodObjects> left_;  // by a controller before this one
  std::vector<JobQueue> queues_;
  std::vector<std::uint32_t> first_pod_;
  std::optional<TimeUs> next_sync_us_;  ///< the earliest of the queues', or before that
  std::uint32_t deleting_ = 0;          ///< Jobs that are
};

}  // namespace aftershock::policies::job
