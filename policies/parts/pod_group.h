#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/policy.h"

namespace aftershock::policies {

/// Rules that every controller of one group of pods has, as indices into its PolicyInfo.
struct PodGroupRules {
  std::uint16_t submitted;
  std::uint16_t taken_up;  ///< a controller that comes back
  std::uint16_t running;
  std::uint16_t finished;
  std::uint16_t stopped_by_user;
  std::uint16_t hang_ignored;
  std::uint16_t notice_ignored;
  std::uint16_t not_current;
  std::uint16_t command_failed;
  std::uint16_t lost_on_the_way;  ///< a node goes before all that is to start runs
  std::uint16_t again;            ///< all that had to end has ended, and the next attempt begins
  /// Whether it counts as running once it has started processes in containers that were kept, as
  /// agents do which have met.
  bool runs_at_once = false;
};

/// States that every such controller has, in the order of its PolicyInfo. The vendor has the words.
struct PodGroupState {
  static constexpr std::uint16_t kStarting = 0;
  static constexpr std::uint16_t kRunning = 1;
  static constexpr std::uint16_t kRestarting = 2;
  static constexpr std::uint16_t kCompleted = 3;  ///< this and those that follow are final
  static constexpr std::uint16_t kFailed = 4;
  static constexpr std::uint16_t kAborted = 5;
};

/// The sizes that a group asks of a rendezvous where they may change (PyTorch elastic, dynamic
/// rendezvous).
struct GroupSizes {
  std::uint32_t ranks_each = 1;  ///< of a node
  std::uint32_t least_nodes = 1;
  std::uint32_t absent = 0;                  ///< nodes that are there and do not join
  DurationUs join_us = 600 * kSecondUs;      ///< fewer nodes than the least: given up after this
  DurationUs last_call_us = 30 * kSecondUs;  ///< fewer than the most: others are waited for so long
  std::uint16_t last_call_rule = 0;
  std::uint16_t complete_rule = 0;
};

/// Carries out, over one group of pods, what a controller decides for it: its processes again in
/// the containers they have, some pods anew, or all of them. The decision, and its cost, are the
/// controller's. Committing is the script's; nodes are the scheduler's.
class PodGroup : public Policy {
 public:
  [[nodiscard]] const PolicyInfo& info() const final { return *info_; }
  [[nodiscard]] Decision on_events(const Batch& batch, const View& view) final;
  [[nodiscard]] nlohmann::json durable(TimeUs at_us) const final;
  [[nodiscard]] std::uint16_t state() const final { return state_; }

 protected:
  /// Position of an event in its batch.
  using Index = std::uint16_t;

  /// Containers and processes of attempt `epoch_`.
  enum class Pods : std::uint8_t { kNone, kLive, kStopping, kKept, kRemoving };

  /// The plan for the time when the pods are as it needs them.
  enum class Plan : std::uint8_t { kNone, kInProcess, kProcesses, kPods, kJob };

  /// How processes are ended.
  struct Ending {
    DurationUs grace_us = 30 * kSecondUs;
    bool force = false;
  };

  /// One batch in work: what of it is left for the controller to decide about.
  struct Turn {
    const Batch& batch;
    Decision decision{};
    std::vector<Index> not_current{};
    std::vector<Index>
        failed{};  ///< workers_failed of the running attempt, nodes that are lost apart
    std::vector<Index> lost{};    ///< nodes with pods of the group
    std::vector<Index> back{};    ///< nodes of these that are back
    std::vector<Index> agents{};  ///< that have ended by themselves
    std::vector<Index> left{};    ///< workers_failed of those that the last stop did not reach
    std::optional<Index> start_failed{};
    bool unplaced = false;  ///< as no nodes were found
    std::optional<Index> hang{};
    std::optional<Index> capacity{};
    std::optional<Index> timer{};
    std::optional<Index> device{};
    std::optional<Index> progress{};
    std::optional<Index> some_finished{};
    std::optional<Index> taken_up{};
    std::optional<Index> runs_on{};
    std::optional<Index> stopped{};
    std::optional<Index> missed{};        ///< a node whose agent had gone with it
    RankSet missed_ranks{};               ///< of all such nodes
    std::optional<Index> objects_gone{};  ///< of pods of a lost node
  };

