#include <algorithm>

#include <fmt/format.h>

#include "sim/core/entry_kind.h"
#include "sim/world/world.h"

// The end of a run: when it has come, and whether all accounts are in order.
namespace aftershock::sim {

namespace {

// Nodes count the accelerators on them that are out of order.
void check_accelerators(std::uint32_t pool_index, const Pool& pool,
                        const std::vector<FailedDevice>& failed_devices,
                        std::vector<std::string>& found) {
  std::vector<int> broken(pool.size(), 0);
  for (const FailedDevice& failed : failed_devices) {
    if (failed.pool == pool_index && failed.lasting) {
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
bool WorldState::nothing_can_change() const {
  // One on a job's training has an entry while that goes on.
  const bool faults_to_come =
      std::ranges::any_of(core_.scenario().faults, [](const FaultSpec& fault) {
        return fault.source && !fault.source->training_job && !fault.source->exposure;
      });
  // A transfer counts by being under way: with SimGrid it has no entry before its end, and the
  // entry of one that was cancelled says nothing.
  const bool entries_to_come = std::ranges::any_of(
      core_.calendar().entries(),
      [](const Entry& entry) { return kind_of(entry) != EntryKind::kTransferOver; });
  if (entries_to_come || !network_.transfers().idle() || faults_to_come) {
    return false;
  }
  return std::ranges::any_of(jobs_,
                             [](const Job& job) {
                               return job.ledger && job.stage != Stage::kEnded &&
                                      (job.stage != Stage::kTraining || job.broken);
                             }) ||
         std::ranges::any_of(experiments_, [](const Experiment& experiment) {
           return experiment.submitted && !experiment.ended;
         });
}

// What is held by who is no job, and what a failed start has left reserved.
std::vector<std::uint32_t> WorldState::held_otherwise(std::uint32_t pool) const {
  std::vector<std::uint32_t> nodes;
  for (const Job& job : jobs_) {
    for (const Leak& leak : job.leaks) {
      if (spec(job).pool == pool) {
        nodes.insert(nodes.end(), leak.placement.slots.begin(), leak.placement.slots.end());
      }
    }
  }
  for (const Experiment& experiment : experiments_) {
    if (spec(experiment).pool != pool) {
      continue;
    }
    // Trials share nodes.
    std::vector<std::uint32_t> used;
    for (const std::uint32_t number : experiment.running) {
      for (const std::uint32_t element : experiment.trials[number].places) {
        used.push_back(experiment.held[element].node);
      }
    }
    std::ranges::sort(used);
    used.erase(std::ranges::unique(used).begin(), used.end());
    nodes.insert(nodes.end(), used.begin(), used.end());
  }
  return nodes;
}

void World::finish() {
  // Whoever waits in vain does so until the horizon: nothing has to be played for that.
  if (core_.scenario().until_us && stuck() && core_.cut_short_by().empty()) {
    core_.move_to(std::max(core_.now_us(), *core_.scenario().until_us));
  }
  for (Job& job : jobs_) {
    if (job.stage == Stage::kTraining && !job.broken) {
      close_segment(job);
    }
    if (job.ledger && job.stage != Stage::kEnded) {
      job.ledger->close(core_.now_us());
      job.ended_us = core_.now_us();
      if (job.phase_span != 0) {
        core_.recorder().end(core_.now_us(), job.phase_span);
      }
      if (job.attempt_span != 0) {
        core_.recorder().end(core_.now_us(), job.attempt_span);
      }
    }
    if (job.ledger) {
      std::int64_t sum_us = 0;
      for (const std::int64_t us : job.ledger->totals_us()) {
        sum_us += us;
      }
      if (sum_us != job.ended_us - spec(job).submit_us) {
        violate("S01", fmt::format("job {}: buckets sum to {} us, wall time is {} us",
                                   spec(job).name, sum_us, job.ended_us - spec(job).submit_us));
      }
    }
  }
  finish_experiments();
  for (const Zombies& zombies : zombies_) {
    account_zombie(zombies);
  }
  zombies_.clear();
  std::vector<std::vector<std::uint32_t>> others;
  for (std::uint32_t pool = 0; pool < machines_.pools().size(); ++pool) {
    machines_.pool(pool).account(core_.now_us());
    others.push_back(held_otherwise(pool));
  }
  checker_.close(jobs_, machines_.pools(), others);
  report_findings();
}

std::vector<std::string> World::inconsistencies() const {
  std::vector<std::string> found;
  for (std::uint32_t p = 0; p < machines_.pools().size(); ++p) {
    const Pool& pool = machines_.pool(p);
    std::vector<int> holders(pool.size(), 0);
    for (const Job& job : jobs_) {
      if (spec(job).pool != p) {
        continue;
      }
      for (const Leak& leak : job.leaks) {
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
    check_held(p, holders, found);
    check_accelerators(p, pool, machines_.failed_devices(), found);
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
  for (const Job& job : jobs_) {
    if (!job.ledger) {
      continue;
    }
    // They are among the newest; there may be thousands before them.
    constexpr std::size_t kNewest = 16;
    const std::size_t checkpoints = job.checkpoints.size();
    const auto uncommitted = std::count_if(
        job.checkpoints.end() - static_cast<std::ptrdiff_t>(std::min(kNewest, checkpoints)),
        job.checkpoints.end(),
        [](const Checkpoint& one) { return one.state != CheckpointState::kCommitted; });
    if (uncommitted != job.uncommitted) {
      found.push_back(fmt::format("job {} has {} uncommitted checkpoints and counts {}", job.index,
                                  uncommitted, job.uncommitted));
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

}  // namespace aftershock::sim
