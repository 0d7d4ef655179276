#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "policies/api/policy.h"
#include "policies/pods/pod_table.h"
#include "policies/volcano/config.h"
#include "policies/volcano/rules.h"
#include "policies/volcano/status.h"

namespace aftershock::policies::volcano {

/// One Volcano job (modelarts.md 8.3): Volcano's job controller over an API server that has its
/// pods. Each thing that happens to a pod is a request. The first policy that fits answers it, and
/// the job's phase says how its action is carried out.
class VolcanoJob final : public Policy {
 public:
  explicit VolcanoJob(Config config);

  [[nodiscard]] const PolicyInfo& info() const override { return policy_info(); }
  [[nodiscard]] Decision on_events(const Batch& batch, const View& view) override;
  [[nodiscard]] nlohmann::json durable(TimeUs at_us) const override;
  [[nodiscard]] std::uint16_t state() const override;
  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

 private:
  /// Position of an event in its batch.
  using Index = std::uint16_t;

  /// Something that happened, which waits for its turn.
  struct Request {
    std::optional<Happening> event{};  ///< none: the job is looked at
    std::int32_t exit_code = 0;        ///< 0: none
    std::optional<std::uint32_t> pod{};
    std::int64_t version = 0;         ///< of the job, when the pod was made
    std::optional<Action> command{};  ///< of a user
    ChargeCause cause = ChargeCause::kApplication;
    bool overdue = false;  ///< the timeout of its policy is over
    Index at = 0;
  };

  /// One batch in work.
  struct Turn {
    const Batch& batch;
    Decision decision{};
    std::vector<Index> not_current{};
    std::optional<Index> restored{};
    std::optional<Index> runs_on{};
    std::optional<Index> stopped{};
    Index woken_by = 0;    ///< the event to which what is due is put down
    bool created = false;  ///< the last step is that of the job's creation
    std::deque<Request> requests{};
    bool look_asked = false;  ///< one of these is to look at the job
    RankSet taken{};  ///< pods that failed as their node was taken away, until they are removed
    RankSet going{};  ///< pods that are about to be removed
  };

  /// An action that waits for the timeout of its policy. A pod has one.
  struct Delayed {
    Action action = Action::kSyncJob;
    Request request{};
    TimeUs due_us = 0;
    bool of_another = false;  ///< the pod has been made anew since
    bool stray = false;       ///< another one took its place, and nobody can cancel it any more
  };

  // job.cpp: events of the world.
  void on(Turn& turn, Index at, const ControllerStarted& started);
  void on(Turn& turn, Index at, const JobSubmitted& submitted);
  void on(Turn& turn, Index at, const AttemptRunning& running);
  void on(Turn& turn, Index at, const AttemptStartFailed& failed);
  void on(Turn& turn, Index at, const WorkersFailed& failed);
  void on(Turn& turn, Index at, const WorkersFinished& finished);
  void on(Turn& turn, Index at, const WorkersStopped& stopped);
  void on(Turn& turn, Index at, const NodeUnreachable& lost);
  void on(Turn& turn, Index at, const NodeJoined& joined);
  void on(Turn& turn, Index at, const CapacityChanged& capacity);
  void on(Turn& turn, Index at, const HangSuspected& hang);
  void on(Turn& turn, Index at, const PreemptionNotice& notice);
  void on(Turn& turn, Index at, const StopRequested& stop);
  void on(Turn& turn, Index at, const CommandResult& result);
  template <class Other>
  void on(Turn&, Index, const Other&) {}

  void take_up(Turn& turn);
  void settle(Turn& turn);
  bool advance(Turn& turn);
  [[nodiscard]] Watch watch() const;
  Step& add_step(Turn& turn, RuleId rule, Index at);
  void note_once(Turn& turn, RuleId rule, Index at);

  [[nodiscard]] Phase phase() const { return static_cast<Phase>(status_.phase); }
  [[nodiscard]] bool over() const { return is_final(phase()); }
  [[nodiscard]] ChargeCause last_cause() const {
    return static_cast<ChargeCause>(status_.last_cause);
  }

  // pods.cpp: pods become requests, and the scheduler and kubelets do their part.
  void lay_out(std::uint32_t workers);
  void pods_ended(Turn& turn, Index at, const pods::PodChange& change, std::int32_t exit_code,
                  ChargeCause cause);
  void pods_removed(Turn& turn, Index at, const RankSet& pods, ChargeCause cause);
  void pods_lost(Turn& turn, Index at, const RankSet& pods, bool stays);
  void pass(Turn& turn);
  bool schedule(Turn& turn);
  void run(Turn& turn, const RankSet& pods, Index at);
  void ask_each(Turn& turn, const Request& request, const RankSet& pods);
  void ask_to_look(Turn& turn, Index at);
  [[nodiscard]] RankSet terminating(const Turn& turn) const;
  [[nodiscard]] RankSet present(const Turn& turn) const;

  // requests.cpp: the action that answers a request, and when.
  [[nodiscard]] std::size_t task_of(std::uint32_t pod) const;
  [[nodiscard]] const Answer* answer_to(const Request& request) const;
  [[nodiscard]] bool waits_for_pending() const;
  [[nodiscard]] RankSet target_of(Action action, std::optional<std::uint32_t> of) const;
  void work(Turn& turn);
  void handle(Turn& turn, const Request& request);
  [[nodiscard]] bool may_be_unknown() const;
  void delay(Turn& turn, const Answer& answer, const Request& request);
  void delays_over(Turn& turn);
  void note_waiting();
  void pending_no_more(const RankSet& pods, bool run);
  void forget_delays(Action done, std::optional<std::uint32_t> pod);

  // phases.cpp: what an action does.
  void execute(Turn& turn, Action action, const Request& request);
  void kill_job(Turn& turn, Index at, bool keeps_ended);
  bool kill_target(Turn& turn, Action action, const Request& request);
  void kill(Turn& turn, Index at, const RankSet& pods);
  void restart(Turn& turn, Action action, const Request& request);
  void wind_up(Turn& turn, Action action, const Request& request);
  void after_restart(Turn& turn, Index at);
  void all_are_gone(Turn& turn, Index at);
  void look(Turn& turn, Index at);
  void make_pods(Turn& turn, Index at);
  void look_at_running(Turn& turn, Index at);
  [[nodiscard]] bool has_failed_task() const;
  [[nodiscard]] Counts count(const Turn& turn) const;
  void become(Turn& turn, Phase phase, RuleId rule, Index at);
  void end(Turn& turn, Phase phase, RuleId rule, Index at);
  [[nodiscard]] bool keeps_ended() const;
  [[nodiscard]] std::uint64_t least() const;

  Config config_;
  Status status_;
  pods::PodTable pods_;
  std::optional<pods::PodObjects> left_;  // by a controller before this one
  std::vector<RankSet> tasks_;            // the pods of each, in the order of the configuration
  std::vector<Delayed> delayed_;          // by due_us
  RankSet waiting_;                       // pods with one of these that others can cancel
  std::optional<TimeUs> short_since_us_;  // a pod waits while others run
};

}  // namespace aftershock::policies::volcano
