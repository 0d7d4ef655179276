#include "sim/world/node_objects.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/core/entry_kind.h"
#include "sim/scenario/text/node_names.h"
#include "sim/world/controlling.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

namespace aftershock::sim::world {

namespace {

void plan_removal(World& world, PodObjects& objects) {
  const scenario::NodeObjectSpec& rule = world.scenario().cluster.node_object;
  const bool collected = rule.by == scenario::NodeObjectRemover::kCloud;
  objects.removal_planned = true;
  world.core.schedule(
      core::EntryKind::kObjectsRemoved,
      world.now_us() + rule.after_us.value_or(0) + (collected ? scenario::kPodCollectionUs : 0),
      {.arg = objects.number});
}

// A node that is off and comes back, or is only cut off, has its machine still.
bool machine_is_gone(const machines::Node& node) { return !node.up && !node.returns; }

}  // namespace

bool objects_stay(const World& world, const workload::Job& job) {
  return world.scenario().cluster.node_object.outlive_eviction() &&
         job.control.host.info().pods_are_objects;
}

void keep_objects(World& world, const workload::Job& job, std::uint32_t node,
                  policies::RankSet ranks) {
  const std::uint32_t pool = spec(world, job).pool;
  PodObjects& objects = world.pod_objects.emplace_back();
  objects = {.number = ++world.pod_objects_kept,
             .job = job.index,
             .pool = pool,
             .node = node,
             .ranks = std::move(ranks)};
  const scenario::NodeObjectRemover by = world.scenario().cluster.node_object.by;
  if (by == scenario::NodeObjectRemover::kOperator ||
      (by == scenario::NodeObjectRemover::kCloud &&
       machine_is_gone(world.machines.pool(pool).node(node)))) {
    plan_removal(world, objects);
  }
}

namespace {

// Takes those out that `is_meant` says, and hands each to `then` where its job goes on.
template <class IsMeant, class Then>
void take_objects(World& world, const IsMeant& is_meant, const Then& then) {
  std::vector<PodObjects> taken;
  std::erase_if(world.pod_objects, [&](const PodObjects& objects) {
    if (!is_meant(objects)) {
      return false;
    }
    taken.push_back(objects);
    return true;
  });
  for (const PodObjects& objects : taken) {
    if (workload::Job& job = world.jobs[objects.job]; job.stage != workload::Stage::kEnded) {
      then(job, objects);
    }
  }
}

}  // namespace

void remove_objects(World& world, std::uint32_t number) {
  take_objects(
      world, [number](const PodObjects& objects) { return objects.number == number; },
      [&](workload::Job& job, const PodObjects& objects) {
        notify(world, job,
               policies::NodeUnreachable{
                   .node = node_number(world.scenario(), objects.pool, objects.node),
                   .ranks = objects.ranks,
                   .removed = true});
      });
}

void forget_objects(World& world, const workload::Job& job, std::uint32_t node) {
  std::erase_if(world.pod_objects, [&](const PodObjects& objects) {
    return objects.job == job.index && objects.node == node;
  });
}

void end_objects(World& world, std::uint32_t pool, std::uint32_t node) {
  take_objects(
      world,
      [&](const PodObjects& objects) { return objects.pool == pool && objects.node == node; },
      [&](workload::Job& job, const PodObjects& objects) {
        notify(world, job,
               policies::NodeJoined{.node = node_number(world.scenario(), pool, node),
                                    .alive = false,
                                    .ranks = objects.ranks});
      });
}

std::string words_of_objects(const World& world, const workload::Job& job) {
  const auto stay = std::ranges::find_if(world.pod_objects, [&](const PodObjects& objects) {
    return objects.job == job.index && !objects.removal_planned;
  });
  return stay == world.pod_objects.end()
             ? std::string()
             : fmt::format(
                   "the objects of its pods on node {} stay, and nobody removes them "
                   "(/cluster/node_object)",
                   scenario::node_name(world.scenario().cluster.pools[stay->pool], stay->node));
}

// A machine of the cloud has a name of its own, and the old one is known to be gone. On bare metal
// the new one takes the old one's name, and its kubelet ends the pods that it does not have.
void replace_objects(World& world, std::uint32_t pool, std::uint32_t node) {
  if (world.scenario().cluster.node_object.by != scenario::NodeObjectRemover::kCloud) {
    end_objects(world, pool, node);
    return;
  }
  for (PodObjects& objects : world.pod_objects) {
    if (objects.pool == pool && objects.node == node && !objects.removal_planned) {
      plan_removal(world, objects);
    }
  }
}

}  // namespace aftershock::sim::world
