#include "sim/world/node_objects.h"

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

void plan_removal(World& world, std::uint32_t number) {
  const scenario::NodeObjectSpec& rule = world.scenario().cluster.node_object;
  const bool collected = rule.by == scenario::NodeObjectRemover::kCloud;
  world.pod_objects.plan_removal(number);
  world.core.schedule(
      core::EntryKind::kObjectsRemoved,
      world.now_us() + rule.after_us.value_or(0) + (collected ? scenario::kPodCollectionUs : 0),
      {.arg = number});
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
  const std::uint32_t number = world.pod_objects.keep(job.index, pool, node, std::move(ranks));
  const scenario::NodeObjectRemover by = world.scenario().cluster.node_object.by;
  if (by == scenario::NodeObjectRemover::kOperator ||
      (by == scenario::NodeObjectRemover::kCloud &&
       machine_is_gone(world.machines.pool(pool).node(node)))) {
    plan_removal(world, number);
  }
}

namespace {

// Hands those that were taken out to `then` where their job goes on.
template <class Then>
void each_of_living_jobs(World& world, const std::vector<machines::KeptPods>& taken,
                         const Then& then) {
  for (const machines::KeptPods& objects : taken) {
    if (workload::Job& job = world.jobs[objects.job]; job.stage != workload::Stage::kEnded) {
      then(job, objects);
    }
  }
}

}  // namespace

void remove_objects(World& world, std::uint32_t number) {
  each_of_living_jobs(world, world.pod_objects.take(number),
                      [&](workload::Job& job, const machines::KeptPods& objects) {
                        notify(
                            world, job,
                            policies::NodeUnreachable{
                                .node = node_number(world.scenario(), objects.pool, objects.node),
                                .ranks = objects.ranks,
                                .removed = true});
                      });
}

void forget_objects(World& world, const workload::Job& job, std::uint32_t node) {
  world.pod_objects.forget(job.index, node);
}

void end_objects(World& world, std::uint32_t pool, std::uint32_t node) {
  each_of_living_jobs(world, world.pod_objects.take_on(pool, node),
                      [&](workload::Job& job, const machines::KeptPods& objects) {
                        notify(
                            world, job,
                            policies::NodeJoined{.node = node_number(world.scenario(), pool, node),
                                                 .alive = false,
                                                 .ranks = objects.ranks});
                      });
}

std::string words_of_objects(const World& world, const workload::Job& job) {
  const machines::KeptPods* const stay = world.pod_objects.left_of(job.index);
  return stay == nullptr
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
  for (const std::uint32_t number : world.pod_objects.left_on(pool, node)) {
    plan_removal(world, number);
  }
}

}  // namespace aftershock::sim::world
