#include "sim/faults/source.h"
#include "sim/world/entries.h"
#include "sim/world/world.h"

// Memory errors of one accelerator that are corrected, until one is not (reference modelarts.md
// 6.1, 7.2).
namespace aftershock::sim {

namespace {

using reports::EntityKind;

}  // namespace

bool World::begin_storm(std::uint32_t number) {
  const FaultRecord& fault = faults_[number];
  if (!fault.pool || !pools_[*fault.pool].node(fault.node).present ||
      !pools_[*fault.pool].node(fault.node).up) {
    return false;
  }
  faults_[number].fired = true;
  record_fault(number);
  storm_error(number, 1);
  return true;
}

// A machine that is gone, or kept from work, has no more of them.
void World::storm_error(const Entry& entry) {
  const auto number = static_cast<std::uint32_t>(entry.arg);
  FaultRecord& fault = faults_[number];
  const Node& node = pools_[*fault.pool].node(fault.node);
  if (node.epoch != entry.epoch || !node.up || node.isolated) {
    return;
  }
  fault.job.reset();
  resolve_rank(fault);
  storm_error(number, entry.entity);
}

void World::storm_error(std::uint32_t number, std::uint32_t nth) {
  const FaultRecord fault = faults_[number];
  const FaultEffect& effect = effect_of(fault);
  const RandomKey key = fault_key(*scenario_, fault.spec, fault.branch);
  if (nth > effect.times) {
    faults_[number].escalated = true;
    recorder_.instant(now_us_, {EntityKind::kNode, *fault.pool, fault.node}, "uncorrected_error",
                      {{"fault", number}});
    fail_accelerator(number, draw_lasts(fault).value_or(0));
    return;
  }
  recorder_.instant(now_us_, {EntityKind::kNode, *fault.pool, fault.node}, "corrected_error",
                    {{"fault", number}, {"count", nth}});
  if (Job* job = watcher(*fault.pool, fault.node); job != nullptr) {
    tell_device_fault(*job, number);
  }
  const RandomDraw escalates(key, fault.nth, Purpose::kEscalation);
  if (nth == effect.times &&
      (effect.then.empty() || draw_index(1'000'000, escalates) >= effect.then_share_ppm)) {
    return;
  }
  const RandomDraw gap(key, (fault.nth << 32U) | nth, Purpose::kStormError);
  calendar_.push(now_us_ + draw_us(effect.every, gap), EntryClass::kFault,
                 static_cast<std::uint16_t>(What::kStormError), nth + 1,
                 pools_[*fault.pool].node(fault.node).epoch, number);
}

}  // namespace aftershock::sim
