#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/target_resolution.h"
#include "sim/world/world.h"

// Memory errors of one accelerator that are corrected, until one is not (modelarts.md 6.1,
// 7.2).
namespace aftershock::sim {

namespace {

using reports::EntityKind;

}  // namespace

bool World::begin_storm(std::uint32_t number) {
  const FaultRecord& fault = faults_[number];
  if (!fault.pool || !machines_.pool(*fault.pool).node(fault.node).present ||
      !machines_.pool(*fault.pool).node(fault.node).up) {
    return false;
  }
  fire(number);
  storm_error(number, 1);
  return true;
}

// A machine that is gone, or kept from work, has no more of them.
void World::storm_error(const Entry& entry) {
  const auto number = static_cast<std::uint32_t>(entry.arg);
  const FaultRecord& fault = faults_[number];
  const Node& node = machines_.pool(*fault.pool).node(fault.node);
  if (node.epoch != entry.epoch || !node.up || node.isolated) {
    return;
  }
  faults_.update(number, [this](FaultRecord& moved) {
    moved.job.reset();
    TargetResolution(*this).resolve_rank(moved);
  });
  storm_error(number, entry.entity);
}

void World::storm_error(std::uint32_t number, std::uint32_t nth) {
  const FaultRecord fault = faults_[number];
  const FaultEffect& effect = effect_of(fault);
  const RandomKey key = fault_key(core_.scenario(), fault.spec, fault.branch);
  if (nth > effect.times) {
    faults_.escalate(number);
    core_.recorder().instant(core_.now_us(), {EntityKind::kNode, *fault.pool, fault.node},
                             "uncorrected_error", {{"fault", number}});
    fail_accelerator(number, draw_lasts(core_.scenario(), fault).value_or(0));
    return;
  }
  core_.recorder().instant(core_.now_us(), {EntityKind::kNode, *fault.pool, fault.node},
                           "corrected_error", {{"fault", number}, {"count", nth}});
  if (Job* job = watcher(*fault.pool, fault.node); job != nullptr) {
    tell_device_fault(*job, number);
  }
  const RandomDraw escalates(key, fault.nth, Purpose::kEscalation);
  if (nth == effect.times &&
      (effect.then.empty() || draw_index(1'000'000, escalates) >= effect.then_share_ppm)) {
    return;
  }
  const RandomDraw gap(key, (fault.nth << 32U) | nth, Purpose::kStormError);
  core_.schedule(EntryKind::kStormError, core_.now_us() + draw_us(effect.every, gap),
                 {.entity = nth + 1,
                  .epoch = machines_.pool(*fault.pool).node(fault.node).epoch,
                  .arg = number});
}

}  // namespace aftershock::sim
