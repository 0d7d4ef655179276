#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/world/controlling.h"
#include "sim/world/failure.h"
#include "sim/world/findings.h"
#include "sim/world/holdings.h"
#include "sim/world/local_files.h"
#include "sim/world/machine_faults.h"
#include "sim/world/nodes.h"
#include "sim/world/phases.h"
#include "sim/world/pods.h"
#include "sim/world/scheduling.h"
#include "sim/world/starting.h"
#include "sim/world/trial_places.h"
#include "sim/world/unschedulable.h"
#include "sim/world/world.h"

// Jobs get nodes, or wait for them; sim/scheduling/queue.h has the order in which they are served.
namespace aftershock::sim::world {

namespace {

/// The bytes a second that the NICs and rack uplinks of the placement let through together, at
/// least 1; about 2^60 without bounds. Shards are even: the rack that moves its share slowest holds
/// up the whole.
std::int64_t link_bound(const World& world, const workload::Job& job) {
  const scenario::PoolSpec& pool = world.scenario().cluster.pools[spec(world, job).pool];
  const auto& uplink = world.scenario().cluster.rack_uplink_bytes_per_s;
  constexpr std::int64_t kUnbounded = std::int64_t{1} << 60U;
  const auto nodes = static_cast<std::int64_t>(job.placement.slots.size());
  const std::int64_t nics = pool.nic_bytes_per_s
                                ? std::min(kUnbounded / nodes, *pool.nic_bytes_per_s) * nodes
                                : kUnbounded;
  if (!uplink) {
    return nics;
  }
  std::map<std::uint32_t, std::int64_t> nodes_in_rack;
  for (const std::uint32_t node : job.placement.slots) {
    ++nodes_in_rack[scenario::rack_of(pool, node)];
  }
  std::int64_t slowest = nics;
  for (const auto& [rack, count] : nodes_in_rack) {
    slowest = std::min(slowest, std::min(kUnbounded / nodes, *uplink / count) * nodes);
  }
  return std::max<std::int64_t>(slowest, 1);
}

using reports::Cause;

std::uint32_t nodes_needed(const scenario::PoolSpec& pool, std::uint32_t workers) {
  return (workers + pool.accelerators_per_node - 1) / pool.accelerators_per_node;
}

// False: a replacement was there at once.
bool ask_and_wait(World& world, workload::Job& job) {
  ask_replacements(world, job);
  if (job.stage != workload::Stage::kQueued) {
    return false;
  }
  const bool coming = world.machines.pool(spec(world, job).pool).provisioning() > 0;
  // A fault that took the nodes pays for the wait; without one the queue does.
  const Cause cause = job.start_cause.is_fault() ? job.start_cause : Cause::queue();
  set_phase(world, job,
            coming ? scenario::Phase::kProvisioning : scenario::Phase::kWaitingForCapacity, cause);
  return true;
}

}  // namespace

// A node that is known to be gone is one that those who wait no longer count on.
void ask_again(World& world, std::uint32_t pool) {
  // A node that one asks for may serve another job, which then leaves the queue.
  const std::deque<scheduling::Waiter> asking = world.queue.waiters(pool);
  for (const scheduling::Waiter& waiter : asking) {
    workload::Job* job = job_of(world, waiter.holder);
    if (job != nullptr && job->wait.waiting && job->stage == workload::Stage::kQueued) {
      ask_and_wait(world, *job);
    }
  }
}

namespace {

void wait_for_nodes(World& world, workload::Job& job) {
  job.wait.waiting = true;
  job.wait.waits_since_us = job.wait.waits_since_us.value_or(world.now_us());
  world.checker.waits(job);
  world.queue.tell(job.index);
  if (world.queue.other_waits(spec(world, job).pool, job.index)) {
    world.moments.add(RareMoment::kTwoWait);
  }
  if (!ask_and_wait(world, job)) {
    return;
  }
  if (job.wait.placement_wait_us) {
    world.core.schedule(core::EntryKind::kPlacementLimit,
                        world.now_us() + *job.wait.placement_wait_us,
                        {.entity = job.index, .epoch = job.stage_epoch});
  }
  give_up_if_unschedulable(world, job);
}

}  // namespace

void join_queue(World& world, workload::Job& job) {
  const scenario::JobSpec& its = spec(world, job);
  // How many nodes are enough for these depends on which.
  const bool any = its.spread || job.pods.recreating || job.pods.replacing;
  world.queue.join(
      {.holder = job.index,
       .priority = its.priority,
       .first = job.wait.first_in_queue,
       .pool = its.pool,
       .needed = any ? 0 : nodes_needed(world.scenario().cluster.pools[its.pool], job.workers)});
}

namespace {

bool try_place(World& world, workload::Job& job) {
  const std::uint32_t needed =
      nodes_needed(world.scenario().cluster.pools[spec(world, job).pool], job.workers);
  // Which nodes it had counts where something stays on them.
  const bool local = job.start_cause.is_fault() && keeps_files_locally(world.scenario(), job);
  const auto before = local || job.ordering ? job.placement.slots : decltype(job.placement.slots)();
  const bool done = job.pods.recreating  ? place_pods(world, job)
                    : job.pods.replacing ? place_replacements(world, job)
                                         : take_gang(world, job, needed);
  if (!done) {
    return false;
  }
  if (local && !before.empty() && before != job.placement.slots) {
    lose_local_files(job, static_cast<std::uint32_t>(job.start_cause.value));
  }
  if (world.ailments.any_bad_batch()) {
    placed(world, job, before);
  }
  check_survivors(world, job, before);
  job.pods.podless = {};
  // A job that was given up has been served after all: the run waits for it again.
  count_again(world, job.stuck);
  job.holding = true;
  record_holdings(world, job);
  job.wait.hopeless_start = false;
  if (std::exchange(job.wait.unplaced, false)) {
    world.moments.add(RareMoment::kLateCapacity);
  }
  job.wait.waits_since_us.reset();
  job.saved.link_bound_bytes_per_s = link_bound(world, job);
  world.checker.placed(job, world.jobs, world.machines.pool(spec(world, job).pool));
  const scenario::PodSpec& pods = spec(world, job).pods;
  if (pods.image_bytes == 0 && pods.each_us == 0 && pods.rank_table_us == 0) {
    begin_launching(world, job, 0);
    return true;
  }
  const auto all = static_cast<std::uint32_t>(job.placement.slots.size());
  workload::PodStart start{
      .pods = all, .fetching = job.pods.images.fetch(job.placement.nodes), .of_job = all};
  // Pods that stay are not made, and the rank table lists them all the same.
  for (std::uint32_t slot = 0; slot < all && (job.pods.recreating || job.pods.replacing); ++slot) {
    start.pods -= ranks_on(world, job, slot).overlaps(job.pods.replaced) ? 0U : 1U;
  }
  begin_launching(
      world, job,
      workload::pod_start_us(
          pods, start, world.scenario().cluster.pools[spec(world, job).pool].nic_bytes_per_s));
  return true;
}

}  // namespace

void serve_queue(World& world, std::uint32_t pool) {
  capacity_changed(world, pool);
  world.queue.begin_serving(pool);
  world.queue.serve(
      pool, [&] { return world.machines.pool(pool).available(); },
      [&](const scheduling::Waiter& waiter) {
        workload::Experiment* experiment = experiment_of(world, waiter.holder);
        return experiment != nullptr ? serve_trials(world, *experiment)
                                     : try_place(world, world.jobs[waiter.holder]);
      });
  // Waiters keep their places while they are served, so that asking for more, which may serve
  // somebody, comes after.
  std::vector<std::uint32_t> left;
  if (world.queue.holding_out()) {
    std::ranges::transform(world.queue.waiters(pool), std::back_inserter(left),
                           &scheduling::Waiter::holder);
  } else {
    left = world.queue.untold(pool);
  }
  for (const std::uint32_t holder : left) {
    if (workload::Experiment* experiment = experiment_of(world, holder); experiment != nullptr) {
      if (experiment->queued) {
        ask_nodes(world, *experiment);
      }
    } else if (workload::Job& job = world.jobs[holder]; job.stage == workload::Stage::kQueued) {
      job.wait.waiting ? give_up_if_unschedulable(world, job) : wait_for_nodes(world, job);
    }
  }
}

void give_up_placement(World& world, workload::Job& job) {
  std::vector<policies::GivenBack> released{policies::GivenBack::kRequest};
  job.wait.unplaced = true;
  world.queue.leave(job.index);
  enter_stage(world, job, workload::Stage::kNone, std::nullopt);
  world.core.recorder().end(world.now_us(), job.attempt_span);
  job.attempt_span = 0;
  if (job.pods.recreating) {
    job.pods.recreating = false;
    // The containers of all other pods have been there all the time, and stay.
    job.pods.kept = true;
  } else if (job.holding) {
    // The survivors of workers that cannot be replaced are stopped with the attempt.
    world.machines.pool(spec(world, job).pool).release(job.placement, world.now_us());
    job.holding = false;
    job.pods.replacing = false;
    record_holdings(world, job);
    released.push_back(policies::GivenBack::kProcesses);
    released.push_back(policies::GivenBack::kPlacement);
  }
  // When it has been so twice in a row and no budget will end it, only the policy's own clock is
  // left; an elastic policy that has yet to look at what there is may ask for less.
  const std::uint32_t needed =
      nodes_needed(world.scenario().cluster.pools[spec(world, job).pool], job.workers);
  const bool hopeless = !job.pods.kept && !job.pool_watch.capacity_look_pending &&
                        world.machines.pool(spec(world, job).pool).available() < needed &&
                        !capacity_may_come(world, job);
  if (hopeless && job.wait.hopeless_start && !job.account.limited &&
      !may_be_struck(world, job.index)) {
    give_up_on(world, job.stuck);
    return;
  }
  job.wait.hopeless_start = hopeless;
  set_phase(world, job, scenario::Phase::kDeciding, job.ledger->cause());
  notify(world, job,
         policies::AttemptStartFailed{.job = job.index,
                                      .epoch = job.epoch,
                                      .stage = policies::StartStage::kPlacement,
                                      .why = policies::StartFailure::kTimeout,
                                      .ranks = {},
                                      .released = std::move(released)});
}

}  // namespace aftershock::sim::world
