#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/ledger/summary.h"
#include "reports/recording/sink.h"
#include "sim/engine/drive.h"
#include "sim/results/useful_work.h"
#include "sim/scenario/scenario.h"
#include "sim/world/world.h"

namespace aftershock::sim::simulate {

/// Somebody who looks at a run.
class Onlooker {
 public:
  virtual ~Onlooker() = default;
  /// The run has ended, and its accounts are closed.
  virtual void ended(const world::World& world) = 0;
};

/// When phase triggers strike whose offset is a share of their phase, in microseconds after its
/// begin, by fault.
struct TriggerOffsets {
  std::map<std::uint32_t, std::int64_t> offsets_us;
  std::string failure;  ///< of a policy in a run that was to tell; empty: none failed
};

/// How to run a scenario.
struct SimulateOptions {
  engine::Driver driver = engine::Driver::kAutomatic;
  reports::LineSink* sink = nullptr;        ///< takes the recording; null: none is made
  std::optional<std::int64_t> max_entries;  ///< calendar entries; none: WorldOptions' own limit
  bool storage_tree = false;                ///< the summary says what is left in storage
  std::vector<faults::FaultRecord>* strikes = nullptr;  ///< see WorldOptions
  bool words = true;                        ///< see `summarise`; a recording always has them
  std::vector<std::string> warnings;        ///< of reading the scenario, for the summary
  Onlooker* onlooker = nullptr;             ///< null: nobody
  std::optional<TriggerOffsets> offsets{};  ///< known already; none: runs tell them
};

/// The policies that the scenario names, one a job, then one an experiment. The scenario must have
/// been read without errors.
std::vector<control::PolicyHost> make_hosts(const scenario::Scenario& scenario);

/// Finds them. An offset that is a share of a phase refers to the length that the phase has without
/// the trigger, which runs without it tell, trigger by trigger in the order in which they come.
/// Triggers whose phase never begins or never ends stay out.
TriggerOffsets resolve_trigger_offsets(const std::shared_ptr<const scenario::Scenario>& scenario,
                                       engine::Driver driver,
                                       std::optional<std::int64_t> max_entries = {});

/// Runs without the triggers whose offset is a share of their phase, and tells of every fault that
/// has a trigger when its phase began and how long it was.
std::vector<faults::TriggerProbe> probe_triggers(
    const std::shared_ptr<const scenario::Scenario>& scenario,
    engine::Driver driver = engine::Driver::kAutomatic);

/// Whether transfers of the scenario may have to share, which takes SimGrid: a process has one
/// engine, so that a second such run needs a process of its own.
bool may_contend(const scenario::Scenario& scenario);

/// Whether that may come to be, by this driver.
bool takes_simgrid(const scenario::Scenario& scenario, engine::Driver driver);

/// The scenario without faults, where transfers may have to share: that takes SimGrid and so a
/// process of its own, which has to be made before the run itself. None where they need not, and
/// where nothing will be held against it.
std::optional<results::FaultFreeRun> fault_free_before(
    const scenario::Scenario& scenario,
    std::int64_t max_entries = world::WorldOptions().max_entries);

/// The run without faults that a run which is over is held against: made before it, else now where
/// it is needed (`needs_fault_free_run`), with policies of its own.
results::FaultFreeRun fault_free_run(const world::World& world,
                                     const std::optional<results::FaultFreeRun>& before,
                                     std::int64_t max_entries = world::WorldOptions().max_entries);

/// Runs the scenario once, judges it, and closes the recording with ledgers, summary and end.
reports::RunSummary simulate(const std::shared_ptr<const scenario::Scenario>& scenario,
                             const SimulateOptions& options);

}  // namespace aftershock::sim::simulate
