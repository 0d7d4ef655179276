#include "sim/world/stored_runs.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"
#include "sim/world/world.h"

// Runs as storage keeps them, and as a new driver finds them.
namespace aftershock::sim::world {

namespace {

// The trial of a Train V1 run; empty where there is none.
std::string trial_name(const workload::Job& job) {
  const auto trials = job.control.host.policy().trials();
  return trials.empty() ? std::string() : trials.front().id;
}

}  // namespace

// The state of a controller in storage, and whether it left a file of its own session there.
std::string durable_of(World& world, const policies::Policy& policy, std::size_t driver_run,
                       workload::TornFile& file) {
  const nlohmann::json durable = policy.durable(world.now_us());
  drivers::DriverRun& run = world.driver_runs[driver_run];
  run.has_session = drivers::leaves_session(run, durable);
  // A periodic snapshot is intact again after its next write.
  if (const auto stored_us = policy.stored_us(world.now_us());
      file.name == "snapshot" && stored_us && *stored_us > file.at_us) {
    file.name.clear();
  }
  std::string text = durable.is_null() ? std::string() : policies::text_from_json(durable);
  return file.name.empty() ? text : drivers::torn(std::move(text), file.name);
}

// Unless another job has written under the name since.
void store_run(World& world, workload::Job& job) {
  if (job.control.run_key.empty() || job.stored.write_stamp == 0) {
    return;
  }
  drivers::StoredRun& stored = world.stored_runs.at(job.control.run_key);
  if (stored.write_stamp > job.stored.write_stamp) {
    return;
  }
  stored.write_stamp = job.stored.write_stamp;
  stored.writer = job.index;
  stored.durable =
      durable_of(world, job.control.host.policy(), job.control.driver_run, job.control.torn);
  stored.torn = job.control.torn.name;
  const std::string trial = trial_name(job);
  if (stored.refused_to(trial)) {
    return;
  }
  std::vector<workload::Checkpoint> committed;
  for (workload::Checkpoint& checkpoint : job.saved.checkpoints) {
    if (checkpoint.state == workload::CheckpointState::kCommitted) {
      checkpoint.trial = trial;
      committed.push_back(checkpoint);
    }
  }
  stored.replace(trial, std::move(committed));
}

// The text is made when somebody may come to read it.
void store_run(World& world, workload::Experiment& experiment) {
  drivers::StoredRun& stored = world.stored_runs.at(experiment.control.run_key);
  stored.writer = holder_id(world, experiment);
  stored.durable = durable_of(world, experiment.control.host.policy(),
                              experiment.control.driver_run, experiment.control.torn);
  stored.torn = experiment.control.torn.name;
}

// Brings up to date what a new driver finds: what drivers stored that live, or ended by themselves.
// Of one that was lost it was put away at that moment.
void store_runs(World& world, const std::string& key, std::uint32_t holder) {
  for (std::size_t i = 0; i < world.driver_runs.all().size(); ++i) {
    const drivers::DriverRun& run = world.driver_runs[i];
    if (run.key != key || run.ended_by || run.job == holder) {
      continue;
    }
    if (workload::Experiment* experiment = experiment_of(world, run.job); experiment != nullptr) {
      if (experiment->control.driver_run == i) {
        store_run(world, *experiment);
      }
    } else if (world.jobs[run.job].control.driver_run == i) {
      store_run(world, world.jobs[run.job]);
    }
  }
}

void forget_run(World& world, workload::Job& job) {
  world.checker.forgot_run(job);
  const std::string trial = job.saved.checkpoints.empty() ? "" : job.saved.checkpoints.back().trial;
  world.stored_runs.leave_behind(job.control.run_key, trial,
                                 std::exchange(job.saved.leftovers, {}));
  job.saved.checkpoints.clear();
  job.saved.uncommitted = 0;
  job.saved.committed = 0;
  job.saved.committed_work_us = 0;
  job.saved.next_checkpoint = 1;
}

// Takes the run that another driver left under the job's name. False: there is none.
bool find_run(World& world, workload::Job& job) {
  store_runs(world, job.control.run_key, job.index);
  const drivers::StoredRun* found = world.stored_runs.find(job.control.run_key);
  if (found == nullptr || found->durable.empty()) {
    return false;
  }
  const drivers::StoredRun& stored = *found;
  drivers::DriverRun& run = world.driver_runs[job.control.driver_run];
  run.found_job = stored.writer;
  run.found_session = drivers::session_of(policies::json_or_discarded(stored.durable));
  run.torn = stored.torn;
  job.stored.found_run = true;
  if (stored.writer == job.index || job_of(world, stored.writer) == nullptr) {
    return true;
  }
  // The other run's checkpoints are this one's now. Its steps are what counts in them.
  const std::int64_t their_step_us = world.scenario().jobs[stored.writer].step_us;
  job.saved.checkpoints = stored.checkpoints;
  job.saved.committed = 0;
  for (workload::Checkpoint& checkpoint : job.saved.checkpoints) {
    checkpoint.epoch = 0;
    checkpoint.work_us = checkpoint.work_us / their_step_us * spec(world, job).step_us;
    // A script that counts by the attempt takes what it finds, however much that is.
    if (const auto total_us = workload::last_work_us(spec(world, job), checkpoint.work_us)) {
      checkpoint.work_us = std::min(checkpoint.work_us, *total_us);
    }
    checkpoint.productive_us = 0;
    job.saved.next_checkpoint = std::max(job.saved.next_checkpoint, checkpoint.id + 1);
    job.saved.committed = checkpoint.id;
  }
  return true;
}

// A trial of Train V1 that does not go on with what was found has a directory of its own, and
// counts its checkpoints anew.
void take_up_run(World& world, workload::Job& job) {
  const std::string trial = trial_name(job);
  if (trial.empty() || job.saved.checkpoints.empty() ||
      job.saved.checkpoints.back().trial == trial) {
    std::erase_if(job.saved.checkpoints, [&](const workload::Checkpoint& one) {
      return !trial.empty() && one.trial != trial;
    });
    return;
  }
  forget_run(world, job);
}

}  // namespace aftershock::sim::world
