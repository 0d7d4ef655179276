#include "sim/world/stuck.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/faults/fault_record.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/holders.h"
#include "sim/scenario/text/units.h"
#include "sim/world/liveness.h"
#include "sim/world/node_objects.h"
#include "sim/world/without_limit.h"
#include "sim/world/world.h"

namespace aftershock::sim::world {

namespace {

constexpr std::string_view kForGood = ", and nothing that is still to come can change that";

std::string holder_name(const World& world, std::uint32_t holder) {
  const scenario::Scenario& scenario = world.scenario();
  const scenario::JobSpec* job = scenario::job_spec_of(scenario, holder);
  return job != nullptr
             ? fmt::format("job {}", job->name)
             : fmt::format("experiment {}", scenario::experiment_spec_of(scenario, holder)->name);
}

bool left_by_failed_start(const World& world, const machines::Node& node, std::uint32_t index) {
  const workload::Job* job = job_of(world, node.job);
  return job != nullptr &&
         std::ranges::any_of(job->pods.leaks, [index](const workload::Leak& leak) {
           return std::ranges::find(leak.placement.slots, index) != leak.placement.slots.end();
         });
}

// The state that keeps jobs from the node.
std::string state_words(const World& world, std::uint32_t pool_index, std::uint32_t index) {
  const machines::Pool& pool = world.machines.pools()[pool_index];
  const machines::Node& node = pool.node(index);
  if (!node.present) {
    return "not there";
  }
  if (!node.up) {
    // Down and cut off come before held: given back, the node would serve nobody either.
    return fmt::format("down by {}",
                       faults::fault_words(world.scenario(), world.faults[node.down_fault]));
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
  const machines::Pool& pool = world.machines.pools()[pool_index];
  for (std::uint32_t node = 0; node < pool.size(); ++node) {
    std::string words = state_words(world, pool_index, node);
    const auto known = std::ranges::find(states, words, &std::pair<std::string, int>::first);
    if (known != states.end()) {
      ++known->second;
    } else if (states.size() <= kShown) {
      // Beyond a few states a list tells less than their number.
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
std::string need_words(const World& world, const workload::Job& job) {
  const scenario::JobSpec& spec = world.scenario().jobs[job.index];
  const scenario::PoolSpec& pool = world.scenario().cluster.pools[spec.pool];
  const std::uint32_t nodes =
      (job.workers + pool.accelerators_per_node - 1) / pool.accelerators_per_node;
  return fmt::format("{} nodes ({} accelerators) of pool {}: {}", nodes, job.workers, pool.name,
                     pool_words(world, spec.pool));
}

std::string since_words(const workload::Job& job) {
  return scenario::format_duration(job.wait.waits_since_us.value_or(job.phase_since_us));
}

std::string wait_words(const World& world, const workload::Job& job) {
  return fmt::format("job {} waits since {} for {}", world.scenario().jobs[job.index].name,
                     since_words(job), need_words(world, job));
}

std::string circle_words(const World& world, const workload::Job& job) {
  const workload::RestartLoop& restart_loop = job.restart_loop;
  const std::string count = fmt::format("in its last {} attempts, since {}", restart_loop.attempts,
                                        scenario::format_duration(restart_loop.since_us));
  if (!restart_loop.placed) {
    return fmt::format("{}; it got none {}", wait_words(world, job), count);
  }
  return fmt::format("job {} got no further {}: {} ended each of them{}",
                     world.scenario().jobs[job.index].name, count,
                     restart_loop.spec < 0
                         ? "its policy"
                         : faults::fault_words(world.scenario(), world.faults[restart_loop.fault]),
                     without_limit_words(job.control.host));
}

// Whether it is where its last attempts were: its restart loop is only looked at when one starts.
bool still_circles(const workload::Job& job) {
  return job.restart_loop.placed
             ? job.training.high_water_us == job.restart_loop.high_water_us &&
                   job.saved.committed_work_us == job.restart_loop.committed_work_us
             : job.wait.unplaced || job.stage == workload::Stage::kQueued;
}

std::string job_words(const World& world, const workload::Job& job) {
  const std::string& name = world.scenario().jobs[job.index].name;
  if (const std::string objects = words_of_objects(world, job); !objects.empty()) {
    return fmt::format("job {} waits since {}: {}", name,
                       scenario::format_duration(job.phase_since_us), objects);
  }
  if (job.broken) {
    return fmt::format(
        "job {} stands still since {}, at {}, and nobody sees it", name,
        faults::fault_words(world.scenario(), world.faults[job.breakage.broken_fault]),
        scenario::format_duration(job.breakage.broken_us));
  }
  if (job.phase == scenario::Phase::kWaitingForCapacity) {
    return wait_words(world, job);
  }
  return fmt::format("job {} is {} since {}, and its policy in state {}", name,
                     scenario::kPhaseNames[static_cast<std::size_t>(job.phase)],
                     scenario::format_duration(job.phase_since_us),
                     job.control.host.info().states[job.control.host.policy().state()]);
}

std::string stuck_job_words(const World& world, const workload::Job& job) {
  if (job.wait.unplaced || job.stage == workload::Stage::kQueued) {
    const bool again = !job.restart_loop.placed && job.restart_loop.attempts > 1;
    return again ? circle_words(world, job) : wait_words(world, job);
  }
  return job.broken ? job_words(world, job) : circle_words(world, job);
}

bool waits_for_nodes(const workload::Job& job) {
  return job.wait.unplaced || job.stage == workload::Stage::kQueued ||
         job.phase == scenario::Phase::kWaitingForCapacity || job.pool_watch.capacity;
}

// Where all of them wait for nodes, and none of them can have enough.
std::string past_recovery_words(const World& world,
                                const std::vector<const workload::Job*>& waiting) {
  std::string words;
  for (const workload::Job* job : waiting) {
    const std::string why = waits_for_nodes(*job) ? past_recovery(world, *job) : std::string();
    // One that a policy could have helped is enough to make the end a policy's doing.
    if (why.empty()) {
      return {};
    }
    const std::string_view mark = machines_come(world, *job) ? kShortForNow : kPastRecovery;
    words += (words.empty() ? std::string(mark) : "; ") + why;
  }
  return words;
}

// Which states of a node say the most about why nobody gets it, the most telling last.
enum class Withheld : std::uint8_t {
  kFree,
  kNotThere,
  kHeld,
  kDown,
  kDraining,
  kCut,
  kBroken,
  kIsolated,
  kReserved,
};

Withheld withheld(const World& world, const machines::Pool& pool, std::uint32_t index) {
  const machines::Node& node = pool.node(index);
  if (!node.present) {
    return Withheld::kNotThere;
  }
  if (!node.up) {
    return Withheld::kDown;
  }
  if (pool.taken(index)) {
    return left_by_failed_start(world, node, index) ? Withheld::kReserved : Withheld::kHeld;
  }
  return node.cut                    ? Withheld::kCut
         : node.isolated             ? Withheld::kIsolated
         : node.bad_accelerators > 0 ? Withheld::kBroken
         : node.draining             ? Withheld::kDraining
                                     : Withheld::kFree;
}

std::string fault_kind(const World& world, std::uint32_t number) {
  return std::string(
      scenario::name_of(faults::effect_of(world.scenario(), world.faults[number]).kind));
}

std::string wait_kind(const World& world, std::uint32_t pool_index) {
  constexpr std::array<std::string_view, 9> kWords{
      "none are free", "none are there",      "others hold them", "down",         "draining",
      "cut off",       "broken accelerators", "isolated",         "left reserved"};
  const machines::Pool& pool = world.machines.pools()[pool_index];
  Withheld most = Withheld::kFree;
  std::string by;
  for (std::uint32_t node = 0; node < pool.size(); ++node) {
    const Withheld state = withheld(world, pool, node);
    if (state > most) {
      most = state;
      by = state == Withheld::kDown ? " by " + fault_kind(world, pool.node(node).down_fault) : "";
    }
  }
  return fmt::format("waits for nodes: {}{}", kWords.at(static_cast<std::size_t>(most)), by);
}

std::string job_kind(const World& world, const workload::Job& job) {
  // The wait comes first: of a job that broke before it, that is what lasts.
  if (waits_for_nodes(job)) {
    return wait_kind(world, world.scenario().jobs[job.index].pool);
  }
  if (job.broken) {
    return "stands still: " + fault_kind(world, job.breakage.broken_fault);
  }
  if (job.restart_loop.attempts > 1) {
    return "gets no further: " +
           (job.restart_loop.spec < 0 ? "its policy" : fault_kind(world, job.restart_loop.fault));
  }
  return std::string(scenario::kPhaseNames[static_cast<std::size_t>(job.phase)]);
}

}  // namespace

std::string stuck_kind(const World& world) {
  // A job that was given up says more than one that merely has not ended.
  const auto stuck = std::ranges::find_if(world.jobs, &workload::Job::stuck);
  const auto found = stuck != world.jobs.end()
                         ? stuck
                         : std::ranges::find_if(world.jobs, [](const workload::Job& job) {
                             const bool trains =
                                 job.stage == workload::Stage::kTraining && !job.broken;
                             return job.ledger && job.stage != workload::Stage::kEnded && !trains;
                           });
  if (found != world.jobs.end()) {
    return job_kind(world, *found);
  }
  for (const workload::Experiment& experiment : world.experiments) {
    for (const std::uint32_t number : experiment.running) {
      if (experiment.trials[number].broken) {
        return "stands still: " + fault_kind(world, experiment.trials[number].fault);
      }
      if (experiment.trials[number].waits_for) {
        return "waits for its storage: " + fault_kind(world, *experiment.trials[number].waits_for);
      }
    }
    if (experiment.submitted && !experiment.ended) {
      return wait_kind(world, world.scenario().experiments[experiment.index].pool);
    }
  }
  return "nothing is to come";
}

std::string waiting_words(const World& world, const workload::Job& job) {
  const bool unplaced = job.wait.unplaced || job.stage == workload::Stage::kQueued;
  // One more attempt may have just ended as those before it.
  const bool ends_alike =
      job.broken && job.restart_loop.spec ==
                        static_cast<std::int32_t>(world.faults[job.breakage.broken_fault].spec);
  if (ends_alike && job.restart_loop.attempts > 1 && still_circles(job)) {
    return circle_words(world, job);
  }
  const bool circles = !job.broken && job.phase != scenario::Phase::kWaitingForCapacity &&
                       job.restart_loop.attempts > 1 && still_circles(job);
  return unplaced || circles ? stuck_job_words(world, job) : job_words(world, job);
}

std::string waiting_words(const World& world, const workload::Experiment& experiment) {
  const scenario::ExperimentSpec& spec = world.scenario().experiments[experiment.index];
  for (const std::uint32_t number : experiment.running) {
    const workload::Trial& trial = experiment.trials[number];
    if (trial.broken) {
      return fmt::format(
          "trial {} of experiment {} stands still since {}, at {}, and nobody sees it", number,
          spec.name, faults::fault_words(world.scenario(), world.faults[trial.fault]),
          scenario::format_duration(trial.broken_us));
    }
    if (trial.waits_for) {
      return fmt::format("trial {} of experiment {} waits for its storage since {}", number,
                         spec.name,
                         faults::fault_words(world.scenario(), world.faults[*trial.waits_for]));
    }
  }
  return fmt::format("{} trials of experiment {} wait for nodes of pool {}: {}",
                     experiment.waiting_count, spec.name,
                     world.scenario().cluster.pools[spec.pool].name, pool_words(world, spec.pool));
}

std::string unplaced_words(const World& world, const workload::Job& job) {
  return fmt::format("waited since {} for {}", since_words(job), need_words(world, job));
}

std::string stuck_reason(const World& world) {
  std::string reason;
  std::vector<const workload::Job*> stuck;
  for (const workload::Job& job : world.jobs) {
    if (job.stuck) {
      // Jobs that were given up are why: the others went on without them.
      reason += (reason.empty() ? "" : "; ") + stuck_job_words(world, job);
      stuck.push_back(&job);
    }
  }
  if (!reason.empty()) {
    return reason.append(kForGood) + past_recovery_words(world, stuck);
  }
  for (const workload::Job& job : world.jobs) {
    const bool trains = job.stage == workload::Stage::kTraining && !job.broken;
    if (job.ledger && job.stage != workload::Stage::kEnded && !trains) {
      return job_words(world, job).append(kForGood) + past_recovery_words(world, {&job});
    }
  }
  for (const workload::Experiment& experiment : world.experiments) {
    if (experiment.submitted && !experiment.ended) {
      return waiting_words(world, experiment).append(kForGood);
    }
  }
  return "nothing that is still to come can change anything";
}

std::string left_reserved_words(const World& world, const workload::Job& job) {
  const machines::Pool& pool = world.machines.pools()[spec(world, job).pool];
  std::int64_t starts = 0;
  std::int64_t nodes = 0;
  std::int64_t since_us = 0;
  for (const workload::Leak& leak : job.pods.leaks) {
    // A leak without accelerators is a node that its agent left, and belongs to no failed start.
    const auto kept =
        leak.accelerators == 0
            ? 0
            : std::ranges::count_if(leak.placement.slots, [&pool](std::uint32_t slot) {
                return pool.node(slot).present && pool.taken(slot);
              });
    since_us = starts == 0 ? leak.since_us : since_us;
    starts += kept > 0 ? 1 : 0;
    nodes += kept;
  }
  if (nodes == 0) {
    return {};
  }
  const bool reclaims = world.scenario().cluster.reclaim_leaked_us.has_value();
  return fmt::format("{} node{} by {} start{} that failed, the first at {}{}", nodes,
                     nodes == 1 ? "" : "s", starts, starts == 1 ? "" : "s",
                     scenario::format_duration(since_us - since_us % 1'000'000),
                     reclaims ? ""
                              : "; they stay so until the job ends, as without "
                                "/cluster/reclaim_leaked nobody takes them back");
}

std::string circling_words(const World& world, const workload::Job& job) {
  constexpr std::uint32_t kWorthTelling = 100;
  // A job that has begun to get somewhere is counted anew only at its next start.
  const bool circles = job.ledger && job.stage != workload::Stage::kEnded &&
                       job.restart_loop.attempts >= kWorthTelling && still_circles(job);
  if (!circles) {
    return {};
  }
  return circle_words(world, job) +
         (job.restart_loop.placed ? std::string() : past_recovery_words(world, {&job}));
}

std::string circling_jobs(const World& world) {
  std::string out;
  for (const workload::Job& job : world.jobs) {
    if (const std::string words = circling_words(world, job); !words.empty()) {
      out += "; " + words;
    }
  }
  return out;
}

}  // namespace aftershock::sim::world
