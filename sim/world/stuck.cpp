#include "sim/world/stuck.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/faults/fault_record.h"
#include "sim/scenario/units.h"

namespace aftershock::sim {

namespace {

constexpr std::string_view kForGood = ", and nothing that is still to come can change that";

std::string holder_name(const World& world, std::uint32_t holder) {
  const Scenario& scenario = world.scenario();
  return holder < scenario.jobs.size()
             ? fmt::format("job {}", scenario.jobs[holder].name)
             : fmt::format("experiment {}",
                           scenario.experiments[holder - scenario.jobs.size()].name);
}

bool left_by_failed_start(const World& world, const Node& node, std::uint32_t index) {
  return node.job < world.jobs().size() &&
         std::ranges::any_of(
             world.jobs()[node.job].leaks,
             [index](const Leak& leak) {
               return std::ranges::find(leak.placement.slots, index) != leak.placement.slots.end();
             });
}

// What keeps others from the node.
std::string state_words(const World& world, std::uint32_t pool_index, std::uint32_t index) {
  const Pool& pool = world.pools()[pool_index];
  const Node& node = pool.node(index);
  if (!node.present) {
    return "not there";
  }
  if (!node.up) {
    return fmt::format("down by {}",
                       fault_words(world.scenario(), world.faults()[node.down_fault]));
  }
  if (node.cut) {
    return "cut off";
  }
  if (pool.taken(index)) {
    return fmt::format("{} by {}",
                       left_by_failed_start(world, node, index) ? "left reserved" : "held",
                       holder_name(world, node.job));
  }
  return node.draining               ? "draining"
         : node.isolated             ? "isolated"
         : node.bad_accelerators > 0 ? "with a broken accelerator"
                                     : "free";
}

// "of its 4 nodes 2 free, 1 held by job b, 1 down by node_crash node:gpu-3".
std::string pool_words(const World& world, std::uint32_t pool_index) {
  constexpr std::size_t kShown = 5;
  std::vector<std::pair<std::string, int>> states;
  const Pool& pool = world.pools()[pool_index];
  for (std::uint32_t node = 0; node < pool.size(); ++node) {
    std::string words = state_words(world, pool_index, node);
    const auto known = std::ranges::find(states, words, &std::pair<std::string, int>::first);
    if (known != states.end()) {
      ++known->second;
    } else if (states.size() <= kShown) {
      states.emplace_back(states.size() < kShown ? std::move(words) : "in other states", 1);
    } else {
      ++states.back().second;
    }
  }
  std::vector<std::string> parts;
  for (const auto& [words, count] : states) {
    parts.push_back(fmt::format("{} {}", count, words));
  }
  return fmt::format("of its {} nodes {}", pool.size(), fmt::join(parts, ", "));
}

// "4 nodes (32 accelerators) of pool npu: of its 4 nodes 3 free, 1 isolated".
std::string need_words(const World& world, const Job& job) {
  const JobSpec& spec = world.scenario().jobs[job.index];
  const PoolSpec& pool = world.scenario().cluster.pools[spec.pool];
  const std::uint32_t nodes =
      (job.workers + pool.accelerators_per_node - 1) / pool.accelerators_per_node;
  return fmt::format("{} nodes ({} accelerators) of pool {}: {}", nodes, job.workers, pool.name,
                     pool_words(world, spec.pool));
}

std::string since_words(const Job& job) {
  return format_duration(job.waits_since_us.value_or(job.phase_since_us));
}

std::string wait_words(const World& world, const Job& job) {
  return fmt::format("job {} waits since {} for {}", world.scenario().jobs[job.index].name,
                     since_words(job), need_words(world, job));
}

std::string circle_words(const World& world, const Job& job) {
  const Circle& circle = job.circle;
  const std::string count = fmt::format("in its last {} attempts, since {}", circle.attempts,
                                        format_duration(circle.since_us));
  if (!circle.placed) {
    return fmt::format("{}; it got none {}", wait_words(world, job), count);
  }
  return fmt::format(
      "job {} got no further {}: {} ended each of them", world.scenario().jobs[job.index].name,
      count,
      circle.spec < 0 ? "its policy" : fault_words(world.scenario(), world.faults()[circle.fault]));
}

std::string job_words(const World& world, const Job& job) {
  const std::string& name = world.scenario().jobs[job.index].name;
  if (job.broken) {
    return fmt::format("job {} stands still since {}, at {}, and nobody sees it", name,
                       fault_words(world.scenario(), world.faults()[job.broken_fault]),
                       format_duration(job.broken_us));
  }
  if (job.phase == Phase::kWaitingForCapacity) {
    return wait_words(world, job);
  }
  return fmt::format("job {} is {} since {}, and its policy in state {}", name,
                     kPhaseNames[static_cast<std::size_t>(job.phase)],
                     format_duration(job.phase_since_us),
                     job.host.info().states[job.host.policy().state()]);
}

std::string stuck_job_words(const World& world, const Job& job) {
  if (job.unplaced || job.stage == Stage::kQueued) {
    const bool again = !job.circle.placed && job.circle.attempts > 1;
    return again ? circle_words(world, job) : wait_words(world, job);
  }
  return job.broken ? job_words(world, job) : circle_words(world, job);
}

std::string experiment_words(const World& world, const Experiment& experiment) {
  const ExperimentSpec& spec = world.scenario().experiments[experiment.index];
  for (const std::uint32_t number : experiment.running) {
    const Trial& trial = experiment.trials[number];
    if (trial.broken) {
      return fmt::format(
          "trial {} of experiment {} stands still since {}, at {}, and nobody sees it", number,
          spec.name, fault_words(world.scenario(), world.faults()[trial.fault]),
          format_duration(trial.broken_us));
    }
  }
  return fmt::format("{} trials of experiment {} wait for nodes of pool {}: {}",
                     experiment.waiting_count, spec.name,
                     world.scenario().cluster.pools[spec.pool].name, pool_words(world, spec.pool));
}

}  // namespace

std::string unplaced_words(const World& world, const Job& job) {
  return fmt::format("waited since {} for {}", since_words(job), need_words(world, job));
}

std::string stuck_reason(const World& world) {
  std::string reason;
  for (const Job& job : world.jobs()) {
    if (job.stuck) {
      reason += (reason.empty() ? "" : "; ") + stuck_job_words(world, job);
    }
  }
  if (!reason.empty()) {
    return reason.append(kForGood);
  }
  for (const Job& job : world.jobs()) {
    const bool trains = job.stage == Stage::kTraining && !job.broken;
    if (job.ledger && job.stage != Stage::kEnded && !trains) {
      return job_words(world, job).append(kForGood);
    }
  }
  for (const Experiment& experiment : world.experiments()) {
    if (experiment.submitted && !experiment.ended) {
      return experiment_words(world, experiment).append(kForGood);
    }
  }
  return "nothing that is still to come can change anything";
}

std::string circling_jobs(const World& world) {
  constexpr std::uint32_t kWorthTelling = 100;
  std::string out;
  for (const Job& job : world.jobs()) {
    if (job.ledger && job.stage != Stage::kEnded && job.circle.attempts >= kWorthTelling) {
      out += "; " + circle_words(world, job);
    }
  }
  return out;
}

}  // namespace aftershock::sim
