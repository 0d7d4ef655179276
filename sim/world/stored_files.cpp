#include "sim/world/stored_files.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace aftershock::sim {

namespace {

using reports::StoredFile;
using reports::StoredFolder;

/// Checkpoints of one run by id, with what is to be said of each.
using Checkpoints = std::map<std::uint32_t, std::string>;

Checkpoints checkpoints_of(const Job& job, const JobSpec& spec) {
  Checkpoints found;
  for (const Checkpoint& checkpoint : job.checkpoints) {
    const std::int64_t steps = checkpoint.work_us / spec.step_us;
    if (checkpoint.state == CheckpointState::kCommitted) {
      found[checkpoint.id] =
          fmt::format("step {}{}", steps, checkpoint.id == job.committed ? ", the latest" : "");
    } else if (checkpoint.state == CheckpointState::kReported) {
      found[checkpoint.id] = fmt::format("step {}, not committed", steps);
    } else if (checkpoint.state == CheckpointState::kUploading) {
      found[checkpoint.id] = fmt::format("step {}, uploading", steps);
    }
  }
  for (const Leftover& leftover : job.leftovers) {
    found[leftover.checkpoint] =
        leftover.torn ? "left over, torn: not all of it arrived" : "left over, never committed";
  }
  return found;
}

void add_train_v2(const Job& job, const JobSpec& spec, StoredFolder& folder) {
  folder.files.push_back({".validate_storage_marker", {}});
  if (job.persisted) {
    folder.files.push_back(
        {"checkpoint_manager_snapshot.json", job.torn_file.empty() ? "the run's state" : "torn"});
  }
  for (const auto& [id, what] : checkpoints_of(job, spec)) {
    folder.files.push_back({fmt::format("checkpoint_{:06d}/", id), what});
  }
}

void add_train_v1(const Job& job, const JobSpec& spec, StoredFolder& folder) {
  for (std::uint32_t driver = 1; driver <= job.drivers; ++driver) {
    folder.files.push_back(
        {fmt::format("experiment_state-{:04d}.json", driver),
         driver == job.drivers ? "the newest name is what a restore reads" : ""});
    folder.files.push_back({fmt::format("basic-variant-state-{:04d}.json", driver), {}});
  }
  folder.files.push_back({"trainer.pkl", job.torn_file == "trainer.pkl" ? "torn" : "written once"});
  folder.files.push_back({"tuner.pkl", job.torn_file == "tuner.pkl" ? "torn" : "written once"});
  const std::string trial = "TorchTrainer_00000/";
  folder.files.push_back({trial, "the trial's directory"});
  folder.files.push_back({trial + "events.out.tfevents", {}});
  folder.files.push_back({trial + "result.json", {}});
  for (const auto& [id, what] : checkpoints_of(job, spec)) {
    folder.files.push_back({fmt::format("{}checkpoint_{:06d}/", trial, id - 1), what});
  }
  if (spec.run.sync_artifacts) {
    folder.files.push_back({trial + "artifact-rank=*", "of every worker, synced"});
  }
}

/// Where workers run, which is never in storage.
StoredFolder working_directories(const JobSpec& spec, bool v1) {
  const auto chdir = spec.env.find("RAY_CHDIR_TO_TRIAL_DIR");
  const bool stays = chdir != spec.env.end() && chdir->second == "0";
  StoredFolder folder;
  if (stays) {
    folder.path = ".";
    folder.files.push_back(
        {"(the working directory of workers is where the script was started)", {}});
    return folder;
  }
  folder.path = v1 ? "<session_latest>/artifacts/<timestamp>/" + spec.run.name
                   : "<session_latest>/artifacts/" + spec.run.name;
  if (v1) {
    folder.files.push_back({"driver_artifacts/", "staged, then stored"});
  }
  folder.files.push_back(
      {"working_dirs/", v1 && spec.run.sync_artifacts ? "staged, then stored" : "not stored"});
  return folder;
}

}  // namespace

std::vector<StoredFolder> stored_files(const World& world) {
  std::vector<StoredFolder> folders;
  for (const Job& job : world.jobs()) {
    const JobSpec& spec = world.scenario().jobs[job.index];
    if (job.drivers == 0) {
      continue;
    }
    const bool v1 = job.host.info().name == "ray_train_v1";
    // What earlier drivers left under names of their own.
    for (const DriverRun& run : world.driver_runs()) {
      const auto stored = world.stored_runs().find(run.run);
      if (run.job != job.index || run.run == job.run_key || stored == world.stored_runs().end()) {
        continue;
      }
      StoredFolder folder{run.run, {}};
      folder.files.push_back({".validate_storage_marker", {}});
      folder.files.push_back({"checkpoint_manager_snapshot.json", "the run's state"});
      for (const Checkpoint& checkpoint : stored->second.checkpoints) {
        folder.files.push_back({fmt::format("checkpoint_{:06d}/", checkpoint.id),
                                fmt::format("step {}", checkpoint.work_us / spec.step_us)});
      }
      folders.push_back(std::move(folder));
    }
    StoredFolder folder;
    folder.path =
        !job.run_key.empty()
            ? job.run_key
            : fmt::format("{}/{}",
                          spec.run.storage_path.empty() ? "~/ray_results" : spec.run.storage_path,
                          v1 ? "TorchTrainer_<date>" : "ray_train_run-<date>");
    v1 ? add_train_v1(job, spec, folder) : add_train_v2(job, spec, folder);
    folders.push_back(std::move(folder));
    folders.push_back(working_directories(spec, v1));
  }
  return folders;
}

}  // namespace aftershock::sim
