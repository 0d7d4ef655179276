#include "sim/world/closing.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/entry_kind.h"
#include "sim/world/experiments.h"
#include "sim/world/findings.h"
#include "sim/world/orphaned_attempts.h"
#include "sim/world/training.h"
#include "sim/world/trial_places.h"
#include "sim/world/world.h"

// The end of a run: when it has come, and whether all accounts are in order.
namespace aftershock::sim::world {

namespace {

// Nodes count the accelerators on them that are out of order.
void check_accelerators(std::uint32_t pool_index, const machines::Pool& pool,
                        const std::vector<machines::FailedDevice>& failed_devices,
                        std::vector<std::string>& found) {
  std::vector<int> broken(pool.size(), 0);
  for (const machines::FailedDevice& failed : failed_devices) {
    if (failed.pool == pool_index && failed.found) {
      ++broken[failed.node];
    }
  }
  for (std::uint32_t node = 0; node < pool.size(); ++node) {
    if (broken[node] != pool.node(node).bad_accelerators) {
      found.push_back(fmt::format("node {} of pool {} counts {} broken accelerators of {}", node,
                                  pool_index, pool.node(node).bad_accelerators, broken[node]));
    }
  }
}

}  // namespace

// Nothing is left to happen before the horizon, and a job waits that no fault will ever release.
bool nothing_can_change(const World& world) {
  // One on a job's training has an entry while that goes on.
  const bool faults_to_come =
      std::ranges::any_of(world.scenario().faults, [](const scenario::FaultSpec& fault) {
        return fault.source && !fault.source->training_job && !fault.source->exposure;
      });
  // A transfer counts by being under way: with SimGrid it has no entry before its end, and the
  // entry of one that was cancelled says nothing. A cut that outlives the run is one for good to
  // it: a job that waits for its end and for nothing else has waited in vain.
  const bool entries_to_come =
      std::ranges::any_of(world.core.calendar().entries(), [](const engine::Entry& entry) {
        return core::kind_of(entry) != core::EntryKind::kTransferOver &&
               core::kind_of(entry) != core::EntryKind::kPartitionOver;
      });
  if (entries_to_come || !world.network.transfers().idle() || faults_to_come) {
    return false;
  }
  return std::ranges::any_of(world.jobs,
                             [](const workload::Job& job) {
                               return job.ledger && job.stage != workload::Stage::kEnded &&
                                      (job.stage != workload::Stage::kTraining || job.broken);
                             }) ||
         std::ranges::any_of(world.experiments, [](const workload::Experiment& experiment) {
           return experiment.submitted && !experiment.ended;
         });
}

namespace {

// Nodes held by experiments, and those that a failed start has left reserved.
std::vector<std::uint32_t> held_otherwise(const World& world, std::uint32_t pool) {
  std::vector<std::uint32_t> nodes;
  for (const workload::Job& job : world.jobs) {
    for (const workload::Leak& leak : job.pods.leaks) {
      if (spec(world, job).pool == pool) {
        nodes.insert(nodes.end(), leak.placement.slots.begin(), leak.placement.slots.end());
      }
    }
  }
  for (const workload::Experiment& experiment : world.experiments) {
    if (spec(world, experiment).pool != pool) {
      continue;
    }
    // Trials share nodes.
    std::vector<std::uint32_t> used;
    for (const std::uint32_t number : experiment.running) {
      for (const std::uint32_t held : experiment.trials[number].place.held) {
        used.push_back(experiment.places.node(held));
      }
    }
    std::ranges::sort(used);
    used.erase(std::ranges::unique(used).begin(), used.end());
    nodes.insert(nodes.end(), used.begin(), used.end());
  }
  return nodes;
}

}  // namespace

void close_run(World& world) {
  // A wait in vain lasts until the horizon: nothing has to be played for that.
  if (world.scenario().until_us && stuck(world) && world.core.cut_short_by().empty()) {
    world.core.move_to(std::max(world.now_us(), *world.scenario().until_us));
  }
  for (workload::Job& job : world.jobs) {
    if (job.stage == workload::Stage::kTraining && !job.broken) {
      // A segment is entered in its account when it ends: this one ends with the run.
      close_segment(world, job);
    }
    if (job.ledger && job.stage != workload::Stage::kEnded) {
      job.ledger->close(world.now_us());
      job.ended_us = world.now_us();
      if (job.phase_span != 0) {
        world.core.recorder().end(world.now_us(), job.phase_span);
      }
      if (job.attempt_span != 0) {
        world.core.recorder().end(world.now_us(), job.attempt_span);
      }
    }
    if (job.ledger) {
      std::int64_t sum_us = 0;
      for (const std::int64_t us : job.ledger->totals_us()) {
        sum_us += us;
      }
      if (sum_us != job.ended_us - spec(world, job).submit_us) {
        violate(
            world, "S01",
            fmt::format("job {}: buckets sum to {} us, wall time is {} us", spec(world, job).name,
                        sum_us, job.ended_us - spec(world, job).submit_us));
      }
    }
  }
  finish_experiments(world);
  account_stale(world, world.orphans.end_all(world.now_us()));
  std::vector<std::vector<std::uint32_t>> others;
  for (std::uint32_t pool = 0; pool < world.machines.pools().size(); ++pool) {
    world.machines.pool(pool).account(world.now_us());
    // The checker knows jobs alone, and would take what others hold for nodes that are held by
    // nobody.
    others.push_back(held_otherwise(world, pool));
  }
  world.checker.close(world.jobs, world.machines.pools(), others);
  report_findings(world);
}

std::vector<std::string> inconsistencies(const World& world) {
  std::vector<std::string> found;
  for (std::uint32_t p = 0; p < world.machines.pools().size(); ++p) {
    const machines::Pool& pool = world.machines.pool(p);
    std::vector<int> holders(pool.size(), 0);
    for (const workload::Job& job : world.jobs) {
      if (spec(world, job).pool != p) {
        continue;
      }
      for (const workload::Leak& leak : job.pods.leaks) {
        for (const std::uint32_t node : leak.placement.slots) {
          ++holders[node];
        }
      }
      if (!job.holding) {
        continue;
      }
      for (std::uint32_t slot = 0; slot < job.placement.slots.size(); ++slot) {
        const std::uint32_t node = job.placement.slots[slot];
        ++holders[node];
        if (pool.node(node).job != job.index || pool.node(node).slot != slot) {
          found.push_back(fmt::format("node {} of pool {} does not know its holder", node, p));
        }
      }
    }
    check_held(world, p, holders, found);
    check_accelerators(p, pool, world.machines.failed_devices(), found);
    std::uint32_t free = 0;
    for (std::uint32_t node = 0; node < pool.size(); ++node) {
      free += pool.placeable(node) && !pool.taken(node) ? 1U : 0U;
      if (holders[node] != (pool.taken(node) ? 1 : 0)) {
        found.push_back(fmt::format("node {} of pool {} has {} holders and is {}taken", node, p,
                                    holders[node], pool.taken(node) ? "" : "not "));
      }
    }
    if (free != pool.available()) {
      found.push_back(
          fmt::format("pool {} has {} free nodes and counts {}", p, free, pool.available()));
    }
  }
  for (const workload::Job& job : world.jobs) {
    if (!job.ledger) {
      continue;
    }
    // They are among the newest; there may be thousands before them.
    constexpr std::size_t kNewest = 16;
    const std::size_t checkpoints = job.saved.checkpoints.size();
    const auto uncommitted = std::count_if(
        job.saved.checkpoints.end() - static_cast<std::ptrdiff_t>(std::min(kNewest, checkpoints)),
        job.saved.checkpoints.end(), [](const workload::Checkpoint& one) {
          return one.state != workload::CheckpointState::kCommitted;
        });
    if (uncommitted != job.saved.uncommitted) {
      found.push_back(fmt::format("job {} has {} uncommitted checkpoints and counts {}", job.index,
                                  uncommitted, job.saved.uncommitted));
    }
    std::int64_t sum_us = 0;
    for (const std::int64_t us : job.ledger->totals_us()) {
      sum_us += us;
    }
    if (sum_us != job.ledger->wall_us()) {
      found.push_back(fmt::format("job {}: buckets do not sum to its wall time", job.index));
    }
  }
  return found;
}

}  // namespace aftershock::sim::world
