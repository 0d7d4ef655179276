#include "sim/world/world.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/world/experiments.h"
#include "sim/world/injection.h"

namespace aftershock::sim::world {

World::World(std::shared_ptr<const scenario::Scenario> rules,
             std::vector<control::PolicyHost> hosts, const WorldOptions& options)
    : core(std::move(rules), options.sink, options.names, options.max_entries),
      machines(core.scenario()),
      network(core.scenario()),
      faults(core.scenario(), options.strikes, options.trigger_offsets_us),
      arrivals(core.scenario()),
      queue(machines.pools().size()),
      heads(core.scenario().cluster.heads.size()),
      checker(core.shared_scenario()) {
  AFTERSHOCK_ASSERT(hosts.size() == scenario().jobs.size() + scenario().experiments.size());
  messages = std::ranges::any_of(scenario().faults, [](const scenario::FaultSpec& fault) {
    return std::ranges::any_of(fault.effects, [](const scenario::WeightedEffect& each) {
      return each.effect.kind == scenario::FaultKind::kStaleMessage ||
             each.effect.kind == scenario::FaultKind::kDuplicateMessage;
    });
  });
  jobs.resize(scenario().jobs.size());
  for (std::uint32_t i = 0; i < jobs.size(); ++i) {
    jobs[i].index = i;
    // A policy that is started again begins as this one did, before its first batch.
    jobs[i].control.initial_host = hosts[i];
    jobs[i].control.rules_applied.resize(hosts[i].info().rules.size());
    // The order of recovery is that of a platform which says why it gives jobs up.
    if (hosts[i].info().watches_nodes && !hosts[i].info().endings.empty()) {
      jobs[i].ordering.emplace();
    }
    jobs[i].control.host = std::move(hosts[i]);
    jobs[i].workers = scenario().jobs[i].workers;
    core.schedule(core::EntryKind::kSubmit, scenario().jobs[i].submit_us, {.entity = i});
  }
  make_experiments(*this, hosts);
  jobs_left = static_cast<std::uint32_t>(hosts.size());
  core.schedule(core::EntryKind::kHorizon, core.horizon_us());
  for (std::uint32_t pool = 0; pool < machines.pools().size(); ++pool) {
    machines.count_up(core, pool);
  }
  // Behind pools and jobs: sources ask at once how many of their units are at risk.
  plan_faults(*this);
}

void take_branch(World& world, std::uint64_t branch) {
  world.core.set_branch(branch);
  world.arrivals.branch(world.core);
}

}  // namespace aftershock::sim::world
