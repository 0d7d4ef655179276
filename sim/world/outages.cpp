#include "sim/world/drivers.h"
#include "sim/world/injection.h"
#include "sim/world/machine_faults.h"
#include "sim/world/nodes.h"
#include "sim/world/world.h"

// Everything stops at once: what has no power has no spare either.
namespace aftershock::sim::world {

// Heads go first: a controller that is gone does not see its nodes go.
bool black_out(World& world, std::uint32_t number) {
  const std::int64_t lasts_us =
      faults::draw_lasts(world.scenario(), world.faults[number]).value_or(0);
  fire(world, number);
  for (std::uint32_t head = 0; head < world.heads.count(); ++head) {
    if (world.heads.up(head)) {
      lose_head(world, head, number, lasts_us);
    }
  }
  for (std::uint32_t pool = 0; pool < world.machines.pools().size(); ++pool) {
    for (std::uint32_t node = 0; node < world.machines.pool(pool).size(); ++node) {
      const machines::Node& one = world.machines.pool(pool).node(node);
      if (one.present && one.up) {
        node_down(world, pool, node, number, lasts_us, false);
      } else if (one.present) {
        stay_down(world, pool, node, number, lasts_us);
      }
    }
  }
  return true;
}

}  // namespace aftershock::sim::world
