#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "policies/api/device_events.h"
#include "policies/api/fields.h"
#include "policies/api/ids.h"
#include "policies/api/rank_set.h"
#include "policies/api/trial_events.h"
#include "policies/api/worker_failure.h"

namespace aftershock::policies {

/// The job was handed to the controller. `workers` is the size it asks for, the largest where the
/// job is elastic.
struct JobSubmitted {
  static constexpr std::string_view kName = "job_submitted";
  JobId job = 0;
  std::uint32_t workers = 0;
  static constexpr auto fields(auto list) {
    return list(field("job", &JobSubmitted::job), field("workers", &JobSubmitted::workers));
  }
};

/// A controller process began; `durable` is the JSON text that the last completed persist under the
/// run's name left in storage, empty when there is none. Its attempts count on from `epoch`, so
/// that those of a controller before it are never taken for its own. `missing` are checkpoints of
/// this run whose directories storage no longer has.
struct ControllerStarted {
  static constexpr std::string_view kName = "controller_started";
  JobId job = 0;
  std::string durable{};
  Epoch epoch = 0;
  std::vector<CheckpointId> missing{};
  static constexpr auto fields(auto list) {
    return list(
        field("job", &ControllerStarted::job), field("durable", &ControllerStarted::durable),
        field("epoch", &ControllerStarted::epoch), field("missing", &ControllerStarted::missing));
  }
};

/// Every worker of the attempt runs and the training function was launched on it. `launched_us` is
/// told where nodes have agents (PolicyInfo::agents): when these started the workers, from which
/// their looks count.
struct AttemptRunning {
  static constexpr std::string_view kName = "attempt_running";
  JobId job = 0;
  Epoch epoch = 0;
  std::optional<TimeUs> launched_us{};
  static constexpr auto fields(auto list) {
    return list(field("job", &AttemptRunning::job), field("epoch", &AttemptRunning::epoch),
                sparse_field("launched_us", &AttemptRunning::launched_us));
  }
};

/// How far a start had come when it failed, in the order of Ray Train V2's worker_group.py.
enum class StartStage : std::uint8_t {
  kClusterCheck,  ///< before anything was asked for
  kPlacement,     ///< waiting for the gang's resources
  kConstruction,  ///< worker processes, their first answer
  kContextInit,   ///< per-worker set-up by the controller
  kBackendSetup,  ///< process group, rendezvous
  kLaunch,        ///< the final call that starts the training function
};
template <>
struct EnumNames<StartStage> {
  static constexpr std::array<std::string_view, 6> kNames{
      "cluster_check", "placement", "construction", "context_init", "backend_setup", "launch"};
};

/// Why a start failed.
enum class StartFailure : std::uint8_t {
  kTimeout,     ///< the wait limit of the start passed
  kWorkerDied,  ///< a worker's process or node went away
  kInfeasible,  ///< the cluster can never hold what was asked for
  kError,       ///< anything else, e.g. an exception in a set-up hook
};
template <>
struct EnumNames<StartFailure> {
  static constexpr std::array<std::string_view, 4> kNames{"timeout", "worker_died", "infeasible",
                                                          "error"};
};

/// Something that a job has and the host gives back.
enum class GivenBack : std::uint8_t {
  kRequest,    ///< its place in the queue for nodes
  kProcesses,  ///< of the attempt: none of them is left
  kPlacement,  ///< the nodes of the attempt, with the containers on them
};
template <>
struct EnumNames<GivenBack> {
  static constexpr std::array<std::string_view, 3> kNames{"request", "processes", "placement"};
};

/// The attempt did not come to run. `ranks` are those that failed, where that is known. `released`
/// is what the host has given back by itself, since protocol 1.1: of a start that failed at
/// placement its request for nodes, later nothing, so that a stop_workers has to do it.
/// `launched_us` is as of AttemptRunning.
struct AttemptStartFailed {
  static constexpr std::string_view kName = "attempt_start_failed";
  JobId job = 0;
  Epoch epoch = 0;
  StartStage stage = StartStage::kPlacement;
  StartFailure why = StartFailure::kTimeout;
  RankSet ranks{};
  std::vector<GivenBack> released{};
  std::optional<TimeUs> launched_us{};
  static constexpr auto fields(auto list) {
    return list(field("job", &AttemptStartFailed::job), field("epoch", &AttemptStartFailed::epoch),
                field("stage", &AttemptStartFailed::stage), field("why", &AttemptStartFailed::why),
                field("ranks", &AttemptStartFailed::ranks),
                sparse_field("released", &AttemptStartFailed::released),
                sparse_field("launched_us", &AttemptStartFailed::launched_us));
  }
};

/// Workers of a running attempt failed, as one look at them shows it.
struct WorkersFailed {
  static constexpr std::string_view kName = "workers_failed";
  JobId job = 0;
  Epoch epoch = 0;
  RankSet ranks{};
  WorkerFailure kind = WorkerFailure::kException;
  std::int32_t exit_code = 0;
  bool preempted = false;  ///< the node's death was announced as a preemption
  std::string error{};     ///< class of the exception where there is one
  static constexpr auto fields(auto list) {
    return list(field("job", &WorkersFailed::job), field("epoch", &WorkersFailed::epoch),
                field("ranks", &WorkersFailed::ranks), field("kind", &WorkersFailed::kind),
                field("exit_code", &WorkersFailed::exit_code),
                field("preempted", &WorkersFailed::preempted),
                field("error", &WorkersFailed::error));
  }
};

/// Workers returned from the training function.
struct WorkersFinished {
  static constexpr std::string_view kName = "workers_finished";
  JobId job = 0;
  Epoch epoch = 0;
  RankSet ranks{};
  static constexpr auto fields(auto list) {
    return list(field("job", &WorkersFinished::job), field("epoch", &WorkersFinished::epoch),
                field("ranks", &WorkersFinished::ranks));
  }
};

/// A stop has been carried out. `unreachable` ranks were given up, not seen to end; `error` is
/// what a shutdown hook raised, empty when none did. `released` is what the host has given back
/// with it, since protocol 1.1.
struct WorkersStopped {
  static constexpr std::string_view kName = "workers_stopped";
  JobId job = 0;
  Epoch epoch = 0;
  RankSet unreachable{};
  std::string error{};
  bool unplaced = false;  ///< some of them were still waiting for nodes
  std::vector<GivenBack> released{};
  static constexpr auto fields(auto list) {
    return list(field("job", &WorkersStopped::job), field("epoch", &WorkersStopped::epoch),
                field("unreachable", &WorkersStopped::unreachable),
                field("error", &WorkersStopped::error),
                sparse_field("unplaced", &WorkersStopped::unplaced),
                sparse_field("released", &WorkersStopped::released));
  }
};

/// Ranks have left a poll that began at `since_us` unanswered for longer than the watch's limit.
struct PollUnanswered {
  static constexpr std::string_view kName = "poll_unanswered";
  JobId job = 0;
  Epoch epoch = 0;
  RankSet ranks{};
  TimeUs since_us = 0;
  static constexpr auto fields(auto list) {
    return list(field("job", &PollUnanswered::job), field("epoch", &PollUnanswered::epoch),
                field("ranks", &PollUnanswered::ranks),
                field("since_us", &PollUnanswered::since_us));
  }
};

/// Something went wrong inside the controller's own loop, e.g. "RuntimeError" from its report
/// handler or an error raised by a callback hook.
struct ControllerError {
  static constexpr std::string_view kName = "controller_error";
  JobId job = 0;
  std::string error{};
  static constexpr auto fields(auto list) {
    return list(field("job", &ControllerError::job), field("error", &ControllerError::error));
  }
};

/// These nodes will be taken away at `deadline_us`, 0: nobody says when. `ranks` are the workers of
/// the attempt that run there.
struct PreemptionNotice {
  static constexpr std::string_view kName = "preemption_notice";
  JobId job = 0;
  Epoch epoch = 0;
  std::vector<NodeId> nodes{};
  RankSet ranks{};
  TimeUs deadline_us = 0;
  static constexpr auto fields(auto list) {
    return list(field("job", &PreemptionNotice::job), field("epoch", &PreemptionNotice::epoch),
                field("nodes", &PreemptionNotice::nodes), field("ranks", &PreemptionNotice::ranks),
                field("deadline_us", &PreemptionNotice::deadline_us));
  }
};

/// The cluster could run so many workers of the job now: what it holds and what is free, one node
/// at a time. Comes to those who watch capacity, at first and after every change.
struct CapacityChanged {
  static constexpr std::string_view kName = "capacity_changed";
  JobId job = 0;
  std::uint32_t workers = 0;
  static constexpr auto fields(auto list) {
    return list(field("job", &CapacityChanged::job), field("workers", &CapacityChanged::workers));
  }
};

/// The time has come for which the last watch asked to be woken.
struct Timer {
  static constexpr std::string_view kName = "timer";
  JobId job = 0;
  static constexpr auto fields(auto list) { return list(field("job", &Timer::job)); }
};

/// A hang rule, the job's own or the one that the policy watches by, has seen no progress since
/// `since_us`.
struct HangSuspected {
  static constexpr std::string_view kName = "hang_suspected";
  JobId job = 0;
  Epoch epoch = 0;
  TimeUs since_us = 0;
  static constexpr auto fields(auto list) {
    return list(field("job", &HangSuspected::job), field("epoch", &HangSuspected::epoch),
                field("since_us", &HangSuspected::since_us));
  }
};

/// A checkpoint of the attempt became durable; comes to those who watch progress.
struct CheckpointDurable {
  static constexpr std::string_view kName = "checkpoint_durable";
  JobId job = 0;
  Epoch epoch = 0;
  CheckpointId checkpoint = 0;
  static constexpr auto fields(auto list) {
    return list(field("job", &CheckpointDurable::job), field("epoch", &CheckpointDurable::epoch),
                field("checkpoint", &CheckpointDurable::checkpoint));
  }
};

/// Ranks, at least one, reported a durable checkpoint, as one look at them shows it. `score_e6` is
/// the metric by which checkpoints are ranked, in millionths; none: not a number, or not reported.
struct CheckpointReported {
  static constexpr std::string_view kName = "checkpoint_reported";
  JobId job = 0;
  Epoch epoch = 0;
  CheckpointId checkpoint = 0;
  RankSet ranks{};
  std::optional<std::int32_t> score_e6{};
  static constexpr auto fields(auto list) {
    return list(field("job", &CheckpointReported::job), field("epoch", &CheckpointReported::epoch),
                field("checkpoint", &CheckpointReported::checkpoint),
                field("ranks", &CheckpointReported::ranks),
                field("score_e6", &CheckpointReported::score_e6));
  }
};

/// Ranks have reported metrics alone, with no checkpoint, of every step up to `step` (1 is the
/// job's first), as one poll shows it; comes to those who watch metrics, since protocol 1.1.
struct MetricsReported {
  static constexpr std::string_view kName = "metrics_reported";
  JobId job = 0;
  Epoch epoch = 0;
  RankSet ranks{};
  std::int64_t step = 0;
  static constexpr auto fields(auto list) {
    return list(field("job", &MetricsReported::job), field("epoch", &MetricsReported::epoch),
                field("ranks", &MetricsReported::ranks), field("step", &MetricsReported::step));
  }
};

/// Why a command was not carried out.
enum class CommandError : std::uint8_t {
  kNone,
  kStaleEpoch,
  kUnknownTarget,
  kIllegalState,
  kUnreachable,
};
template <>
struct EnumNames<CommandError> {
  static constexpr std::array<std::string_view, 5> kNames{"none", "stale_epoch", "unknown_target",
                                                          "illegal_state", "unreachable"};
};

/// The outcome of a command that could not be carried out as asked. `definite` is false where
/// nobody can say whether it took effect (a partition).
struct CommandResult {
  static constexpr std::string_view kName = "command_result";
  CommandId command = 0;
  CommandError error = CommandError::kNone;
  bool definite = true;
  static constexpr auto fields(auto list) {
    return list(field("command", &CommandResult::command), field("error", &CommandResult::error),
                field("definite", &CommandResult::definite));
  }
};

/// A user asked for a stop, for the nth time.
struct StopRequested {
  static constexpr std::string_view kName = "stop_requested";
  JobId job = 0;
  std::uint32_t nth = 1;
  static constexpr auto fields(auto list) {
    return list(field("job", &StopRequested::job), field("nth", &StopRequested::nth));
  }
};

/// All that an event can be.
using AnyEvent =
    std::variant<JobSubmitted, ControllerStarted, AttemptRunning, AttemptStartFailed, WorkersFailed,
                 WorkersFinished, WorkersStopped, PollUnanswered, ControllerError, NodeUnreachable,
                 NodeJoined, PreemptionNotice, DeviceFault, HangSuspected, CheckpointReported,
                 CommandResult, StopRequested, CapacityChanged, Timer, ExperimentSubmitted,
                 TrialStarted, TrialRestored, TrialResult, TrialsFailed, TrialsStopped,
                 SelfHealResult, CheckpointDurable, MetricsReported, AgentEnded>;

/// Only what a controller could know; never ground truth. A class of its own, so that how to copy,
/// move and destroy each alternative is compiled once and not in every source that has a list of
/// them.
struct Event : AnyEvent {
  using AnyEvent::AnyEvent;
  using AnyEvent::operator=;
  Event();
  Event(const Event&);
  Event(Event&&) noexcept;
  Event& operator=(const Event&);
  Event& operator=(Event&&) noexcept;
  ~Event();
};

/// All that is to be known at one moment, in the world's order. `seq` grows by one a batch.
struct Batch {
  std::uint64_t seq = 0;
  TimeUs t_us = 0;
  std::vector<Event> events{};
  bool poll = false;  ///< a poll of the watched attempt shows it; since protocol 1.1
  static constexpr auto fields(auto list) {
    return list(field("seq", &Batch::seq), field("t_us", &Batch::t_us),
                sparse_field("poll", &Batch::poll), field("events", &Batch::events));
  }
};

/// The list of things that the host has given back with the event; null where there are none.
const std::vector<GivenBack>* released_with(const Event& event);

/// The event without the members that protocol 1.0 lacks, which recordings lack, too.
Event in_protocol_1_0(Event event);

/// The word for the event's type, e.g. "workers_failed".
std::string_view name_of(const Event& event);

}  // namespace aftershock::policies
