#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "sim/core/entry_kind.h"
#include "sim/world/controlling.h"
#include "sim/world/findings.h"
#include "sim/world/starting.h"
#include "sim/world/training.h"
#include "tests/mutants/mutants.h"

// Worlds that go wrong, each in one way at one moment: a new one is a row.
namespace aftershock::sim {

/// Reaches into a world, which is nobody else's business. Each returns whether its moment had come.
struct WorldMutator {
  static workload::Job& job(world::World& world) { return world.jobs.front(); }
  static machines::Pool& pool(world::World& world) { return world.machines.pool(0); }
  static bool trains(world::World& world, std::uint32_t epoch) {
    return job(world).epoch == epoch && job(world).stage == workload::Stage::kTraining &&
           !job(world).broken;
  }

  // Its end is written down a moment late.
  static bool ends_late(world::World& world) {
    if (job(world).stage != workload::Stage::kEnded) {
      return false;
    }
    ++job(world).ended_us;
    return true;
  }
  // A node is reserved, and nobody has it.
  static bool loses_a_node(world::World& world) {
    return trains(world, 1) && pool(world).take_one(0, 99, world.core.now_us()).has_value();
  }
  // Another attempt is launched while the processes of the one before run.
  static bool launches_beside(world::World& world) {
    if (!trains(world, 1)) {
      return false;
    }
    workload::Job& running = job(world);
    world::close_segment(world, running);
    world::open_attempt(world, running, running.epoch + 1, {"from", 0});
    world::begin_launching(world, running, 0);
    return true;
  }
  // A checkpoint on its way to storage is taken for whole.
  static bool counts_what_is_torn(world::World& world) {
    workload::Job& running = job(world);
    if (!trains(world, 1) || running.saved.uploading == 0) {
      return false;
    }
    workload::Checkpoint torn = *workload::find_checkpoint(running, running.saved.uploading);
    torn.id += 1000;
    running.saved.checkpoints.push_back(torn);
    ++running.saved.uncommitted;
    world::count_checkpoint(world, running, running.saved.checkpoints.back());
    return true;
  }
  // A checkpoint of an attempt that is over comes late, and counts.
  static bool counts_what_comes_late(world::World& world) {
    workload::Job& running = job(world);
    if (!trains(world, 2) || running.saved.committed == 0 ||
        workload::find_checkpoint(running, running.saved.committed)->epoch != 1) {
      return false;
    }
    ++running.saved.uncommitted;
    world::count_checkpoint(world, running,
                            *workload::find_checkpoint(running, running.saved.committed));
    return true;
  }
  // It goes on when it has ended.
  static bool goes_on(world::World& world) {
    workload::Job& over = job(world);
    if (over.stage != workload::Stage::kEnded) {
      return false;
    }
    world::enter_stage(world, over, workload::Stage::kNone, std::nullopt);
    world::report_findings(world);
    return true;
  }
  // The scheduler takes a node that was isolated for free.
  static bool takes_isolated_for_free(world::World& world) {
    workload::Job& waiting = job(world);
    if (waiting.stage != workload::Stage::kQueued || waiting.epoch != 2) {
      return false;
    }
    world.queue.leave(waiting.index);
    waiting.holding = pool(world).take(waiting.index, 4, waiting.placement, world.core.now_us());
    pool(world).update(waiting.placement.slots.front(), world.core.now_us(),
                       [](machines::Node& taken) { taken.isolated = true; });
    world.checker.placed(waiting, world.jobs, pool(world));
    world::begin_launching(world, waiting, 0);
    return true;
  }
  // A part of the gang is enough to it.
  static bool launches_a_part(world::World& world) {
    if (job(world).stage != workload::Stage::kQueued || job(world).epoch != 2) {
      return false;
    }
    job(world).workers -= 2;
    return true;
  }
  // It takes a command for the attempt before for one of this: the number went back.
  static bool counts_attempts_down(world::World& world) {
    workload::Job& running = job(world);
    if (running.epoch != 2 || !running.broken) {
      return false;
    }
    running.epoch = 1;
    return true;
  }
  // News of the first attempt is delivered in the second.
  static bool delivers_late(world::World& world) {
    if (!trains(world, 2)) {
      return false;
    }
    world::notify(
        world, job(world),
        policies::WorkersFailed{.job = 0, .epoch = 1, .ranks = policies::RankSet::range(3, 4)});
    return true;
  }
  // That the first attempt had returned from training is still so in the second.
  static bool keeps_a_tracker(world::World& world) {
    if (job(world).stage != workload::Stage::kNone || job(world).epoch != 1) {
      return false;
    }
    job(world).detection.returned_visible_us = world.core.now_us();
    return true;
  }
  // A node that was to be taken away stays.
  static bool leaves_a_node(world::World& world) {
    bool done = false;
    for (std::uint32_t node = 0; node < pool(world).size(); ++node) {
      if (pool(world).node(node).draining) {
        pool(world).update(node, world.core.now_us(),
                           [](machines::Node& changed) { changed.draining = false; });
        done = true;
      }
    }
    return done;
  }
  // The scheduler forgets how the gang is to be spread.
  static bool forgets_the_spread(world::World& world) {
    if (!trains(world, 1)) {
      return false;
    }
    auto changed = std::make_shared<scenario::Scenario>(world.core.scenario());
    changed->jobs.front().spread.reset();
    world.core.replace_scenario(std::move(changed));
    return true;
  }
  // A job that waits is taken out of the queue.
  static bool loses_a_place(world::World& world) {
    return job(world).stage == workload::Stage::kQueued && job(world).wait.waiting &&
           world.queue.leave(0);
  }
  // Nobody says that a repair is over.
  static bool forgets_a_repair(world::World& world) {
    for (std::uint32_t node = 0; node < pool(world).size(); ++node) {
      if (pool(world).node(node).isolated && pool(world).node(node).repairing) {
        pool(world).update(node, world.core.now_us(),
                           [](machines::Node& changed) { ++changed.isolations; });
        return true;
      }
    }
    return false;
  }
  // One who joins late keeps all others for an hour.
  static bool meets_late(world::World& world) {
    constexpr std::int64_t kHourUs = 3'600'000'000;
    workload::Job& meeting = job(world);
    if (meeting.stage != workload::Stage::kRendezvous) {
      return false;
    }
    world.core.schedule(core::EntryKind::kStageOver, world.core.now_us() + kHourUs,
                        {.epoch = ++meeting.stage_epoch});
    return true;
  }
  // Polls are planned that nobody takes out again.
  static bool fills_the_calendar(world::World& world) {
    constexpr int kMany = 20'000;
    for (int i = 0; i < kMany; ++i) {
      world.core.schedule(core::EntryKind::kPoll, world.core.horizon_us() - 1,
                          {.epoch = 1'000'000});
    }
    return true;
  }
};

namespace {

using namespace policies;

// Means the attempt before.
void stops_the_one_before(const Batch&, Decision& decision, Memo&) {
  each<StopWorkers>(decision, [](StopWorkers& stop) { stop.epoch -= stop.epoch == 2 ? 1 : 0; });
}

// Takes whatever it hears for something about the newest attempt.
void hears_of_the_newest(Batch& batch, Memo& memo) {
  for (Event& event : batch.events) {
    if (const auto* running = std::get_if<AttemptRunning>(&event)) {
      memo.times = static_cast<int>(running->epoch);
    }
    if (auto* failed = std::get_if<WorkersFailed>(&event)) {
      failed->epoch = static_cast<Epoch>(memo.times);
    }
  }
}

}  // namespace

std::vector<InvariantMutant> wrong_worlds() {
  return {
      {.name = "ends late", .id = "S01", .world_mutation = WorldMutator::ends_late},
      {.name = "loses a node", .id = "S02", .world_mutation = WorldMutator::loses_a_node},
      {.name = "launches beside what runs",
       .id = "S03",
       .world_mutation = WorldMutator::launches_beside},
      {.name = "counts what is torn",
       .id = "S05",
       .world_mutation = WorldMutator::counts_what_is_torn},
      {.name = "counts what comes late",
       .id = "S07",
       .world_mutation = WorldMutator::counts_what_comes_late},
      {.name = "goes on after the end", .id = "S10", .world_mutation = WorldMutator::goes_on},
      {.name = "takes an isolated node for free",
       .id = "S14",
       .world_mutation = WorldMutator::takes_isolated_for_free},
      {.name = "launches a part of a gang",
       .id = "S16",
       .world_mutation = WorldMutator::launches_a_part},
      {.name = "forgets the epoch check",
       .id = "S19",
       .mutation = {.hears = hears_of_the_newest, .says = stops_the_one_before},
       .world_mutation = WorldMutator::counts_attempts_down},
      {.name = "a late failure that the policy takes for a new one",
       .id = "S20",
       .mutation = hears(hears_of_the_newest),
       .world_mutation = WorldMutator::delivers_late},
      {.name = "keeps a tracker", .id = "S22", .world_mutation = WorldMutator::keeps_a_tracker},
      {.name = "leaves a node that was to go",
       .id = "S23",
       .scenarios = {"scenarios/modelarts/preempted_with_notice.json"},
       .world_mutation = WorldMutator::leaves_a_node},
      {.name = "forgets how a gang is spread",
       .id = "S18",
       .sets = {"/cluster/pools/0/racks=3", "/jobs/0/workers=4",
                R"(/jobs/0/spread={"over": "rack", "most": 1})", "/faults/0/kind=node_crash",
                "/faults/0/target=node:p-2", "/faults/1/target=job:a/rank:1"},
       .world_mutation = WorldMutator::forgets_the_spread,
       .alone = true},
      {.name = "loses who waits",
       .id = "L4",
       .sets = {"/cluster/pools/0/spares=0", "/faults/0/kind=node_crash",
                "/faults/0/target=node:p-1", "/faults/0/lasts=40s"},
       .world_mutation = WorldMutator::loses_a_place,
       .alone = true},
      {.name = "forgets a repair",
       .id = "L5",
       .scenarios = {"scenarios/modelarts/gpu_off_the_bus.json"},
       .sets =
           {R"(/cluster/pools/0/repairs={"reset": "3min", "reboot": "3min", "replacement": "3min"})"},
       .world_mutation = WorldMutator::forgets_a_repair,
       .alone = true},
      {.name = "lets a rendezvous wait",
       .id = "L6",
       .world_mutation = WorldMutator::meets_late,
       .alone = true},
      {.name = "leaves a spare that was to go",
       .id = "L7",
       .sets = {"/faults/0/kind=preemption", "/faults/0/target=node:p-spare-1",
                "/faults/0/notice=2min"},
       .world_mutation = WorldMutator::leaves_a_node,
       .alone = true},
      {.name = "fills its calendar",
       .id = "S25",
       .world_mutation = WorldMutator::fills_the_calendar},
  };
}

}  // namespace aftershock::sim
