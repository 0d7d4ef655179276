#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "sim/chance/draws.h"
#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/agents.h"
#include "sim/world/controlling.h"
#include "sim/world/devices.h"
#include "sim/world/failure.h"
#include "sim/world/injection.h"
#include "sim/world/names.h"
#include "sim/world/network_faults.h"
#include "sim/world/node_objects.h"
#include "sim/world/nodes.h"
#include "sim/world/orphaned_attempts.h"
#include "sim/world/peers.h"
#include "sim/world/scheduling.h"
#include "sim/world/trial_faults.h"
#include "sim/world/trial_transfers.h"
#include "sim/world/world.h"

// Cuts: their effect at once, and the effect of their healing.
namespace aftershock::sim::world {

namespace {

void apply_cuts(World& world, std::uint32_t fault);
void cut_ranks_off(World& world, workload::Job& job, std::uint32_t fault);
void reach_again(World& world, std::uint32_t fault);
void end_reached_objects(World& world);

using reports::EntityKind;

}  // namespace

bool partition(World& world, std::uint32_t number) {
  if (faults::effect_of(world.scenario(), world.faults[number]).kind ==
          scenario::FaultKind::kWorkerStoragePartition &&
      world.scenario().cluster.storage.empty()) {
    return false;
  }
  // One of many nodes: a slot without a machine at work is missed, as by any failure of nodes.
  const faults::FaultRecord& fault = world.faults[number];
  const scenario::Occurrence* listed = faults::occurrence_of(world.scenario(), fault);
  if (listed != nullptr && !listed->target) {
    return false;  // it found nobody in the run that was exported
  }
  if (faults::cuts_one_node(world.scenario(), fault) &&
      (!fault.pool || !world.machines.pool(*fault.pool).node(fault.node).up)) {
    return false;
  }
  fire(world, number);
  if (faults::effect_of(world.scenario(), world.faults[number]).kind ==
      scenario::FaultKind::kLinkFlap) {
    link_turns(world, number, 0);
    return true;
  }
  // Without a length the cut is for good.
  if (const auto lasts_us = faults::draw_lasts(world.scenario(), world.faults[number])) {
    world.core.schedule(core::EntryKind::kPartitionOver, world.now_us() + *lasts_us,
                        {.arg = number});
  }
  apply_cuts(world, number);
  return true;
}

// Even turns take the link down, odd ones bring it up again.
void link_turns(World& world, std::uint32_t number, std::uint32_t turn) {
  const faults::FaultRecord& fault = world.faults[number];
  const scenario::FaultEffect& effect = faults::effect_of(world.scenario(), fault);
  const bool down = turn % 2 == 0;
  if (turn + 1 < effect.times * 2) {
    // Each length has a draw of its own, and no other occurrence of the fault has it.
    constexpr std::uint64_t kMostTurns = 200'000;
    const chance::RandomDraw draw(faults::fault_key(world.scenario(), fault.spec, fault.branch),
                                  fault.nth * kMostTurns + turn, chance::Purpose::kLasts);
    world.core.schedule(
        core::EntryKind::kLinkTurns,
        world.now_us() + chance::draw_us(down ? effect.network.down : effect.network.up, draw),
        {.entity = turn + 1, .arg = number});
  }
  if (down) {
    apply_cuts(world, number);
  } else {
    heal(world, number);
  }
}

namespace {

void apply_cuts(World& world, std::uint32_t fault) {
  world.network.cut(world.scenario(), world.faults[fault], fault);
  for (std::uint32_t pool = 0; pool < world.machines.pools().size(); ++pool) {
    for (std::uint32_t node = 0; node < world.machines.pool(pool).size(); ++node) {
      // Cuts overlap: which nodes the new one adds is known from all of them together.
      const auto [mute, deaf] = world.network.hearing(pool, node);
      const machines::Node& before = world.machines.pool(pool).node(node);
      if (mute == before.mute && deaf == before.deaf) {
        continue;
      }
      const bool silenced = mute && !before.mute;
      world.machines.pool(pool).update(node, world.now_us(), [&](machines::Node& changed) {
        changed.cut = mute || deaf;
        changed.mute = mute;
        changed.deaf = deaf;
        changed.silent_since_us = silenced && changed.up ? world.now_us() : changed.silent_since_us;
      });
      if (silenced && world.machines.pool(pool).node(node).up) {
        watch_heartbeats(world, pool, node);
      }
    }
  }
  for (workload::Job& job : world.jobs) {
    if (workload::has_processes(job)) {
      cut_ranks_off(world, job, fault);
    }
  }
  review_transfers(world);
}

// Of ranks that are at their end, or that nobody has looked at yet, nothing comes through the cut.
void hide_ends(workload::Job& job, std::uint32_t node, const policies::RankSet& there) {
  std::vector<detection::RankFailure> behind;
  for (detection::RankFailure& failure : job.detection.failures) {
    if (failure.told || failure.node || failure.hidden_on || !failure.visible_us ||
        !failure.ranks.overlaps(there)) {
      continue;
    }
    detection::RankFailure unseen = failure;
    unseen.ranks = failure.ranks.shared_with(there);
    unseen.gone_us = *failure.visible_us;
    unseen.visible_us.reset();
    unseen.seen_us.reset();
    unseen.hidden_on = node;
    failure.ranks = failure.ranks.without(there);
    if (failure.ranks.empty()) {
      failure = std::move(unseen);
    } else {
      behind.push_back(std::move(unseen));
    }
  }
  std::ranges::move(behind, std::back_inserter(job.detection.failures));
}

void cut_ranks_off(World& world, workload::Job& job, std::uint32_t fault) {
  const auto blocked = storage_blocked(world, job);
  // Looked at before transfers are cancelled: who moved something has to wait for it, or raises.
  const bool moving = job.saved.upload != 0 || job.saved.download != 0 || job.armed.held_by;
  if (blocked) {
    cancel_transfers(world, job, true);
  }
  if (!world.network.all_connected(spec(world, job).pool, job.placement.slots)) {
    stall(world, job, fault, PeerLoss::kCutOff);
  }
  for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
    const std::uint32_t node = job.placement.slots[slot];
    if (hides(world, job, node)) {
      hide_ends(job, node, ranks_on(world, job, slot));
    }
    const bool known = std::ranges::any_of(
        job.detection.failures,
        [node](const detection::RankFailure& failure) { return failure.node == node; });
    if (!world.machines.pool(spec(world, job).pool).node(node).cut || known) {
      continue;
    }
    detection::RankFailure failure;
    failure.ranks = ranks_on(world, job, slot);
    failure.kind = policies::WorkerFailure::kNodeLost;
    failure.gone = false;
    // Its processes live: a cut hides them.
    failure.silent = true;
    failure.fault = fault;
    failure.node = node;
    fail_ranks(world, job, std::move(failure));
  }
  if (blocked && moving && workload::has_processes(job)) {
    hold_transfer(world, job, *blocked);
  }
}

}  // namespace

