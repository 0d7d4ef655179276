#include <algorithm>
#include <utility>
#include <vector>

#include "sim/world/world.h"

// Controllers that are a platform's: what they know is in the platform's own store, and what they
// control are pods that no driver owns (ModelArts).
namespace aftershock::sim {

// Pods need nobody to run on, to stay or to go. Everything else waits for its controller, and is
// gone with it.
bool World::outlives_control_plane(const Job& job, bool state_kept) const {
  const Head& head = heads_[spec(job).head];
  return (head.up || (!core_.scenario().cluster.workers_die_with_head && head.returns)) &&
         state_kept && !job.aborting &&
         (has_processes(job) || job.stage == Stage::kTearingDown || job.kept || job.recreating);
}

void World::leave_alone(Job& job, std::uint32_t fault) {
  end_driver_run(job, fault);
  stop_watching(job);
}

void World::start_control_plane(Job& job) {
  job.driver_run = driver_runs_.size();
  DriverRun& run = driver_runs_.emplace_back();
  run.job = job.index;
  run.nth = job.drivers;
  run.started_us = core_.now_us();
  std::string known = std::exchange(job.platform_state, {});
  if (!known.empty()) {
    run.found_job = job.index;
    run.found_steps = job.committed_work_us / spec(job).step_us;
  }
  core_.recorder().instant(core_.now_us(), {reports::EntityKind::kJob, job.index}, "driver_started",
                           {{"nth", job.drivers}, {"found", known.empty() ? 0 : 1}});
  checker_.controller_started(job);
  // It hears what it missed after what it is.
  std::vector<policies::Event> missed = std::exchange(job.pending, {});
  const bool told = std::ranges::any_of(missed, [](const policies::Event& event) {
    return std::holds_alternative<policies::AttemptRunning>(event);
  });
  if (job.stage == Stage::kNone) {
    set_phase(job, Phase::kDeciding, job.start_cause);
  }
  notify(job,
         policies::ControllerStarted{
             .job = job.index, .durable = std::move(known), .epoch = job.epoch, .missing = {}});
  notify(job, policies::JobSubmitted{.job = job.index, .workers = spec(job).workers});
  if (has_processes(job) && !starting(job) && !told) {
    notify(job, policies::AttemptRunning{.job = job.index, .epoch = job.epoch});
  }
  std::ranges::move(missed, std::back_inserter(job.pending));
}

}  // namespace aftershock::sim
