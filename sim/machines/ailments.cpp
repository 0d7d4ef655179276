#include "sim/machines/ailments.h"

#include <algorithm>

#include "sim/chance/draws.h"
#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"

namespace aftershock::sim::machines {

namespace {

using reports::EntityKind;

// Whether the trouble is one of the node's.
auto on(std::uint32_t pool, std::uint32_t node) {
  return [pool, node](const auto& trouble) { return trouble.pool == pool && trouble.node == node; };
}

void plan_failure(core::RunCore& core, const faults::FaultRecord& fault, const Machines& machines,
                  const Defect& defect, std::uint32_t nth) {
  const chance::RandomDraw draw(faults::fault_key(core.scenario(), fault.spec, fault.branch),
                                faults::follower(fault.nth, nth), chance::Purpose::kDefect);
  // The entry names the epoch of the machine: after a fall it is void, and the return plans anew.
  core.schedule(
      core::EntryKind::kDefectShows,
      core.now_us() + chance::draw_us(faults::effect_of(core.scenario(), fault).every, draw),
      {.entity = defect.node,
       .epoch = machines.pool(defect.pool).node(defect.node).epoch,
       .arg = defect.fault});
}

}  // namespace

void Ailments::slow_down(core::RunCore& core, Slowness slowness) {
  slowness.span = core.recorder().begin(
      core.now_us(), {EntityKind::kNode, slowness.pool, slowness.node}, "straggling",
      {{"fault", slowness.fault}, {"slowdown_ppm", slowness.ppm}});
  slownesses_.push_back(slowness);
}

std::optional<Slowness> Ailments::end_slowness(core::RunCore& core, std::uint32_t fault) {
  const auto found = std::ranges::find(slownesses_, fault, &Slowness::fault);
  if (found == slownesses_.end()) {
    // The machine may have been replaced meanwhile, and its slowness with it.
    return std::nullopt;
  }
  const Slowness over = *found;
  core.recorder().end(core.now_us(), over.span);
  slownesses_.erase(found);
  return over;
}

bool Ailments::forget_slowness(core::RunCore& core, std::uint32_t pool, std::uint32_t node) {
  const auto erased = std::erase_if(slownesses_, [&](const Slowness& one) {
    if (!on(pool, node)(one)) {
      return false;
    }
    core.recorder().end(core.now_us(), one.span);
    return true;
  });
  return erased > 0;
}

const Slowness* Ailments::slowest(const Machines& machines, std::uint32_t per_node,
                                  const Share& share) const {
  const Slowness* worst = nullptr;
  for (const Slowness& one : slownesses_) {
    if (one.pool != share.pool || !share.placement.nodes[one.node]) {
      continue;
    }
    const std::uint32_t slot = machines.pool(one.pool).node(one.node).slot;
    // The last node of a job may have idle accelerators, and a slow one among them delays nobody.
    const bool used = slot * per_node + one.accelerator.value_or(0) < share.workers;
    if (used && (worst == nullptr || one.ppm > worst->ppm)) {
      worst = &one;
    }
  }
  return worst;
}

const Slowness* Ailments::slowest(std::uint32_t pool, std::uint32_t node, std::uint32_t first,
                                  std::uint32_t end) const {
  const Slowness* worst = nullptr;
  for (const Slowness& one : slownesses_) {
    const std::uint32_t accelerator = one.accelerator.value_or(first);
    const bool used = on(pool, node)(one) && accelerator >= first && accelerator < end;
    if (used && (worst == nullptr || one.ppm > worst->ppm)) {
      worst = &one;
    }
  }
  return worst;
}

void Ailments::put_to_use(const scenario::Scenario& scenario, const faults::FaultBook& faults,
                          std::uint32_t pool, std::uint32_t node, scenario::NewMachines as) {
  for (BadBatch& batch : bad_batches_) {
    const scenario::NewMachines machines =
        faults::effect_of(scenario, faults[batch.fault]).machine.machines;
    if (batch.pool != pool || batch.left == 0 ||
        (machines != scenario::NewMachines::kAny && machines != as)) {
      continue;
    }
    // One defect a machine: batches are used up in the order in which they came.
    --batch.left;
    defects_.push_back({.pool = pool, .node = node, .fault = batch.fault, .shown = batch.used++});
    return;
  }
}

void Ailments::forget_defects(std::uint32_t pool, std::uint32_t node) {
  std::erase_if(defects_, on(pool, node));
}

// Drawn by the number of the repair, so that how often the machine fails changes no draw.
void Ailments::cure_lemons(core::RunCore& core, const faults::FaultBook& faults, std::uint32_t pool,
                           std::uint32_t node) {
  std::erase_if(defects_, [&](Defect& defect) {
    const faults::FaultRecord& fault = faults[defect.fault];
    const scenario::FaultEffect& effect = faults::effect_of(core.scenario(), fault);
    if (!on(pool, node)(defect) || effect.kind != scenario::FaultKind::kLemonNode ||
        effect.machine.cured_ppm == 0) {
      return false;
    }
    const chance::RandomDraw draw(faults::fault_key(core.scenario(), fault.spec, fault.branch),
                                  faults::follower(fault.nth, defect.repairs++),
                                  chance::Purpose::kCured);
    const bool cured = chance::draw_index(1'000'000, draw) < effect.machine.cured_ppm;
    if (cured) {
      core.recorder().instant(core.now_us(), {EntityKind::kNode, pool, node}, "cured",
                              {{"fault", defect.fault}});
    }
    return cured;
  });
}

// A machine that is back is a lemon still, unless its repair has cured it.
void Ailments::plan_lemons(core::RunCore& core, const faults::FaultBook& faults,
                           const Machines& machines, std::uint32_t pool, std::uint32_t node) const {
  for (const Defect& defect : defects_) {
    const faults::FaultRecord& fault = faults[defect.fault];
    const scenario::FaultEffect& effect = faults::effect_of(core.scenario(), fault);
    if (on(pool, node)(defect) && effect.kind == scenario::FaultKind::kLemonNode &&
        (effect.machine.for_ever || defect.shown < effect.times)) {
      plan_failure(core, fault, machines, defect, defect.shown);
    }
  }
}

void Ailments::plan_bad_replacements(core::RunCore& core, const faults::FaultBook& faults,
                                     const Machines& machines, std::uint32_t pool,
                                     const NodeBits& launching) const {
  for (const Defect& defect : defects_) {
    const faults::FaultRecord& fault = faults[defect.fault];
    if (defect.pool == pool && launching[defect.node] &&
        faults::effect_of(core.scenario(), fault).kind == scenario::FaultKind::kBadReplacement) {
      plan_failure(core, fault, machines, defect, defect.shown + 1);
    }
  }
}

std::optional<Defect> Ailments::show_defect(const scenario::Scenario& scenario,
                                            const faults::FaultBook& faults,
                                            const Machines& machines, const engine::Entry& entry) {
  const auto number = static_cast<std::uint32_t>(entry.arg);
  const auto found = std::ranges::find_if(
      defects_, [&](const Defect& one) { return one.fault == number && one.node == entry.entity; });
  if (found == defects_.end()) {
    return std::nullopt;
  }
  const Pool& pool = machines.pool(found->pool);
  const Node& node = pool.node(entry.entity);
  const bool lemon =
      faults::effect_of(scenario, faults[number]).kind == scenario::FaultKind::kLemonNode;
  // A machine that is kept from work does not fail, and a new one fails under load only.
  const bool works = node.up && (lemon ? !node.isolated : pool.taken(entry.entity));
  if (node.epoch != entry.epoch || !works) {
    return std::nullopt;
  }
  const Defect shown = *found;
  // A bad replacement fails once, a lemon again and again.
  if (lemon) {
    ++found->shown;
  } else {
    defects_.erase(found);
  }
  return shown;
}

void Ailments::deny(core::RunCore& core, const faults::FaultBook& faults, Machines& machines,
                    std::uint32_t number) {
  const faults::FaultRecord& fault = faults[number];
  Pool& pool = machines.pool(*fault.pool);
  const scenario::PoolSpec& spec = core.scenario().cluster.pools[*fault.pool];
  const bool spares_too = faults::effect_of(core.scenario(), fault).machine.spares_too;
  // Idle spares are withheld; those in use stay with their jobs.
  for (std::uint32_t node = spec.nodes; spares_too && node < spec.nodes + spec.spares; ++node) {
    if (!pool.taken(node)) {
      pool.update(node, core.now_us(), [](Node& changed) { changed.withheld = true; });
    }
  }
  denials_.push_back({*fault.pool, number});
}

void Ailments::end_denial(core::RunCore& core, const faults::FaultBook& faults, Machines& machines,
                          std::uint32_t number) {
  const std::uint32_t pool_index = *faults[number].pool;
  Pool& pool = machines.pool(pool_index);
  std::erase_if(denials_, [&](const Denial& denial) { return denial.fault == number; });
  core.recorder().instant(core.now_us(), {EntityKind::kPool, pool_index}, "capacity_back",
                          {{"fault", number}});
  // Denials may overlap: spares come back with the last one that withholds them.
  const bool others_withhold = std::ranges::any_of(denials_, [&](const Denial& denial) {
    return denial.pool == pool_index &&
           faults::effect_of(core.scenario(), faults[denial.fault]).machine.spares_too;
  });
  for (std::uint32_t node = 0; node < pool.size() && !others_withhold; ++node) {
    if (pool.node(node).withheld) {
      pool.update(node, core.now_us(), [](Node& changed) { changed.withheld = false; });
    }
  }
}

bool Ailments::denied(std::uint32_t pool) const {
  return std::ranges::find(denials_, pool, &Denial::pool) != denials_.end();
}

// The policy had evidence; that it was wrong is known here alone.
void Ailments::judge_isolation(core::RunCore& core, const Machines& machines, std::uint32_t pool,
                               std::uint32_t node) {
  const auto found = std::ranges::find_if(false_accusations_, on(pool, node));
  if (found == false_accusations_.end()) {
    return;
  }
  // The accusation was false when it was made, but the node may have gone bad since.
  const bool innocent = std::ranges::none_of(machines.failed_devices(), on(pool, node)) &&
                        std::ranges::none_of(slownesses_, on(pool, node)) &&
                        std::ranges::none_of(defects_, on(pool, node));
  if (innocent) {
    core.recorder().instant(core.now_us(), {EntityKind::kNode, pool, node}, "isolated_innocent",
                            {{"fault", found->fault}});
  }
  false_accusations_.erase(found);
}

}  // namespace aftershock::sim::machines