void heal(World& world, std::uint32_t fault) {
  world.network.mend(fault);
  if (std::ranges::any_of(world.jobs, [fault](const workload::Job& job) {
        return job.stage == workload::Stage::kTearingDown && job.broken &&
               job.breakage.broken_fault == fault;
      })) {
    world.moments.add(RareMoment::kHealsInTeardown);
  }
  world.core.recorder().instant(world.now_us(), {EntityKind::kRun}, "partition_healed",
                                {{"fault", fault}});
  for (std::uint32_t pool = 0; pool < world.machines.pools().size(); ++pool) {
    for (std::uint32_t node = 0; node < world.machines.pool(pool).size(); ++node) {
      const machines::Node& before = world.machines.pool(pool).node(node);
      if (!before.cut) {
        continue;
      }
      const network::Hearing now = world.network.hearing(pool, node);
      // Healing opens ways and closes none.
      const bool mute = before.mute && now.mute;
      const bool deaf = before.deaf && now.deaf;
      if (mute == before.mute && deaf == before.deaf) {
        continue;
      }
      world.machines.pool(pool).update(node, world.now_us(), [&](machines::Node& changed) {
        // A node that is heard again, or hears again and was never silent, counts as alive again.
        const bool well = changed.up && !mute && (changed.mute || !deaf);
        changed.known_down = changed.known_down && !well;
        changed.cut = mute || deaf;
        changed.mute = mute;
        changed.deaf = deaf;
      });
    }
  }
  // Those that hold nodes go on first: free nodes are given out when it is known who still needs
  // some.
  reach_again(world, fault);
  end_reached_objects(world);
  trials_reachable_again(world);
  review_transfers(world);
  for (std::uint32_t pool = 0; pool < world.machines.pools().size(); ++pool) {
    serve_queue(world, pool);
  }
}

