#include <algorithm>

#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/machine_trouble.h"
#include "sim/world/target_resolution.h"

// Machines that fail again: lemons, which no repair mends, and replacements that are bad, too. Each
// failure is an occurrence of its own, numbered behind the fault that it is of.
namespace aftershock::sim {

bool MachineTrouble::spoil_replacements(std::uint32_t number) {
  const FaultRecord fault = world_.faults_[number];
  world_.fire(number);
  world_.ailments_.add_bad_batch(
      {.pool = *fault.pool, .fault = number, .left = world_.effect_of(fault).times});
  return true;
}

bool MachineTrouble::make_lemon(std::uint32_t number) {
  const FaultRecord fault = world_.faults_[number];
  const Node& node = world_.machines_.pool(*fault.pool).node(fault.node);
  if (!node.present) {
    return false;
  }
  if (!node.up) {
    world_.stay_down(*fault.pool, fault.node, draw_lasts(world_.core_.scenario(), fault));
    return false;
  }
  world_.fire(number);
  world_.ailments_.add_defect(
      {.pool = *fault.pool, .node = fault.node, .fault = number, .shown = 1});
  world_.node_down(*fault.pool, fault.node, number, draw_lasts(world_.core_.scenario(), fault),
                   false);
  return true;
}

void MachineTrouble::new_machine(std::uint32_t pool, std::uint32_t node) {
  world_.ailments_.forget_defects(pool, node);
  forget_slowness(pool, node);
  world_.ailments_.put_to_use(world_.core_.scenario(), world_.faults_, pool, node,
                              NewMachines::kProvisioned);
}

// What was repaired is as fast as the others again. A lemon is one all the same.
void MachineTrouble::machine_back(std::uint32_t pool, std::uint32_t node) {
  forget_slowness(pool, node);
  world_.ailments_.plan_lemons(world_.core_, world_.faults_, world_.machines_, pool, node);
}

// Spares are put to use when somebody gets them that did not have them.
void MachineTrouble::placed(const Job& job, const std::vector<std::uint32_t>& before) {
  const std::uint32_t pool = world_.spec(job).pool;
  const PoolSpec& spec = world_.core_.scenario().cluster.pools[pool];
  for (const std::uint32_t node : job.placement.slots) {
    const bool spare = node >= spec.nodes && node < spec.nodes + spec.spares;
    if (spare && std::ranges::find(before, node) == before.end()) {
      world_.ailments_.put_to_use(world_.core_.scenario(), world_.faults_, pool, node,
                                  NewMachines::kSpares);
    }
  }
}

void MachineTrouble::launched(const Job& job) {
  world_.ailments_.plan_bad_replacements(world_.core_, world_.faults_, world_.machines_,
                                         world_.spec(job).pool, job.placement.nodes);
}

// The occurrence that the defect's next failure is.
std::uint32_t MachineTrouble::fails_again(std::uint32_t number, const Defect& defect) {
  FaultRecord again = world_.faults_[number];
  const bool lemon = world_.effect_of(again).kind == FaultKind::kLemonNode;
  again.nth = follower(again.nth, defect.shown + (lemon ? 0U : 1U));
  again.listed.reset();  // what is said of the first is not said of those that follow
  again.branch = world_.core_.branch();
  again.t_us = world_.core_.now_us();
  again.pool = defect.pool;
  again.node = defect.node;
  again.nodes = 1;
  again.detected = false;
  again.caused_restart = false;
  if (!world_.jobs_.empty() && world_.jobs_.front().ledger) {
    again.phase = world_.jobs_.front().phase;
  }
  again.job.reset();
  again.accelerator = 0;
  TargetResolution(world_).resolve_rank(again);
  return world_.faults_.open_again(again);
}

void MachineTrouble::defect_shows(const Entry& entry) {
  const auto defect = world_.ailments_.show_defect(world_.core_.scenario(), world_.faults_,
                                                   world_.machines_, entry);
  if (!defect) {
    return;
  }
  const std::uint32_t again = fails_again(defect->fault, *defect);
  if (!world_.effect_of(world_.faults_[again]).then.empty()) {
    world_.faults_.escalate(again);
  }
  world_.fire(again);
  const FaultRecord fault = world_.faults_[again];
  if (fault.escalated) {
    world_.fail_accelerator(again, draw_lasts(world_.core_.scenario(), fault).value_or(0));
  } else {
    world_.node_down(defect->pool, fault.node, again, draw_lasts(world_.core_.scenario(), fault),
                     false);
  }
}

}  // namespace aftershock::sim
