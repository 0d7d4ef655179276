#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "reports/ledger/ledger.h"

// The result of one run, as `run --json` prints it and the text summary tells it
// (design.md 5 and 7). Times in microseconds of simulated time.
namespace aftershock::reports {

/// How a run is judged; what is worst wins.
enum class Verdict : std::uint8_t {
  kPassed,
  kFailed,  ///< an expectation or invariant failed
  kUnusable,
  kStuck,
  kInvalid,  ///< a required fault did not bite
  kPolicyFailed,
  kInternalError,
  kWorse,
  kInconclusive,
};
std::string_view name_of(Verdict verdict);
/// The verdict of that name; none if there is none.
std::optional<Verdict> verdict_named(std::string_view name);
/// All but passed, the worst first, as commands over many runs rank them (design.md 5).
inline constexpr std::array<Verdict, 8> kWorstFirst{
    Verdict::kInternalError, Verdict::kPolicyFailed, Verdict::kUnusable, Verdict::kInvalid,
    Verdict::kStuck,         Verdict::kFailed,       Verdict::kWorse,    Verdict::kInconclusive};
/// The worse of two.
Verdict worse_of(Verdict one, Verdict other);
/// The process exit code of a verdict (design.md 5).
int exit_code(Verdict verdict);

/// The cause of a charge where a hang was suspected and nothing hung.
inline constexpr std::string_view kFalseAlarm = "a false alarm: nothing hung";

/// One move of a retry budget.
struct Charge {
  std::int64_t t_us = 0;
  std::string fault;     ///< id of the fault that it answers, empty when none is known
  std::string what;      ///< the fault in words, e.g. "node_crash faulty GPU gpu-17"
  std::string cause;     ///< application, node, ...
  std::string decision;  ///< the vendor's word for it, e.g. "RETRY", or the state it led to
  std::string rule;
  std::int64_t used = 0;
  bool exempt = false;
};

/// The use of a retry budget, with its moves in order.
struct BudgetSummary {
  std::int64_t used = 0;
  std::optional<std::int64_t> limit;
  bool exhausted = false;
  std::vector<Charge> charges;
  /// Each agent counts for itself: `used` is the sum of all, and `limit` that at which the one that
  /// used most has none left.
  bool by_agent = false;
};

/// The recovery of a job from one fault, and its costs.
struct Recovery {
  std::string fault;
  std::string what;
  std::vector<std::string> rules;
  std::optional<std::int64_t> detected_us;
  std::optional<std::int64_t> running_us;    ///< training again
  std::optional<std::int64_t> caught_up_us;  ///< at the step that it had reached before
  std::int64_t lost_us = 0;                  ///< rolled back
  std::int64_t cost_us = 0;  ///< wall time put down to the fault, as of this recovery
};

/// The files of Train V1's workers beside their checkpoints, by the time at which they wrote them.
struct ArtifactsSummary {
  std::optional<std::int64_t> synced_us;  ///< the last copy to storage; none: there was none
  std::int64_t lost_us = 0;               ///< writing that went with its nodes between two copies
};

/// The environment that the platform gave to the pods of these ranks when they last started.
struct PodSummary {
  std::string ranks;  ///< such as [[0,7],[16,23]]: each from and to
  std::vector<std::pair<std::string, std::string>> env;
};

/// Where a job stands when its run ends: at the horizon (`until`), or when nothing is left to do.
enum class EndState : std::uint8_t {
  kCompleted,
  kTraining,    ///< its workers train, or save what they trained
  kStarting,    ///< its first attempt has not come to train
  kRecovering,  ///< an attempt starts, stops or stands still, and something will come of that
  kWaiting,     ///< for nodes, or for its controller to start anew
  kStuck,       ///< it waits or stands still, and nothing that is to come can change that, or it
                ///< has not trained for the last day of a run, or stands still for half of it,
                ///< but for waiting its turn, or a hundred attempts, over as long, came to no
                ///< training
  kFailed,
  kAborted,
};
/// "completed", "training", "starting", "recovering", "waiting", "stuck", "failed" or "aborted".
std::string_view name_of(EndState state);
/// The state of that name; of another, as recordings of before have none, that of a job that goes
/// on.
EndState end_state_named(std::string_view name);
/// Completed, or not given up and not stuck.
bool is_alive(EndState state);

/// The work of a run that is still there when it ends, held against the time that it had.
struct UsefulWork {
  /// Productive time of the whole group: an hour at half its size is half an hour. Of a job that
  /// does not train at the end only what its newest checkpoint that counts has: what is beyond it
  /// would have to be done again.
  std::int64_t us = 0;
  std::int64_t steps = 0;           ///< the same in steps; initial ones are not among them
  std::int64_t accelerator_us = 0;  ///< the same in accelerator time
  /// From submission to completion of a job that completed, else to `until`; without `until` as
  /// long as the same run takes without faults, or as long as it took if that is longer.
  std::int64_t of_us = 0;

