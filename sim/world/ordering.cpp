#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/invariants/invariants.h"
#include "sim/scenario/text/node_names.h"
#include "sim/world/devices.h"
#include "sim/world/failure.h"
#include "sim/world/findings.h"
#include "sim/world/names.h"
#include "sim/world/pods.h"
#include "sim/world/world.h"

// Policies of pods are held to the order of recovery, and so is what the world makes of their
// commands (sim/control/ordering.h).
namespace aftershock::sim::world {

namespace {

control::PodStand stand_of(const workload::Job& job) {
  if (job.stage == workload::Stage::kTearingDown) {
    return job.pods.kept ? control::PodStand::kStopping : control::PodStand::kRemoving;
  }
  if (job.pods.kept) {
    return control::PodStand::kKept;
  }
  return job.holding || workload::has_processes(job) ? control::PodStand::kLive
                                                     : control::PodStand::kNone;
}

control::Held held_of(const workload::Job& job) {
  return {job.control.host.info(), job.control.host.terms()};
}

control::Ground ground_of(const World& world, const workload::Job& job) {
  const std::uint32_t pool = spec(world, job).pool;
  return {.pods = stand_of(job),
          .node = [&world, &job](policies::NodeId id) -> control::NodeStand {
            const auto node = own_node(world, job, id);
            if (!node) {
              return {};
            }
            const machines::Pool& nodes = world.machines.pool(spec(world, job).pool);
            // The epoch changes with a repair too, after which the machine is not at fault any
            // more.
            return {.machine = nodes.node(*node).epoch,
                    .isolated = nodes.node(*node).isolated,
                    .usable = nodes.placeable(*node)};
          },
          .places =
              [&world, &job, pool] {
                std::vector<control::PodPlace> places;
                for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
                  policies::RankSet ranks = ranks_on(world, job, slot);
                  places.push_back(
                      {.ranks = ranks,
                       .node = node_number(world.scenario(), pool, job.placement.slots[slot]),
                       .there = !ranks.overlaps(job.pods.podless)});
                }
                return places;
              },
          .leaving =
              [&world, &job](const policies::StopWorkers& command) {
                return static_cast<std::int64_t>(pods_leaving(world, job, command));
              }};
}

}  // namespace

void violate(World& world, const workload::Job& job, const std::vector<control::Breach>& breaches) {
  for (const control::Breach& breach : breaches) {
    violate(world, std::string(breach.id),
            fmt::format("job {}: {}", spec(world, job).name, breach.what));
  }
}

void check_order(World& world, workload::Job& job) {
  if (job.ordering) {
    control::take_in(*job.ordering, held_of(job), job.control.host.batch(), ground_of(world, job));
  }
}

void check_order(World& world, workload::Job& job, const policies::Step& step) {
  if (job.ordering) {
    violate(world, job, control::check(*job.ordering, held_of(job), step));
  }
}

void check_order(World& world, workload::Job& job, const policies::Command& command) {
  if (job.ordering) {
    violate(world, job,
            control::check(*job.ordering, held_of(job), command, ground_of(world, job),
                           world.now_us()));
  }
}

void check_budgets(World& world, workload::Job& job) {
  if (job.ordering) {
    violate(world, job,
            control::check(*job.ordering, held_of(job), job.control.host.policy().budgets()));
  }
}

void check_removed(World& world, workload::Job& job) {
  if (job.ordering) {
    const scenario::VolumeSpec& volumes = spec(world, job).volumes;
    violate(world, job,
            control::check_teardown(*job.ordering, job.control.host.terms(), volumes.unmount_us,
                                    volumes.per_pod_us, world.now_us()));
  }
}

// A pod that is not made anew stays where it is.
void check_survivors(World& world, const workload::Job& job,
                     const std::vector<std::uint32_t>& before) {
  if (!job.ordering || !job.pods.recreating) {
    return;
  }
  for (std::uint32_t slot = 0; slot < before.size(); ++slot) {
    const bool moved = job.placement.slots[slot] != before[slot];
    if (moved && !job.pods.replaced.overlaps(ranks_on(world, job, slot))) {
      violate(world, "M3",
              fmt::format("job {}: the pod on {} is not made anew and has to move",
                          spec(world, job).name,
                          scenario::node_name(world.scenario().cluster.pools[spec(world, job).pool],
                                              before[slot])));
      return;
    }
  }
}

std::int64_t invariants_checked(const World& world) {
  const bool pods = std::ranges::any_of(
      world.jobs, [](const workload::Job& job) { return job.ordering.has_value(); });
  return invariants::checked_invariants() + (pods ? std::ssize(control::ordering_rules()) : 0);
}

}  // namespace aftershock::sim::world
