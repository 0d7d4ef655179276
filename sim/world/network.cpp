#include <algorithm>
#include <utility>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/network_trouble.h"

// Who can talk to whom: cuts, what they do at once, and what comes of it when they heal.
namespace aftershock::sim {

namespace {

using reports::EntityKind;

}  // namespace

bool NetworkTrouble::partition(std::uint32_t number) {
  if (world_.effect_of(world_.faults_[number]).kind == FaultKind::kWorkerStoragePartition &&
      world_.core_.scenario().cluster.storage.empty()) {
    return false;
  }
  world_.fire(number);
  if (world_.effect_of(world_.faults_[number]).kind == FaultKind::kLinkFlap) {
    link_turns(number, 0);
    return true;
  }
  if (const auto lasts_us = draw_lasts(world_.core_.scenario(), world_.faults_[number])) {
    world_.core_.schedule(EntryKind::kPartitionOver, world_.core_.now_us() + *lasts_us,
                          {.arg = number});
  }
  apply_cuts(number);
  return true;
}

// Even turns take the link down, odd ones bring it up again.
void NetworkTrouble::link_turns(std::uint32_t number, std::uint32_t turn) {
  const FaultRecord& fault = world_.faults_[number];
  const FaultEffect& effect = world_.effect_of(fault);
  const bool down = turn % 2 == 0;
  if (turn + 1 < effect.times * 2) {
    // Each length has a draw of its own, and no other occurrence of the fault has it.
    constexpr std::uint64_t kMostTurns = 200'000;
    const RandomDraw draw(fault_key(world_.core_.scenario(), fault.spec, fault.branch),
                          fault.nth * kMostTurns + turn, Purpose::kLasts);
    world_.core_.schedule(
        EntryKind::kLinkTurns,
        world_.core_.now_us() + draw_us(down ? effect.network.down : effect.network.up, draw),
        {.entity = turn + 1, .arg = number});
  }
  if (down) {
    apply_cuts(number);
  } else {
    heal(number);
  }
}

void NetworkTrouble::apply_cuts(std::uint32_t fault) {
  world_.network_.cut(world_.core_.scenario(), world_.faults_[fault], fault);
  for (std::uint32_t pool = 0; pool < world_.machines_.pools().size(); ++pool) {
    for (std::uint32_t node = 0; node < world_.machines_.pool(pool).size(); ++node) {
      const auto [mute, deaf] = world_.network_.hearing(pool, node);
      const Node& before = world_.machines_.pool(pool).node(node);
      if (mute == before.mute && deaf == before.deaf) {
        continue;
      }
      const bool silenced = mute && !before.mute;
      world_.machines_.pool(pool).update(node, world_.core_.now_us(), [&](Node& changed) {
        changed.cut = mute || deaf;
        changed.mute = mute;
        changed.deaf = deaf;
        changed.silent_since_us =
            silenced && changed.up ? world_.core_.now_us() : changed.silent_since_us;
      });
      if (silenced && world_.machines_.pool(pool).node(node).up) {
        world_.watch_heartbeats(pool, node);
      }
    }
  }
  for (Job& job : world_.jobs_) {
    if (has_processes(job)) {
      cut_ranks_off(job, fault);
    }
  }
}

void NetworkTrouble::cut_ranks_off(Job& job, std::uint32_t fault) {
  const auto blocked = world_.storage_blocked(job);
  const bool moving = job.upload != 0 || job.download != 0 || job.held_by;
  if (blocked) {
    world_.cancel_transfers(job, true);
  }
  if (!world_.network_.all_connected(world_.spec(job).pool, job.placement.slots)) {
    world_.stall(job, fault);
  }
  for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
    const std::uint32_t node = job.placement.slots[slot];
    const bool known = std::ranges::any_of(
        job.failures, [node](const RankFailure& failure) { return failure.node == node; });
    if (!world_.machines_.pool(world_.spec(job).pool).node(node).cut || known) {
      continue;
    }
    RankFailure failure;
    failure.ranks = world_.ranks_on(job, slot);
    failure.kind = policies::WorkerFailure::kNodeLost;
    failure.gone = false;
    failure.silent = true;
    failure.fault = fault;
    failure.node = node;
    world_.fail_ranks(job, std::move(failure));
  }
  if (blocked && moving && has_processes(job)) {
    hold_transfer(job, *blocked);
  }
}

