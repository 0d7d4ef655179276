#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/boxed.h"
#include "policies/api/config.h"
#include "policies/api/severity.h"
#include "policies/device_codes/device_code.h"
#include "policies/device_codes/device_need.h"
#include "sim/scenario/collectives.h"
#include "sim/scenario/distribution.h"
#include "sim/scenario/expectation.h"
#include "sim/scenario/fault_kind.h"
#include "sim/scenario/fault_target.h"
#include "sim/scenario/health_check.h"
#include "sim/scenario/heartbeat_spec.h"
#include "sim/scenario/machine_effect.h"
#include "sim/scenario/network_effect.h"
#include "sim/scenario/node_object.h"
#include "sim/scenario/phase.h"
#include "sim/scenario/stochastic_source.h"

// The checked form of a scenario file. Times are microseconds, sizes bytes, rates bytes a second;
// every reference by name is resolved and every count is within reach. scenario.md lays down the
// meaning of each key; decision numbers refer to it.
namespace aftershock::sim::scenario {

/// The party that starts a new driver after its head was lost.
enum class RestartBy : std::uint8_t { kOperator, kSubmitter };

/// How a head, and the drivers that ran on it, come back.
struct HeadRestart {
  Distribution after = Distribution::constant(0);
  RestartBy by = RestartBy::kOperator;
  std::optional<std::uint32_t> limit;  ///< how often; none: every time
};

/// A CPU node that runs controllers.
struct HeadSpec {
  std::string name;
  std::optional<HeadRestart> restart;  ///< none: it stays down, and its runs have ended
};

/// The kind of a pool's accelerators.
enum class AcceleratorKind : std::uint8_t { kGpu, kNpu };
/// How a pool's nodes are bought.
enum class Market : std::uint8_t { kReserved, kSpot };
/// The replacement of a lost node.
enum class Replacement : std::uint8_t { kNone, kNow, kProvision };
/// The kind of a storage.
enum class StorageKind : std::uint8_t { kObject, kNfs, kLocal };

/// How tries at healing an accelerator go.
struct HealingSpec {
  Distribution takes = Distribution::constant(15'000'000);
  std::int64_t fails_ppm = 0;  ///< in how many of a million tries
};

/// Worker nodes of one make.
struct PoolSpec {
  std::string name;
  std::uint32_t nodes = 1;          ///< there from the start, slots 0 .. nodes-1
  std::uint32_t spares = 0;         ///< there from the start too, used after all others
  std::uint32_t max_nodes = 0;      ///< nodes + spares + what may be provisioned beyond them
  std::uint32_t racks = 1;          ///< nodes spread over them in contiguous runs
  std::uint32_t power_domains = 1;  ///< the same, of what loses its power together
  AcceleratorKind accelerator = AcceleratorKind::kGpu;
  std::uint32_t accelerators_per_node = 8;
  std::optional<std::int64_t> nic_bytes_per_s;  ///< none: never what bounds a transfer
  Market market = Market::kReserved;
  Replacement replacement = Replacement::kNone;
  Distribution provision = Distribution::constant(0);
  std::array<HealingSpec, policies::kRootCauses> self_healing;  ///< by root cause of the code
  std::optional<Distribution> repair;                           ///< none: a lost node stays lost
  /// Of a node that was isolated, by what its accelerators need; none: it stays isolated.
  std::array<std::optional<Distribution>, policies::kDeviceNeeds> device_repairs;
  bool repaired_stay_away = false;            ///< a node that was repaired is not used again
  std::optional<double> price_per_node_hour;  ///< none: runs have no cost
  std::optional<double> reserved_price_per_node_hour;  ///< of a node of this make that is not spot
};

/// A storage and what it can do for all its users together.
struct StorageSpec {
  std::string name;
  StorageKind kind = StorageKind::kObject;
  std::int64_t read_bytes_per_s = 0;
  std::int64_t write_bytes_per_s = 0;
};

/// The hardware, and how it notices that a node is gone.
struct ClusterSpec {
  std::vector<HeadSpec> heads;
  std::vector<PoolSpec> pools;
  std::vector<StorageSpec> storage;
  HeartbeatSpec heartbeat;
  HealthCheckSpec health_check;
  NodeObjectSpec node_object;
  std::optional<std::uint32_t> repair_crew;  ///< repairs at a time; none: all at once
  std::optional<std::int64_t> rack_uplink_bytes_per_s;
  bool workers_die_with_head = true;
  std::optional<std::int64_t> reclaim_leaked_us;  ///< none: what a failed start leaked stays taken
  bool fencing = true;  ///< storage refuses what an attempt writes that is no longer the newest
};

/// The files that a restoring group fetches: every rank its share, or every node the whole
/// directory through Ray's as_directory() or to_directory() (ray.md 1.8).
enum class Download : std::uint8_t { kShards, kAsDirectory, kToDirectory };

/// When a job takes checkpoints, and what one costs (scenario.md decision 8).
struct CheckpointSpec {
  /// Compute time since the last checkpoint began or the attempt started training; the checkpoint
  /// begins at the first end of a step at or after it. Exactly one of the two is set.
  std::optional<std::int64_t> every_us;
  std::optional<std::int64_t> every_steps;
  std::int64_t bytes = 0;        ///< the whole checkpoint, spread evenly over the ranks
  std::int64_t blocking_us = 0;  ///< training stands still for this long
  bool async_upload = false;     ///< upload behind training; else training waits for it
  std::optional<std::uint32_t> keep;
  Download download = Download::kShards;
  bool overlapping = true;  ///< ranks of a node ask at once: they share one download of a directory
  std::vector<std::int32_t> scores_e6;  ///< of the first, the second, ...; the last goes on
  bool at_end = true;  ///< one more after the last step when work is not yet covered
};

/// Lengths of the phases of a start or stop.
struct PhaseLengths {
  Distribution launching = Distribution::constant(0);
  Distribution rendezvous = Distribution::constant(0);
  Distribution restoring = Distribution::constant(0);  ///< select and validate, beside the download
  Distribution warming_up = Distribution::constant(0);
  Distribution tearing_down = Distribution::constant(0);
  Distribution finalizing = Distribution::constant(0);
};

/// The behaviour of the training script.
struct ScriptSpec {
  bool saves = true;
  bool resumes = true;
  bool reentrant = true;
  bool falls_back = false;         ///< to the checkpoint before one that it cannot read
  bool returns_on_notice = false;  ///< at the end of the step in which it hears of one
  bool steps_per_attempt = false;  ///< each attempt does all of JobSpec::steps, on top of the rest
  std::int64_t setup_us = 0;       ///< in a fresh container, part of launching
  std::vector<Phase> active{};     ///< beside training, those that keep its accelerators busy
};

/// Volumes of a job's containers, which are unmounted with them.
struct VolumeSpec {
  std::int64_t unmount_us = 0;  ///< of a job of any size
  std::int64_t per_pod_us = 0;  ///< more for every pod, which is a node
};

/// Before the containers of pods that start together run; a pod is a node.
struct PodSpec {
  std::int64_t image_bytes = 0;  ///< fetched by each node that does not hold it yet
  std::optional<std::int64_t> registry_bytes_per_s;  ///< shared by them; none: bounds nothing
  std::int64_t each_us = 0;        ///< of the platform, for one pod after the other
  std::int64_t rank_table_us = 0;  ///< for each pod of the job, when any of them is new
};

/// Where the controller of a job runs that is a platform's and not the job's own driver.
struct ControlPlaneSpec {
  bool managed = true;       ///< by somebody who keeps it up; else on the job's head
  bool loses_state = false;  ///< on a head: it comes back knowing nothing
};

/// Where the job's results go.
struct RunSpec {
  std::optional<std::uint32_t> storage;  ///< index into ClusterSpec::storage
  std::string storage_path;
  std::string name;        ///< may hold {uuid}: another name for every driver
  std::string filesystem;  ///< a custom one by its class; empty: that of the path's protocol
  bool sync_artifacts = false;
  std::int64_t sync_period_us = 300'000'000;
};

/// The policy as asked for; checked against the registry when the scenario is read.
struct PolicySpec {
  std::string name;
  std::string profile;
  policies::Boxed<nlohmann::json> config = policies::empty_object();
  std::string preset{};  ///< of a policy that replaces another: whose settings it gets
};

/// The failure domain over which a gang may be spread.
enum class SpreadOver : std::uint8_t { kRack, kPowerDomain };

/// How a gang is spread: anti-affinity of its nodes.
struct SpreadSpec {
  SpreadOver over = SpreadOver::kRack;
  std::uint32_t most = 1;  ///< of its nodes in any one of them
};

/// A synchronous training job, one rank an accelerator.
struct JobSpec {
  std::string name;
  std::uint32_t pool = 0;  ///< index into ClusterSpec::pools
  std::uint32_t workers = 0;
  std::optional<std::int64_t> steps;  ///< none: trains until the horizon
  std::int64_t step_us = 0;
  std::int32_t priority = 0;
  std::optional<SpreadSpec> spread;  ///< none: any nodes will do
  std::uint32_t head = 0;            ///< index into ClusterSpec::heads: where its controller runs
  std::int64_t submit_us = 0;
  std::int64_t initial_steps =
      0;  ///< the steps of the checkpoint that the script is given to begin with
  std::optional<CheckpointSpec> checkpoint;
  PhaseLengths phases;          ///< of the first start
  PhaseLengths restart_phases;  ///< of every later one; equal to `phases` unless given
  std::optional<std::int64_t> collective_timeout_us;
  CollectivesSpec collectives;
  std::optional<std::int64_t> hang_after_us;
  std::optional<std::int64_t> fixed_detection_us;
  ScriptSpec script;
  VolumeSpec volumes;
  PodSpec pods;
  ControlPlaneSpec control_plane;
  RunSpec run;
  std::map<std::string, std::string> env;
  PolicySpec policy;
};

/// When a trial saves: with the report after every so many iterations, which waits for the upload.
struct TrialCheckpointSpec {
  std::int64_t every_steps = 1;
  std::int64_t bytes = 0;        ///< of one trial's checkpoint
  std::int64_t blocking_us = 0;  ///< beside the upload
};

/// Many small trainings, all alike, under one controller; a trial's step is a training iteration
/// and ends with a report.
struct ExperimentSpec {
  std::string name;
  std::uint32_t pool = 0;  ///< index into ClusterSpec::pools
  std::uint32_t head = 0;  ///< index into ClusterSpec::heads: where its driver runs
  std::uint32_t trials = 0;
  /// The accelerators that a trial takes of its pool, in parts of 10,000 of one: a part of one,
  /// whole ones of one node, or whole nodes.
  std::int64_t accelerators_e4 = 10'000;
  std::int64_t steps = 0;
  Distribution step = Distribution::constant(0);  ///< drawn once a trial
  std::int32_t priority = 0;
  std::int64_t submit_us = 0;
  std::optional<TrialCheckpointSpec> checkpoint;
  std::int64_t initial_steps = 0;  ///< already done in the checkpoint that every trial begins from
  Distribution launching = Distribution::constant(0);
  Distribution restoring = Distribution::constant(0);  ///< beside the download
  bool saves = true;
  bool resumes = true;
  RunSpec run;
  std::map<std::string, std::string> env;
  PolicySpec policy;
};

/// How a crashed worker ends.
enum class CrashManner : std::uint8_t { kException, kOutOfMemory, kExit, kErrorWithoutExit };
/// The part of a start that a dying worker hits, where its time alone does not say: the wait for
/// its first answer, its set-up by the controller, the backend's set-up, the final call
/// (ray.md 1.5).
enum class StartPoint : std::uint8_t { kConstruction, kContextInit, kBackendSetup, kLaunch };
/// The required consequence of a fault, without which the run is invalid.
enum class Requirement : std::uint8_t { kNone, kFired, kDetected, kCausedRestart };

/// The effect of a fault, whatever makes it happen.
struct FaultEffect {
  FaultKind kind = FaultKind::kNodeCrash;
  std::string label;                      ///< its common name, e.g. "faulty GPU"
  std::optional<Distribution> lasts;      ///< after which the target is healthy again
  bool until_repaired = false;            ///< "lasts": "repair": the pool's repair law decides
  bool closes_connections = false;        ///< node crash: its peers are told
  std::optional<std::int64_t> notice_us;  ///< preemption
  bool deadline_told = true;              ///< preemption: the notice says when
  std::int64_t early_us = 0;              ///< preemption: before that, the node is gone
  std::string code;                       ///< accelerator fault, storm: e.g. "xid:94"
  CrashManner manner = CrashManner::kException;  ///< worker crash
  std::int32_t exit_code = 1;
  bool answers = true;               ///< hang: the stuck worker still answers polls
  std::optional<StartPoint> during;  ///< worker crash in a start; none: as its phase says
  std::string file;         ///< torn snapshot: which; "snapshot", "tuner.pkl", "trainer.pkl"
  std::uint32_t times = 1;  ///< user interrupt, upload error, storm: how often in a row
  std::int64_t apart_us = 1'000'000;  ///< user interrupt: from one to the next
  std::string error;                  ///< upload error, hook error: what is raised
  bool in_shutdown = false;           ///< hook error: in the next shutdown of a group
  bool state_kept = true;             ///< policy crash: the new process finds what was persisted
  bool terminated = false;            ///< policy crash of an agent: by SIGTERM
  /// Accelerator fault: what its device says of it, none: what the catalogue does; how long healing
  /// it takes, and in how many of a million tries it fails, none: as its pool says; what it needs.
  std::optional<policies::Severity> severity;
  std::optional<Distribution> heal;
  std::optional<std::int64_t> heal_fails_ppm;
  policies::DeviceNeed needs = policies::DeviceNeed::kReset;
  /// Storm: from one error to the next; the code that comes of it, empty: none, and in how many of
  /// a million storms it does.
  Distribution every = Distribution::constant(0);
  std::string then;
  std::int64_t then_share_ppm = 1'000'000;
  NetworkEffect network;  ///< those of the network, of storage, of checkpoints and messages
  MachineEffect machine;
};

/// One of the causes that share a process, with its share.
struct WeightedEffect {
  FaultEffect effect;
  double weight = 1;
};

/// Enters the nth instance of a phase of the job; `offset` after the entry.
struct PhaseTrigger {
  std::uint32_t job = 0;
  Phase phase = Phase::kTraining;
  std::uint32_t nth = 1;
  std::int64_t offset_us = 0;
  std::optional<std::int64_t> offset_ppm;  ///< share of the instance's length, instead
};

/// A fault: what it strikes, what it does, when.
struct FaultSpec {
  std::string id;
  Target target;
  std::vector<WeightedEffect> effects;  ///< one, or the causes that share the process
  // Exactly one of the next four.
  std::optional<std::int64_t> at_us;
  std::optional<std::int64_t> at_step;
  std::optional<PhaseTrigger> when;
  std::optional<StochasticSource> source;
  std::optional<std::uint32_t> step_job;         ///< with at_step: the job whose steps count
  std::optional<std::uint32_t> step_experiment;  ///< or the experiment whose trials' steps do
  bool every_attempt = false;                    ///< with at_step: a poison step
  Requirement require = Requirement::kNone;
};

/// The whole file.
struct Scenario {
  std::string name;
  std::string question;
  std::uint64_t seed = 1;
  std::string start;  ///< ISO 8601, empty when not given
  std::optional<std::int64_t> until_us;
  std::vector<std::string> tags;
  ClusterSpec cluster;
  std::vector<JobSpec> jobs;
  std::vector<ExperimentSpec> experiments;
  std::vector<FaultSpec> faults;
  std::vector<Expectation> expect;
  /// The file after `extends` and command line changes, for the recording's header.
  policies::Boxed<nlohmann::ordered_json> resolved;
  /// The maker of its policies; none: those of the library. Nothing in a file says it.
  std::shared_ptr<policies::PolicySource> policies;
};

}  // namespace aftershock::sim::scenario
