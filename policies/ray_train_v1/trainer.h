#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/policy.h"
#include "policies/ray_train_v1/config.h"
#include "policies/ray_train_v1/profile.h"
#include "policies/ray_train_v1/rules.h"
#include "policies/ray_train_v1/stored_run.h"
#include "policies/ray_tune/snapshots.h"
#include "policies/ray_tune/trial.h"

namespace aftershock::policies::ray_train_v1 {

/// One Ray Train V1 run: a Tune experiment of one trial, whose trainable leads a group of workers.
/// Failures, snapshots and restoring are Tune's; the group is train/_internal/backend_executor.py
/// (2.38), whose own retries are built but never used.
class RayTrainV1 final : public Policy {
 public:
  /// `profile` is one of profiles().
  RayTrainV1(const Profile& profile, Config config);

  [[nodiscard]] const PolicyInfo& info() const override { return *info_; }
  [[nodiscard]] Decision on_events(const Batch& batch, const View& view) override;
  [[nodiscard]] nlohmann::json durable(TimeUs at_us) const override;
  [[nodiscard]] std::optional<TimeUs> stored_us(TimeUs at_us) const override {
    return snapshots_.stored_us(at_us);
  }
  [[nodiscard]] std::uint16_t state() const override { return static_cast<std::uint16_t>(state_); }
  [[nodiscard]] std::vector<BudgetState> budgets() const override;
  [[nodiscard]] std::vector<TrialState> trials() const override;
  [[nodiscard]] std::unique_ptr<Policy> clone() const override;

 private:
  /// Position of an event in its batch.
  using Index = std::uint16_t;

  /// The workers of `epoch_`.
  enum class Group : std::uint8_t { kNone, kStarting, kRunning, kStopping };

  /// How a run that is STOPPING ends.
  enum class End : std::uint8_t { kFinished, kExhausted, kFailFast };

  /// Reports of a checkpoint that wait for those of the other ranks.
  struct Reported {
    CheckpointId checkpoint = 0;
    RankSet ranks{};
  };

  /// One batch in work.
  struct Turn {
    const Batch& batch;
    Decision decision;
    std::vector<Index> not_current;
    std::vector<Index> results;  ///< reports and ends of workers that were taken in
  };

  // trainer.cpp: events.
  void on(Turn& turn, Index at, const ControllerStarted& started);
  void on(Turn& turn, Index at, const JobSubmitted& submitted);
  void on(Turn& turn, Index at, const AttemptRunning& running);
  void on(Turn& turn, Index at, const AttemptStartFailed& failed);
  void on(Turn& turn, Index at, const WorkersFailed& failed);
  void on(Turn& turn, Index at, const CheckpointReported& reported);
  void on(Turn& turn, Index at, const WorkersFinished& finished);
  void on(Turn& turn, Index at, const WorkersStopped& stopped);
  void on(Turn& turn, Index at, const ControllerError& error);
  void on(Turn& turn, Index at, const StopRequested& stop);
  void on(Turn& turn, Index at, const HangSuspected& hang);
  void on(Turn& turn, Index at, const PreemptionNotice& notice);
  void on(Turn& turn, Index at, const CommandResult& result);
  // Nodes and devices show through the workers they take down, nothing is polled, and experiments
  // are another policy's subject.
  template <class Other>
  void on(Turn&, Index, const Other&) {}
  [[nodiscard]] bool is_current(JobId job, Epoch epoch) const;

  // restoring.cpp
  void restore(Turn& turn, Index at, const StoredRun& stored);
  void refuse(Turn& turn, Index at, RuleId rule, std::string_view what);

  // moves.cpp
  Step& add_step(Turn& turn, RuleId rule, State to);
  void set_status(ray_tune::TrialStatus status);
  void fail(Turn& turn, Index at, const ray_tune::TrialFailure& failure);
  void start_attempt(Turn& turn);
  /// Stops the workers, if any live, with a command of the last step; what follows then, follows at
  /// once otherwise.
  void stop_group(Turn& turn);
  void group_gone(Turn& turn);
  void commit(Turn& turn, Index at, CheckpointId checkpoint);
  /// After all results of a batch: whether the ranks agree, and whether they are through.
  void settle(Turn& turn);
  void end_run(Turn& turn);
  void persist(Step& step, TimeUs at_us);
  [[nodiscard]] std::string gave_up(RuleId rule) const;

  const PolicyInfo* info_;
  Config config_;

  State state_ = State::kPending;
  Group group_ = Group::kNone;
  End end_ = End::kFinished;
  JobId job_ = 0;
  bool job_known_ = false;
  bool submitted_ = false;
  std::uint32_t workers_ = 0;
  std::optional<std::uint32_t> workers_anew_;  // of Trainer.restore
  Epoch epoch_ = 0;
  RankSet finished_;
  std::vector<Reported> reported_;

  std::uint32_t session_ = 1;
  StoredTrainer trainer_;
  nlohmann::json found_;  // the state of storage before this driver
  bool found_any_ = false;
  bool begun_ = false;                   // trainer.pkl and tuner.pkl are ours
  std::vector<ray_tune::Trial> trials_;  // the one trial, once it was made
  std::int64_t restores_ = 0;            // attempts that ran from a checkpoint
  bool from_checkpoint_ = false;
  ray_tune::Snapshots snapshots_;

  CommandId last_command_ = 0;
  CommandId start_command_ = 0;
  CommandId stop_command_ = 0;
};

}  // namespace aftershock::policies::ray_train_v1