void NetworkTrouble::heal(std::uint32_t fault) {
  world_.network_.mend(fault);
  if (std::ranges::any_of(world_.jobs_, [fault](const Job& job) {
        return job.stage == Stage::kTearingDown && job.broken && job.broken_fault == fault;
      })) {
    world_.moments_.add(RareMoment::kHealsInTeardown);
  }
  world_.core_.recorder().instant(world_.core_.now_us(), {EntityKind::kRun}, "partition_healed",
                                  {{"fault", fault}});
  for (std::uint32_t pool = 0; pool < world_.machines_.pools().size(); ++pool) {
    for (std::uint32_t node = 0; node < world_.machines_.pool(pool).size(); ++node) {
      const Node& before = world_.machines_.pool(pool).node(node);
      if (!before.cut) {
        continue;
      }
      const Hearing now = world_.network_.hearing(pool, node);
      const bool mute = before.mute && now.mute;
      const bool deaf = before.deaf && now.deaf;
      if (mute == before.mute && deaf == before.deaf) {
        continue;
      }
      world_.machines_.pool(pool).update(node, world_.core_.now_us(), [&](Node& changed) {
        // Who is heard again, or hears again and was never silent, is not taken for dead any more.
        const bool well = changed.up && !mute && (changed.mute || !deaf);
        changed.known_down = changed.known_down && !well;
        changed.cut = mute || deaf;
        changed.mute = mute;
        changed.deaf = deaf;
      });
    }
  }
  reach_again(fault);
  world_.trials_reachable_again();
  for (std::uint32_t pool = 0; pool < world_.machines_.pools().size(); ++pool) {
    world_.serve_queue(pool);
  }
}

// Who was cut off by the fault, and is by no other.
void NetworkTrouble::reach_again(std::uint32_t fault) {
  std::erase_if(world_.zombies_, [&](Zombies& zombies) {
    const std::uint32_t pool = world_.spec(world_.jobs_[zombies.job]).pool;
    if (zombies.fault != fault) {
      return false;
    }
    if (world_.machines_.pool(pool).node(zombies.node).deaf) {
      zombies.fault = world_.network_.cutting(pool, zombies.node);
      return false;
    }
    world_.account_zombie(zombies);  // the node hears that it was given up, and ends what is left
    return true;
  });
  for (OrphanedAttempt& orphan : world_.orphans_) {
    const Pool& pool = world_.machines_.pool(world_.spec(world_.jobs_[orphan.job]).pool);
    orphan.gone = orphan.gone || std::ranges::any_of(orphan.nodes, [&](auto node) {
                    return !pool.node(node).deaf;
                  });
  }
  for (Job& job : world_.jobs_) {
    if (!has_processes(job)) {
      continue;
    }
    const Pool& pool = world_.machines_.pool(world_.spec(job).pool);
    for (RankFailure& failure : job.failures) {
      if (failure.node && failure.fault == fault && pool.node(*failure.node).cut) {
        failure.fault = world_.network_.cutting(world_.spec(job).pool, *failure.node);
      }
      if (failure.hidden_on && !world_.hides(job, *failure.hidden_on)) {
        failure.hidden_on.reset();
        failure.visible_us = world_.core_.now_us();
        world_.failure_shows(job, failure);
      }
    }
    world_.forget_failures(job, fault);
    // Still cut off from the head, but no longer from each other: they go on.
    const auto cut_off = [](const RankFailure& failure) {
      return failure.node && !failure.gone && !failure.visible_us && !failure.told;
    };
    if (job.stalled && job.stage != Stage::kLaunching &&
        std::ranges::all_of(job.failures, cut_off) &&
        world_.network_.all_connected(world_.spec(job).pool, job.placement.slots)) {
      world_.resume_stalled(job);
      take_up_transfers(job);
    }
  }
}

}  // namespace aftershock::sim
