#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "policies/api/fields.h"
#include "policies/api/ids.h"
#include "policies/api/pod_commands.h"
#include "policies/api/rank_set.h"

namespace aftershock::policies {

/// Ask for a gang of `workers`, and start the attempt `epoch` on it, in containers of its own. The
/// host answers with attempt_running or attempt_start_failed.
struct StartAttempt {
  static constexpr std::string_view kName = "start_attempt";
  CommandId id = 0;
  JobId job = 0;
  Epoch epoch = 0;
  std::uint32_t workers = 0;
  std::optional<DurationUs> placement_wait_us{};  ///< give up on resources after this; none: never
  std::optional<CheckpointId> from{};  ///< the checkpoint that the workers are told to resume from
  /// A rank that waits in report() for the others raises after this; none: it waits for ever.
  std::optional<DurationUs> report_barrier_timeout_us{};
  bool first_in_queue = false;  ///< served before all others who wait, whatever their priority
  std::vector<PodEnv> env{};
  static constexpr auto fields(auto list) {
    return list(field("id", &StartAttempt::id), field("job", &StartAttempt::job),
                field("epoch", &StartAttempt::epoch), field("workers", &StartAttempt::workers),
                field("placement_wait_us", &StartAttempt::placement_wait_us),
                field("from", &StartAttempt::from),
                field("report_barrier_timeout_us", &StartAttempt::report_barrier_timeout_us),
                sparse_field("first_in_queue", &StartAttempt::first_in_queue),
                sparse_field("env", &StartAttempt::env));
  }
};

/// Put new workers in the places of `ranks` of the running attempt, which is `epoch` from now on;
/// the others keep their processes and what they have in memory. The host answers as it does to
/// start_attempt.
struct ReplaceWorkers {
  static constexpr std::string_view kName = "replace_workers";
  CommandId id = 0;
  JobId job = 0;
  Epoch epoch = 0;
  RankSet ranks{};
  std::optional<DurationUs> placement_wait_us{};  ///< as in start_attempt
  static constexpr auto fields(auto list) {
    return list(field("id", &ReplaceWorkers::id), field("job", &ReplaceWorkers::job),
                field("epoch", &ReplaceWorkers::epoch), field("ranks", &ReplaceWorkers::ranks),
                field("placement_wait_us", &ReplaceWorkers::placement_wait_us));
  }
};

/// End all workers of the attempt: ask, wait at most `grace_us` for all together, then kill.
/// The host answers with workers_stopped. Where containers are kept, so are the nodes. Volumes are
/// unmounted with the containers that go, which takes its time unless that goes on by itself from
/// `unmount_async_after_us` on.
struct StopWorkers {
  static constexpr std::string_view kName = "stop_workers";
  CommandId id = 0;
  JobId job = 0;
  Epoch epoch = 0;
  DurationUs grace_us = 0;
  bool force = false;  ///< do not ask: kill, and see that all are gone, however long that takes
  bool keep_containers = false;
  RankSet leaving{};  ///< their containers go although those of all others are kept
  std::optional<DurationUs> unmount_async_after_us{};
  static constexpr auto fields(auto list) {
    return list(field("id", &StopWorkers::id), field("job", &StopWorkers::job),
                field("epoch", &StopWorkers::epoch), field("grace_us", &StopWorkers::grace_us),
                sparse_field("force", &StopWorkers::force),
                sparse_field("keep_containers", &StopWorkers::keep_containers),
                sparse_field("leaving", &StopWorkers::leaving),
                sparse_field("unmount_async_after_us", &StopWorkers::unmount_async_after_us));
  }
};

/// From now on this is the checkpoint that the job resumes from.
struct CommitCheckpoint {
  static constexpr std::string_view kName = "commit_checkpoint";
  CommandId id = 0;
  JobId job = 0;
  CheckpointId checkpoint = 0;
  static constexpr auto fields(auto list) {
    return list(field("id", &CommitCheckpoint::id), field("job", &CommitCheckpoint::job),
                field("checkpoint", &CommitCheckpoint::checkpoint));
  }
};

/// Remove these checkpoints from storage: retention no longer keeps them.
struct DeleteCheckpoints {
  static constexpr std::string_view kName = "delete_checkpoints";
  CommandId id = 0;
  JobId job = 0;
  std::vector<CheckpointId> checkpoints{};
  static constexpr auto fields(auto list) {
    return list(field("id", &DeleteCheckpoints::id), field("job", &DeleteCheckpoints::job),
                field("checkpoints", &DeleteCheckpoints::checkpoints));
  }
};

/// Store what `Policy::durable()` gives, so that a later controller finds it.
struct Persist {
  static constexpr std::string_view kName = "persist";
  CommandId id = 0;
  JobId job = 0;
  static constexpr auto fields(auto list) {
    return list(field("id", &Persist::id), field("job", &Persist::job));
  }
};

/// Ask for the resources of one trial and start its actor when it has them; trials wait in the
/// order of their commands. The host answers with trial_started, later with trial_restored where
/// `from` is given. `name` is the vendor's id of the trial, by which storage knows it: a trial that
/// is begun again as a new one has another under the same number. `dead_references`: its
/// configuration refers to objects that no longer exist, so that it fails at first use.
struct StartTrial {
  static constexpr std::string_view kName = "start_trial";
  CommandId id = 0;
  JobId job = 0;
  std::uint32_t trial = 0;
  std::string name{};
  std::optional<CheckpointId> from{};
  bool dead_references = false;
  static constexpr auto fields(auto list) {
    return list(field("id", &StartTrial::id), field("job", &StartTrial::job),
                field("trial", &StartTrial::trial), field("name", &StartTrial::name),
                field("from", &StartTrial::from),
                field("dead_references", &StartTrial::dead_references));
  }
};

/// End the actors of these trials, or stop waiting for their resources: ask, wait at most
/// `grace_us`, then kill. The host answers with trials_stopped.
struct StopTrials {
  static constexpr std::string_view kName = "stop_trials";
  CommandId id = 0;
  JobId job = 0;
  RankSet trials{};
  DurationUs grace_us = 0;
  static constexpr auto fields(auto list) {
    return list(field("id", &StopTrials::id), field("job", &StopTrials::job),
                field("trials", &StopTrials::trials), field("grace_us", &StopTrials::grace_us));
  }
};

/// Remove these checkpoints of one trial from storage.
struct DeleteTrialCheckpoints {
  static constexpr std::string_view kName = "delete_trial_checkpoints";
  CommandId id = 0;
  JobId job = 0;
  std::uint32_t trial = 0;
  std::vector<CheckpointId> checkpoints{};
  static constexpr auto fields(auto list) {
    return list(field("id", &DeleteTrialCheckpoints::id),
                field("job", &DeleteTrialCheckpoints::job),
                field("trial", &DeleteTrialCheckpoints::trial),
                field("checkpoints", &DeleteTrialCheckpoints::checkpoints));
  }
};

/// The job has reached its end.
struct Complete {
  static constexpr std::string_view kName = "complete";
  CommandId id = 0;
  JobId job = 0;
  static constexpr auto fields(auto list) {
    return list(field("id", &Complete::id), field("job", &Complete::job));
  }
};

/// The job is given up. `reason` is "exhausted(BUDGET)", "gave_up(RULE)", "unrecoverable(WHY)", or
/// "stopped_by_user", which makes it aborted rather than failed.
struct Fail {
  static constexpr std::string_view kName = "fail";
  CommandId id = 0;
  JobId job = 0;
  std::string reason{};
  static constexpr auto fields(auto list) {
    return list(field("id", &Fail::id), field("job", &Fail::job), field("reason", &Fail::reason));
  }
};

/// All that a command can be.
using AnyCommand =
    std::variant<StartAttempt, StopWorkers, CommitCheckpoint, DeleteCheckpoints, Persist, Complete,
                 Fail, ReplaceWorkers, StartTrial, StopTrials, DeleteTrialCheckpoints,
                 RestartProcesses, RecreatePods, SelfHeal, IsolateNode, ReleaseNode, Notify>;

/// A request of a policy. Each has an id, by which its result refers to it. A class of its own as
/// Event is.
struct Command : AnyCommand {
  using AnyCommand::AnyCommand;
  using AnyCommand::operator=;
  Command();
  Command(const Command&);
  Command(Command&&) noexcept;
  Command& operator=(const Command&);
  Command& operator=(Command&&) noexcept;
  ~Command();
};

/// Whether a message is about the trials of an experiment: no job can carry it out.
template <class Message>
inline constexpr bool kOfExperiments =
    std::is_same_v<Message, StartTrial> || std::is_same_v<Message, StopTrials> ||
    std::is_same_v<Message, DeleteTrialCheckpoints>;

/// The word for the command's type, e.g. "start_attempt".
std::string_view name_of(const Command& command);

}  // namespace aftershock::policies
