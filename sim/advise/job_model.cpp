#include "sim/advise/job_model.h"

#include <algorithm>
#include <limits>

#include "sim/chance/of_laws.h"
#include "sim/simulate/simulate.h"
#include "sim/workload/pod_start.h"

namespace aftershock::sim::advise {
namespace {

constexpr double kSecond = 1e6;

double seconds(std::int64_t us) { return static_cast<double>(us) / kSecond; }

/// Kinds that end an attempt.
bool interrupts(scenario::FaultKind kind) {
  switch (kind) {
    case scenario::FaultKind::kNodeCrash:
    case scenario::FaultKind::kPreemption:
    case scenario::FaultKind::kWorkerCrash:
    case scenario::FaultKind::kAcceleratorFault:
    case scenario::FaultKind::kHang:
    case scenario::FaultKind::kHostOom:
      return true;
    default:
      return false;
  }
}

/// How many units of a source the job has at a time.
double units_in_job(const scenario::FaultSpec& fault, const scenario::JobSpec& job,
                    const scenario::PoolSpec& pool) {
  const double nodes = std::ceil(static_cast<double>(job.workers) / pool.accelerators_per_node);
  switch (fault.source->per) {
    case scenario::RatePer::kJob:
      return 1;
    case scenario::RatePer::kRack:
    case scenario::RatePer::kSwitch:
    case scenario::RatePer::kPowerDomain:
      return std::ceil(
          nodes *
          (fault.source->per == scenario::RatePer::kPowerDomain ? pool.power_domains : pool.racks) /
          pool.max_nodes);
    case scenario::RatePer::kCluster:
      return 1;
    case scenario::RatePer::kPool:
      return nodes / std::max<double>(nodes, pool.nodes + pool.spares);
    case scenario::RatePer::kNode:
      return fault.target.kind == scenario::TargetKind::kPool ? nodes : 1;
    case scenario::RatePer::kAccelerator:
      return fault.target.kind == scenario::TargetKind::kPool   ? job.workers
             : fault.target.kind == scenario::TargetKind::kNode ? pool.accelerators_per_node
                                                                : 1;
  }
  return 0;
}

/// Whether what a source strikes is the job's.
bool strikes_job(const scenario::Target& target, const scenario::JobSpec& job) {
  switch (target.kind) {
    case scenario::TargetKind::kPool:
    case scenario::TargetKind::kNode:
    case scenario::TargetKind::kAccelerator:
      return target.pool == job.pool;
    case scenario::TargetKind::kJob:
    case scenario::TargetKind::kRank:
      return target.job == 0;
    default:
      return false;
  }
}

/// Ranks that are `left` to their collective take their time to end.
double detection(const scenario::FaultEffect& effect, const scenario::JobSpec& job,
                 const scenario::ClusterSpec& cluster, bool left) {
  if (job.fixed_detection_us) {
    return seconds(*job.fixed_detection_us);
  }
  if (effect.kind == scenario::FaultKind::kHang) {
    const std::int64_t never = std::numeric_limits<std::int64_t>::max();
    const std::int64_t after =
        std::min(job.collective_timeout_us.value_or(never), job.hang_after_us.value_or(never));
    const bool gives_up = left && job.collective_timeout_us == after;
    const double ending = gives_up ? mean_seconds(job.collectives.gone_after) : 0;
    return after == never ? 0 : seconds(after) + ending;
  }
  const bool unannounced = effect.kind == scenario::FaultKind::kNodeCrash ||
                           (effect.kind == scenario::FaultKind::kPreemption && !effect.notice_us);
  if (!unannounced) {
    return 0;
  }
  const bool silent = effect.kind == scenario::FaultKind::kNodeCrash && !effect.closes_connections;
  const double timeouts =
      silent ? cluster.heartbeat.misses * seconds(cluster.heartbeat.timeout_us) : 0;
  return (cluster.heartbeat.misses - 0.5) * seconds(cluster.heartbeat.every_us) + timeouts;
}

/// How long the effect keeps a node away, in the mean; 0: it does not.
double node_away(const scenario::FaultEffect& effect, const scenario::PoolSpec& pool,
                 bool isolates) {
  const double repair = pool.repair ? mean_seconds(*pool.repair) : 0;
  switch (effect.kind) {
    case scenario::FaultKind::kNodeCrash:
    case scenario::FaultKind::kPreemption:
    case scenario::FaultKind::kHostOom:
      return effect.lasts ? mean_seconds(*effect.lasts) : repair;
    case scenario::FaultKind::kAcceleratorFault: {
      const auto& law = pool.device_repairs[static_cast<std::size_t>(effect.needs)];
      const double device = law ? mean_seconds(*law) : repair;
      if (!isolates) {
        return effect.until_repaired ? device : effect.lasts ? mean_seconds(*effect.lasts) : 0;
      }
      const double fails =
          static_cast<double>(effect.heal_fails_ppm.value_or(effect.heal ? 0 : 1'000'000)) / 1e6;
      return device * fails;
    }
    default:
      return 0;
  }
}

/// A transfer of the whole checkpoint that shares with nobody.
double transfer(const scenario::Scenario& scenario, const scenario::JobSpec& job, bool write) {
  if (!job.checkpoint || !job.run.storage || job.checkpoint->bytes == 0) {
    return 0;
  }
  const scenario::PoolSpec& pool = scenario.cluster.pools[job.pool];
  const scenario::StorageSpec& storage = scenario.cluster.storage[*job.run.storage];
  const double nodes = std::ceil(static_cast<double>(job.workers) / pool.accelerators_per_node);
  auto rate = static_cast<double>(write ? storage.write_bytes_per_s : storage.read_bytes_per_s);
  if (pool.nic_bytes_per_s) {
    rate = std::min(rate, nodes * static_cast<double>(*pool.nic_bytes_per_s));
  }
  return rate <= 0 ? 0 : static_cast<double>(job.checkpoint->bytes) / rate;
}

std::int64_t interval_us(const scenario::JobSpec& job) {
  const scenario::CheckpointSpec& save = *job.checkpoint;
  const std::int64_t steps =
      save.every_steps.value_or((save.every_us.value_or(0) + job.step_us - 1) / job.step_us);
  return std::max<std::int64_t>(1, steps) * job.step_us;
}

// Of the whole job, whose nodes hold the image of its pods.
double restart_time(const scenario::Scenario& scenario, const scenario::JobSpec& job) {
  const scenario::PhaseLengths& phases = job.restart_phases;
  return mean_seconds(phases.tearing_down) + mean_seconds(phases.launching) +
         seconds(workload::gang_start_us(job, scenario.cluster.pools[job.pool], false)) +
         seconds(job.script.setup_us) + mean_seconds(phases.rendezvous) +
         mean_seconds(phases.restoring) + transfer(scenario, job, false) +
         mean_seconds(phases.warming_up);
}

}  // namespace

double mean_seconds(const scenario::Distribution& law) { return chance::mean_us(law) / kSecond; }

std::optional<JobModel> job_model(const scenario::Scenario& scenario) {
  if (scenario.jobs.size() != 1 || !scenario.experiments.empty() ||
      !scenario.jobs.front().checkpoint) {
    return std::nullopt;
  }
  const scenario::JobSpec& job = scenario.jobs.front();
  const scenario::PoolSpec& pool = scenario.cluster.pools[job.pool];
  JobModel model;
  const auto hosts = simulate::make_hosts(scenario);
  const policies::PolicyInfo& info = hosts.front().info();
  model.whole_restarts = !info.watches_nodes;
  double rate = 0;
  double downtime = 0;
  double hangs = 0;
  for (const scenario::FaultSpec& fault : scenario.faults) {
    if (!fault.source || fault.source->occurrences || !strikes_job(fault.target, job)) {
      continue;
    }
    double weights = 0;
    for (const scenario::WeightedEffect& each : fault.effects) {
      weights += each.weight;
    }
    const double all =
        units_in_job(fault, job, pool) * kSecond / fault.source->mean_gap_us / weights;
    for (const auto& [effect, weight] : fault.effects) {
      const double each = interrupts(effect.kind) ? all * weight : 0;
      const double detected = each * detection(effect, job, scenario.cluster, info.leaves_peers);
      rate += each;
      downtime += detected;
      hangs += effect.kind == scenario::FaultKind::kHang ? detected : 0;
      model.in_repair += each * node_away(effect, pool, !model.whole_restarts);
    }
  }
  const scenario::CheckpointSpec& save = *job.checkpoint;
  const double upload = transfer(scenario, job, true);
  model.upload = save.async_upload ? upload : 0;
  model.restart.mtbf = rate > 0 ? 1 / rate : std::numeric_limits<double>::infinity();
  model.restart.interval = seconds(interval_us(job));
  model.restart.blocking = seconds(save.blocking_us) + (save.async_upload ? 0 : upload);
  // A checkpoint that is not uploaded yet is lost as well: one upload more (O5).
  model.restart.restart = restart_time(scenario, job) + model.upload;
  model.restart.downtime = rate > 0 ? downtime / rate : 0;
  model.hang_downtime = rate > 0 ? hangs / rate : 0;
  const std::int64_t needed =
      (job.workers + pool.accelerators_per_node - 1) / pool.accelerators_per_node;
  model.spares = std::int64_t{pool.nodes} + pool.spares - needed;
  model.waits = pool.replacement == scenario::Replacement::kNone && model.in_repair > 0;
  return model;
}

double formula_ettr(const JobModel& model) {
  const RestartModel& restart = model.restart;
  const double works = std::isfinite(restart.mtbf)
                           ? efficiency(restart)
                           : restart.interval / (restart.interval + restart.blocking);
  return model.waits ? works * (1 - erlang_b(model.spares + 1, model.in_repair)) : works;
}

}  // namespace aftershock::sim::advise
