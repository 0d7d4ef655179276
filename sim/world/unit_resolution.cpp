#include <optional>

#include "base/assert.h"
#include "sim/chance/draws.h"
#include "sim/faults/source.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/world/nodes.h"
#include "sim/world/target_resolution.h"
#include "sim/world/world.h"

// The units that sources strike.
namespace aftershock::sim::world {

namespace {

// The kind of target that is struck as a whole, where units are that.
std::optional<scenario::TargetKind> struck_whole(scenario::RatePer per) {
  switch (per) {
    case scenario::RatePer::kRack:
      return scenario::TargetKind::kRack;
    case scenario::RatePer::kPowerDomain:
      return scenario::TargetKind::kPowerDomain;
    case scenario::RatePer::kSwitch:
      return scenario::TargetKind::kSwitch;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::uint32_t TargetResolution::nth_exposed(const scenario::FaultSpec& spec,
                                            std::uint32_t nth) const {
  const machines::Pool& pool = world_.machines.pools()[spec.target.pool];
  const bool powered = *spec.source->exposure == scenario::Exposure::kPowered;
  for (std::uint32_t node = 0; node < pool.size(); ++node) {
    const bool exposed = powered ? pool.node(node).present && pool.node(node).up : pool.taken(node);
    if (exposed && nth-- == 0) {
      return node;
    }
  }
  AFTERSHOCK_ASSERT(false && "its clock stands still without any");
}

// Units are counted as their source does: nodes, accelerators, racks, power domains or switches.
std::uint32_t TargetResolution::draw_unit_of(const scenario::FaultSpec& spec,
                                             const faults::FaultRecord& fault) const {
  const chance::RandomDraw draw(faults::fault_key(world_.scenario(), fault.spec, fault.branch),
                                fault.nth, chance::Purpose::kTarget);
  if (const faults::UnitRates* rates = world_.arrivals.rates_of(fault.spec); rates != nullptr) {
    return rates->draw(draw);
  }
  if (spec.source->exposure) {
    const machines::Pool& pool = world_.machines.pools()[spec.target.pool];
    const bool powered = *spec.source->exposure == scenario::Exposure::kPowered;
    // The count is the one by which the clock goes (units_at_risk()).
    const auto nodes = static_cast<std::uint32_t>(powered ? pool.nodes_up() : pool.nodes_taken());
    if (nodes == 0) {
      return 0;  // one that follows another, which has taken the last
    }
    const std::uint32_t node = nth_exposed(spec, chance::draw_index(nodes, draw));
    const std::uint32_t per_node =
        world_.scenario().cluster.pools[spec.target.pool].accelerators_per_node;
    const chance::RandomDraw which(faults::fault_key(world_.scenario(), fault.spec, fault.branch),
                                   fault.nth, chance::Purpose::kAccelerator);
    return spec.source->per == scenario::RatePer::kAccelerator
               ? node * per_node + chance::draw_index(per_node, which)
               : node;
  }
  return chance::draw_index(faults::units_of(world_.scenario(), spec), draw);
}

void TargetResolution::set_node(const scenario::FaultSpec& spec, faults::FaultRecord& fault,
                                std::uint32_t unit) const {
  const std::uint32_t per_node =
      world_.scenario().cluster.pools[spec.target.pool].accelerators_per_node;
  const bool of_accelerators = spec.source->per == scenario::RatePer::kAccelerator;
  fault.pool = spec.target.pool;
  fault.node = of_accelerators ? unit / per_node : unit;
  fault.accelerator =
      of_accelerators
          ? unit % per_node
          : chance::draw_index(
                per_node,
                chance::RandomDraw(faults::fault_key(world_.scenario(), fault.spec, fault.branch),
                                   fault.nth, chance::Purpose::kAccelerator));
  resolve_rank(fault);
  resolve_trial_on_node(fault);
}

void TargetResolution::set_domain(const scenario::FaultSpec& spec, faults::FaultRecord& fault,
                                  std::uint32_t domain, scenario::TargetKind kind) const {
  const scenario::PoolSpec& pool = world_.scenario().cluster.pools[spec.target.pool];
  fault.domain = domain;
  fault.loses_power = kind == scenario::TargetKind::kPowerDomain;
  fault.at_switch = kind == scenario::TargetKind::kSwitch;
  const faults::RackSlots slots = fault.loses_power ? faults::power_domain_slots(pool, domain)
                                                    : faults::rack_slots(pool, domain);
  fault.pool = spec.target.pool;
  fault.node = slots.first;
  fault.nodes = slots.count;
}

bool TargetResolution::resolve_by_source(const scenario::FaultSpec& spec,
                                         const scenario::Target& target,
                                         faults::FaultRecord& fault) const {
  const scenario::FaultKind kind = faults::effect_of(world_.scenario(), fault).kind;
  if (target.kind == scenario::TargetKind::kCluster) {
    return true;
  }
  const bool drawn_domain = spec.target.kind == scenario::TargetKind::kPool;
  if ((target.kind == scenario::TargetKind::kRack ||
       target.kind == scenario::TargetKind::kPowerDomain) &&
      (drawn_domain || !scenario::of_network(kind))) {
    set_domain(spec, fault, target.index, target.kind);
    return true;
  }
  if (target.kind == scenario::TargetKind::kSwitch && drawn_domain) {
    set_domain(spec, fault, target.end.index, target.kind);
    return true;
  }
  if (target.kind == scenario::TargetKind::kNode && spec.source &&
      spec.source->per == scenario::RatePer::kAccelerator &&
      (fault.unit || spec.source->mixed_shape)) {
    const std::uint32_t per_node =
        world_.scenario().cluster.pools[target.pool].accelerators_per_node;
    set_node(spec, fault,
             target.index * per_node + (fault.unit ? *fault.unit : draw_unit_of(spec, fault)));
    return true;
  }
  if (target.kind != scenario::TargetKind::kPool) {
    return false;
  }
  // Capacity and replacements are the pool's: none of its nodes is meant.
  if (scenario::strikes_pool(kind) && !scenario::of_network(kind)) {
    fault.pool = target.pool;
    fault.nodes = 0;
    return true;
  }
  if (!spec.source || spec.source->occurrences) {
    return false;
  }
  if (const auto domain = struck_whole(spec.source->per)) {
    set_domain(spec, fault, fault.unit ? *fault.unit : draw_unit_of(spec, fault), *domain);
    return true;
  }
  if (spec.source->training_job) {
    resolve_in_training(spec, fault);
    return true;
  }
  const bool by_unit = fault.unit || spec.source->mixed_shape || spec.source->exposure;
  const bool any_node = spec.source->per == scenario::RatePer::kPool && !spec.source->maintenance;
  if (!by_unit || any_node) {
    return false;
  }
  set_node(spec, fault, fault.unit ? *fault.unit : draw_unit_of(spec, fault));
  return true;
}

// Of a pool, what the job uses: any of its nodes alike, or any of its accelerators.
void TargetResolution::resolve_in_training(const scenario::FaultSpec& spec,
                                           faults::FaultRecord& fault) const {
  const workload::Job& job = world_.jobs[*spec.source->training_job];
  const std::uint32_t per_node =
      world_.scenario().cluster.pools[spec.target.pool].accelerators_per_node;
  const bool of_accelerators = spec.source->per == scenario::RatePer::kAccelerator;
  const std::uint32_t workers = world_.scenario().jobs[job.index].workers;
  const std::uint32_t slots = (workers + per_node - 1) / per_node;
  const chance::RandomKey key = faults::fault_key(world_.scenario(), fault.spec, fault.branch);
  std::uint32_t drawn = 0;
  if ((fault.unit || spec.source->mixed_shape) && spec.source->per != scenario::RatePer::kPool) {
    const std::uint32_t unit = fault.unit ? *fault.unit : draw_unit_of(spec, fault);
    drawn =
        of_accelerators
            ? unit
            : unit * per_node +
                  chance::draw_index(
                      per_node, chance::RandomDraw(key, fault.nth, chance::Purpose::kAccelerator));
  } else {
    drawn = chance::draw_index(of_accelerators ? workers : slots * per_node,
                               chance::RandomDraw(key, fault.nth, chance::Purpose::kTarget));
  }
  const std::uint32_t slot = drawn / per_node;
  if (slot >= job.placement.slots.size()) {
    return;  // a job below its full size, and a node that it would have
  }
  fault.pool = spec.target.pool;
  fault.node = job.placement.slots[slot];
  fault.accelerator = drawn % per_node;
  if (drawn < job.workers) {
    fault.job = job.index;
    fault.rank = drawn;
  }
}

// One node is at risk while the job works on it.
bool TargetResolution::works_on_target(const workload::Job& job, std::uint32_t spec_index) const {
  const scenario::Target& target = world_.scenario().faults[spec_index].target;
  const bool one_node = target.kind == scenario::TargetKind::kNode ||
                        target.kind == scenario::TargetKind::kAccelerator;
  return !one_node || holder(world_, target.pool, target.index) == &job;
}

std::int64_t TargetResolution::units_at_risk(std::uint32_t spec) const {
  const scenario::FaultSpec& fault = world_.scenario().faults[spec];
  const scenario::Target& target = fault.target;
  const machines::Pool& pool = world_.machines.pools()[target.pool];
  const bool powered = *fault.source->exposure == scenario::Exposure::kPowered;
  const std::int64_t per_node =
      fault.source->per == scenario::RatePer::kAccelerator &&
              target.kind != scenario::TargetKind::kAccelerator
          ? world_.scenario().cluster.pools[target.pool].accelerators_per_node
          : 1;
  if (target.kind == scenario::TargetKind::kPool) {
    return (powered ? pool.nodes_up() : pool.nodes_taken()) * per_node;
  }
  const bool exposed = powered ? pool.node(target.index).up : pool.taken(target.index);
  return exposed ? per_node : 0;
}

}  // namespace aftershock::sim::world
