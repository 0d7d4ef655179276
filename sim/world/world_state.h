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
#include "sim/cluster/pool.h"
#include "sim/cluster/topology.h"
#include "sim/engine/drive.h"
#include "sim/engine/random.h"
#include "sim/faults/fault_record.h"
#include "sim/faults/renewals.h"
#include "sim/faults/source_clock.h"
#include "sim/faults/unit_rates.h"
#include "sim/invariants/watchman.h"
#include "sim/scenario/scenario.h"
#include "sim/workload/ailment.h"
#include "sim/workload/driver_run.h"
#include "sim/workload/experiment.h"
#include "sim/workload/healing.h"
#include "sim/workload/job.h"
#include "sim/workload/progress.h"
#include "sim/workload/run_storage.h"
#include "sim/workload/storage_trouble.h"
#include "sim/workload/troubles.h"
#include "sim/world/rare_moments.h"
#include "sim/world/world_options.h"
#include "sim/world/zombies.h"

namespace aftershock::sim {

/// What a world is made of, for everybody to read. World changes it.
class WorldState {
 public:
  [[nodiscard]] const Scenario& scenario() const { return *scenario_; }
  [[nodiscard]] const std::vector<Job>& jobs() const { return jobs_; }
  [[nodiscard]] const std::vector<Experiment>& experiments() const { return experiments_; }
  [[nodiscard]] const std::vector<Pool>& pools() const { return pools_; }
  [[nodiscard]] const std::vector<FaultRecord>& faults() const { return faults_; }
  [[nodiscard]] const std::vector<DriverRun>& driver_runs() const { return driver_runs_; }
  [[nodiscard]] const auto& stored_runs() const { return stored_runs_; }  ///< by run_key()
  [[nodiscard]] const std::vector<TriggerProbe>& probes() const { return probes_; }
  [[nodiscard]] const std::vector<reports::Violation>& violations() const { return violations_; }
  [[nodiscard]] std::int64_t entries_played() const { return entries_played_; }
  /// It strikes once, or waits for steps, and has nothing more to come.
  [[nodiscard]] bool fault_spent(std::uint32_t spec) const { return fault_spent_[spec]; }
  /// Why the run ended before what it asked for did: its most time or entries; empty if it did not.
  [[nodiscard]] const std::string& cut_short() const { return cut_short_; }
  /// That is why: a policy that lives elsewhere answers no more.
  [[nodiscard]] bool policy_failed() const { return policy_failed_; }
  /// Faults that found nothing to break, by kind.
  [[nodiscard]] const std::array<std::int64_t, kFaultKinds>& masked() const { return masked_; }
  /// Workers that live on although their attempt has ended, and whole attempts that do.
  [[nodiscard]] const std::vector<Zombies>& zombies() const { return zombies_; }
  [[nodiscard]] const std::vector<Castaways>& castaways() const { return castaways_; }
  /// What the fault does: its source's effect that was drawn.
  [[nodiscard]] const FaultEffect& effect_of(const FaultRecord& fault) const;
  /// What keeps a job from training that no policy could have helped, in words; empty: nothing
  /// does. For one that neither trains nor has ended, when the run is over.
  [[nodiscard]] std::string excuse(const Job& job) const;
  /// Why no policy could bring a job back that waits for nodes, in words: fewer than it needs work,
  /// isolated ones counted in, and none comes. Empty: enough do. For a run that is over.
  [[nodiscard]] std::string past_recovery(const Job& job) const;
  /// Rare moments that it has been through.
  [[nodiscard]] const RareMoments& moments() const { return moments_; }
  /// What should have come of it by now, and has not.
  [[nodiscard]] std::vector<Overdue> overdue(const Job& job) const {
    return watchman_.overdue(job);
  }

 protected:
  WorldState(std::shared_ptr<const Scenario> scenario, const WorldOptions& options);

  [[nodiscard]] std::uint32_t job_id(const Experiment& experiment) const {
    return static_cast<std::uint32_t>(jobs_.size()) + experiment.index;
  }
  [[nodiscard]] const ExperimentSpec& spec(const Experiment& experiment) const {
    return scenario_->experiments[experiment.index];
  }
  [[nodiscard]] const JobSpec& spec(const Job& job) const { return scenario_->jobs[job.index]; }
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

