#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/ledger/summary.h"
#include "reports/recording/recorder.h"
#include "sim/core/run_core.h"
#include "sim/engine/drive.h"
#include "sim/engine/random.h"
#include "sim/faults/arrivals.h"
#include "sim/faults/fault_book.h"
#include "sim/faults/fault_record.h"
#include "sim/invariants/invariant_checker.h"
#include "sim/machines/ailments.h"
#include "sim/machines/machines.h"
#include "sim/machines/pool.h"
#include "sim/network/network.h"
#include "sim/scenario/scenario.h"
#include "sim/workload/driver_run.h"
#include "sim/workload/experiment.h"
#include "sim/workload/job.h"
#include "sim/workload/progress.h"
#include "sim/workload/run_storage.h"
#include "sim/world/rare_moments.h"
#include "sim/world/world_options.h"
#include "sim/world/zombies.h"

namespace aftershock::sim {

/// What a world is made of, for everybody to read. World changes it.
class WorldState {
 public:
  /// The rules of the run.
  [[nodiscard]] const Scenario& scenario() const { return core_.scenario(); }
  [[nodiscard]] const std::vector<Job>& jobs() const { return jobs_; }
  [[nodiscard]] const std::vector<Experiment>& experiments() const { return experiments_; }
  [[nodiscard]] const std::vector<Pool>& pools() const { return machines_.pools(); }
  [[nodiscard]] const FaultBook& faults() const { return faults_; }
  [[nodiscard]] const Arrivals& arrivals() const { return arrivals_; }
  [[nodiscard]] const std::vector<DriverRun>& driver_runs() const { return driver_runs_; }
  [[nodiscard]] const auto& stored_runs() const { return stored_runs_; }  ///< by run_key()
  [[nodiscard]] const std::vector<reports::Violation>& violations() const { return violations_; }
  [[nodiscard]] std::int64_t entries_played() const { return core_.entries_played(); }
  /// Why the run ended before what it asked for did: its most time or entries; empty if it did not.
  [[nodiscard]] const std::string& cut_short() const { return core_.cut_short_by(); }
  /// That is why: a policy that lives elsewhere answers no more.
  [[nodiscard]] bool policy_failed() const { return core_.policy_failed(); }
  /// Workers that live on although their attempt has ended, and whole attempts that do.
  [[nodiscard]] const std::vector<Zombies>& zombies() const { return zombies_; }
  [[nodiscard]] const std::vector<OrphanedAttempt>& orphan() const { return orphans_; }
  /// The effect of the fault that was drawn for the occurrence.
  [[nodiscard]] const FaultEffect& effect_of(const FaultRecord& fault) const {
    return sim::effect_of(core_.scenario(), fault);
  }
  /// The job and the experiment that hold the node, null where none does.
  [[nodiscard]] const Job* holder(std::uint32_t pool, std::uint32_t node) const;
  [[nodiscard]] const Experiment* experiment_on(std::uint32_t pool, std::uint32_t node) const;
  /// The trials with a process on the accelerator that the fault strikes.
  [[nodiscard]] std::vector<std::uint32_t> trials_using(const FaultRecord& fault) const;
  /// What keeps a job from training that no policy could have helped, in words; empty: nothing
  /// does. For one that neither trains nor has ended, when the run is over.
  [[nodiscard]] std::string excuse(const Job& job) const;
  /// Why no policy could bring a job back that waits for nodes, in words: fewer than it needs work,
  /// isolated ones counted in, and none comes. Empty: enough do. For a run that is over.
  [[nodiscard]] std::string past_recovery(const Job& job) const;
  /// Rare moments that it has been through.
  [[nodiscard]] const RareMoments& moments() const { return moments_; }
  /// What should have come of it by now, and has not.
  [[nodiscard]] std::vector<MissedDeadline> missed_deadlines(const Job& job) const {
    return checker_.missed_deadlines(job);
  }

 protected:
  WorldState(std::shared_ptr<const Scenario> scenario, const WorldOptions& options);

  [[nodiscard]] std::uint32_t job_id(const Experiment& experiment) const {
    return static_cast<std::uint32_t>(jobs_.size()) + experiment.index;
  }
  [[nodiscard]] const ExperimentSpec& spec(const Experiment& experiment) const {
    return core_.scenario().experiments[experiment.index];
  }
  [[nodiscard]] const JobSpec& spec(const Job& job) const {
    return core_.scenario().jobs[job.index];
  }
  /// Its pods go on while the platform has no controller for them.
  [[nodiscard]] static bool left_alone(const Job& job) {
    return job.host.info().watches_nodes && !job.driver_up && job.drivers > 0;
  }
  /// Its controller dies with its head.
  [[nodiscard]] bool on_head(const Job& job) const {
    return !job.host.info().watches_nodes || !spec(job).control_plane.managed;
  }
  /// Somebody will run its controller, now or when the head is back.
  [[nodiscard]] bool head_returns(std::uint32_t head) const {
    return heads_[head].up || heads_[head].returns;
  }
  /// Of workers that are all as fast as each other, and as fast as its slowest is.
  [[nodiscard]] Pace healthy_pace(const Job& job) const { return {job.workers, spec(job).workers}; }
  [[nodiscard]] Pace pace(const Job& job) const { return slowed(healthy_pace(job), job.slow_ppm); }

  // closing.cpp
  [[nodiscard]] bool nothing_can_change() const;
  [[nodiscard]] std::vector<std::uint32_t> held_otherwise(std::uint32_t pool) const;

  // devices.cpp, capacity.cpp: what a job's policy has a say over, and what its pool has for it.
  [[nodiscard]] std::optional<std::uint32_t> own_node(const Job& job, policies::NodeId node) const;
  [[nodiscard]] std::uint32_t possible_workers(const Job& job) const;

  // failure.cpp, stopping.cpp: what is due from now on.
  void expect_answer(const Job& job);
  void expect_end(const Job& job);

  // reachability.cpp: who can reach whom, and what.
  [[nodiscard]] bool hides(const Job& job, std::uint32_t node) const;
  [[nodiscard]] std::optional<std::uint32_t> storage_blocked(const Job& job) const;
  [[nodiscard]] std::int64_t write_speed(const Job& job) const;
  [[nodiscard]] bool reaches_storage(const OrphanedAttempt& orphan) const;

  RunCore core_;
  Machines machines_;
  Ailments ailments_;
  Network network_;
  std::vector<Job> jobs_;
  std::vector<Experiment> experiments_;
  std::map<std::string, StoredRun> stored_runs_;  ///< by run_key()
  /// Jobs that wait for nodes, in order of service; experiments are counted after the jobs.
  std::vector<std::uint32_t> queue_;
  std::vector<bool> serving_planned_;  ///< by pool, for experiments: in this microsecond
  FaultBook faults_;
  Arrivals arrivals_;
  std::vector<Head> heads_;
  std::vector<DriverRun> driver_runs_;
  std::vector<Zombies> zombies_;
  std::vector<OrphanedAttempt> orphans_;
  std::vector<reports::Violation> violations_;
  RareMoments moments_;
  InvariantChecker checker_;
  std::string text_;  ///< of the record that is being made
  std::uint32_t jobs_left_ = 0;
  bool messages_ = false;     ///< some fault has them come late or twice
  bool stuck_ = false;        ///< nothing was left to happen
  bool holding_out_ = false;  ///< somebody waits in vain whom a fault may still strike
};

/// How many invariants the world's runs check: with those of pods where a job's policy has some.
std::int64_t invariants_checked(const WorldState& world);

}  // namespace aftershock::sim
