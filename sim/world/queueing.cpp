#include <algorithm>
#include <utility>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/world/local_files.h"
#include "sim/world/machine_trouble.h"
#include "sim/world/unschedulable.h"
#include "sim/world/world.h"

// Jobs that wait for nodes, and who is served first.
namespace aftershock::sim {

namespace {

using reports::Cause;

std::uint32_t nodes_needed(const PoolSpec& pool, std::uint32_t workers) {
  return (workers + pool.accelerators_per_node - 1) / pool.accelerators_per_node;
}

}  // namespace

// False: a replacement was there at once.
bool World::ask_and_wait(Job& job) {
  ask_replacements(job);
  if (job.stage != Stage::kQueued) {
    return false;
  }
  const bool coming = machines_.pool(spec(job).pool).provisioning() > 0;
  const Cause cause = job.start_cause.is_fault() ? job.start_cause : Cause::queue();
  set_phase(job, coming ? Phase::kProvisioning : Phase::kWaitingForCapacity, cause);
  return true;
}

// A node that is known to be gone is one that those who wait no longer count on.
void World::ask_again(std::uint32_t pool) {
  const std::vector<std::uint32_t> asking = queue_;
  for (const std::uint32_t index : asking) {
    if (index < jobs_.size() && spec(jobs_[index]).pool == pool && jobs_[index].waiting &&
        jobs_[index].stage == Stage::kQueued) {
      ask_and_wait(jobs_[index]);
    }
  }
}

void World::wait_for_nodes(Job& job) {
  job.waiting = true;
  job.waits_since_us = job.waits_since_us.value_or(core_.now_us());
  checker_.waits(job);
  if (std::ranges::any_of(queue_, [&](std::uint32_t other) {
        return other < jobs_.size() && other != job.index && jobs_[other].waiting &&
               spec(jobs_[other]).pool == spec(job).pool;
      })) {
    moments_.add(RareMoment::kTwoWait);
  }
  if (!ask_and_wait(job)) {
    return;
  }
  if (job.placement_wait_us) {
    core_.schedule(EntryKind::kPlacementLimit, core_.now_us() + *job.placement_wait_us,
                   {.entity = job.index, .epoch = job.stage_epoch});
  }
  give_up_if_unschedulable(job);
}

void World::join_queue(Job& job) {
  const auto after = std::find_if(queue_.begin(), queue_.end(), [&](std::uint32_t other) {
    const bool first = other < jobs_.size() && jobs_[other].first_in_queue;
    return first == job.first_in_queue ? priority_of(other) < spec(job).priority : !first;
  });
  queue_.insert(after, job.index);
}

bool World::try_place(Job& job) {
  const std::uint32_t needed =
      nodes_needed(core_.scenario().cluster.pools[spec(job).pool], job.workers);
  // Which nodes it had counts where something stays on them.
  const bool local = job.start_cause.is_fault() && keeps_files_locally(core_.scenario(), job);
  const auto before = local || job.ordering ? job.placement.slots : decltype(job.placement.slots)();
  const bool placed = job.recreating  ? place_pods(job)
                      : job.replacing ? place_replacements(job)
                                      : take_gang(job, needed);
  if (!placed) {
    return false;
  }
  if (local && !before.empty() && before != job.placement.slots) {
    lose_local_files(job, static_cast<std::uint32_t>(job.start_cause.value));
  }
  if (ailments_.any_bad_batch()) {
    MachineTrouble(*this).placed(job, before);
  }
  check_survivors(job, before);
  job.podless = {};
  count_again(job.stuck);
  job.holding = true;
  job.hopeless_start = false;
  if (std::exchange(job.unplaced, false)) {
    moments_.add(RareMoment::kLateCapacity);
  }
  job.waits_since_us.reset();
  job.link_bound_bytes_per_s = link_bound(job);
  checker_.placed(job, jobs_, machines_.pool(spec(job).pool));
  const PodSpec& pods = spec(job).pods;
  if (pods.image_bytes == 0 && pods.each_us == 0 && pods.rank_table_us == 0) {
    begin_launching(job, 0);
    return true;
  }
  const auto all = static_cast<std::uint32_t>(job.placement.slots.size());
  PodStart start{.pods = all, .fetching = job.images.fetch(job.placement.nodes), .of_job = all};
  for (std::uint32_t slot = 0; slot < all && (job.recreating || job.replacing); ++slot) {
    start.pods -= ranks_on(job, slot).overlaps(job.replaced) ? 0U : 1U;
  }
  begin_launching(
      job,
      pod_start_us(pods, start, core_.scenario().cluster.pools[spec(job).pool].nic_bytes_per_s));
  return true;
}

void World::serve_queue(std::uint32_t pool) {
  capacity_changed(pool);
  // In their order; who does not fit keeps its place.
  serving_planned_[pool] = false;
  // What is placed before all others is not overtaken by what needs less.
  bool reserved = false;
  std::erase_if(queue_, [&](std::uint32_t index) {
    const bool first = index < jobs_.size() && jobs_[index].first_in_queue;
    if (reserved && !first) {
      return false;
    }
    if (index >= jobs_.size()) {
      Experiment& experiment = experiments_[index - jobs_.size()];
      return spec(experiment).pool == pool && serve_trials(experiment);
    }
    if (spec(jobs_[index]).pool != pool) {
      return false;
    }
    const bool placed = try_place(jobs_[index]);
    reserved = reserved || (first && !placed);
    return placed;
  });
  std::vector<std::uint32_t> left;
  for (const std::uint32_t index : queue_) {
    if (index >= jobs_.size() ||
        (spec(jobs_[index]).pool == pool && (!jobs_[index].waiting || holding_out_))) {
      left.push_back(index);
    }
  }
  for (const std::uint32_t index : left) {
    if (index >= jobs_.size()) {
      Experiment& experiment = experiments_[index - jobs_.size()];
      if (spec(experiment).pool == pool && experiment.queued) {
        ask_nodes(experiment);
      }
    } else if (jobs_[index].stage == Stage::kQueued) {
      jobs_[index].waiting ? give_up_if_unschedulable(jobs_[index]) : wait_for_nodes(jobs_[index]);
    }
  }
}

void World::give_up_placement(Job& job) {
  job.unplaced = true;
  std::erase(queue_, job.index);
  enter_stage(job, Stage::kNone, std::nullopt);
  core_.recorder().end(core_.now_us(), job.attempt_span);
  job.attempt_span = 0;
  if (job.recreating) {
    job.recreating = false;
    job.kept = true;
  } else if (job.holding) {
    // The survivors of workers that cannot be replaced are stopped with the attempt.
    machines_.pool(spec(job).pool).release(job.placement, core_.now_us());
    job.holding = false;
    job.replacing = false;
  }
  // When it has been so twice in a row and no budget will end it, only the policy's own clock is
  // left.
  const std::uint32_t needed =
      nodes_needed(core_.scenario().cluster.pools[spec(job).pool], job.workers);
  const bool hopeless =
      !job.kept && machines_.pool(spec(job).pool).available() < needed && !capacity_may_come(job);
  if (hopeless && job.hopeless_start && !job.limited && !may_be_struck(*this, job.index)) {
    give_up_on(job.stuck);
    return;
  }
  job.hopeless_start = hopeless;
  set_phase(job, Phase::kDeciding, job.ledger->cause());
  notify(job, policies::AttemptStartFailed{.job = job.index,
                                           .epoch = job.epoch,
                                           .stage = policies::StartStage::kPlacement,
                                           .why = policies::StartFailure::kTimeout,
                                           .ranks = {}});
}

}  // namespace aftershock::sim
