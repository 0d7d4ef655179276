#include <algorithm>
#include <utility>
#include <vector>

#include "sim/faults/source.h"
#include "sim/world/entries.h"
#include "sim/world/network_trouble.h"

// Who can talk to whom: cuts, what they do at once, and what comes of it when they heal.
namespace aftershock::sim {

namespace {

using reports::EntityKind;

}  // namespace

bool World::trouble_network(std::uint32_t number) {
  NetworkTrouble trouble(*this);
  switch (effect_of(faults_[number]).kind) {
    case FaultKind::kStorageOutage:
    case FaultKind::kSlowStorage:
      return trouble.trouble_storage(number);
    case FaultKind::kStaleMessage:
    case FaultKind::kDuplicateMessage:
      return trouble.repeat_message(number);
    default:
      return trouble.partition(number);
  }
}

bool NetworkTrouble::partition(std::uint32_t number) {
  if (world_.effect_of(world_.faults_[number]).kind == FaultKind::kWorkerStoragePartition &&
      world_.scenario_->cluster.storage.empty()) {
    return false;
  }
  world_.faults_[number].fired = true;
  world_.record_fault(number);
  if (world_.effect_of(world_.faults_[number]).kind == FaultKind::kLinkFlap) {
    link_turns(number, 0);
    return true;
  }
  if (const auto lasts_us = world_.draw_lasts(world_.faults_[number])) {
    world_.calendar_.push(world_.now_us_ + *lasts_us, EntryClass::kFault,
                          static_cast<std::uint16_t>(What::kPartitionOver), 0, 0, number);
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
    const RandomDraw draw(fault_key(*world_.scenario_, fault.spec, fault.branch),
                          fault.nth * kMostTurns + turn, Purpose::kLasts);
    world_.calendar_.push(
        world_.now_us_ + draw_us(down ? effect.network.down : effect.network.up, draw),
        EntryClass::kFault, static_cast<std::uint16_t>(What::kLinkTurns), turn + 1, 0, number);
  }
  if (down) {
    apply_cuts(number);
  } else {
    heal(number);
  }
}

void NetworkTrouble::apply_cuts(std::uint32_t fault) {
  if (!world_.topology_) {
    world_.topology_ = std::make_shared<const Topology>(world_.scenario_->cluster);
  }
  world_.cuts_.push_back(world_.cut_of(fault));
  const NetPlace head = world_.topology_->head(0);
  for (std::uint32_t pool = 0; pool < world_.pools_.size(); ++pool) {
    for (std::uint32_t node = 0; node < world_.pools_[pool].size(); ++node) {
      const NetPlace place = world_.topology_->node(pool, node);
      const bool mute = !passes(world_.cuts_, place, head);
      const bool deaf = !passes(world_.cuts_, head, place);
      const Node& before = world_.pools_[pool].node(node);
      if (mute == before.mute && deaf == before.deaf) {
        continue;
      }
      const bool silenced = mute && !before.mute;
      world_.pools_[pool].update(node, world_.now_us_, [&](Node& changed) {
        changed.cut = mute || deaf;
        changed.mute = mute;
        changed.deaf = deaf;
        changed.silent_since_us = silenced && changed.up ? world_.now_us_ : changed.silent_since_us;
      });
      if (silenced && world_.pools_[pool].node(node).up) {
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
  if (!world_.gang_whole(job)) {
    world_.stall(job, fault);
  }
  for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
    const std::uint32_t node = job.placement.slots[slot];
    const bool known = std::ranges::any_of(
        job.failures, [node](const RankFailure& failure) { return failure.node == node; });
    if (!world_.pools_[world_.spec(job).pool].node(node).cut || known) {
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
  std::erase_if(world_.cuts_, [fault](const Cut& cut) { return cut.id == fault; });
  if (std::ranges::any_of(world_.jobs_, [fault](const Job& job) {
        return job.stage == Stage::kTearingDown && job.broken && job.broken_fault == fault;
      })) {
    world_.moments_.add(RareMoment::kHealsInTeardown);
  }
  world_.recorder_.instant(world_.now_us_, {EntityKind::kRun}, "partition_healed",
                           {{"fault", fault}});
  const NetPlace head = world_.topology_->head(0);
  for (std::uint32_t pool = 0; pool < world_.pools_.size(); ++pool) {
    for (std::uint32_t node = 0; node < world_.pools_[pool].size(); ++node) {
      const Node& before = world_.pools_[pool].node(node);
      if (!before.cut) {
        continue;
      }
      const NetPlace place = world_.topology_->node(pool, node);
      const bool mute = before.mute && !passes(world_.cuts_, place, head);
      const bool deaf = before.deaf && !passes(world_.cuts_, head, place);
      if (mute == before.mute && deaf == before.deaf) {
        continue;
      }
      world_.pools_[pool].update(node, world_.now_us_, [&](Node& changed) {
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
  for (std::uint32_t pool = 0; pool < world_.pools_.size(); ++pool) {
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
    if (world_.pools_[pool].node(zombies.node).deaf) {
      zombies.fault = world_.cutting(pool, zombies.node);
      return false;
    }
    world_.bury(zombies);  // the node hears that it was given up, and ends what is left
    return true;
  });
  for (Castaways& castaways : world_.castaways_) {
    const Pool& pool = world_.pools_[world_.spec(world_.jobs_[castaways.job]).pool];
    castaways.gone = castaways.gone || std::ranges::any_of(castaways.nodes, [&](auto node) {
                       return !pool.node(node).deaf;
                     });
  }
  for (Job& job : world_.jobs_) {
    if (!has_processes(job)) {
      continue;
    }
    const Pool& pool = world_.pools_[world_.spec(job).pool];
    for (RankFailure& failure : job.failures) {
      if (failure.node && failure.fault == fault && pool.node(*failure.node).cut) {
        failure.fault = world_.cutting(world_.spec(job).pool, *failure.node);
      }
      if (failure.hidden_on && !world_.hides(job, *failure.hidden_on)) {
        failure.hidden_on.reset();
        failure.visible_us = world_.now_us_;
        world_.failure_shows(job, failure);
      }
    }
    world_.forget_failures(job, fault);
    // Still cut off from the head, but no longer from each other: they go on.
    const auto cut_off = [](const RankFailure& failure) {
      return failure.node && !failure.gone && !failure.visible_us && !failure.told;
    };
    if (job.stalled && job.stage != Stage::kLaunching &&
        std::ranges::all_of(job.failures, cut_off) && world_.gang_whole(job)) {
      world_.resume_stalled(job);
      take_up_transfers(job);
    }
  }
}

}  // namespace aftershock::sim
