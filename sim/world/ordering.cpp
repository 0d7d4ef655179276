#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/invariants/invariants.h"
#include "sim/scenario/text/node_names.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// Policies of pods are held to the order of recovery, and so is what the world makes of their
// commands (sim/control/ordering.h).
namespace aftershock::sim {

namespace {

PodStand stand_of(const Job& job) {
  if (job.stage == Stage::kTearingDown) {
    return job.kept ? PodStand::kStopping : PodStand::kRemoving;
  }
  if (job.kept) {
    return PodStand::kKept;
  }
  return job.holding || has_processes(job) ? PodStand::kLive : PodStand::kNone;
}

Held held_of(const Job& job) { return {job.host.info(), job.host.terms()}; }

}  // namespace

Ground World::ground_of(const Job& job) const {
  const std::uint32_t pool = spec(job).pool;
  return {.pods = stand_of(job),
          .node = [this, &job](policies::NodeId id) -> NodeStand {
            const auto node = own_node(job, id);
            if (!node) {
              return {};
            }
            const Pool& nodes = machines_.pool(spec(job).pool);
            return {.machine = nodes.node(*node).epoch,
                    .isolated = nodes.node(*node).isolated,
                    .usable = nodes.placeable(*node)};
          },
          .places =
              [this, &job, pool] {
                std::vector<PodPlace> places;
                for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
                  policies::RankSet ranks = ranks_on(job, slot);
                  places.push_back(
                      {.ranks = ranks,
                       .node = node_number(core_.scenario(), pool, job.placement.slots[slot]),
                       .there = !ranks.overlaps(job.podless)});
                }
                return places;
              },
          .leaving =
              [this, &job](const policies::StopWorkers& command) {
                return static_cast<std::int64_t>(pods_leaving(job, command));
              }};
}

void World::violate(const Job& job, const std::vector<Breach>& breaches) {
  for (const Breach& breach : breaches) {
    violate(std::string(breach.id), fmt::format("job {}: {}", spec(job).name, breach.what));
  }
}

void World::check_order(Job& job) {
  if (job.ordering) {
    take_in(*job.ordering, held_of(job), job.host.batch(), ground_of(job));
  }
}

void World::check_order(Job& job, const policies::Step& step) {
  if (job.ordering) {
    violate(job, check(*job.ordering, held_of(job), step));
  }
}

void World::check_order(Job& job, const policies::Command& command) {
  if (job.ordering) {
    violate(job, check(*job.ordering, held_of(job), command, ground_of(job), core_.now_us()));
  }
}

void World::check_budgets(Job& job) {
  if (job.ordering) {
    violate(job, check(*job.ordering, held_of(job), job.host.policy().budgets()));
  }
}

void World::check_removed(Job& job) {
  if (job.ordering) {
    const VolumeSpec& volumes = spec(job).volumes;
    violate(job, check_teardown(*job.ordering, job.host.terms(), volumes.unmount_us,
                                volumes.per_pod_us, core_.now_us()));
  }
}

// A pod that is not made anew stays where it is.
void World::check_survivors(const Job& job, const std::vector<std::uint32_t>& before) {
  if (!job.ordering || !job.recreating) {
    return;
  }
  for (std::uint32_t slot = 0; slot < before.size(); ++slot) {
    const bool moved = job.placement.slots[slot] != before[slot];
    if (moved && !job.replaced.overlaps(ranks_on(job, slot))) {
      violate("M3",
              fmt::format("job {}: the pod on {} is not made anew and has to move", spec(job).name,
                          node_name(core_.scenario().cluster.pools[spec(job).pool], before[slot])));
      return;
    }
  }
}

std::int64_t invariants_checked(const WorldState& world) {
  const bool pods =
      std::ranges::any_of(world.jobs(), [](const Job& job) { return job.ordering.has_value(); });
  return checked_invariants() + (pods ? std::ssize(ordering_rules()) : 0);
}

}  // namespace aftershock::sim
