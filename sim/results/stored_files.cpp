#include "sim/results/stored_files.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/scenario/holders.h"
#include "sim/workload/checkpoint_name.h"
#include "sim/world/trial_places.h"
#include "sim/world/trials.h"
#include "sim/world/world.h"

namespace aftershock::sim::results {

namespace {

using reports::StoredFile;
using reports::StoredFolder;

constexpr std::string_view kDefaultPath = "~/ray_results";

/// A run's folder in storage: the newest driver that wrote there, and whether its holder is still
/// at it, or has begun under another name since.
struct RunFolder {
  std::string key;
  std::size_t newest = 0;  ///< of the world's driver runs
  std::uint32_t sessions = 0;
  bool live = false;
};

const policies::Policy& policy_of(const world::World& world, const drivers::DriverRun& run) {
  const workload::Job* job = world::job_of(world, run.job);
  return (job != nullptr ? job->control : world::experiment_of(world, run.job)->control)
      .host.policy();
}

const scenario::RunSpec& spec_of(const world::World& world, const drivers::DriverRun& run) {
  return scenario::of_holder(world.scenario(), run.job,
                             [](const auto& spec) -> const scenario::RunSpec& { return spec.run; });
}

/// Whether a driver that lives, or ended by itself, stores an experiment_state-*.json of its own.
bool will_leave_session(const world::World& world, const drivers::DriverRun& run) {
  if (run.ended_by) {
    return false;
  }
  return drivers::leaves_session(run, policy_of(world, run).durable(world.now_us()));
}

/// Every folder that a driver had, in the order in which they were first used.
std::vector<RunFolder> places_of(const world::World& world) {
  std::vector<RunFolder> places;
  const auto& runs = world.driver_runs.all();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const drivers::DriverRun& run = runs[i];
    // A run without a name has a folder that nobody else finds: one a job.
    const std::string key = run.key.empty() ? fmt::format("#{}", run.job) : run.key;
    auto place = std::ranges::find(places, key, &RunFolder::key);
    if (place == places.end()) {
      place = places.insert(places.end(), RunFolder{.key = key});
    }
    const workload::Job* job = world::job_of(world, run.job);
    const bool last =
        i == (job != nullptr ? job->control.driver_run
                             : world::experiment_of(world, run.job)->control.driver_run);
    place->sessions += run.has_session || (last && will_leave_session(world, run)) ? 1U : 0U;
    place->newest = i;
    place->live = last;
  }
  return places;
}

struct StoredCheckpoint {
  std::int64_t named_us = 0;  ///< as of a checkpoint
  std::string what{};         ///< the remark beside it
};

/// Checkpoints of one trial, or of a job of Train V2, by id.
using Checkpoints = std::map<std::uint32_t, StoredCheckpoint>;

void add_checkpoints(const Checkpoints& checkpoints, const std::string& within,
                     workload::CheckpointNaming naming, StoredFolder& folder) {
  for (const auto& [id, checkpoint] : checkpoints) {
    folder.files.push_back(
        {fmt::format("{}{}/", within, workload::checkpoint_name(naming, id, checkpoint.named_us)),
         checkpoint.what});
  }
}

workload::CheckpointNaming naming_of(const world::World& world, const control::PolicyHost& host) {
  return {host.info().name, world.scenario().start};
}

void add_committed(const std::vector<workload::Checkpoint>& checkpoints, std::string_view trial,
                   std::int64_t step_us, Checkpoints& found) {
  for (const workload::Checkpoint& checkpoint : checkpoints) {
    if (checkpoint.trial == trial) {
      found[checkpoint.id] = {checkpoint.named_us,
                              fmt::format("step {}", checkpoint.work_us / step_us)};
    }
  }
}

void add_leftovers(const std::vector<workload::Leftover>& leftovers, std::string_view trial,
                   Checkpoints& found) {
  for (const workload::Leftover& leftover : leftovers) {
    if (leftover.trial == trial) {
      found[leftover.checkpoint] = {
          leftover.named_us,
          leftover.torn ? "left over, torn: not all of it arrived" : "left over, never committed"};
    }
  }
}

/// The checkpoints that a driver which still runs has written.
Checkpoints checkpoints_of(const workload::Job& job, const scenario::JobSpec& spec) {
  Checkpoints found;
  for (const workload::Checkpoint& checkpoint : job.saved.checkpoints) {
    const std::int64_t steps = checkpoint.work_us / spec.step_us;
    if (checkpoint.state == workload::CheckpointState::kCommitted) {
      found[checkpoint.id] = {
          checkpoint.named_us,
          fmt::format("step {}{}", steps,
                      checkpoint.id == job.saved.committed ? ", the latest" : "")};
    } else if (checkpoint.state == workload::CheckpointState::kReported) {
      found[checkpoint.id] = {checkpoint.named_us, fmt::format("step {}, not committed", steps)};
    } else if (checkpoint.state == workload::CheckpointState::kUploading) {
      found[checkpoint.id] = {checkpoint.named_us, fmt::format("step {}, uploading", steps)};
    }
  }
  add_leftovers(job.saved.leftovers, {}, found);
  return found;
}

void add_train_v2(const world::World& world, const RunFolder& place,
                  const drivers::StoredRun& stored, StoredFolder& folder) {
  const workload::Job& job = *world::job_of(world, world.driver_runs[place.newest].job);
  const scenario::JobSpec& spec = world.scenario().jobs[job.index];
  // Written once, and looked for before each upload (ray.md 1.8).
  folder.files.push_back({".validate_storage_marker", {}});
  if (!place.live || job.stored.persisted) {
    const bool is_torn = !(place.live ? job.control.torn.name : stored.torn).empty();
    folder.files.push_back(
        {"checkpoint_manager_snapshot.json", is_torn ? "torn" : "the run's state"});
  }
  Checkpoints checkpoints;
  if (place.live) {
    checkpoints = checkpoints_of(job, spec);
  } else {
    add_committed(stored.checkpoints, {}, spec.step_us, checkpoints);
    add_leftovers(stored.leftovers, {}, checkpoints);
  }
  add_checkpoints(checkpoints, {}, naming_of(world, job.control.host), folder);
}

/// Files that Tune keeps of an experiment beside those of its trials (ray.md 3.4).
void add_experiment_files(const RunFolder& place, const std::string& torn, bool trainer,
                          StoredFolder& folder) {
  for (std::uint32_t session = 1; session <= place.sessions; ++session) {
    const bool newest = session == place.sessions;
    std::string what = newest ? "the newest name is what a restore reads" : "";
    if (newest && torn == "snapshot") {
      what = "torn; " + what;
    }
    folder.files.push_back({fmt::format("experiment_state-{:04d}.json", session), what});
    folder.files.push_back({fmt::format("basic-variant-state-{:04d}.json", session), {}});
  }
  for (const std::string_view file : {"trainer.pkl", "tuner.pkl"}) {
    if (trainer || file == "tuner.pkl") {
      folder.files.push_back({std::string(file), torn == file ? "torn" : "written once"});
    }
  }
}

void add_trial(const std::string& trial, std::string what, const Checkpoints& checkpoints,
               workload::CheckpointNaming naming, StoredFolder& folder) {
  folder.files.push_back({trial, std::move(what)});
  folder.files.push_back({trial + "events.out.tfevents", {}});
  folder.files.push_back({trial + "result.json", {}});
  add_checkpoints(checkpoints, trial, naming, folder);
}

std::string artifacts_words(const world::World& world, const workload::Job& job) {
  workload::Artifacts artifacts = job.saved.artifacts;
  workload::stop_writing(artifacts, world.scenario().jobs[job.index].run.sync_period_us,
                         world.now_us());
  if (!artifacts.synced_us) {
    return "of every worker, never copied yet";
  }
  constexpr std::int64_t kSecond = 1'000'000;
  return fmt::format("of every worker, copied last at {} s", *artifacts.synced_us / kSecond);
}

void add_train_v1(const world::World& world, const RunFolder& place,
                  const drivers::StoredRun& stored, StoredFolder& folder) {
  const workload::Job& job = *world::job_of(world, world.driver_runs[place.newest].job);
  const scenario::JobSpec& spec = world.scenario().jobs[job.index];
  add_experiment_files(place, place.live ? job.control.torn.name : stored.torn, true, folder);
  std::map<std::string, Checkpoints> trials;
  for (const workload::Checkpoint& checkpoint : stored.checkpoints) {
    add_committed({checkpoint}, checkpoint.trial, spec.step_us, trials[checkpoint.trial]);
  }
  for (const workload::Leftover& leftover : stored.leftovers) {
    add_leftovers({leftover}, leftover.trial, trials[leftover.trial]);
  }
  if (const auto now = job.control.host.policy().trials(); place.live && !now.empty()) {
    // The trial that runs has put nothing away yet: its job has what it wrote.
    trials[now.front().id] = checkpoints_of(job, spec);
  }
  const std::string trainer = spec.policy.config->value("trainer", "TorchTrainer");
  for (const auto& [name, checkpoints] : trials) {
    const std::string trial = fmt::format("{}_{}/", trainer, name);
    add_trial(trial, "the trial's directory", checkpoints, naming_of(world, job.control.host),
              folder);
    if (spec.run.sync_artifacts) {
      folder.files.push_back({trial + "artifact-rank=*", artifacts_words(world, job)});
    }
  }
}

void add_tune(const world::World& world, const RunFolder& place, const drivers::StoredRun& stored,
              StoredFolder& folder) {
  const workload::Experiment& experiment =
      *world::experiment_of(world, world.driver_runs[place.newest].job);
  const scenario::ExperimentSpec& spec = world.scenario().experiments[experiment.index];
  add_experiment_files(place, place.live ? experiment.control.torn.name : stored.torn, false,
                       folder);
  std::map<std::string, policies::TrialState, std::less<>> states;
  if (place.live) {
    for (policies::TrialState& state : experiment.control.host.policy().trials()) {
      states.emplace(state.id, state);
    }
  }
  const std::string trainable = spec.policy.config->value("trainable", "trainable");
  for (const auto& [name, kept] : stored.trials) {
    const auto state = states.find(name);
    // Files of trials that were begun after the last snapshot stay behind (ray.md 3.5).
    const bool known = state != states.end();
    Checkpoints checkpoints;
    for (const drivers::TrialCheckpoint& checkpoint : kept.checkpoints) {
      const bool latest = known && state->second.checkpoint == checkpoint.id;
      checkpoints[checkpoint.id] = {
          .what = fmt::format("iteration {}{}", checkpoint.steps, latest ? ", the latest" : "")};
    }
    const std::string trial = fmt::format("{}_{}/", trainable, name);
    add_trial(trial,
              known        ? std::string(state->second.status)
              : place.live ? "the newest driver does not know it"
                           : "",
              checkpoints, naming_of(world, experiment.control.host), folder);
    if (spec.run.sync_artifacts) {
      folder.files.push_back({trial + "artifact*", "of the trial, synced"});
    }
  }
}

/// Where workers run, which is never in storage.
StoredFolder working_directories(const std::map<std::string, std::string>& env,
                                 const scenario::RunSpec& run, std::string_view name, bool staged) {
  const auto chdir = env.find("RAY_CHDIR_TO_TRIAL_DIR");
  StoredFolder folder;
  if (chdir != env.end() && chdir->second == "0") {
    folder.path = ".";
    folder.files.push_back(
        {"(the working directory of workers is where the script was started)", {}});
    return folder;
  }
  folder.path = fmt::format("<session_latest>/artifacts/{}{}", staged ? "<timestamp>/" : "", name);
  if (staged) {
    folder.files.push_back({"driver_artifacts/", "staged, then stored"});
  }
  folder.files.push_back(
      {"working_dirs/", staged && run.sync_artifacts ? "staged, then stored" : "not stored"});
  return folder;
}

}  // namespace

