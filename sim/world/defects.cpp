#include <algorithm>

#include "sim/faults/source.h"
#include "sim/world/entries.h"
#include "sim/world/machine_trouble.h"

// Machines that fail again: lemons, which no repair mends, and replacements that are bad, too. Each
// failure is an occurrence of its own, numbered behind the fault that it is of.
namespace aftershock::sim {

bool MachineTrouble::spoil_replacements(std::uint32_t number) {
  const FaultRecord fault = world_.faults_[number];
  world_.faults_[number].fired = true;
  world_.record_fault(number);
  world_.bad_batches_.push_back(
      {.pool = *fault.pool, .fault = number, .left = world_.effect_of(fault).times});
  return true;
}

bool MachineTrouble::make_lemon(std::uint32_t number) {
  const FaultRecord fault = world_.faults_[number];
  const Node& node = world_.pools_[*fault.pool].node(fault.node);
  if (!node.present) {
    return false;
  }
  if (!node.up) {
    world_.stay_down(*fault.pool, fault.node, world_.draw_lasts(fault));
    return false;
  }
  world_.faults_[number].fired = true;
  world_.record_fault(number);
  world_.defects_.push_back({.pool = *fault.pool, .node = fault.node, .fault = number, .shown = 1});
  world_.node_down(*fault.pool, fault.node, number, world_.draw_lasts(fault), false);
  return true;
}

// The first batch that such a machine can be of.
bool MachineTrouble::use_bad(std::uint32_t pool, std::uint32_t node, NewMachines as) {
  for (BadBatch& batch : world_.bad_batches_) {
    const NewMachines machines = world_.effect_of(world_.faults_[batch.fault]).machine.machines;
    if (batch.pool != pool || batch.left == 0 ||
        (machines != NewMachines::kAny && machines != as)) {
      continue;
    }
    --batch.left;
    world_.defects_.push_back(
        {.pool = pool, .node = node, .fault = batch.fault, .shown = batch.used++});
    return true;
  }
  return false;
}

void MachineTrouble::new_machine(std::uint32_t pool, std::uint32_t node) {
  std::erase_if(world_.defects_,
                [&](const Defect& one) { return one.pool == pool && one.node == node; });
  forget_slowness(pool, node);
  use_bad(pool, node, NewMachines::kProvisioned);
}

// What was repaired is as fast as the others again. A lemon is one all the same.
void MachineTrouble::machine_back(std::uint32_t pool, std::uint32_t node) {
  forget_slowness(pool, node);
  for (const Defect& defect : world_.defects_) {
    const FaultRecord& fault = world_.faults_[defect.fault];
    const FaultEffect& effect = world_.effect_of(fault);
    if (defect.pool != pool || defect.node != node || effect.kind != FaultKind::kLemonNode ||
        (!effect.machine.for_ever && defect.shown >= effect.times)) {
      continue;
    }
    const RandomDraw draw(fault_key(*world_.scenario_, fault.spec, fault.branch),
                          follower(fault.nth, defect.shown), Purpose::kDefect);
    world_.calendar_.push(world_.now_us_ + draw_us(effect.every, draw), EntryClass::kFault,
                          static_cast<std::uint16_t>(What::kDefectShows), node,
                          world_.pools_[pool].node(node).epoch, defect.fault);
  }
}

// Spares are put to use when somebody gets them that did not have them.
void MachineTrouble::placed(const Job& job, const std::vector<std::uint32_t>& before) {
  const std::uint32_t pool = world_.spec(job).pool;
  const PoolSpec& spec = world_.scenario_->cluster.pools[pool];
  for (const std::uint32_t node : job.placement.slots) {
    const bool spare = node >= spec.nodes && node < spec.nodes + spec.spares;
    if (spare && std::ranges::find(before, node) == before.end()) {
      use_bad(pool, node, NewMachines::kSpares);
    }
  }
}

void MachineTrouble::launched(const Job& job) {
  const std::uint32_t pool = world_.spec(job).pool;
  for (const Defect& defect : world_.defects_) {
    const FaultRecord& fault = world_.faults_[defect.fault];
    const FaultEffect& effect = world_.effect_of(fault);
    if (defect.pool != pool || effect.kind != FaultKind::kBadReplacement ||
        !job.placement.nodes[defect.node]) {
      continue;
    }
    const RandomDraw draw(fault_key(*world_.scenario_, fault.spec, fault.branch),
                          follower(fault.nth, defect.shown + 1), Purpose::kDefect);
    world_.calendar_.push(world_.now_us_ + draw_us(effect.every, draw), EntryClass::kFault,
                          static_cast<std::uint16_t>(What::kDefectShows), defect.node,
                          world_.pools_[pool].node(defect.node).epoch, defect.fault);
  }
}

// The occurrence that the defect's next failure is.
std::uint32_t MachineTrouble::fails_again(std::uint32_t number, const Defect& defect) {
  FaultRecord again = world_.faults_[number];
  const bool lemon = world_.effect_of(again).kind == FaultKind::kLemonNode;
  again.nth = follower(again.nth, defect.shown + (lemon ? 0U : 1U));
  again.listed.reset();  // what is said of the first is not said of those that follow
  again.branch = world_.branch_;
  again.t_us = world_.now_us_;
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
  world_.resolve_rank(again);
  const auto made = static_cast<std::uint32_t>(world_.faults_.size());
  world_.faults_.push_back(again);
  return made;
}

// A machine that is gone or kept from work does not fail.
void MachineTrouble::defect_shows(const Entry& entry) {
  const auto number = static_cast<std::uint32_t>(entry.arg);
  const auto found = std::ranges::find_if(world_.defects_, [&](const Defect& one) {
    return one.fault == number && one.node == entry.entity;
  });
  if (found == world_.defects_.end()) {
    return;
  }
  const std::uint32_t pool = found->pool;
  const Node& node = world_.pools_[pool].node(entry.entity);
  const bool lemon = world_.effect_of(world_.faults_[number]).kind == FaultKind::kLemonNode;
  if (node.epoch != entry.epoch || !node.up ||
      (lemon ? node.isolated : !world_.pools_[pool].taken(entry.entity))) {
    return;
  }
  const std::uint32_t again = fails_again(number, *found);
  if (lemon) {
    ++found->shown;
  } else {
    world_.defects_.erase(found);
  }
  world_.faults_[again].escalated = !world_.effect_of(world_.faults_[again]).then.empty();
  world_.record_fault(again);
  const FaultRecord fault = world_.faults_[again];
  if (fault.escalated) {
    world_.fail_accelerator(again, world_.draw_lasts(fault).value_or(0));
  } else {
    world_.node_down(pool, fault.node, again, world_.draw_lasts(fault), false);
  }
}

}  // namespace aftershock::sim
