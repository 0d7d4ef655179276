#include "sim/world/observations.h"

#include <algorithm>

#include "sim/workload/recoveries.h"
#include "sim/world/controlling.h"
#include "sim/world/failure.h"
#include "sim/world/phases.h"
#include "sim/world/world.h"

namespace aftershock::sim::world {

void start_failure_seen(World& world, workload::Job& job) {
  if (!workload::starting(job) || !job.broken || job.detection.start_failure_told) {
    return;
  }
  const auto shows = [&world](const detection::RankFailure& failure) {
    return failure.visible_us && *failure.visible_us <= world.now_us();
  };
  if (std::ranges::none_of(job.detection.failures, shows)) {
    return;  // a cut has come between, or the node has gone down first
  }
  job.detection.start_failure_told = true;
  world.faults.detect(job.breakage.broken_fault);
  if (workload::Recovery* found = workload::find_recovery(job, job.breakage.broken_fault);
      found != nullptr) {
    found->detected_us = world.now_us();
  }
  // A controller that has asked every worker of the start knows which have not answered; elsewhere
  // the platform finds out by itself, and tells.
  const bool asked_all = !job.control.host.info().watches_nodes;
  for (const detection::RankFailure& failure : job.detection.failures) {
    if (failure.node && (asked_all || shows(failure))) {
      node_known_down(world, job, *failure.node);
    }
  }
  set_phase(world, job, scenario::Phase::kDeciding,
            reports::Cause::fault(job.breakage.broken_fault));
  // User code does not run yet: only a set-up hook that was told to raise does so, or a collective
  // that gave up. Everything else ends the process.
  const bool raised =
      job.detection.failures.back().answers &&
      (job.detection.start_stage ||
       job.detection.failures.back().kind == policies::WorkerFailure::kCollectiveTimeout);
  notify(world, job,
         policies::AttemptStartFailed{
             .job = job.index,
             .epoch = job.epoch,
             .stage = job.detection.start_stage.value_or(job.stage == workload::Stage::kLaunching
                                                             ? policies::StartStage::kConstruction
                                                             : policies::StartStage::kBackendSetup),
             .why = raised ? policies::StartFailure::kError : policies::StartFailure::kWorkerDied,
             .ranks = job.detection.failures.front().ranks,
             .launched_us = job.pods.launched_us});
}

void suspect_hang(World& world, workload::Job& job) {
  if (!job.broken) {
    return;
  }
  if (job.detection.hang) {
    note_detected(world, job, job.breakage.broken_fault);
  }
  notify(world, job,
         policies::HangSuspected{
             .job = job.index, .epoch = job.epoch, .since_us = job.breakage.broken_us});
}

}  // namespace aftershock::sim::world