std::vector<StoredFolder> stored_files(const world::World& world) {
  std::vector<StoredFolder> folders;
  for (const RunFolder& place : places_of(world)) {
    const drivers::DriverRun& run = world.driver_runs[place.newest];
    const scenario::RunSpec& run_spec = spec_of(world, run);
    const std::string_view policy = policy_of(world, run).info().name;
    const bool v1 = policy == "ray_train_v1";
    const bool tune = policy == "ray_tune";
    const drivers::StoredRun* found = world.stored_runs.find(place.key);
    static const drivers::StoredRun kNothing;
    const drivers::StoredRun& stored = found == nullptr ? kNothing : *found;
    StoredFolder folder;
    folder.path = run.run;
    if (folder.path.empty()) {
      folder.path =
          fmt::format("{}/{}", run_spec.storage_path.empty() ? kDefaultPath : run_spec.storage_path,
                      v1     ? "TorchTrainer_<date>"
                      : tune ? "trainable_<date>"
                             : "ray_train_run-<date>");
    }
    if (tune) {
      add_tune(world, place, stored, folder);
    } else if (v1) {
      add_train_v1(world, place, stored, folder);
    } else {
      add_train_v2(world, place, stored, folder);
    }
    const std::string name = folder.path.substr(folder.path.rfind('/') + 1);
    folders.push_back(std::move(folder));
    if (place.live) {
      const auto& env = scenario::of_holder(
          world.scenario(), run.job, [](const auto& spec) -> const auto& { return spec.env; });
      folders.push_back(working_directories(env, run_spec, name, v1 || tune));
    }
  }
  return folders;
}

}  // namespace aftershock::sim::results
