#include <string>
#include <utility>

#include "policies/api/json.h"
#include "sim/core/entry_kind.h"
#include "sim/workload/unmounting.h"
#include "sim/world/world.h"

// Containers that outlive their processes: what a platform of pods does that Ray does not
// (modelarts.md 1 and 4).
namespace aftershock::sim {

using reports::EntityKind;

bool World::may_run_again(Job& job, policies::CommandId command, policies::Epoch epoch) {
  if (epoch <= job.epoch) {
    refuse(job, command, policies::CommandError::kStaleEpoch);
    return false;
  }
  if (!job.kept || job.stage != Stage::kNone) {
    refuse(job, command, policies::CommandError::kIllegalState);
    return false;
  }
  return true;
}

// Another attempt in the containers of the one before, or in some of them.
void World::run_again(Job& job, policies::Epoch epoch, const std::vector<policies::PodEnv>& env) {
  job.kept = false;
  job.healings = 0;
  // Containers in which nothing ran yet are as good as new: their set-up begins again.
  job.reused = job.set_up;
  begin_anew(job);
  job.from_checkpoint = job.committed != 0 ? std::optional(job.committed) : std::nullopt;
  open_attempt(job, epoch, {"from", job.committed});
  job.next_pod_env = env;
}

void World::restart_processes(Job& job, const policies::RestartProcesses& command) {
  if (may_run_again(job, command.id, command.epoch)) {
    run_again(job, command.epoch, command.env);
    begin_launching(job, 0, command.in_process);
  }
}

void World::recreate_pods(Job& job, const policies::RecreatePods& command) {
  if (!may_run_again(job, command.id, command.epoch)) {
    return;
  }
  run_again(job, command.epoch, command.env);
  job.recreating = true;
  job.replaced = command.ranks;
  job.first_in_queue = true;
  queue_up(job, command.placement_wait_us);
}

// How many pods a stop takes away, of those that are there.
std::size_t World::pods_leaving(const Job& job, const policies::StopWorkers& command) const {
  if (command.keep_containers && command.leaving.empty()) {
    return 0;
  }
  if (!command.keep_containers && job.podless.empty()) {
    return job.placement.slots.size();
  }
  std::size_t pods = 0;
  for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
    const policies::RankSet ranks = ranks_on(job, slot);
    const bool there = !ranks.overlaps(job.podless);
    const bool goes = !command.keep_containers || ranks.overlaps(command.leaving);
    pods += there && goes ? 1 : 0;
  }
  return pods;
}

// Of a job in whose containers no process runs.
void World::remove_containers(Job& job, const policies::StopWorkers& command) {
  const std::int64_t length_us =
      unmounted_after_us(spec(job).volumes, pods_leaving(job, command), command, 0);
  job.kept = command.keep_containers;
  job.podless.add(command.leaving);
  job.healings = 0;
  if (length_us > 0) {
    set_phase(job, Phase::kTearingDown, job.start_cause);
  }
  enter_stage(job, Stage::kTearingDown, length_us);
}

// While its processes are being stopped, or some of its pods removed: all of them go.
void World::take_containers_too(Job& job, const policies::StopWorkers& command) {
  const std::int64_t left_us = *job.stage_end_us - core_.now_us();
  const std::int64_t length_us =
      unmounted_after_us(spec(job).volumes, pods_leaving(job, command), command, left_us);
  job.kept = false;
  job.healings = 0;
  enter_stage(job, Stage::kTearingDown, length_us);
}

// A script that cannot run twice in a container ends in every one that was kept; `anew`: but in
// those of ranks whose pods were not.
void World::run_script_again(Job& job, bool anew) {
  if (!job.reused || spec(job).script.reentrant) {
    return;
  }
  RankFailure failure;
  failure.ranks = policies::RankSet::range(0, job.workers);
  failure.ranks = anew ? failure.ranks.without(job.replaced) : failure.ranks;
  failure.kind = policies::WorkerFailure::kExit;
  failure.exit_code = 1;
  job.start_stage = policies::StartStage::kLaunch;
  if (!job.start_cause.is_fault()) {
    start_failed_by_itself(job, std::move(failure.ranks));
    return;
  }
  failure.visible_us = core_.now_us();
  failure.fault = static_cast<std::uint32_t>(job.start_cause.value);
  fail_ranks(job, std::move(failure));
}

// Of a job that was restarted though nothing was wrong with it: no fault is there to blame.
void World::start_failed_by_itself(Job& job, policies::RankSet ranks) {
  job.start_failure_told = true;
  enter_stage(job, job.stage, std::nullopt);
  set_phase(job, Phase::kDeciding, job.start_cause);
  notify(job, policies::AttemptStartFailed{.job = job.index,
                                           .epoch = job.epoch,
                                           .stage = *job.start_stage,
                                           .why = policies::StartFailure::kWorkerDied,
                                           .ranks = std::move(ranks)});
}

// As they start: an attempt for which no nodes are found gives nothing to anybody.
void World::note_env(Job& job) {
  if (job.next_pod_env.empty()) {
    return;
  }
  job.pod_env = std::exchange(job.next_pod_env, {});
  for (const policies::PodEnv& pods : job.pod_env) {
    std::string variables;
    for (const policies::Variable& variable : pods.variables) {
      variables += variables.empty() ? "" : " ";
      variables += variable.name + '=' + variable.value;
    }
    core_.recorder().instant(core_.now_us(), {EntityKind::kJob, job.index}, "environment",
                             {{"epoch", job.epoch},
                              {"ranks", 0, policies::to_line(pods.ranks)},
                              {"variables", 0, variables}});
  }
}

}  // namespace aftershock::sim
