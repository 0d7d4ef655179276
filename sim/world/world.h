#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/ledger/summary.h"
#include "sim/core/run_core.h"
#include "sim/drivers/driver_runs.h"
#include "sim/drivers/heads.h"
#include "sim/drivers/run_storage.h"
#include "sim/engine/drive.h"
#include "sim/faults/arrivals.h"
#include "sim/faults/fault_book.h"
#include "sim/invariants/invariant_checker.h"
#include "sim/machines/ailments.h"
#include "sim/machines/machines.h"
#include "sim/machines/pod_objects.h"
#include "sim/network/network.h"
#include "sim/orphans/orphans.h"
#include "sim/scenario/holders.h"
#include "sim/scenario/scenario.h"
#include "sim/scheduling/capacity_watchers.h"
#include "sim/scheduling/queue.h"
#include "sim/workload/experiment.h"
#include "sim/workload/job.h"
#include "sim/world/rare_moments.h"
#include "sim/world/world_options.h"

namespace aftershock::sim::world {

/// A cluster, its jobs, what breaks and who decides, at one moment of simulated time. A plain
/// value: a copy has the same future. It holds the rooms and does nothing: the headers beside this
/// one have the functions that change it, and play.cpp the table of what each entry calls.
struct World final : engine::Playable {
  /// `hosts`: one policy a job, then one an experiment, in order.
  World(std::shared_ptr<const scenario::Scenario> scenario, std::vector<control::PolicyHost> hosts,
        const WorldOptions& options);

  /// The entries that are left of the run.
  engine::Calendar& calendar() override { return core.calendar(); }
  /// The transfers between nodes and storages that are under way.
  engine::Transfers& transfers() override { return network.transfers(); }
  /// The time of the entry that was played last, in us since the start of the run.
  [[nodiscard]] std::int64_t now_us() const override { return core.now_us(); }
  /// Calls the entry's row of the table in play.cpp, unless nothing can change before the horizon;
  /// sources, invariants and the end of the run are looked at beside it.
  void play(const engine::Entry& entry) override;
  /// Whether the run has ended: at its horizon, when all have ended or wait in vain, or cut short.
  [[nodiscard]] bool over() const override { return core.over(); }
  /// The rules of the run.
  [[nodiscard]] const scenario::Scenario& scenario() const { return core.scenario(); }

  core::RunCore core;
  machines::Machines machines;
  machines::Ailments ailments;
  network::Network network;
  faults::FaultBook faults;
  faults::Arrivals arrivals;
  scheduling::Queue queue;
  drivers::Heads heads;
  drivers::DriverRuns driver_runs;
  drivers::RunStorage stored_runs;
  orphans::Orphans orphans;
  std::vector<workload::Job> jobs;
  std::vector<workload::Experiment> experiments;
  scheduling::CapacityWatchers capacity_watchers;
  std::uint32_t jobs_left = 0;  ///< jobs and experiments that have not ended
  machines::PodObjects pod_objects;
  invariants::InvariantChecker checker;
  std::vector<reports::Violation> violations;
  RareMoments moments;    ///< that the run has been through
  std::string text;       ///< of the record that is being made
  bool messages = false;  ///< some fault has them come late or twice
  bool stuck = false;     ///< nothing was left to happen
};

/// The rules of the scenario for the job or the experiment.
[[nodiscard]] inline const scenario::JobSpec& spec(const World& world, const workload::Job& job) {
  return world.core.scenario().jobs[job.index];
}
[[nodiscard]] inline const scenario::ExperimentSpec& spec(const World& world,
                                                          const workload::Experiment& experiment) {
  return world.core.scenario().experiments[experiment.index];
}

/// The number by which policies, pools and the line of waiters know an experiment: those of jobs
/// come first.
[[nodiscard]] inline std::uint32_t holder_id(const World& world,
                                             const workload::Experiment& experiment) {
  return scenario::holder_of_experiment(world.scenario(), experiment.index);
}

/// The job of such a number; null where it is an experiment's.
[[nodiscard]] inline workload::Job* job_of(World& world, std::uint32_t holder) {
  return holder < world.jobs.size() ? &world.jobs[holder] : nullptr;
}
[[nodiscard]] inline const workload::Job* job_of(const World& world, std::uint32_t holder) {
  return holder < world.jobs.size() ? &world.jobs[holder] : nullptr;
}

/// The experiment of such a number; null where it is a job's.
[[nodiscard]] inline workload::Experiment* experiment_of(World& world, std::uint32_t holder) {
  return holder < world.jobs.size() ? nullptr : &world.experiments[holder - world.jobs.size()];
}
[[nodiscard]] inline const workload::Experiment* experiment_of(const World& world,
                                                               std::uint32_t holder) {
  return holder < world.jobs.size() ? nullptr : &world.experiments[holder - world.jobs.size()];
}

/// Gives the world another future: what is drawn from now on has this branch's numbers
/// (RandomKey::branch; no two copies may share one, and every world begins with 0). Repairs,
/// phases of the newest attempt, storms and bursts stay as they have begun. The next arrival of
/// every source is drawn anew: none may have a memory (`has_memory`). Between entries only.
void take_branch(World& world, std::uint64_t branch);

}  // namespace aftershock::sim::world