namespace {

// A platform hears that nodes are back which it has taken for dead, and that their processes are.
void tell_reached(World& world, workload::Job& job, std::uint32_t fault) {
  const std::uint32_t pool = spec(world, job).pool;
  if (job.stage == workload::Stage::kTearingDown) {
    return;
  }
  const auto reached = [&](const detection::RankFailure& failure) {
    return failure.fault == fault && may_return(job, failure) && failure.visible_us &&
           !world.machines.pool(pool).node(*failure.node).cut;
  };
  // A machine that has gone down behind the cut comes back later, and then tells of its processes.
  const auto ended = [&job](std::uint32_t node) {
    return std::ranges::any_of(job.detection.failures, [node](const detection::RankFailure& other) {
      return other.node == node && other.gone;
    });
  };
  for (detection::RankFailure& failure : job.detection.failures) {
    if (reached(failure) && watcher(world, pool, *failure.node) != nullptr &&
        !ended(*failure.node)) {
      forget_objects(world, job, *failure.node);
      // Those that gave up meanwhile are at their end, if not gone.
      notify(world, job,
             policies::NodeJoined{.node = node_number(world.scenario(), pool, *failure.node),
                                  .alive = failure.gone_us == 0,
                                  .ranks = failure.ranks});
    }
    failure.gone = failure.gone || (reached(failure) && failure.gone_us != 0);
  }
  std::erase_if(job.detection.failures, reached);
}

// Of jobs that have gone on elsewhere. Those that are still there were told.
void end_reached_objects(World& world) {
  const std::vector<machines::KeptPods> kept = world.pod_objects.all();
  for (const machines::KeptPods& objects : kept) {
    const machines::Node& node = world.machines.pool(objects.pool).node(objects.node);
    if (node.up && !node.known_down) {
      end_objects(world, objects.pool, objects.node);
    }
  }
}

// Nodes that the fault cut off, and that no other fault does.
void reach_again(World& world, std::uint32_t fault) {
  const auto cut_of = [&world](std::uint32_t job,
                               std::uint32_t node) -> std::optional<std::uint32_t> {
    const std::uint32_t pool = spec(world, world.jobs[job]).pool;
    if (!world.machines.pool(pool).node(node).deaf) {
      return std::nullopt;
    }
    return world.network.cutting(pool, node);
  };
  see_left_behind(world, fault);
  account_stale(world, world.orphans.cut_ended(fault, world.now_us(), cut_of));
  for (workload::Job& job : world.jobs) {
    if (!workload::has_processes(job)) {
      continue;
    }
    const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
    for (detection::RankFailure& failure : job.detection.failures) {
      // It waits for the end of the cut that still holds it.
      if (failure.node && failure.fault == fault && pool.node(*failure.node).cut) {
        failure.fault = world.network.cutting(spec(world, job).pool, *failure.node);
      }
      if (failure.hidden_on && !hides(world, job, *failure.hidden_on)) {
        failure.hidden_on.reset();
        failure.visible_us = std::max(world.now_us(), failure.gone_us);
        failure_shows(world, job, failure);
      }
    }
    tell_reached(world, job, fault);
    forget_failures(world, job, fault);
    // Still cut off from the head, but no longer from each other: they go on.
    const auto cut_off = [](const detection::RankFailure& failure) {
      return failure.node && !failure.gone && !failure.visible_us && !failure.told;
    };
    if (job.breakage.stalled && job.stage != workload::Stage::kLaunching &&
        std::ranges::all_of(job.detection.failures, cut_off) &&
        world.network.all_connected(spec(world, job).pool, job.placement.slots)) {
      resume_stalled(world, job);
      take_up_transfers(world, job);
    }
  }
}

}  // namespace

}  // namespace aftershock::sim::world
