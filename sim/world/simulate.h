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
#include "sim/scenario/scenario.h"
#include "sim/world/world.h"

namespace aftershock::sim {

/// Somebody who looks at a run.
class Onlooker {
 public:
  virtual ~Onlooker() = default;
  /// The run has ended, and its accounts are closed.
  virtual void ended(const World& world) = 0;
};

/// How to run a scenario.
struct SimulateOptions {
  Driver driver = Driver::kAutomatic;
  reports::LineSink* sink = nullptr;            ///< takes the recording; null: none is made
  std::optional<std::int64_t> max_entries;      ///< calendar entries; none: WorldOptions' own limit
  bool storage_tree = false;                    ///< the summary says what is left in storage
  std::vector<FaultRecord>* strikes = nullptr;  ///< see WorldOptions
  bool words = true;                            ///< see `summarise`; a recording always has them
  std::vector<std::string> warnings;            ///< of reading the scenario, for the summary
  Onlooker* onlooker = nullptr;                 ///< null: nobody
};

/// The policies that the scenario names, one a job, then one an experiment. The scenario must have
/// been read without errors.
std::vector<PolicyHost> make_hosts(const Scenario& scenario);

/// A phase trigger whose offset is a share of its phase refers to the length that the phase has
/// without the trigger: finds that by running without, trigger by trigger in the order in which
/// they come. Triggers whose phase never begins or never ends stay out.
std::map<std::uint32_t, std::int64_t> resolve_trigger_offsets(
    const std::shared_ptr<const Scenario>& scenario, Driver driver,
    std::optional<std::int64_t> max_entries = {});

/// Runs without the triggers whose offset is a share of their phase, and tells of every fault that
/// has a trigger when its phase began and how long it was.
std::vector<TriggerProbe> probe_triggers(const std::shared_ptr<const Scenario>& scenario,
                                         Driver driver = Driver::kAutomatic);

/// Whether transfers of the scenario may have to share, which takes SimGrid: a process has one
/// engine, so that a second such run needs a process of its own.
bool may_contend(const Scenario& scenario);

/// Runs the scenario once, judges it, and closes the recording with ledgers, summary and end.
reports::RunSummary simulate(const std::shared_ptr<const Scenario>& scenario,
                             const SimulateOptions& options);

}  // namespace aftershock::sim
