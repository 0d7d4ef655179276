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
#include "sim/faults/training_clock.h"
#include "sim/scenario/scenario.h"
#include "sim/workload/ailment.h"
#include "sim/workload/driver_run.h"
#include "sim/workload/experiment.h"
#include "sim/workload/healing.h"
#include "sim/workload/job.h"
#include "sim/workload/progress.h"
#include "sim/workload/run_storage.h"
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
  /// Faults that found nothing to break, by kind.
  [[nodiscard]] const std::array<std::int64_t, kFaultKinds>& masked() const { return masked_; }
  /// What the fault does: its source's effect that was drawn.
  [[nodiscard]] const FaultEffect& effect_of(const FaultRecord& fault) const;

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
  [[nodiscard]] Pace pace(const Job& job) const { return {job.workers, spec(job).workers}; }

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
  std::array<std::int64_t, kFaultKinds> masked_{};
  std::vector<Head> heads_;
  std::vector<DriverRun> driver_runs_;
  std::vector<TrainingClock> training_clocks_;  ///< of the sources that have one
  std::vector<std::uint64_t> next_arrivals_;    ///< by fault: what its source on cluster time plans
  std::vector<bool> fault_spent_;
  std::vector<std::uint32_t> step_faults_struck_;  ///< how often, of those that wait for trials
  std::vector<TriggerProbe> probes_;
  std::map<std::uint32_t, std::int64_t> trigger_offsets_us_;
  std::int64_t max_entries_ = 0;
  std::uint64_t branch_ = 0;  ///< of what is drawn from now on
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> groups_;  ///< of places, under the cuts; empty without cuts
  std::vector<Zombies> zombies_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, reports::SpanId> node_spans_;
  std::vector<reports::Violation> violations_;
  std::string text_;  ///< of the record that is being made
  std::int64_t now_us_ = 0;
  std::int64_t horizon_us_ = 0;
  std::int64_t entries_played_ = 0;
  std::uint32_t jobs_left_ = 0;
  bool triggers_ = false;
  bool over_ = false;
  bool stuck_ = false;        ///< nothing was left to happen
  bool holding_out_ = false;  ///< somebody waits in vain whom a fault may still strike
  std::string cut_short_;
};

}  // namespace aftershock::sim