  // breaking.cpp, stopping.cpp: what is due from now on.
  void expect_answer(const Job& job);
  void expect_end(const Job& job);

  // reaching.cpp: who can reach whom, and what.
  [[nodiscard]] Cut cut_of(std::uint32_t number) const;
  [[nodiscard]] std::uint32_t cutting(std::uint32_t pool, std::uint32_t node) const;
  [[nodiscard]] bool hides(const Job& job, std::uint32_t node) const;
  [[nodiscard]] bool gang_whole(const Job& job) const;
  [[nodiscard]] std::optional<std::uint32_t> storage_blocked(const Job& job) const;
  [[nodiscard]] std::int64_t write_speed(const Job& job) const;
  [[nodiscard]] bool reaches_storage(const Castaways& castaways) const;
  [[nodiscard]] const StorageTrouble* outage(std::uint32_t storage) const;

  std::shared_ptr<const Scenario> scenario_;
  std::shared_ptr<const Topology> topology_;
  Calendar calendar_;
  Transfers transfers_;
  reports::Recorder recorder_;
  std::vector<Pool> pools_;
  std::vector<Job> jobs_;
  std::vector<Experiment> experiments_;
  std::map<std::string, StoredRun> stored_runs_;  ///< by run_key()
  /// Jobs that wait for nodes, in order of service; experiments are counted after the jobs.
  std::vector<std::uint32_t> queue_;
  std::vector<bool> serving_planned_;  ///< by pool, for experiments: in this microsecond
  std::vector<FaultRecord> faults_;    ///< that fired
  std::vector<FaultRecord>* strikes_;  ///< of WorldOptions
  std::vector<Healing> healings_;
  std::vector<Ailment> ailments_;  ///< in the order of their faults
  std::vector<Slowness> slownesses_;
  std::vector<Defect> defects_;
  std::vector<BadBatch> bad_batches_;
  std::vector<Denial> denials_;
  std::vector<Accusation> accusations_;
  std::array<std::int64_t, kFaultKinds> masked_{};
  std::vector<Head> heads_;
  std::vector<DriverRun> driver_runs_;
  std::vector<SourceClock> source_clocks_;    ///< of sources whose time does not always go on
  std::vector<std::uint64_t> next_arrivals_;  ///< by fault: what its source on the calendar plans
  std::map<std::uint32_t, UnitRates> unit_rates_;  ///< by fault, of those that have some
  std::map<std::uint32_t, Renewals> renewals_;
  std::vector<bool> fault_spent_;
  std::vector<std::uint32_t> step_faults_struck_;  ///< how often, of those that wait for trials
  std::vector<TriggerProbe> probes_;
  std::map<std::uint32_t, std::int64_t> trigger_offsets_us_;
  std::int64_t max_entries_ = 0;
  std::uint64_t branch_ = 0;  ///< of what is drawn from now on
  std::vector<Cut> cuts_;
  std::vector<StorageTrouble> troubles_;
  std::vector<Zombies> zombies_;
  std::vector<Castaways> castaways_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, reports::SpanId> node_spans_;
  std::vector<reports::Violation> violations_;
  RareMoments moments_;
  Watchman watchman_;
  std::string text_;  ///< of the record that is being made
  std::int64_t now_us_ = 0;
  std::int64_t horizon_us_ = 0;
  std::int64_t entries_played_ = 0;
  std::uint32_t jobs_left_ = 0;
  bool triggers_ = false;
  bool messages_ = false;  ///< some fault has them come late or twice
  bool over_ = false;
  bool stuck_ = false;        ///< nothing was left to happen
  bool holding_out_ = false;  ///< somebody waits in vain whom a fault may still strike
  std::string cut_short_;
  bool policy_failed_ = false;
};

/// How many invariants the world's runs check: with those of pods where a job's policy has some.
std::int64_t invariants_checked(const WorldState& world);

}  // namespace aftershock::sim
