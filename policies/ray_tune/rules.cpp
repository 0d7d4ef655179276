#include "policies/ray_tune/rules.h"

#include "policies/parts/rule_table.h"

namespace aftershock::policies::ray_tune {
namespace {

constexpr std::string_view kController = "Ray Tune, execution/tune_controller.py (2026-05)";
constexpr std::string_view kTrial = "Ray Tune, experiment/trial.py (2026-05)";
constexpr std::string_view kSnapshot = "Ray Tune, execution/experiment_state.py (2026-05)";
constexpr std::string_view kTuner = "Ray Tune, impl/tuner_internal.py (2026-05)";

constexpr RuleTable<RuleId> kRules{{
    {RuleId::kStarted,
     {"ray_tune.experiment.started",
      "A new experiment writes tuner.pkl, which is never written again, and begins its first "
      "snapshot",
      kController}},
    {RuleId::kContinued,
     {"ray_tune.experiment.continued",
      "A restored experiment begins another session, and with it a snapshot file of its own",
      kController}},
    {RuleId::kStartedOverOld,
     {"ray_tune.experiment.started_over_old",
      "A driver that does not restore begins a new experiment under the old name; what the "
      "directory holds is not looked at",
      kTuner}},
    {RuleId::kRestored,
     {"ray_tune.restore.restored",
      "The newest snapshot is taken up; trials made and results reported after it are unknown, and "
      "the time that the driver was away counts for nothing",
      kTuner}},
    {RuleId::kRestoreNothingThere,
     {"ray_tune.restore.nothing_there", "Restoring a path that holds no experiment is a ValueError",
      kTuner}},
    {RuleId::kRestoreTunerUnreadable,
     {"ray_tune.restore.tuner_unreadable",
      "An empty or torn tuner.pkl is an EOFError, although can_restore says true: it looks whether "
      "the file exists and no further",
      kTuner}},
    {RuleId::kRestoreTrainableChanged,
     {"ray_tune.restore.trainable_changed",
      "Restoring with a trainable of another name is a ValueError", kTuner}},
    {RuleId::kRestoreParamSpaceChanged,
     {"ray_tune.restore.param_space_changed",
      "Restoring with other keys in param_space is a ValueError", kTuner}},
    {RuleId::kRestoreAfresh,
     {"ray_tune.restore.afresh",
      "A snapshot that cannot be read is logged, and the experiment starts afresh, with one sample",
      kController}},
    {RuleId::kRestoreRaises,
     {"ray_tune.restore.raises", "With fail_fast a snapshot that cannot be read ends the driver",
      kController}},
    {RuleId::kTerminatedKept,
     {"ray_tune.restore.terminated_kept", "A TERMINATED trial cannot be taken up again",
      kController}},
    {RuleId::kErroredKept,
     {"ray_tune.restore.errored_kept",
      "A trial in ERROR stays there unless resume_errored or restart_errored asks for it",
      kController}},
    {RuleId::kErroredResumed,
     {"ray_tune.restore.errored_resumed",
      "resume_errored queues what is in ERROR again, with its id, its latest checkpoint and its "
      "count of failures, so that one more failure after a used up budget is final at once",
      kController}},
    {RuleId::kErroredRestarted,
     {"ray_tune.restore.errored_restarted",
      "restart_errored puts a new trial, with a new id and without checkpoint or failures, in the "
      "place of each that is in ERROR",
      kController}},
    {RuleId::kUnfinishedResumed,
     {"ray_tune.restore.unfinished_resumed",
      "A trial that was PENDING, RUNNING or PAUSED is queued again, newest result first, with its "
      "latest checkpoint and its count of failures",
      kController}},
    {RuleId::kUnfinishedDropped,
     {"ray_tune.restore.unfinished_dropped",
      "Without resume_unfinished what was not finished is TERMINATED, even if it never ran",
      kController}},
    {RuleId::kTrialStart,
     {"ray_tune.trial.start",
      "Queued trials ask for their resources, in the order of the list; new ones are made as long "
      "as max_concurrent_trials and the number of pending ones allow",
      kController}},
    {RuleId::kTrialRunning,
     {"ray_tune.trial.running", "The trial's actor started: it is RUNNING", kController}},
    {RuleId::kTrialRestored,
     {"ray_tune.trial.restored",
      "The trial loaded its checkpoint, and that clears its count of restore failures",
      kController}},
    {RuleId::kTrialTerminated,
     {"ray_tune.trial.terminated", "The trial returned from training: it is TERMINATED",
      kController}},
    {RuleId::kTrialRetry,
     {"ray_tune.trial.retry",
      "The failure counts against max_failures of its trial, which allows another try from the "
      "latest checkpoint, at the end of the list",
      kTrial}},
    {RuleId::kTrialRetryPreempted,
     {"ray_tune.trial.retry_preempted",
      "The death of an actor on a preempted node does not count; the trial is tried again at the "
      "end of the list",
      kTrial}},
    {RuleId::kTrialRetryRestore,
     {"ray_tune.trial.retry_restore",
      "A failure while the checkpoint is loaded is free up to TUNE_RESTORE_RETRY_NUM times in a "
      "row; the trial is tried again at the end of the list",
      kTrial}},
    {RuleId::kTrialError,
     {"ray_tune.trial.error",
      "The failure counts against max_failures of its trial, and that is used up: ERROR", kTrial}},
    {RuleId::kTrialStopped,
     {"ray_tune.trial.stopped", "Actors that were to stop are gone", kController}},
    {RuleId::kCheckpointEvicted,
     {"ray_tune.checkpoint.evicted",
      "Of a trial's checkpoints the latest num_to_keep are kept; the others are deleted at once, "
      "even if the newest snapshot in storage names one of them",
      kTrial}},
    {RuleId::kFailFastStop,
     {"ray_tune.fail_fast.stop",
      "With fail_fast the first failure of any trial, even one that does not count, stops every "
      "trial that is not finished, as TERMINATED",
      kController}},
    {RuleId::kFailFastRaise,
     {"ray_tune.fail_fast.raise",
      "With fail_fast \"raise\" the error leaves the control loop: no status is updated, nothing "
      "is "
      "counted, and actors may be left behind",
      kController}},
    {RuleId::kFinished,
     {"ray_tune.experiment.finished",
      "Every trial is finished and the last snapshot is stored: fit returns, also when trials are "
      "in ERROR, and when fail_fast has stopped the others",
      kController}},
    {RuleId::kInterrupted,
     {"ray_tune.interrupt",
      "An interrupt by the user stores one last snapshot, of trials that still run, and ends the "
      "experiment",
      kSnapshot}},
    {RuleId::kEventNotCurrent,
     {"ray_tune.event.not_current",
      "The event is of a trial that is not in the state for it, and changes nothing", kController}},
    {RuleId::kCommandFailed,
     {"ray_tune.command.failed", "A command could not be carried out as asked", kController}},
    {RuleId::kCheckpointWiped,
     {"ray_tune.checkpoint.wiped",
      "A restore failure that counts deletes the trial's reference to its checkpoint: the next try "
      "begins from scratch (#48532 ended this)",
      "Ray Tune 2.38, execution/tune_controller.py"}},
}};

static_assert(in_order(kRules), "kRules must be in the order of RuleId");

std::vector<Parameter> parameters() {
  return {
      {"max_failures", "integer", "", "0",
       "failures of each trial that are retried; any negative number: all of them", ""},
      {"fail_fast", "boolean or \"raise\"", "", "false",
       "end the experiment at the first failure of any trial; wants max_failures 0", ""},
      {"num_to_keep", "integer", "", "none",
       "checkpoints of each trial that are kept; none: all of them", ""},
      {"max_concurrent_trials", "integer", "", "none",
       "trials that are made and not finished at a time; none or 0: no limit", ""},
      {"snapshot_save_s", "number", "s", "0",
       "what storing one snapshot of the experiment takes in this cluster", ""},
      {"trainable", "string", "", "\"\"", "name under which the trainable is registered", ""},
      {"param_space", "list of strings", "", "[]", "keys of the search space", ""},
      {"object_refs", "list of strings", "", "[]",
       "places in param_space that refer to objects of a session, also inside datasets", ""},
      {"restore", "boolean or object", "", "false",
       "Tuner.restore: {when: \"can_restore\" or \"always\", resume_unfinished, resume_errored, "
       "restart_errored, trainable, param_space, object_refs_given_anew}; true: can_restore",
       ""},
      {"resume", "boolean or string", "", "false",
       "the same by the words of tune.run: AUTO or LOCAL with +ERRORED, +RESTART_ERRORED, "
       "+ERRORED_ONLY or +RESTART_ERRORED_ONLY",
       ""},
      {"snapshot_period", "duration or \"auto\"", "s", "auto",
       "from the end of one snapshot to the next; auto: 19 times what the last took, at least 10 s",
       "TUNE_GLOBAL_CHECKPOINT_S"},
      {"restore_retry_num", "integer", "", "0",
       "failures to load a checkpoint, in a row, that do not count", "TUNE_RESTORE_RETRY_NUM"},
      {"count_preemption_as_failure", "boolean", "", "0", "deaths of preempted actors count",
       "RAY_TRAIN_COUNT_PREEMPTION_AS_FAILURE"},
      {"force_trial_cleanup", "duration", "s", "600",
       "patience with an actor that is to stop, before it is killed", "TUNE_FORCE_TRIAL_CLEANUP_S"},
      {"max_pending_trials", "integer or \"auto\"", "", "auto",
       "trials that are made and wait for resources at a time", "TUNE_MAX_PENDING_TRIALS_PG"},
  };
}

PolicyInfo make_info(const Profile& profile) {
  PolicyInfo info;
  info.subject = Subject::kExperiment;
  info.name = "ray_tune";
  info.profile = profile.name;
  info.summary = profile.summary;
  info.states = {"PENDING", "RUNNING", "STOPPING", "FINISHED", "RAISED", "ABORTED"};
  info.budgets = {"max_failures", "restore_failures"};
  info.rules = rules_of(kRules);
  if (!profile.restore_failure_wipes_checkpoint) {
    info.rules.pop_back();  // kCheckpointWiped, the last one
  }
  info.parameters = parameters();
  info.persists = {"trainable name, param_space keys and object references",
                   "status, count of failures, latest checkpoint and last result of every trial",
                   "how many trials were made"};
  return info;
}

}  // namespace

const PolicyInfo& policy_info(const Profile& profile) {
  static const std::vector<PolicyInfo> kInfos = infos_of(profiles(), make_info);
  return info_of(kInfos, profile.name);
}

}  // namespace aftershock::policies::ray_tune
