#include "sim/machines/machines.h"

#include <algorithm>

#include "base/assert.h"
#include "sim/chance/draws.h"
#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"

// Nodes go down, are declared dead, come back, and make room for others.
namespace aftershock::sim::machines {

using reports::EntityKind;

Machines::Machines(const scenario::Scenario& scenario) : crew_(scenario.cluster.repair_crew) {
  for (const scenario::PoolSpec& pool : scenario.cluster.pools) {
    pools_.emplace_back(pool);
  }
}

void Machines::count_up(core::RunCore& core, std::uint32_t pool) const {
  core.recorder().counter(core.now_us(), {EntityKind::kPool, pool}, "nodes_up",
                          pools_[pool].nodes_up());
}

std::optional<std::int64_t> Machines::fall(core::RunCore& core, const NodeFall& fall) {
  const auto& [pool, node, fault, given_us, announced, by_crew] = fall;
  AFTERSHOCK_ASSERT(pools_[pool].node(node).present && pools_[pool].node(node).up);
  const scenario::PoolSpec& pool_spec = core.scenario().cluster.pools[pool];
  // A new epoch voids every entry that the calendar still has for the machine, its return among
  // them.
  const std::uint32_t epoch = pools_[pool].node(node).epoch + 1;
  std::optional<std::int64_t> lasts_us = given_us;
  if (!lasts_us && pool_spec.repair) {
    // The draw is keyed by node and epoch: failures of other nodes do not change this repair.
    lasts_us = chance::draw_us(
        *pool_spec.repair,
        chance::RandomDraw(faults::node_key(core.scenario(), pool, node, core.branch()), epoch,
                           chance::Purpose::kRepair));
  }
  end_repairs(core, pool, node);
  const bool waits = by_crew && lasts_us && crew_.limited();
  pools_[pool].update(node, core.now_us(), [&, told = fall.announced](Node& changed) {
    changed.epoch = epoch;
    changed.awaits_crew = waits;
    changed.up = false;
    changed.down_fault = fall.fault;
    // Nobody gives it work again before it is known to be gone: it was announced to go.
    changed.draining = changed.draining && !told && !changed.known_down;
    changed.known_down = changed.known_down || told;
    changed.returns = lasts_us.has_value();
    changed.back_us = core.now_us() + (waits ? 0 : lasts_us.value_or(0));
    // Of a node that is cut off nothing has been heard since then.
    changed.silent_since_us = changed.mute ? changed.silent_since_us : core.now_us();
  });
  if (waits) {
    ask_crew(core,
             {.of = RepairOf::kNode, .pool = fall.pool, .node = fall.node, .takes_us = *lasts_us});
  } else if (lasts_us) {
    core.schedule(core::EntryKind::kNodeBack, core.now_us() + *lasts_us,
                  {.entity = node, .epoch = epoch, .arg = pool});
  }
  begin_down_span(core, pool, node);
  count_up(core, pool);
  return lasts_us;
}

bool Machines::stay_down(core::RunCore& core, std::uint32_t pool, std::uint32_t index,
                         std::uint32_t fault, std::int64_t lasts_us) {
  const Node& node = pools_[pool].node(index);
  AFTERSHOCK_ASSERT(!node.up);
  if (node.awaits_crew) {
    // It waits for longer than anybody knows. Its repair takes account of this when it begins.
    pools_[pool].update(index, core.now_us(), [&](Node& changed) {
      changed.back_us = std::max(changed.back_us, core.now_us() + lasts_us);
    });
    return false;
  }
  // The outage in progress may cover this one already: it never ends, or ends later.
  if (!node.returns || core.now_us() + lasts_us <= node.back_us) {
    return false;
  }
  const std::uint32_t epoch = node.epoch + 1;
  pools_[pool].update(index, core.now_us(), [&](Node& changed) {
    changed.epoch = epoch;
    changed.down_fault = fault;
    changed.back_us = core.now_us() + lasts_us;
  });
  core.schedule(core::EntryKind::kNodeBack, core.now_us() + lasts_us,
                {.entity = index, .epoch = epoch, .arg = pool});
  end_down_span(core, pool, index);
  begin_down_span(core, pool, index);
  return !node.known_down;
}

bool Machines::declare_dead(core::RunCore& core, std::uint32_t pool, std::uint32_t node) {
  const Node& before = pools_[pool].node(node);
  // A node that came back, or is heard again, before the timeout is not declared dead.
  if (before.known_down || (before.up && !before.mute)) {
    return false;
  }
  pools_[pool].update(node, core.now_us(), [](Node& changed) {
    changed.known_down = true;
    changed.draining = changed.draining && changed.up;
  });
  core.recorder().instant(core.now_us(), {EntityKind::kNode, pool, node}, "declared_dead");
  return true;
}

void Machines::begin_down_span(core::RunCore& core, std::uint32_t pool, std::uint32_t node) {
  down_spans_[{pool, node}] =
      core.recorder().begin(core.now_us(), {EntityKind::kNode, pool, node}, "down",
                            {{"fault", pools_[pool].node(node).down_fault}});
}

void Machines::end_down_span(core::RunCore& core, std::uint32_t pool, std::uint32_t node) {
  // A machine that is replaced while it is up, as an isolated one, has no span to end.
  if (const auto span = down_spans_.find({pool, node}); span != down_spans_.end()) {
    core.recorder().end(core.now_us(), span->second);
    down_spans_.erase(span);
  }
}

bool Machines::renew(core::RunCore& core, std::uint32_t pool, std::uint32_t node) {
  const Node& before = pools_[pool].node(node);
  // One that was repaired before the new one came keeps its slot: the new one goes back.
  const bool wanted =
      !before.present || before.known_down || before.isolated || before.bad_accelerators > 0;
  if (wanted) {
    // The failures leave together with the old machine, and who repairs it.
    end_repairs(core, pool, node);
    forget_failed_devices(core, pool, node);
  }
  pools_[pool].update(node, core.now_us(), [wanted](Node& changed) {
    changed.provisioning = false;
    if (wanted) {
      begin_well(changed);
      changed.present = true;
      changed.up = true;
      changed.known_down = false;
      changed.cut = false;
      changed.mute = false;
      changed.deaf = false;
      changed.draining = false;
    }
  });
  if (wanted) {
    end_down_span(core, pool, node);
    core.recorder().instant(core.now_us(), {EntityKind::kNode, pool, node}, "new_machine");
  }
  return wanted;
}

bool Machines::come_back(core::RunCore& core, const faults::FaultBook& faults, std::uint32_t pool,
                         std::uint32_t node) {
  end_repairs(core, pool, node);
  forget_failed_devices(core, pool, node);
  end_down_span(core, pool, node);
  const scenario::FaultEffect& effect =
      faults::effect_of(core.scenario(), faults[pools_[pool].node(node).down_fault]);
  // A preempted machine was never broken, and a fault with a length of its own heals by itself: the
  // rule for repaired machines holds for neither.
  const bool was_repaired = !effect.lasts && effect.kind != scenario::FaultKind::kPreemption;
  if (was_repaired && core.scenario().cluster.pools[pool].repaired_stay_away) {
    retire(core, pool, node);
    return false;
  }
  pools_[pool].update(node, core.now_us(), [](Node& changed) {
    const bool kept_away = changed.isolated && changed.isolated_until_released;
    begin_well(changed);
    changed.isolated = kept_away;
    changed.up = true;
    changed.draining = false;
    // A node that is cut off is back for itself alone: the cluster still takes it for dead.
    changed.known_down = changed.mute;
  });
  return true;
}

void Machines::retire(core::RunCore& core, std::uint32_t pool, std::uint32_t node) {
  end_repairs(core, pool, node);
  pools_[pool].update(node, core.now_us(), [](Node& changed) {
    begin_well(changed);
    changed.present = false;
    changed.up = false;
    // An empty slot counts as known to be down, so that nothing is placed on it.
    changed.known_down = true;
    changed.draining = false;
  });
  core.recorder().instant(core.now_us(), {EntityKind::kNode, pool, node}, "retired");
  count_up(core, pool);
}

std::vector<std::uint32_t> Machines::ask(core::RunCore& core, std::uint32_t pool_index,
                                         std::uint32_t needed) {
  const scenario::PoolSpec& pool_spec = core.scenario().cluster.pools[pool_index];
  Pool& pool = pools_[pool_index];
  // Machines on their way count, or each look at a short pool would order them again.
  const std::uint32_t there = pool.available() + pool.provisioning();
  if (pool_spec.replacement == scenario::Replacement::kNone || there >= needed) {
    return {};
  }
  std::vector<std::uint32_t> slots = pool.replaceable(needed - there);
  if (pool_spec.replacement == scenario::Replacement::kNow) {
    return slots;
  }
  for (const std::uint32_t node : slots) {
    const std::uint32_t epoch = pool.node(node).epoch;
    const std::int64_t length_us = chance::draw_us(
        pool_spec.provision,
        chance::RandomDraw(faults::node_key(core.scenario(), pool_index, node, core.branch()),
                           epoch, chance::Purpose::kProvision));
    pool.update(node, core.now_us(), [](Node& changed) { changed.provisioning = true; });
    core.schedule(core::EntryKind::kNodeProvisioned, core.now_us() + length_us,
                  {.entity = node, .epoch = epoch, .arg = pool_index});
  }
  return {};
}

}  // namespace aftershock::sim::machines