  /// `us` by `of_us`, 0 where there was no time.
  [[nodiscard]] double share() const;
};

/// How a job ended, and where its time went.
struct JobSummary {
  std::string name;
  std::string policy;
  std::string outcome;  ///< completed, failed, aborted, running
  std::string reason;
  std::string unplaced;  ///< the nodes of its pool, where it ended for want of them; else empty
  /// The nodes that its failed starts keep from everybody at the end, in words; empty: none.
  std::string left_reserved;
  std::string vendor_state;
  std::int64_t wall_us = 0;
  std::optional<std::int64_t> steps;
  std::int64_t steps_done = 0;
  EndState at_end = EndState::kWaiting;
  UsefulWork useful;
  std::optional<std::int64_t>
      finish_us;    ///< when it completed, since the run began; none: it did not
  double ettr = 0;  ///< productive / wall, 0 for no wall time
  BucketTotals ledger_us{};
  BucketTotals ledger_accelerator_us{};
  std::int64_t reduced_accelerator_us = 0;  ///< of the target size, not used by a shrunk job
  std::int64_t lost_steps = 0;
  std::int64_t lost_us = 0;
  std::int64_t lost_accelerator_us = 0;
  std::int64_t stranded_steps = 0;
  std::int64_t stranded_accelerator_us = 0;
  std::int64_t stale_accelerator_us = 0;  ///< zombies of old attempts
  std::int64_t attempts = 0;
  std::int64_t false_alarms = 0;  ///< hangs that were suspected while nothing hung
  std::int64_t checkpoints_committed = 0;
  std::vector<Recovery> recoveries;
  std::vector<std::pair<std::string, BudgetSummary>> budgets;
  std::vector<std::string> rules;  ///< ids of all that were applied, in the policy's order
  std::vector<PodSummary> pods;    ///< of the last attempt; empty: its policy has none
  std::string result_path;
  std::string result_checkpoint;              ///< the latest
  std::string result_best;                    ///< by score, empty without scores
  std::optional<ArtifactsSummary> artifacts;  ///< none: not copied to storage
};

/// One driver of a job: the process that started its controller.
struct DriverRun {
  std::string job;
  std::int64_t nth = 1;
  std::string run;    ///< storage path and name, by which it looked for an earlier run
  std::string found;  ///< its finding there: "nothing", or of which job and how much
  std::int64_t started_us = 0;
  std::string started_by = "user";  ///< the first; later ones by "operator" or "submitter"
  std::optional<std::int64_t> ended_us;
  std::string ended_by;  ///< the fault that ended it, empty where the run did
};

/// A file or folder that a run left in storage; folders end with "/".
struct StoredFile {
  std::string path;  ///< below the run's folder
  std::string what;  ///< in words, empty where the name says it
};

/// The folder of one run, {storage_path}/{name}, and what is in it.
struct StoredFolder {
  std::string path;
  std::vector<StoredFile> files;
};

/// How one trial of an experiment ended.
struct TrialSummary {
  std::string id;               ///< the vendor's
  std::string status;           ///< the vendor's word
  std::int64_t iterations = 0;  ///< that its model holds, those of an initial checkpoint included
  std::int64_t failures = 0;
  std::int64_t restores = 0;  ///< times it loaded its checkpoint
  std::int64_t lost_steps = 0;
  std::int64_t lost_us = 0;
};

/// A new controller that found the state of an earlier one.
struct RestoreSummary {
  std::int64_t t_us = 0;
  std::int64_t trials = 0;  ///< that it knows of
};

/// How an experiment ended, and where the time of its trials went: each from the moment it is
/// wanted to run until it no longer is.
struct ExperimentSummary {
  std::string name;
  std::string policy;
  std::string outcome;  ///< completed, failed, aborted, running
  std::string reason;
  std::string vendor_state;
  std::int64_t wall_us = 0;
  EndState at_end = EndState::kWaiting;
  /// Of all trials; without steps. `of_us` is the time of their ledger with the work that trials
  /// which were given up left undone, and where the experiment failed or is stuck the time of the
  /// same run without faults if that is longer.
  UsefulWork useful;
  std::optional<std::int64_t> finish_us;  ///< when it completed; none: it did not
  std::vector<std::pair<std::string, std::int64_t>> statuses;  ///< trials by the vendor's word
  BucketTotals ledger_us{};
  BucketTotals ledger_accelerator_us{};
  std::int64_t lost_steps = 0;
  std::int64_t lost_us = 0;
  std::int64_t lost_accelerator_us = 0;
  std::int64_t attempts = 0;  ///< of all trials
  std::vector<std::pair<std::string, BudgetSummary>> budgets;
  std::vector<std::string> rules;  ///< ids of all that were applied, in the policy's order
  std::vector<RestoreSummary> restores;
  std::vector<std::string> lost_trials;  ///< that a new controller did not know of
  std::vector<TrialSummary> trials;
};

/// A scripted fault that did not come in the whole run.
struct NeverStruck {
  std::string fault;
  std::string kind;
  std::string why;  ///< "the run ended at 02:00:00, and it was to come at 3d 00:00:00"
};

/// Of one kind: injected is fired, masked and never struck together.
struct FaultCounts {
  std::int64_t injected = 0;
  std::int64_t fired = 0;
  std::int64_t masked = 0;
  std::int64_t detected = 0;
};

/// An expectation of the scenario, and what the run gave.
struct ExpectResult {
  std::string at;
  bool ok = false;
  std::string wanted;  ///< e.g. "is \"completed\"", "max 3"
  nlohmann::ordered_json got;
};

/// An invariant that did not hold: a mistake of the simulator.
struct Violation {
  std::string id;  ///< e.g. "S01"
  std::string what;
  std::int64_t t_us = 0;
};

/// All that is said of one run.
struct RunSummary {
  std::string scenario;
  std::string question;
  std::string policy;  ///< name@profile of the first job
  std::uint64_t seed = 0;
  Verdict verdict = Verdict::kPassed;
  std::string verdict_reason;  ///< empty when passed
  std::uint64_t hash = 0;
  std::int64_t simulated_us = 0;
  std::vector<std::string> warnings;
  std::vector<JobSummary> jobs;
  std::vector<ExperimentSummary> experiments;
  std::vector<DriverRun> driver_runs;
  std::vector<StoredFolder> storage;  ///< only where it was asked for
  std::int64_t node_us = 0;           ///< node time of all nodes and spares
  std::int64_t down_us = 0;           ///< of that, in which they were down or gone
  std::int64_t idle_spares_us = 0;    ///< node time
  std::int64_t idle_isolated_us = 0;
  std::int64_t idle_repairing_us = 0;
  double unavailability = 0;  ///< share of the time of nodes and spares in which they were down
  std::optional<double> cost;
  std::optional<double> cost_reserved;        ///< of the same node time, were none of it spot
  std::map<std::string, FaultCounts> faults;  ///< by kind
  std::vector<NeverStruck> never_struck;      ///< in the scenario's order
  std::int64_t invariants_checked = 0;
  std::vector<Violation> violations;
  std::vector<ExpectResult> expect;
  std::int64_t events = 0;
};

/// The object of design.md 7, without `host`. Without `lists` the recoveries, the charges of
/// budgets and the trials, which may be thousands, are empty.
nlohmann::ordered_json to_json(const RunSummary& summary, bool lists = true);
/// The same on one line; text that is not UTF-8 is replaced.
std::string to_json_line(const RunSummary& summary, bool lists = true);

}  // namespace aftershock::reports
