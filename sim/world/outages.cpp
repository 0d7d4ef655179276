#include "sim/world/machine_trouble.h"

// Everything stops at once: what has no power has no spare either.
namespace aftershock::sim {

// Heads go first: a controller that is gone does not see its nodes go.
bool MachineTrouble::black_out(std::uint32_t number) {
  const std::int64_t lasts_us =
      draw_lasts(world_.core_.scenario(), world_.faults_[number]).value_or(0);
  world_.fire(number);
  for (std::uint32_t head = 0; head < world_.heads_.size(); ++head) {
    if (world_.heads_[head].up) {
      world_.lose_head(head, number, lasts_us);
    }
  }
  for (std::uint32_t pool = 0; pool < world_.machines_.pools().size(); ++pool) {
    for (std::uint32_t node = 0; node < world_.machines_.pool(pool).size(); ++node) {
      const Node& one = world_.machines_.pool(pool).node(node);
      if (one.present && one.up) {
        world_.node_down(pool, node, number, lasts_us, false);
      } else if (one.present) {
        world_.stay_down(pool, node, lasts_us);
      }
    }
  }
  return true;
}

}  // namespace aftershock::sim
