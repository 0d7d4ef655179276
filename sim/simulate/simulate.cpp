#include "sim/simulate/simulate.h"

#include <cstring>
#include <exception>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/assert.h"
#include "policies/registry.h"
#include "reports/ledger/ledger_record.h"
#include "reports/recording/header.h"
#include "sim/engine/isolate.h"
#include "sim/results/describe.h"
#include "sim/results/stored_files.h"
#include "sim/results/summarise.h"
#include "sim/results/useful_work.h"
#include "sim/scenario/read/policy_request.h"
#include "sim/scenario/text/node_names.h"
#include "sim/world/closing.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

namespace aftershock::sim::simulate {

namespace {

policies::Inventory inventory_of(const scenario::Scenario& scenario) {
  policies::Inventory inventory;
  for (const scenario::PoolSpec& pool : scenario.cluster.pools) {
    for (const scenario::NodeRange& range : scenario::node_ranges(pool)) {
      inventory.nodes.push_back({pool.name, range.prefix, range.first, range.count});
    }
  }
  for (const scenario::JobSpec& job : scenario.jobs) {
    const scenario::PoolSpec& pool = scenario.cluster.pools[job.pool];
    // The most that the cluster can ever hold: machines that may come count.
    inventory.jobs.push_back({job.name, pool.max_nodes * pool.accelerators_per_node});
  }
  for (const scenario::ExperimentSpec& experiment : scenario.experiments) {
    const scenario::PoolSpec& pool = scenario.cluster.pools[experiment.pool];
    inventory.jobs.push_back({experiment.name, pool.max_nodes * pool.accelerators_per_node});
  }
  return inventory;
}

using Offsets = std::map<std::uint32_t, std::int64_t>;

/// The phases that triggers wait for, as a run had them.
struct Probed {
  std::vector<faults::TriggerProbe> triggers;
  std::string failure;  ///< of its policy
};

Probed probe(const std::shared_ptr<const scenario::Scenario>& scenario, const Offsets& offsets,
             engine::Driver driver, std::optional<std::int64_t> max_entries) {
  const auto run = [&] {
    world::WorldOptions options;
    options.trigger_offsets_us = offsets;
    options.max_entries = max_entries.value_or(options.max_entries);
    world::World world(scenario, make_hosts(*scenario), options);
    engine::drive(world, driver);
    return Probed{world.faults.probes(),
                  world.core.policy_failed() ? world.core.cut_short_by() : std::string()};
  };
  // A process has one engine of SimGrid (simgrid.md), which the run itself is going to need.
  if (!takes_simgrid(*scenario, driver)) {
    return run();
  }
  // Whole, so that none of what a probe says is lost on the way.
  static_assert(std::is_trivially_copyable_v<faults::TriggerProbe>);
  Probed probed{std::vector<faults::TriggerProbe>(scenario->faults.size()), {}};
  const auto bytes = engine::run_isolated([&] {
    Probed there = probed;
    try {
      there = run();
    } catch (const std::exception& failed) {
      there.failure = failed.what();  // an unavailable external policy
    }
    return std::string(reinterpret_cast<const char*>(there.triggers.data()),
                       there.triggers.size() * sizeof(faults::TriggerProbe)) +
           there.failure;
  });
  const std::size_t size = probed.triggers.size() * sizeof(faults::TriggerProbe);
  if (!bytes || bytes->size() < size) {
    probed.failure = "its process has died";
    return probed;
  }
  std::memcpy(probed.triggers.data(), bytes->data(), size);
  probed.failure = bytes->substr(size);
  return probed;
}

// The time that everything takes without faults, job by job and then by experiment; -1: it does not
// complete.
std::vector<std::int64_t> fault_free_times(const scenario::Scenario& scenario,
                                           std::int64_t max_entries) {
  const auto calm = std::make_shared<scenario::Scenario>(scenario);
  calm->faults.clear();
  world::WorldOptions options;
  options.max_entries = max_entries;
  world::World world(calm, make_hosts(*calm), options);
  engine::drive(world, engine::Driver::kAutomatic);
  world::close_run(world);
  std::vector<std::int64_t> times_us;
  for (const workload::Job& job : world.jobs) {
    const bool completed = job.outcome == workload::Outcome::kCompleted;
    times_us.push_back(completed ? job.ended_us - calm->jobs[job.index].submit_us : -1);
  }
  for (const workload::Experiment& experiment : world.experiments) {
    const reports::BucketTotals& us = experiment.ledger.totals_us();
    times_us.push_back(std::accumulate(us.begin(), us.end(), std::int64_t{0}));
  }
  return times_us;
}

results::FaultFreeRun by_subject(const scenario::Scenario& scenario,
                                 const std::vector<std::int64_t>& times_us) {
  results::FaultFreeRun run;
  for (std::size_t i = 0; i < times_us.size(); ++i) {
    if (i >= scenario.jobs.size()) {
      run.experiments_us.push_back(times_us[i]);
    } else {
      run.jobs_us.push_back(times_us[i] < 0 ? std::nullopt : std::optional(times_us[i]));
    }
  }
  return run;
}

}  // namespace

// Two jobs that move data to or from the same storage may share its bandwidth.
bool may_contend(const scenario::Scenario& scenario) {
  std::map<std::uint32_t, int> users;
  for (const scenario::JobSpec& job : scenario.jobs) {
    if (job.run.storage && job.checkpoint && job.checkpoint->bytes > 0 &&
        ++users[*job.run.storage] > 1) {
      return true;
    }
  }
  return false;
}

bool takes_simgrid(const scenario::Scenario& scenario, engine::Driver driver) {
  return driver == engine::Driver::kSimGrid || may_contend(scenario);
}

std::vector<control::PolicyHost> make_hosts(const scenario::Scenario& scenario) {
  std::vector<control::PolicyHost> hosts;
  const policies::Inventory inventory = inventory_of(scenario);
  const auto add = [&](policies::PolicyRequest request) {
    request.seed = scenario.seed;
    policies::MakeResult made =
        scenario.policies == nullptr
            ? policies::make_policy(request)
            : scenario.policies->make(request,
                                      policies::PolicySource::Setting{inventory, scenario.seed});
    // The reader has made each of them once, and took no scenario that one refused.
    AFTERSHOCK_ASSERT(std::holds_alternative<policies::ConfiguredPolicy>(made));
    auto& ready = std::get<policies::ConfiguredPolicy>(made);
    hosts.emplace_back(std::move(ready.policy), inventory, std::move(ready.terms));
  };
  for (const scenario::JobSpec& job : scenario.jobs) {
    add(scenario::policy_request(job));
  }
  for (const scenario::ExperimentSpec& experiment : scenario.experiments) {
    add(scenario::policy_request(experiment));
  }
  return hosts;
}

TriggerOffsets resolve_trigger_offsets(const std::shared_ptr<const scenario::Scenario>& scenario,
                                       engine::Driver driver,
                                       std::optional<std::int64_t> max_entries) {
  TriggerOffsets resolved;
  Offsets& offsets = resolved.offsets_us;
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < scenario->faults.size(); ++i) {
    if (const auto& when = scenario->faults[i].when; when && when->offset_ppm) {
      open.push_back(i);
    }
  }
  while (!open.empty()) {
    const auto [probes, failure] = probe(scenario, offsets, driver, max_entries);
    if (!failure.empty()) {
      resolved.failure = fmt::format("in the run without fault {}, which tells when it strikes: {}",
                                     scenario->faults[open.front()].id, failure);
      break;
    }
    // Up to the first of them the run with it is the run without it.
    std::optional<std::pair<std::int64_t, std::uint32_t>> first;
    std::int64_t first_offset_us = 0;
    for (const std::uint32_t i : open) {
      if (!probes[i].began_us || !probes[i].length_us) {
        continue;
      }
      constexpr std::int64_t kMillion = 1'000'000;
      // A phase may last for years, and its microseconds times a million need more than 64 bits.
      __extension__ using Wide = __int128;
      const auto offset_us = static_cast<std::int64_t>(
          Wide{*probes[i].length_us} * *scenario->faults[i].when->offset_ppm / kMillion);
      const std::pair candidate{*probes[i].began_us + offset_us, i};
      if (!first || candidate < *first) {
        first = candidate;
        first_offset_us = offset_us;
      }
    }
    if (!first) {
      break;
    }
    offsets[first->second] = first_offset_us;
    std::erase(open, first->second);
  }
  return resolved;
}

