#include "sim/world/controlling.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/agents.h"
#include "sim/world/devices.h"
#include "sim/world/draining.h"
#include "sim/world/failure.h"
#include "sim/world/findings.h"
#include "sim/world/machine_faults.h"
#include "sim/world/names.h"
#include "sim/world/network_faults.h"
#include "sim/world/overloaded.h"
#include "sim/world/phases.h"
#include "sim/world/pods.h"
#include "sim/world/refusal.h"
#include "sim/world/scheduling.h"
#include "sim/world/starting.h"
#include "sim/world/stored_runs.h"
#include "sim/world/training.h"
#include "sim/world/world.h"

// Events in, decisions out: what a controller gets to see, and what becomes of its commands.
namespace aftershock::sim::world {

namespace {

using reports::Cause;
using reports::EntityKind;

// The cause of the events: the fault that broke the attempt, unless one of them names another.
Cause subject(const World& world, const workload::Job& job) {
  for (const policies::Event& event : job.control.pending) {
    if (job.armed.interrupt && (std::holds_alternative<policies::StopRequested>(event) ||
                                std::holds_alternative<policies::ControllerError>(event))) {
      return Cause::fault(*job.armed.interrupt);
    }
    if (job.pool_watch.notice && std::holds_alternative<policies::PreemptionNotice>(event)) {
      return Cause::fault(*job.pool_watch.notice);
    }
    if (job.detection.alarmed && !job.broken &&
        std::holds_alternative<policies::HangSuspected>(event)) {
      return job.armed.interrupt ? Cause::fault(*job.armed.interrupt) : Cause::policy();
    }
  }
  // Nothing has broken, and yet an agent may be missed.
  const auto agent = job.detection.unwatched.empty() || job.broken || job.start_cause.is_fault()
                         ? std::nullopt
                         : ended_agent(world, job);
  return agent ? Cause::fault(*agent) : job.start_cause;
}

}  // namespace

void notify(World& world, workload::Job& job, policies::Event event) {
  job.control.pending.push_back(std::move(event));
  if (!job.control.deliver_pending) {
    job.control.deliver_pending = true;
    // After all else of this microsecond, so that one batch carries all that is to be known.
    world.core.schedule(core::EntryKind::kDeliver, world.now_us(), {.entity = job.index});
  }
}

namespace {

// Whether it knows and takes its time, and why that is.
void note_wait(World& world, workload::Job& job, const std::optional<policies::Backoff>& backoff) {
  const bool backs_off = backoff && backoff->until_us > world.now_us();
  const bool knows = job.phase == scenario::Phase::kUndetected &&
                     std::ranges::any_of(job.detection.failures, &detection::RankFailure::told);
  if (job.stage == workload::Stage::kEnded) {
    return;
  }
  if (backs_off && (knows || job.phase == scenario::Phase::kDeciding)) {
    set_phase(world, job, scenario::Phase::kBackingOff, job.start_cause);
  } else if ((knows && job.control.wake_us) ||
             (!backs_off && job.phase == scenario::Phase::kBackingOff)) {
    set_phase(world, job, scenario::Phase::kDeciding, job.start_cause);
  }
  if (backs_off && backoff->capped()) {
    world.moments.add(RareMoment::kBackoffCapped);
  }
}

}  // namespace

void deliver(World& world, workload::Job& job, bool polled) {
  if (world.messages) {
    pass_messages(world, job);
  }
  const Cause about = subject(world, job);
  const policies::Decision decision =
      job.control.host.answer(world.now_us(), job.control.pending, polled);
  if (lost_policy(world, job.control.host)) {
    return;
  }
  if (std::exchange(job.stored.found_run, false)) {
    take_up_run(world, job);
  }
  record_decision(world, {EntityKind::kJob, job.index}, job.control.host, about, decision);
  const auto& futures = decision.watch.futures;
  if (!decision.watch.poll && !futures) {
    job.detection.watch.reset();
  } else if (futures && job.detection.watch && job.detection.watch->epoch == futures->epoch) {
    // It goes on waiting on the same ones.
  } else {
    const policies::PollWatch poll =
        futures ? poll_of(*futures, world.now_us()) : *decision.watch.poll;
    if (!job.detection.watch || job.detection.watch->epoch != poll.epoch ||
        job.detection.watch->anchor_us != poll.anchor_us ||
        job.detection.watch->period_us != poll.period_us) {
      job.detection.clock =
          detection::PollClock(poll.anchor_us, poll.period_us, poll.answer_wait_us);
    }
    job.detection.watch = poll;
  }
  job.detection.hang = decision.watch.hang;
  job.detection.progress =
      decision.watch.progress ? std::optional(decision.watch.progress->epoch) : std::nullopt;
  job.detection.metrics =
      decision.watch.metrics ? std::optional(decision.watch.metrics->epoch) : std::nullopt;
  job.control.wake_us = decision.watch.wake_us;
  carry_out(world, job, decision, about);
  alarm_answered(world, job);
  watch_activity(world, job);  // not before: a command may answer what was taken for a hang
  note_wait(world, job, decision.watch.backoff);
  if (job.stage == workload::Stage::kEnded) {
    job.control.wake_us.reset();
    const auto agent = ended_agent(world, job);
    if (agent && job.outcome == workload::Outcome::kFailed) {
      note_detected(world, job, *agent);
    }
  } else {
    watch_capacity(world, job, decision.watch.capacity);
    watch_drains(world, job, decision.watch.drain);
    wait_for_capacity(world, job);
  }
  plan_poll(world, job);
}

void carry_out(World& world, workload::Job& job, const policies::Decision& decision, Cause about) {
  check_order(world, job);
  world.checker.decided(job, decision);
  for (const policies::Step& step : decision.steps) {
    charge(world, job, step, about);
    check_order(world, job, step);
    job.control.rules_applied[step.rule] = true;
    for (const policies::Command& command : step.commands) {
      if (job.stage != workload::Stage::kEnded) {
        check_order(world, job, command);
        world.checker.asked(job, command, world.machines.pools());
        carry_out(world, job, command);
        world.checker.answered(job, command);
      }
    }
    // After its commands: where one of them stops healthy workers, that is what it answers.
    if (!job.account.recoveries.empty() && !job.account.recoveries.back().running_us) {
      auto& rules = job.account.recoveries.back().rules;
      if (std::ranges::find(rules, step.rule) == rules.end()) {
        rules.push_back(step.rule);
      }
    }
  }
  check_budgets(world, job);
  world.checker.watches(job, decision.watch);
}

void carry_out(World& world, workload::Job& job, const policies::Command& command) {
  const auto of_experiments = [&]<class Asked>(const Asked& asked)
    requires policies::kOfExperiments<Asked>
  { refuse(world, job, asked.id, policies::CommandError::kUnknownTarget); };
  std::visit(
      Overloaded{
          [&](const policies::StartAttempt& start) { start_attempt(world, job, start); },
          [&](const policies::StopWorkers& stop) { stop_workers(world, job, stop); },
          [&](const policies::CommitCheckpoint& asked) { commit(world, job, asked); },
          [&](const policies::DeleteCheckpoints& asked) { discard(world, job, asked); },
          [&](const policies::Persist& asked) { persist(world, job, asked); },
          [&](const policies::ReplaceWorkers& asked) { replace_workers(world, job, asked); },
          [&](const policies::RestartProcesses& asked) { restart_processes(world, job, asked); },
          [&](const policies::RecreatePods& asked) { recreate_pods(world, job, asked); },
          [&](const policies::SelfHeal& asked) { self_heal(world, job, asked); },
          [&](const policies::IsolateNode& asked) { isolate_node(world, job, asked); },
          [&](const policies::ReleaseNode& asked) { release_node(world, job, asked); },
          [&](const policies::Notify& asked) {
            world.core.recorder().instant(world.now_us(), {EntityKind::kJob, job.index}, "notified",
                                          {{"text", 0, asked.text}});
          },
          of_experiments,
          [&](const policies::Complete& complete) {
            if (!job.training.ending) {
              refuse(world, job, complete.id, policies::CommandError::kIllegalState);
              return;
            }
            end_job(world, job, workload::Outcome::kCompleted, "completed");
          },
          [&](const policies::Fail& fail) {
            const bool by_user = fail.reason == "stopped_by_user";
            // An abort waits for the workers that it stops, unless told so once more.
            if (by_user && !job.aborting && job.stage == workload::Stage::kTearingDown &&
                job.stop_asked_us == world.now_us() && job.stage_end_us > world.now_us()) {
              job.aborting = true;
              return;
            }
            end_job(world, job, by_user ? workload::Outcome::kAborted : workload::Outcome::kFailed,
                    fail.reason);
          },
      },
      command);
}

void commit(World& world, workload::Job& job, const policies::CommitCheckpoint& command) {
  workload::Checkpoint* checkpoint = workload::find_checkpoint(job, command.checkpoint);
  if (checkpoint == nullptr || checkpoint->state != workload::CheckpointState::kReported) {
    refuse(world, job, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  count_checkpoint(world, job, *checkpoint);
}

}  // namespace aftershock::sim::world