  PodGroup(const PolicyInfo& info, const PodGroupRules& rules, Ending ending)
      : info_(&info), rules_(rules), ending_(ending) {}
  PodGroup(const PodGroup&) = default;
  PodGroup& operator=(const PodGroup&) = default;

  /// Decides about what the turn has left.
  virtual void settle(Turn& turn) = 0;
  /// A node with pods of the group is lost while these are not all up: they are made anew.
  virtual void lost_on_the_way(Turn& turn);
  /// Pods of lost nodes stay bound to them for a time.
  [[nodiscard]] virtual bool tolerates() const { return false; }
  /// The next attempt waits, for lost nodes or anything else, until release().
  [[nodiscard]] virtual bool holds() const { return tolerates(); }
  /// Watches besides the one on the processes.
  virtual void look(Watch& /*watch*/) const {}
  /// Since when and how the processes are looked at: on their futures, unless it says otherwise.
  virtual void look_at_processes(Watch& watch) const { watch.futures = FuturesWatch{epoch_}; }
  /// Its counts, for a controller that comes back.
  [[nodiscard]] virtual nlohmann::json memory() const = 0;
  virtual void remember(const nlohmann::json& memory) = 0;
  /// An attempt runs.
  virtual void came_up() {}
  /// The time between the end of the old processes and the start of new ones is over: true to begin
  /// them, unless meeting_us_ asks for another such time.
  virtual bool met(Turn& /*turn*/, Index /*at*/) { return true; }
  /// How long an attempt may wait for nodes; none: for ever.
  [[nodiscard]] virtual std::optional<DurationUs> placement_wait_us() const { return {}; }

  // pod_group_moves.cpp
  Step& add_step(Turn& turn, std::uint16_t rule, std::uint16_t to, Index at);
  /// These four go on from the last step, whose state is Restarting.
  void restart_processes(Turn& turn, Index at);
  /// The script again in the processes that there are: no node may be lost.
  void restart_in_process(Turn& turn, Index at);
  void recreate_pods(Turn& turn, Index at, const RankSet& ranks);
  void recreate_job(Turn& turn, Index at);
  /// Makes pods of lost nodes anew in an attempt that is on its way.
  void replace_lost(Turn& turn, Index at);
  /// Begins the attempt that was held, unless something holds it still.
  void release(Turn& turn, Index at);
  /// Ends the job: a step with the command, for `reason`.
  Step& fail(Turn& turn, Index at, std::uint16_t rule, std::string reason,
             std::uint16_t to = PodGroupState::kFailed);
  Step& give_up(Turn& turn, Index at, std::uint16_t rule,
                std::uint16_t to = PodGroupState::kFailed);

  [[nodiscard]] bool running() const { return running_; }
  /// It was asked for, and does not run yet.
  [[nodiscard]] bool starting() const { return pods_ == Pods::kLive && !running_; }
  /// Ranks whose nodes are lost, since the attempt began.
  [[nodiscard]] const RankSet& gone() const { return gone_; }
  /// The part of these whose agents have ended apart from their nodes.
  [[nodiscard]] const RankSet& agentless() const { return agentless_; }
  /// Ranks of agents that have gone with their nodes while the attempt ran, and that nobody misses
  /// yet. Nothing starts before that.
  [[nodiscard]] const RankSet& unmissed() const { return unmissed_; }
  /// Pods of lost nodes whose objects outlive their eviction. Their names are taken until they are
  /// gone, and nothing starts before that.
  [[nodiscard]] const RankSet& staying() const { return staying_; }
  /// Their node is back, and they are lost no more.
  void regain(const RankSet& ranks) { gone_ = gone_.without(ranks); }
  /// Ranks of nodes, each of `ranks_each`, on which all have returned: their agents wait for those
  /// of the others and restart nothing more.
  [[nodiscard]] RankSet through(std::uint32_t ranks_each) const;
  [[nodiscard]] RankSet everyone() const { return RankSet::range(0, workers_); }
  [[nodiscard]] const WorkersFailed& failed_at(const Turn& turn, Index at) const {
    return std::get<WorkersFailed>(turn.batch.events[at]);
  }
  [[nodiscard]] const AgentEnded& agent_at(const Turn& turn, Index at) const {
    return std::get<AgentEnded>(turn.batch.events[at]);
  }
  [[nodiscard]] const NodeJoined& joined_at(const Turn& turn, Index at) const {
    return std::get<NodeJoined>(turn.batch.events[at]);
  }