std::vector<faults::TriggerProbe> probe_triggers(
    const std::shared_ptr<const scenario::Scenario>& scenario, engine::Driver driver) {
  return probe(scenario, {}, driver, {}).triggers;
}

std::optional<results::FaultFreeRun> fault_free_before(const scenario::Scenario& scenario,
                                                       std::int64_t max_entries) {
  const bool may_be_needed =
      !scenario.faults.empty() && (!scenario.until_us || !scenario.experiments.empty());
  if (!may_be_needed || !may_contend(scenario)) {
    return std::nullopt;
  }
  const auto bytes = engine::run_isolated([&] {
    const std::vector<std::int64_t> there = fault_free_times(scenario, max_entries);
    return std::string(reinterpret_cast<const char*>(there.data()),
                       there.size() * sizeof(std::int64_t));
  });
  // A process that died has told nothing, and the run is then held against nothing.
  std::vector<std::int64_t> times_us(bytes ? bytes->size() / sizeof(std::int64_t) : 0);
  if (!times_us.empty()) {
    std::memcpy(times_us.data(), bytes->data(), times_us.size() * sizeof(std::int64_t));
  }
  return by_subject(scenario, times_us);
}

results::FaultFreeRun fault_free_run(const world::World& world,
                                     const std::optional<results::FaultFreeRun>& before,
                                     std::int64_t max_entries) {
  if (before || !results::needs_fault_free_run(world) || world.core.policy_failed()) {
    return before.value_or(results::FaultFreeRun{});
  }
  return by_subject(world.scenario(), fault_free_times(world.scenario(), max_entries));
}

