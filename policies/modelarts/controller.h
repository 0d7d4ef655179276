#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/policy.h"
#include "policies/modelarts/config.h"
#include "policies/modelarts/memory.h"
#include "policies/modelarts/rules.h"

namespace aftershock::policies::modelarts {

/// The control plane of one ModelArts training job: in-place recovery, hang restart, pod
/// rescheduling, and job rescheduling with and without isolation (modelarts.md 1 to 4).
class ModelArts final : public Policy {
 public:
  explicit ModelArts(Config config);

  [[nodiscard]] const PolicyInfo& info() const override { return policy_info(); }
  [[nodiscard]] Decision on_events(const Batch& batch, const View& view) override;
  [[nodiscard]] nlohmann::json durable(TimeUs at_us) const override;
  [[nodiscard]] std::uint16_t state() const override { return static_cast<std::uint16_t>(state_); }
  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

 private:
  /// Position of an event in its batch.
  using Index = std::uint16_t;

  /// The processes and containers of `memory_.epoch`.
  enum class Pods : std::uint8_t {
    kNone,      ///< none
    kLive,      ///< processes run, start, or wait for nodes
    kStopping,  ///< processes are being stopped, containers stay
    kKept,      ///< containers without processes
    kRemoving,  ///< containers are being removed
  };

  /// The plan for the time when the pods are as it needs them.
  enum class Plan : std::uint8_t { kNone, kHeal, kHang, kPods, kJob };

  /// A fault for which a node is isolated.
  struct Faulty {
    Index at = 0;
    RuleId rule = RuleId::kIsolateNode;
    NodeId node = 0;
    RankSet ranks{};
  };

  /// A chip that may heal.
  struct Chip {
    Index at = 0;
    NodeId node = 0;
    std::uint32_t accelerator = 0;
    std::string code{};
    RankSet ranks{};
    bool by_user = false;
    CommandId command = 0;  ///< that tries to heal it; 0: none yet
    std::optional<bool> healed{};
  };

  /// One batch in work: what its events ask for, before it is known what wins.
  struct Turn {
    const Batch& batch;
    Decision decision{};
    std::vector<Index> not_current{};
    std::vector<Faulty> faulty{};
    std::vector<Chip> chips{};
    std::optional<Index> third_user{};
    std::optional<Index> exit{};
    std::optional<Index> pods_failed{};
    std::optional<Index> hang{};
    std::optional<Index> restored{};
    std::optional<Index> runs_on{};  ///< the attempt that the restored memory knows still runs
    std::optional<Index> stopped{};  ///< the stop is done, and nothing came of it yet
    bool hold_over = false;
    bool unplaced = false;  ///< no nodes were found in time
  };

  // controller.cpp: events.
  void on(Turn& turn, Index at, const ControllerStarted& started);
  void on(Turn& turn, Index at, const JobSubmitted& submitted);
  void on(Turn& turn, Index at, const AttemptRunning& running);
  void on(Turn& turn, Index at, const AttemptStartFailed& failed);
  void on(Turn& turn, Index at, const WorkersFailed& failed);
  void on(Turn& turn, Index at, const WorkersFinished& finished);
  void on(Turn& turn, Index at, const WorkersStopped& stopped);
  void on(Turn& turn, Index at, const DeviceFault& fault);
  void on(Turn& turn, Index at, const NodeUnreachable& lost);
  void on(Turn& turn, Index at, const SelfHealResult& result);
  void on(Turn& turn, Index at, const HangSuspected& hang);
  void on(Turn& turn, Index at, const CheckpointDurable& durable);
  void on(Turn& turn, Index at, const Timer& timer);
  void on(Turn& turn, Index at, const StopRequested& stop);
  void on(Turn& turn, Index at, const CommandResult& result);
  // Checkpoints are the script's, capacity the scheduler's, and nobody announces a preemption.
  template <class Other>
  void on(Turn&, Index, const Other&) {}
  [[nodiscard]] bool is_current(JobId job, Epoch epoch) const;
  [[nodiscard]] Watch watch() const;
  [[nodiscard]] bool may_hang() const;
  void nothing_scheduled();
  void take_up(Turn& turn);

  // faults.cpp: hardware.
  void settle(Turn& turn);
  void handle_faulty(Turn& turn);
  void join_pods(Turn& turn, Index at);
  void heal_in_place(Turn& turn);
  void heal(Step& step);
  void not_healed(Turn& turn, Index at, const Chip& chip);
  void heal_later(Turn& turn, Index at);
  [[nodiscard]] bool heals_first(Turn& turn, Index at);
  void healed_before_scheduling(Turn& turn, Index at, const Chip& chip);
  void heal_result(Turn& turn, Index at, CommandId command, bool healed);
  void all_healed_or_not(Turn& turn, Index at);
  void isolate(Turn& turn, const Faulty& faulty);
  void release(Turn& turn, Index at);

  // software.cpp: exits and hangs.
  void note_exit(Turn& turn, Index at, std::string look);
  void hold_exit(Turn& turn, Index at);
  void plain_exit(Turn& turn, Index at);
  void handle_hang(Turn& turn, Index at, bool hardware);

  // strategies.cpp: what is done.
  Step& add_step(Turn& turn, RuleId rule, State to, Index at);
  void reschedule_pods(Turn& turn, Index at, const RankSet& ranks, std::uint32_t nodes);
  void reschedule_job(Turn& turn, Index at, RuleId rule, ChargeCause cause);
  void pods_failed(Turn& turn, Index at);
  void advance(Turn& turn, Index at);
  void begin_attempt(const Turn& turn);
  void stop(Turn& turn);
  void restart_processes(Turn& turn, Index at, RuleId rule, State to);
  void fail(Turn& turn, Index at, RuleId rule);
  void fail_exhausted(Turn& turn, Index at, ChargeCause cause);
  [[nodiscard]] bool retry_left() const { return memory_.job_retries < *config_.job_retry_num; }
  [[nodiscard]] BudgetMove job_retry_move(ChargeCause cause, bool exempt) const;
  [[nodiscard]] std::uint32_t hang_limit() const;

  Config config_;
  Memory memory_;

  State state_ = State::kQueued;
  Pods pods_ = Pods::kNone;
  Plan plan_ = Plan::kNone;
  JobId job_ = 0;
  bool job_known_ = false;
  bool submitted_ = false;
  bool restored_ = false;
  bool progressed_ = false;      ///< this attempt has a durable checkpoint
  TimeUs attempt_since_us_ = 0;  ///< since when it runs, or since it was asked for
  RankSet finished_;
  std::vector<Chip> healing_;  ///< chips that are not known to be well again
  RankSet new_pods_;
  RankSet leaving_;  ///< those of them whose old pods have been told to go

  CommandId last_command_ = 0;
};

}  // namespace aftershock::policies::modelarts
