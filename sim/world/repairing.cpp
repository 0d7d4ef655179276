#include <algorithm>
#include <optional>

#include "sim/faults/source.h"
#include "sim/world/entries.h"
#include "sim/world/machine_trouble.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// What is bad on a node, and how it is made well again (reference modelarts.md 5.4).
namespace aftershock::sim {

namespace {

using reports::EntityKind;

}  // namespace

// Its node takes no work any more.
void World::put_out_of_order(Ailment& ailment) {
  if (!ailment.lasting) {
    ailment.lasting = true;
    pools_[ailment.pool].update(ailment.node, now_us_,
                                [](Node& changed) { ++changed.bad_accelerators; });
  }
}

// What the fault did to its accelerator is over, if it is not already.
void World::cure(std::uint32_t fault) {
  const auto found = std::ranges::find(ailments_, fault, &Ailment::fault);
  if (found == ailments_.end()) {
    return;
  }
  const Ailment cured = *found;
  ailments_.erase(found);
  if (cured.lasting) {
    pools_[cured.pool].update(cured.node, now_us_,
                              [](Node& changed) { --changed.bad_accelerators; });
    serve_queue(cured.pool);
  }
}

void World::forget_ailments(std::uint32_t pool, std::uint32_t node) {
  std::erase_if(ailments_, [&](const Ailment& ailment) {
    return ailment.pool == pool && ailment.node == node;
  });
  if (pools_[pool].node(node).bad_accelerators > 0) {
    pools_[pool].update(node, now_us_, [](Node& changed) { changed.bad_accelerators = 0; });
  }
}

// Accelerators that compute again are well.
void World::computes_again(const Job& job) {
  std::erase_if(ailments_, [&](const Ailment& ailment) {
    return !ailment.lasting && ailment.pool == spec(job).pool && job.placement.nodes[ailment.node];
  });
}

// Of a node that was isolated. One that is down comes back when that is over; one that still works
// is repaired now, by what is the worst of all that is bad on it.
void World::begin_repair(std::uint32_t pool, std::uint32_t node) {
  const PoolSpec& pool_spec = scenario_->cluster.pools[pool];
  const Node& before = pools_[pool].node(node);
  std::optional<policies::DeviceNeed> need;
  for (const Ailment& ailment : ailments_) {
    if (ailment.pool == pool && ailment.node == node) {
      need = std::max(need, std::optional(effect_of(faults_[ailment.fault]).needs));
    }
  }
  const auto& law =
      need ? pool_spec.device_repairs[static_cast<std::size_t>(*need)] : pool_spec.repair;
  const bool repairing = law && before.up;
  recorder_.instant(now_us_, {EntityKind::kNode, pool, node}, "isolated",
                    {{"needs", 0, need ? policies::name_of(*need) : "repair"}});
  pools_[pool].update(node, now_us_, [repairing](Node& changed) { changed.repairing = repairing; });
  if (!repairing) {
    return;
  }
  // The first of a machine's isolations has the number that its machine has.
  const std::uint64_t nth = (std::uint64_t{before.isolations - 1} << 32U) | before.epoch;
  const RandomDraw draw(node_key(*scenario_, pool, node, branch_), nth, Purpose::kRepair);
  const std::int64_t over_us = now_us_ + draw_us(*law, draw);
  watchman_.isolated(pool, node, before.epoch, over_us);
  calendar_.push(over_us, EntryClass::kFault, static_cast<std::uint16_t>(What::kIsolationOver),
                 node, before.isolations, pool);
}

void World::isolation_over(std::uint32_t pool, std::uint32_t node) {
  forget_ailments(pool, node);
  recorder_.instant(now_us_, {EntityKind::kNode, pool, node}, "repaired");
  const Job* user = holder(pool, node);
  const bool used =
      experiment_on(pool, node) != nullptr || (user != nullptr && has_processes(*user));
  if (!scenario_->cluster.pools[pool].repaired_stay_away) {
    pools_[pool].update(node, now_us_, [](Node& changed) { changed.isolated = false; });
    MachineTrouble(*this).machine_back(pool, node);
    serve_queue(pool);
  } else if (used) {
    // Whoever goes on with it all the same does not get it again.
    pools_[pool].update(node, now_us_, [](Node& changed) { changed.repairing = false; });
  } else {
    retire(pool, node);
  }
}

void World::node_back(std::uint32_t pool, std::uint32_t node) {
  // Who comes back has been away: that shows now, if not before.
  node_dead_known(pool, node);
  forget_ailments(pool, node);
  recorder_.end(now_us_, node_spans_[{pool, node}]);
  node_spans_.erase({pool, node});
  if (retires(pool, node)) {
    retire(pool, node);
    return;
  }
  pools_[pool].update(node, now_us_, [](Node& changed) {
    begin_well(changed);
    changed.up = true;
    changed.draining = false;
    changed.known_down = changed.mute;
  });
  MachineTrouble(*this).machine_back(pool, node);
  count_nodes_up(pool);
  serve_queue(pool);
}

// Whether a node that is well again after having been down was repaired, and so stays away.
bool World::retires(std::uint32_t pool, std::uint32_t node) const {
  const FaultEffect& effect = effect_of(faults_[pools_[pool].node(node).down_fault]);
  return scenario_->cluster.pools[pool].repaired_stay_away && !effect.lasts &&
         effect.kind != FaultKind::kPreemption;
}

// The machine goes elsewhere, and leaves its slot empty.
void World::retire(std::uint32_t pool, std::uint32_t node) {
  pools_[pool].update(node, now_us_, [](Node& changed) {
    begin_well(changed);
    changed.present = false;
    changed.up = false;
    changed.known_down = true;
    changed.draining = false;
  });
  recorder_.instant(now_us_, {EntityKind::kNode, pool, node}, "retired");
  count_nodes_up(pool);
  serve_queue(pool);
}

}  // namespace aftershock::sim
