#include <algorithm>
#include <optional>

#include "sim/core/entry_kind.h"
#include "sim/detection/ticks.h"
#include "sim/world/controlling.h"
#include "sim/world/failure.h"
#include "sim/world/world.h"

// Hang detection by activity and not by progress: a rank that computes nothing for long enough
// looks hung to them (modelarts.md 5.1, rule B).
namespace aftershock::sim::world {

namespace {

using reports::EntityKind;

// The phase of a stage in which processes run that compute no steps.
std::optional<scenario::Phase> phase_without_steps(workload::Stage stage) {
  switch (stage) {
    case workload::Stage::kRendezvous:
      return scenario::Phase::kRendezvous;
    case workload::Stage::kSelecting:
    case workload::Stage::kDownloading:
      return scenario::Phase::kRestoring;
    case workload::Stage::kWarmingUp:
      return scenario::Phase::kWarmingUp;
    case workload::Stage::kSnapshot:
    case workload::Stage::kWaitUpload:
    case workload::Stage::kWaitReport:
      return scenario::Phase::kCheckpointing;
    case workload::Stage::kFinalizing:
      return scenario::Phase::kFinalizing;
    case workload::Stage::kNone:
    case workload::Stage::kQueued:
    case workload::Stage::kLaunching:  // there are no processes to look at yet
    case workload::Stage::kTraining:
    case workload::Stage::kReturned:
    case workload::Stage::kTearingDown:
    case workload::Stage::kEnded:
      break;
  }
  return std::nullopt;
}

bool is_inactive(const workload::Job& job, const scenario::ScriptSpec& script) {
  if (job.broken) {
    // Ranks that wait for one that is gone compute nothing, whatever their script is busy with
    // otherwise.
    return workload::has_processes(job);
  }
  const auto phase = phase_without_steps(job.stage);
  return phase && std::ranges::find(script.active, *phase) == script.active.end();
}

}  // namespace

// To be called when what is looked at may have changed, or who looks.
void update_activity_watch(World& world, workload::Job& job) {
  const scenario::JobSpec& job_spec = spec(world, job);
  // A rule of the job's own, or fixed detection, takes the place of what the policy looks at.
  const bool looked_at = job.detection.hang && job.detection.hang->by_activity &&
                         !job_spec.hang_after_us && !job_spec.fixed_detection_us;
  if (!looked_at || !is_inactive(job, job_spec.script)) {
    ++job.detection.activity_epoch;
    job.detection.inactive_since_us.reset();
    job.detection.activity_timeout_us.reset();
    job.detection.alarmed = false;
    return;
  }
  if (!job.detection.inactive_since_us) {
    job.detection.inactive_since_us = world.now_us();
  }
  const policies::HangWatch& watch = *job.detection.hang;
  const std::int64_t sure_us = detection::tick_when_sure(
      *job.detection.inactive_since_us, watch.after_us, watch.anchor_us, watch.period_us);
  // A stage that is over by then is followed by another look, whatever comes next.
  if (job.detection.activity_timeout_us == sure_us ||
      (job.stage_end_us && *job.stage_end_us <= sure_us)) {
    return;
  }
  job.detection.activity_timeout_us = sure_us;
  world.core.schedule(core::EntryKind::kActivityTimeout, std::max(sure_us, world.now_us()),
                      {.entity = job.index, .epoch = ++job.detection.activity_epoch});
}

void on_activity_timeout(World& world, workload::Job& job) {
  if (!job.detection.hang || !job.detection.inactive_since_us) {
    return;
  }
  if (job.broken) {
    note_detected(world, job, job.breakage.broken_fault);
  } else {
    // A long compilation or save leaves accelerators as still as a hang does (modelarts.md 5.1).
    job.detection.alarmed = true;
    ++job.account.false_alarms;
    world.core.recorder().instant(world.now_us(), {EntityKind::kJob, job.index}, "false_alarm",
                                  {{"phase", 0, scenario::name_of(job.phase)},
                                   {"since_us", *job.detection.inactive_since_us}});
  }
  notify(world, job,
         policies::HangSuspected{
             .job = job.index, .epoch = job.epoch, .since_us = *job.detection.inactive_since_us});
}

}  // namespace aftershock::sim::world
