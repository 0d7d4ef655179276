#include <algorithm>
#include <utility>
#include <vector>

#include "sim/world/controlling.h"
#include "sim/world/drivers.h"
#include "sim/world/phases.h"
#include "sim/world/scheduling.h"
#include "sim/world/world.h"

// Controllers that are a platform's: what they know is in the platform's own store, and what they
// control are pods that no driver owns (ModelArts).
namespace aftershock::sim::world {

// Pods need nobody to run on, to stay or to go. Everything else waits for its controller, and is
// gone with it.
bool outlives_control_plane(const World& world, const workload::Job& job, bool state_kept) {
  const std::uint32_t head = spec(world, job).head;
  return (world.heads.up(head) ||
          (!world.scenario().cluster.workers_die_with_head && world.heads.returns(head))) &&
         state_kept && !job.aborting &&
         (workload::has_processes(job) || job.stage == workload::Stage::kTearingDown ||
          job.pods.kept || job.pods.recreating);
}

void leave_alone(World& world, workload::Job& job, std::uint32_t fault) {
  end_driver_run(world, job.control, fault);
  stop_watching(world, job);
}

void start_control_plane(World& world, workload::Job& job) {
  job.control.driver_run = world.driver_runs.begin({.job = job.index,
                                                    .nth = job.control.drivers,
                                                    .run = {},
                                                    .key = {},
                                                    .started_us = world.now_us()});
  drivers::DriverRun& run = world.driver_runs[job.control.driver_run];
  std::string known = std::exchange(job.stored.platform_state, {});
  if (!known.empty()) {
    run.found_job = job.index;
    run.found_steps = job.saved.committed_work_us / spec(world, job).step_us;
  }
  world.core.recorder().instant(world.now_us(), {reports::EntityKind::kJob, job.index},
                                "driver_started",
                                {{"nth", job.control.drivers}, {"found", known.empty() ? 0 : 1}});
  world.checker.controller_started(job);
  // It hears what it missed after what it is.
  std::vector<policies::Event> missed = std::exchange(job.control.pending, {});
  const bool told = std::ranges::any_of(missed, [](const policies::Event& event) {
    return std::holds_alternative<policies::AttemptRunning>(event);
  });
  if (job.stage == workload::Stage::kNone) {
    set_phase(world, job, scenario::Phase::kDeciding, job.start_cause);
  }
  notify(world, job,
         policies::ControllerStarted{
             .job = job.index, .durable = std::move(known), .epoch = job.epoch, .missing = {}});
  notify(world, job, policies::JobSubmitted{.job = job.index, .workers = spec(world, job).workers});
  if (workload::has_processes(job) && !workload::starting(job) && !told) {
    notify(world, job,
           policies::AttemptRunning{
               .job = job.index, .epoch = job.epoch, .launched_us = job.pods.launched_us});
  }
  std::ranges::move(missed, std::back_inserter(job.control.pending));
}

bool left_alone(const workload::Job& job) {
  return job.control.host.info().watches_nodes && !job.control.driver_up && job.control.drivers > 0;
}

bool on_head(const World& world, const workload::Job& job) {
  return !job.control.host.info().watches_nodes || !spec(world, job).control_plane.managed;
}

}  // namespace aftershock::sim::world
