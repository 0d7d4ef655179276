#include "sim/world/liveness.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "sim/faults/source.h"
#include "sim/machines/spread.h"
#include "sim/scenario/faults/place_names.h"
#include "sim/scenario/text/units.h"
#include "sim/workload/pod_start.h"
#include "sim/world/closing.h"
#include "sim/world/drivers.h"
#include "sim/world/network_faults.h"
#include "sim/world/node_objects.h"
#include "sim/world/world.h"

// Whether a job that does not train when the run is over could have done so (chaos.md 5.4).
namespace aftershock::sim::world {

namespace {

constexpr std::int64_t kHourUs = 3'600'000'000;

// It computes, or is on its way to.
bool goes_on(const workload::Job& job) {
  return workload::has_processes(job) && !job.broken && !workload::starting(job);
}

bool strikes_again(const scenario::FaultSpec& fault) { return fault.source || fault.every_attempt; }

/// Of a job that can do with `least` workers, where that says anything.
std::uint32_t nodes_needed(const scenario::Scenario& scenario, const scenario::JobSpec& job,
                           std::uint32_t least) {
  const std::uint32_t per_node = scenario.cluster.pools[job.pool].accelerators_per_node;
  return ((least > 1 ? least : job.workers) + per_node - 1) / per_node;
}

}  // namespace

std::int64_t longest_us(const scenario::Distribution& law) {
  // Twenty means of an exponential law are exceeded once in 485 million draws.
  constexpr double kMany = 20;
  const auto at_most = [&](double us) {
    constexpr double kYearUs = 3.15576e13;
    const auto many_us = static_cast<std::int64_t>(std::min(us, kYearUs));
    return law.max_us ? std::min(*law.max_us, many_us) : many_us;
  };
  struct Longest {
    double operator()(const scenario::Distribution::Constant& one) const {
      return static_cast<double>(one.value_us);
    }
    double operator()(const scenario::Distribution::Exponential& one) const {
      return kMany * static_cast<double>(one.mean_us);
    }
    double operator()(const scenario::Distribution::Uniform& one) const {
      return static_cast<double>(one.high_us);
    }
    double operator()(const scenario::Distribution::Lognormal& one) const {
      return kMany * one.median_us;
    }
    double operator()(const scenario::Distribution::Weibull& one) const {
      return kMany * one.scale_us;
    }
    double operator()(const scenario::Distribution::Gamma& one) const {
      return kMany * one.scale_us * one.shape;
    }
    double operator()(const scenario::Distribution::Empirical& one) const {
      return one.values_us.empty() ? 0.0
                                   : static_cast<double>(*std::ranges::max_element(one.values_us));
    }
  };
  return at_most(std::visit(Longest{}, law.shape));
}

std::int64_t recovery_bound_us(const scenario::Scenario& scenario, const scenario::JobSpec& job) {
  const scenario::ClusterSpec& cluster = scenario.cluster;
  const scenario::PoolSpec& pool = cluster.pools[job.pool];
  // To be seen: by heartbeats, by a collective that gives up, by a rule for hangs.
  std::int64_t bound_us = (cluster.heartbeat.every_us + cluster.heartbeat.timeout_us) *
                          (std::int64_t{cluster.heartbeat.misses} + 1);
  bound_us += job.collective_timeout_us.value_or(0) + job.hang_after_us.value_or(0) +
              job.fixed_detection_us.value_or(0) + longest_us(job.collectives.gone_after);
  // To start again, and a policy's own waits beside: the longest of those that there are is 3 h.
  for (const scenario::PhaseLengths* lengths : {&job.phases, &job.restart_phases}) {
    bound_us += longest_us(lengths->launching) + longest_us(lengths->rendezvous) +
                longest_us(lengths->restoring) + longest_us(lengths->warming_up) +
                longest_us(lengths->tearing_down);
  }
  bound_us +=
      workload::gang_start_us(job, pool, true) + job.script.setup_us + longest_us(pool.provision);
  constexpr std::int64_t kSlackUs = 4 * kHourUs;
  return bound_us + kSlackUs;
}

namespace {

// The fault by which it was broken off last, where that is a rank that has returned.
std::optional<std::string_view> returned_early(const World& world, const workload::Job& job) {
  if (!job.start_cause.is_fault()) {
    return std::nullopt;
  }
  const faults::FaultRecord& fault = world.faults[static_cast<std::size_t>(job.start_cause.value)];
  const scenario::FaultEffect& effect = faults::effect_of(world.scenario(), fault);
  const bool returned = effect.kind == scenario::FaultKind::kWorkerCrash &&
                        effect.manner == scenario::CrashManner::kExit && effect.exit_code == 0;
  return returned ? std::optional<std::string_view>(world.scenario().faults[fault.spec].id)
                  : std::nullopt;
}

std::string excuse(const World& world, const workload::Job& job) {
  const scenario::JobSpec& job_spec = spec(world, job);
  if (on_head(world, job) && !world.heads.returns(job_spec.head)) {
    return "its controller is lost for good";
  }
  // Time is told only of a cluster that is left alone (chaos.md 5.4): one that is struck again and
  // again never is.
  for (const scenario::FaultSpec& fault : world.scenario().faults) {
    if (strikes_again(fault)) {
      return fmt::format("fault {} goes on", fault.id);
    }
  }
  const machines::Pool& pool = world.machines.pool(job_spec.pool);
  const std::uint32_t needed =
      nodes_needed(world.scenario(), job_spec, world.checker.least_workers(job.index));
  auto healthy = pool.available();
  if (job.holding) {
    healthy += static_cast<std::uint32_t>(std::ranges::count_if(
        job.placement.slots, [&](std::uint32_t node) { return pool.placeable(node); }));
  }
  if (healthy < needed) {
    return fmt::format("{} nodes of its pool can take it, and it needs {}", healthy, needed);
  }
  if (job_spec.spread && !job.holding &&
      !machines::spread_gang(pool, world.scenario().cluster.pools[job_spec.pool], *job_spec.spread,
                             needed, job.placement)) {
    return fmt::format("no more than {} of its nodes may be in one {}", job_spec.spread->most,
                       scenario::name_of(job_spec.spread->over));
  }
  if (std::string objects = words_of_objects(world, job); !objects.empty()) {
    return objects;
  }
  if (const auto fault = returned_early(world, job)) {
    return fmt::format("by fault {} a rank has returned, whose pod is not made again", *fault);
  }
  if (job.broken) {
    return fmt::format("fault {} holds it up, and nothing is set by which that would be seen",
                       world.scenario().faults[world.faults[job.breakage.broken_fault].spec].id);
  }
  if (job.restart_loop.spec >= 0 && job.restart_loop.attempts > 1) {
    const auto spec_index = static_cast<std::size_t>(job.restart_loop.spec);
    return fmt::format("fault {} ends each of its attempts",
                       world.scenario().faults[spec_index].id);
  }
  if (workload::has_processes(job) && storage_blocked(world, job)) {
    return "its storage is cut off for good";
  }
  return {};
}

}  // namespace

std::string past_recovery(const World& world, const workload::Job& job) {
  const scenario::JobSpec& job_spec = spec(world, job);
  const machines::Pool& pool = world.machines.pool(job_spec.pool);
  std::uint32_t working = 0;
  for (std::uint32_t index = 0; index < pool.size(); ++index) {
    const machines::Node& node = pool.node(index);
    const bool works = node.present && node.up && node.bad_accelerators == 0;
    working += works && !node.cut && !node.withheld ? 1 : 0;
  }
  const std::uint32_t needed =
      nodes_needed(world.scenario(), job_spec, world.checker.least_workers(job.index));
  return working >= needed
             ? std::string()
             : fmt::format("job {} needs {} nodes of its pool, and {}", job_spec.name, needed,
                           working == 1 ? "1 works" : fmt::format("{} work", working));
}

bool machines_come(const World& world, const workload::Job& job) {
  const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  for (std::uint32_t index = 0; index < pool.size(); ++index) {
    const machines::Node& node = pool.node(index);
    if (node.returns || node.repairing || node.awaits_crew || node.provisioning) {
      return true;
    }
  }
  return false;
}

namespace {

// Deadlines that passed without the event that was due.
void judge_dues(const World& world, const workload::Job& job, reports::RunSummary& summary) {
  const std::string& name = world.scenario().jobs[job.index].name;
  for (const invariants::MissedDeadline& one : world.checker.missed_deadlines(job)) {
    const std::string since = scenario::format_duration(one.deadline.since_us);
    if (const std::string words = excuse(world, job); words.empty()) {
      summary.violations.push_back(
          {.id = std::string(one.id),
           .what = fmt::format("job {}: {}, due since {}, never came, and nothing excuses it", name,
                               one.what, since),
           .t_us = world.now_us()});
    } else {
      summary.warnings.push_back(
          fmt::format("job {}: {}, due since {}, never came; {} excuses it: {}", name, one.what,
                      since, one.id, words));
    }
  }
}

}  // namespace

void judge_liveness(const World& world, reports::RunSummary& summary) {
  if (!world.core.cut_short_by().empty()) {
    return;  // it may have been on its way
  }
  std::int64_t last_us = 0;
  for (const faults::FaultRecord& fault : world.faults.records()) {
    last_us = std::max(last_us, fault.t_us);
  }
  for (const workload::Job& job : world.jobs) {
    if (!job.ledger || job.stage == workload::Stage::kEnded) {
      continue;
    }
    judge_dues(world, job, summary);
    if (goes_on(job)) {
      continue;
    }
    const scenario::JobSpec& spec = world.scenario().jobs[job.index];
    const std::int64_t quiet_us = world.now_us() - std::max(last_us, job.phase_since_us);
    // Nothing is left to happen, so that more time would change nothing.
    const bool for_good = stuck(world);
    if (!for_good && quiet_us <= recovery_bound_us(world.scenario(), spec)) {
      continue;
    }
    const std::string words = excuse(world, job);
    if (words.empty()) {
      summary.violations.push_back(
          {.id = "L1",
           .what = fmt::format("job {}: does not train, and nothing excuses it", spec.name),
           .t_us = world.now_us()});
    } else {
      summary.warnings.push_back(
          fmt::format("job {} does not train; L1 excuses it: {}", spec.name, words));
    }
  }
}

}  // namespace aftershock::sim::world
