#include "policies/ray_train_v1/rules.h"

#include "policies/parts/rule_table.h"

namespace aftershock::policies::ray_train_v1 {
namespace {

constexpr std::string_view kTrainer = "Ray Train V1, train/base_trainer.py (2.38)";
constexpr std::string_view kExecutor = "Ray Train V1, train/_internal/backend_executor.py (2.38)";
constexpr std::string_view kIterator = "Ray Train V1, train/trainer.py (2.38)";
constexpr std::string_view kTrial = "Ray Tune, experiment/trial.py (2.38)";
constexpr std::string_view kTune = "Ray Tune, execution/tune_controller.py (2.38)";

constexpr RuleTable<RuleId> kRules{{
    {RuleId::kStarted,
     {"ray_train_v1.run.started",
      "fit() writes trainer.pkl and tuner.pkl, and begins a Tune experiment of one trial",
      kTrainer}},
    {RuleId::kContinued,
     {"ray_train_v1.run.continued", "The restored run goes on, in the same directory and trial",
      kTrainer}},
    {RuleId::kStartedOverOld,
     {"ray_train_v1.run.started_over_old",
      "A trainer that does not restore begins a new run, at iteration 0, under the old name",
      kTrainer}},
    {RuleId::kRestored,
     {"ray_train_v1.restore.restored",
      "Trainer.restore takes the trial up from the newest snapshot, with its latest checkpoint and "
      "its count of failures, so that a run that was exhausted gets no retry",
      kTrainer}},
    {RuleId::kRestoredFinished,
     {"ray_train_v1.restore.finished",
      "A run that had finished is run again from its last checkpoint", kTrainer}},
    {RuleId::kRestoreNothingThere,
     {"ray_train_v1.restore.nothing_there",
      "Restoring a path that holds no trainer.pkl is a ValueError", kTrainer}},
    {RuleId::kRestoreTrainerUnreadable,
     {"ray_train_v1.restore.trainer_unreadable",
      "An empty or torn trainer.pkl cannot be restored, although can_restore says true: it looks "
      "whether the file exists and no further",
      kTrainer}},
    {RuleId::kRestoreOtherClass,
     {"ray_train_v1.restore.other_class",
      "Restoring with the class of another trainer is warned of, and fails on its arguments",
      kTrainer}},
    {RuleId::kRestoreDatasets,
     {"ray_train_v1.restore.datasets",
      "All datasets of the run must be given anew, under the same keys, or restoring is a "
      "ValueError",
      kTrainer}},
    {RuleId::kRestoreTunerUnreadable,
     {"ray_train_v1.restore.tuner_unreadable", "An empty or torn tuner.pkl is an EOFError",
      kTrainer}},
    {RuleId::kRestoreAfresh,
     {"ray_train_v1.restore.afresh",
      "A snapshot that cannot be read is logged, and the run starts afresh, with no checkpoint",
      kTune}},
    {RuleId::kRestoreRaises,
     {"ray_train_v1.restore.raises",
      "With fail_fast a snapshot that cannot be read ends the driver", kTune}},
    {RuleId::kAttempt,
     {"ray_train_v1.attempt",
      "The trial asks for its placement group, without a limit, and starts its workers from the "
      "latest registered checkpoint",
      kTune}},
    {RuleId::kRunning,
     {"ray_train_v1.running", "Training was launched; from now on all workers are waited on",
      kExecutor}},
    {RuleId::kStartInfeasible,
     {"ray_train_v1.start.infeasible",
      "A placement group that the cluster can never hold is waited for all the same", kTune}},
    {RuleId::kStartDefect,
     {"ray_train_v1.start.defect",
      "A worker that dies while its group is set up is not recorded: raising what was not recorded "
      "is a TypeError, which counts as an error of the user even if the node was preempted",
      kExecutor}},
    {RuleId::kRetry,
     {"ray_train_v1.failure.retry",
      "The first failed worker fails the trial; that counts against max_failures, which allows "
      "another try with all workers new",
      kTrial}},
    {RuleId::kRetryPreempted,
     {"ray_train_v1.failure.retry_preempted",
      "The death of a worker on a preempted node does not count", kTrial}},
    {RuleId::kError,
     {"ray_train_v1.failure.error",
      "The first failed worker fails the trial; that counts against max_failures, which is used up",
      kTrial}},
    {RuleId::kReportsUneven,
     {"ray_train_v1.reports.uneven",
      "All ranks must report equally often: results of some and the end of others together are a "
      "RuntimeError",
      kIterator}},
    {RuleId::kCheckpointCommit,
     {"ray_train_v1.checkpoint.commit",
      "The checkpoint is registered as soon as every rank has reported; what num_to_keep drops is "
      "deleted at once",
      kIterator}},
    {RuleId::kFailFastStop,
     {"ray_train_v1.fail_fast.stop",
      "With fail_fast even a failure that does not count ends the run: its trial is TERMINATED, "
      "and "
      "fit() returns without an error",
      kTune}},
    {RuleId::kFailFastRaise,
     {"ray_train_v1.fail_fast.raise",
      "With fail_fast \"raise\" the error leaves the control loop: no status is updated, nothing "
      "is "
      "counted, and workers may be left behind",
      kTune}},
    {RuleId::kFinishAllRanks,
     {"ray_train_v1.finish.all_ranks", "Every rank returned from the training function",
      kIterator}},
    {RuleId::kEnded,
     {"ray_train_v1.ended",
      "The workers are gone and the last snapshot is stored: fit() returns, or raises the error of "
      "the trial",
      kTrainer}},
    {RuleId::kInterrupted,
     {"ray_train_v1.interrupt",
      "An interrupt by the user stores one last snapshot and ends the run", kTune}},
    {RuleId::kHangNotWatched,
     {"ray_train_v1.hang.not_watched",
      "Nothing limits the wait for a worker: one that hangs blocks for ever", kExecutor}},
    {RuleId::kPreemptionIgnored,
     {"ray_train_v1.preemption.ignored",
      "Preemption notices are not listened to; the death of the workers will say that it was one",
      kExecutor}},
    {RuleId::kEventNotCurrent,
     {"ray_train_v1.event.not_current",
      "The event is not of the workers that the run has now, and says nothing about them",
      kExecutor}},
    {RuleId::kCommandFailed,
     {"ray_train_v1.command.failed", "A command could not be carried out as asked", kTune}},
}};

static_assert(in_order(kRules), "kRules must be in the order of RuleId");

std::vector<Parameter> parameters() {
  return {
      {"max_failures", "integer", "", "0",
       "failures that are retried; any negative number: all of them", ""},
      {"fail_fast", "boolean or \"raise\"", "", "false",
       "end the run at the first failure; wants max_failures 0", ""},
      {"num_to_keep", "integer", "", "none", "checkpoints that are kept; none: all of them", ""},
      {"snapshot_save_s", "number", "s", "0",
       "what storing one snapshot of the run takes in this cluster", ""},
      {"trainer", "string", "", "TorchTrainer",
       "class of the trainer; TorchTrainer, TensorflowTrainer and HorovodTrainer restore as "
       "DataParallelTrainer does, all others as BaseTrainer",
       ""},
      {"datasets", "list of strings", "", "[]", "keys of the trainer's datasets", ""},
      {"restore", "boolean or object", "", "false",
       "Trainer.restore: {when: \"can_restore\" or \"always\", trainer, datasets, scaling_config: "
       "{num_workers}, storage_filesystem, and for data parallel trainers train_loop_per_worker, "
       "train_loop_config}; true: can_restore",
       ""},
      {"resume_from_checkpoint", "any", "", "none",
       "a new run that finds this checkpoint; which one it is is the job's initial_checkpoint", ""},
      {"snapshot_period", "duration or \"auto\"", "s", "auto",
       "from the end of one snapshot to the next; auto: 19 times what the last took, at least 10 s",
       "TUNE_GLOBAL_CHECKPOINT_S"},
      {"count_preemption_as_failure", "boolean", "", "0", "deaths of preempted workers count",
       "RAY_TRAIN_COUNT_PREEMPTION_AS_FAILURE"},
  };
}

PolicyInfo make_info(const Profile& profile) {
  PolicyInfo info;
  info.name = "ray_train_v1";
  info.profile = profile.name;
  info.summary = profile.summary;
  info.states = {"PENDING", "RUNNING", "STOPPING", "TERMINATED", "ERROR", "RAISED", "ABORTED"};
  info.budgets = {"max_failures"};
  info.rules = rules_of(kRules);
  info.parameters = parameters();
  info.persists = {"class and dataset keys of the trainer",
                   "status, count of failures and latest checkpoint of its trial"};
  return info;
}

}  // namespace

const PolicyInfo& policy_info(const Profile& profile) {
  static const std::vector<PolicyInfo> kInfos = infos_of(profiles(), make_info);
  return info_of(kInfos, profile.name);
}

}  // namespace aftershock::policies::ray_train_v1
