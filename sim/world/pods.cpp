#include "sim/world/pods.h"

#include <string>
#include <utility>

#include "policies/api/json.h"
#include "sim/core/entry_kind.h"
#include "sim/workload/unmounting.h"
#include "sim/world/controlling.h"
#include "sim/world/failure.h"
#include "sim/world/phases.h"
#include "sim/world/refusal.h"
#include "sim/world/restart_loops.h"
#include "sim/world/starting.h"
#include "sim/world/world.h"

// Containers that outlive their processes: what a platform of pods does that Ray does not
// (modelarts.md 1 and 4).
namespace aftershock::sim::world {

namespace {

void start_failed_by_itself(World& world, workload::Job& job, policies::RankSet ranks);

}  // namespace

using reports::EntityKind;

namespace {

// False also where the attempts before have shown that this one gets no further either.
bool may_run_again(World& world, workload::Job& job, policies::CommandId command,
                   policies::Epoch epoch) {
  if (epoch <= job.epoch) {
    refuse(world, job, command, policies::CommandError::kStaleEpoch);
    return false;
  }
  if (!job.pods.kept || job.stage != workload::Stage::kNone) {
    refuse(world, job, command, policies::CommandError::kIllegalState);
    return false;
  }
  count_restart_loop(world, job, job.workers);
  return !job.stuck;
}

}  // namespace

// Another attempt in the containers of the one before, or in some of them.
void run_again(World& world, workload::Job& job, policies::Epoch epoch,
               const std::vector<policies::PodEnv>& env) {
  job.pods.kept = false;
  // Containers in which nothing ran yet are as good as new: their set-up begins again.
  job.pods.reused = job.pods.set_up;
  begin_anew(job);
  job.from_checkpoint =
      job.saved.committed != 0 ? std::optional(job.saved.committed) : std::nullopt;
  open_attempt(world, job, epoch, {"from", job.saved.committed});
  job.pods.next_pod_env = env;
}

void restart_processes(World& world, workload::Job& job,
                       const policies::RestartProcesses& command) {
  if (may_run_again(world, job, command.id, command.epoch)) {
    run_again(world, job, command.epoch, command.env);
    begin_launching(world, job, 0,
                    command.in_process ? LaunchIn::kProcesses : LaunchIn::kContainers);
  }
}

void recreate_pods(World& world, workload::Job& job, const policies::RecreatePods& command) {
  if (!may_run_again(world, job, command.id, command.epoch)) {
    return;
  }
  run_again(world, job, command.epoch, command.env);
  job.pods.recreating = true;
  job.pods.replaced = command.ranks;
  job.wait.first_in_queue = true;
  queue_up(world, job, command.placement_wait_us);
}

// How many pods a stop takes away, of those that are there.
std::size_t pods_leaving(const World& world, const workload::Job& job,
                         const policies::StopWorkers& command) {
  if (command.keep_containers && command.leaving.empty()) {
    return 0;
  }
  if (!command.keep_containers && job.pods.podless.empty()) {
    return job.placement.slots.size();
  }
  std::size_t pods = 0;
  for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
    const policies::RankSet ranks = ranks_on(world, job, slot);
    const bool there = !ranks.overlaps(job.pods.podless);
    const bool goes = !command.keep_containers || ranks.overlaps(command.leaving);
    pods += there && goes ? 1 : 0;
  }
  return pods;
}

// Of a job in whose containers no process runs.
void remove_containers(World& world, workload::Job& job, const policies::StopWorkers& command) {
  const std::int64_t length_us = workload::unmounted_after_us(
      spec(world, job).volumes, pods_leaving(world, job, command), command, 0);
  job.pods.kept = command.keep_containers;
  job.pods.podless.add(command.leaving);
  job.pods.healings = 0;
  if (length_us > 0) {
    set_phase(world, job, scenario::Phase::kTearingDown, job.start_cause);
  }
  enter_stage(world, job, workload::Stage::kTearingDown, length_us);
}

// While its processes are being stopped, or some of its pods removed: all of them go.
void take_containers_too(World& world, workload::Job& job, const policies::StopWorkers& command) {
  const std::int64_t left_us = *job.stage_end_us - world.now_us();
  const std::int64_t length_us = workload::unmounted_after_us(
      spec(world, job).volumes, pods_leaving(world, job, command), command, left_us);
  job.pods.kept = false;
  job.pods.healings = 0;
  enter_stage(world, job, workload::Stage::kTearingDown, length_us);
}

// A script that cannot run twice in a container ends in every one that was kept; `anew`: but in
// those of ranks whose pods were not.
void run_script_again(World& world, workload::Job& job, bool anew) {
  if (!job.pods.reused || spec(world, job).script.reentrant) {
    return;
  }
  detection::RankFailure failure;
  failure.ranks = policies::RankSet::range(0, job.workers);
  failure.ranks = anew ? failure.ranks.without(job.pods.replaced) : failure.ranks;
  failure.kind = policies::WorkerFailure::kExit;
  failure.exit_code = 1;
  job.detection.start_stage = policies::StartStage::kLaunch;
  if (!job.start_cause.is_fault()) {
    start_failed_by_itself(world, job, std::move(failure.ranks));
    return;
  }
  failure.visible_us = world.now_us();
  failure.fault = static_cast<std::uint32_t>(job.start_cause.value);
  fail_ranks(world, job, std::move(failure));
}

namespace {

// Of a job that was restarted though nothing was wrong with it: no fault is there to blame.
void start_failed_by_itself(World& world, workload::Job& job, policies::RankSet ranks) {
  job.detection.start_failure_told = true;
  enter_stage(world, job, job.stage, std::nullopt);
  set_phase(world, job, scenario::Phase::kDeciding, job.start_cause);
  notify(world, job,
         policies::AttemptStartFailed{.job = job.index,
                                      .epoch = job.epoch,
                                      .stage = *job.detection.start_stage,
                                      .why = policies::StartFailure::kWorkerDied,
                                      .ranks = std::move(ranks),
                                      .launched_us = job.pods.launched_us});
}

}  // namespace

// As they start: an attempt for which no nodes are found gives nothing to anybody.
void note_env(World& world, workload::Job& job) {
  if (job.pods.next_pod_env.empty()) {
    return;
  }
  job.pods.pod_env = std::exchange(job.pods.next_pod_env, {});
  for (const policies::PodEnv& pods : job.pods.pod_env) {
    std::string variables;
    for (const policies::Variable& variable : pods.variables) {
      variables += variables.empty() ? "" : " ";
      variables += variable.name + '=' + variable.value;
    }
    world.core.recorder().instant(world.now_us(), {EntityKind::kJob, job.index}, "environment",
                                  {{"epoch", job.epoch},
                                   {"ranks", 0, policies::to_line(pods.ranks)},
                                   {"variables", 0, variables}});
  }
}

}  // namespace aftershock::sim::world
