#include "sim/chance/draws.h"
#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/devices.h"
#include "sim/world/injection.h"
#include "sim/world/target_resolution.h"
#include "sim/world/world.h"

// Memory errors of one accelerator that are corrected, until one is not (modelarts.md 6.1,
// 7.2).
namespace aftershock::sim::world {

namespace {

using reports::EntityKind;

}  // namespace

bool begin_storm(World& world, std::uint32_t number) {
  const faults::FaultRecord& fault = world.faults[number];
  if (!fault.pool || !world.machines.pool(*fault.pool).node(fault.node).present ||
      !world.machines.pool(*fault.pool).node(fault.node).up) {
    return false;
  }
  fire(world, number);
  storm_error(world, number, 1);
  return true;
}

// A machine that is gone, or kept from work, has no more of them.
void storm_error(World& world, const engine::Entry& entry) {
  const auto number = static_cast<std::uint32_t>(entry.arg);
  const faults::FaultRecord& fault = world.faults[number];
  const machines::Node& node = world.machines.pool(*fault.pool).node(fault.node);
  if (node.epoch != entry.epoch || !node.up || node.isolated) {
    return;
  }
  // Each error strikes whoever computes there then, and not who did when the storm began.
  world.faults.update(number, [&world](faults::FaultRecord& moved) {
    moved.job.reset();
    TargetResolution(world).resolve_rank(moved);
  });
  storm_error(world, number, entry.entity);
}

void storm_error(World& world, std::uint32_t number, std::uint32_t nth) {
  const faults::FaultRecord fault = world.faults[number];
  const scenario::FaultEffect& effect = faults::effect_of(world.scenario(), fault);
  const chance::RandomKey key = faults::fault_key(world.scenario(), fault.spec, fault.branch);
  if (nth > effect.times) {
    world.faults.escalate(number);
    world.core.recorder().instant(world.now_us(), {EntityKind::kNode, *fault.pool, fault.node},
                                  "uncorrected_error", {{"fault", number}});
    fail_accelerator(world, number, faults::draw_lasts(world.scenario(), fault));
    return;
  }
  world.core.recorder().instant(world.now_us(), {EntityKind::kNode, *fault.pool, fault.node},
                                "corrected_error", {{"fault", number}, {"count", nth}});
  if (workload::Job* job = watcher(world, *fault.pool, fault.node); job != nullptr) {
    tell_device_fault(world, *job, number);
  }
  const chance::RandomDraw escalates(key, fault.nth, chance::Purpose::kEscalation);
  if (nth == effect.times &&
      (effect.then.empty() || chance::draw_index(1'000'000, escalates) >= effect.then_share_ppm)) {
    return;
  }
  const chance::RandomDraw gap(key, (fault.nth << 32U) | nth, chance::Purpose::kStormError);
  world.core.schedule(core::EntryKind::kStormError,
                      world.now_us() + chance::draw_us(effect.every, gap),
                      {.entity = nth + 1,
                       .epoch = world.machines.pool(*fault.pool).node(fault.node).epoch,
                       .arg = number});
}

}  // namespace aftershock::sim::world