  const PolicyInfo* info_;
  PodGroupRules rules_;
  Ending ending_;
  bool waits_for_objects_ = false;     ///< of pods that outlive their node (NodeUnreachable::stays)
  bool counts_left_ = false;           ///< workers that the last stop did not reach (Turn::left)
  DurationUs meeting_us_ = 0;          ///< before the next attempt begins; 0: it begins at once
  DurationUs missed_after_us_ = 0;     ///< agents, gone with nodes; 0: nothing waits for that
  std::optional<GroupSizes> sizes_{};  ///< of a group whose size may change
  std::uint32_t most_workers_ = 0;
  std::uint32_t workers_ = 0;   ///< of the attempt
  std::uint32_t possible_ = 0;  ///< the size that the cluster could run, as it was last told
  JobId job_ = 0;
  Epoch epoch_ = 0;
  CommandId last_command_ = 0;
  TimeUs running_since_us_ = 0;
  TimeUs launched_us_ = 0;  ///< when agents started the workers: their looks count from it
  RankSet finished_;

 private:
  // pod_group.cpp: events.
  void on(Turn& turn, Index at, const ControllerStarted& started);
  void on(Turn& turn, Index at, const JobSubmitted& submitted);
  void on(Turn& turn, Index at, const AttemptRunning& running);
  void on(Turn& turn, Index at, const AttemptStartFailed& failed);
  void on(Turn& turn, Index at, const WorkersFailed& failed);
  void on(Turn& turn, Index at, const WorkersFinished& finished);
  void on(Turn& turn, Index at, const WorkersStopped& stopped);
  void on(Turn& turn, Index at, const NodeUnreachable& lost);
  void on(Turn& turn, Index at, const NodeJoined& joined);
  void on(Turn& turn, Index at, const AgentEnded& agent);
  void on(Turn& turn, Index at, const HangSuspected& hang);
  void on(Turn& turn, Index at, const PreemptionNotice& notice);
  void on(Turn& turn, Index at, const CapacityChanged& capacity);
  void on(Turn& turn, Index at, const DeviceFault& fault);
  void on(Turn& turn, Index at, const CheckpointDurable& durable);
  void on(Turn& turn, Index at, const Timer& timer);
  void on(Turn& turn, Index at, const StopRequested& stop);
  void on(Turn& turn, Index at, const CommandResult& result);
  template <class Other>
  void on(Turn&, Index, const Other&) {}
  [[nodiscard]] bool is_current(JobId job, Epoch epoch) const;
  [[nodiscard]] bool is_over() const { return state_ >= PodGroupState::kCompleted; }
  void take_up(Turn& turn);
  void objects_go(Turn& turn, Index at, const RankSet& ranks);
  void miss(Turn& turn, Index at);
  [[nodiscard]] bool may_begin() const { return staying_.empty() && unmissed_.empty() && !holds(); }
  [[nodiscard]] Watch watch() const;

  // pod_group_moves.cpp
  void advance(Turn& turn, Index at);
  void stop(Turn& turn, bool keep);
  void start(Turn& turn, Index at, std::uint16_t rule, std::uint32_t workers);
  void begin_attempt();
  void form(Turn& turn, Index at);
  bool meets(const Turn& turn);

  std::uint16_t state_ = PodGroupState::kStarting;
  Pods pods_ = Pods::kNone;
  Plan plan_ = Plan::kNone;
  bool job_known_ = false;
  bool submitted_ = false;
  bool recalled_ = false;
  bool running_ = false;
  RankSet gone_;
  RankSet agentless_;
  RankSet unmissed_;
  TimeUs missed_by_us_ = 0;
  RankSet staying_;
  RankSet unreached_;  // by the stop of the attempt `unreached_epoch_`
  Epoch unreached_epoch_ = 0;
  bool held_ = false;                 // the next attempt waits until it may begin
  RankSet anew_;                      // pods that the plan makes anew
  RankSet leaving_;                   // those of them that have been told to go
  std::optional<TimeUs> meet_at_us_;  // when the time before the next attempt is over
  std::optional<TimeUs> forming_since_us_;
  std::optional<TimeUs> last_call_us_;  // when it is over
};

}  // namespace aftershock::policies