reports::RunSummary simulate(const std::shared_ptr<const scenario::Scenario>& scenario,
                             const SimulateOptions& options) {
  const world::ScenarioNames names(*scenario);
  world::WorldOptions world_options;
  const auto [offsets_us, failure] =
      options.offsets ? *options.offsets
                      : resolve_trigger_offsets(scenario, options.driver, options.max_entries);
  world_options.trigger_offsets_us = offsets_us;
  world_options.max_entries = options.max_entries.value_or(world_options.max_entries);
  world_options.sink = options.sink;
  world_options.strikes = options.strikes;
  // Names are looked up for every record that is written, and for none otherwise.
  world_options.names = options.sink != nullptr ? &names : nullptr;
  std::vector<control::PolicyHost> hosts = make_hosts(*scenario);
  if (options.sink != nullptr) {
    reports::write_header(*options.sink, results::describe(*scenario, hosts));
  }
  const auto before = fault_free_before(*scenario, world_options.max_entries);
  world::World world(scenario, std::move(hosts), world_options);
  engine::drive(world, options.driver);
  world::close_run(world);
  if (options.onlooker != nullptr) {
    options.onlooker->ended(world);
  }
  const results::FaultFreeRun fault_free = fault_free_run(world, before, world_options.max_entries);
  reports::RunSummary summary = results::summarise(world, fault_free, options.warnings,
                                                   options.words || options.sink != nullptr);
  // Triggers whose time nobody could tell stayed out: what ran is not the scenario.
  if (!failure.empty() && summary.verdict != reports::Verdict::kPolicyFailed) {
    summary.verdict = reports::Verdict::kPolicyFailed;
    summary.verdict_reason = failure;
  }
  if (options.storage_tree) {
    summary.storage = results::stored_files(world);
  }
  if (options.sink != nullptr) {
    std::vector<std::string> fault_ids;
    for (const faults::FaultRecord& fault : world.faults.records()) {
      fault_ids.push_back(faults::fault_id(*scenario, fault));
    }
    for (const workload::Job& job : world.jobs) {
      if (job.ledger) {
        world.core.recorder().ledger(world.now_us(), {reports::EntityKind::kJob, job.index},
                                     reports::ledger_record_members(*job.ledger, fault_ids));
      }
    }
    for (const workload::Experiment& experiment : world.experiments) {
      if (experiment.submitted) {
        const std::int64_t submit_us = scenario->experiments[experiment.index].submit_us;
        world.core.recorder().ledger(
            world.now_us(), {reports::EntityKind::kExperiment, experiment.index},
            reports::ledger_record_members(experiment.ledger, experiment.ended_us - submit_us,
                                           fault_ids));
      }
    }
    world.core.recorder().summary(world.now_us(), reports::to_json_line(summary));
    world.core.recorder().end_of_run(world.now_us());
  }
  return summary;
}

}  // namespace aftershock::sim::simulate
