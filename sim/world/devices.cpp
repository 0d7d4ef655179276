#include <algorithm>
#include <optional>

#include "policies/device_codes/catalogue.h"
#include "sim/faults/source.h"
#include "sim/world/entries.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// Accelerators that fail and are healed, and nodes that a policy keeps from the scheduler
// (reference modelarts.md 1.3, 5.4).
namespace aftershock::sim {

namespace {

using reports::EntityKind;

// What nobody needs to do anything about: no process notices it.
bool is_hint(const FaultEffect& effect) {
  const policies::DeviceCode* code = policies::find_device_code(effect.code);
  return effect.severity ? *effect.severity == policies::Severity::kHint
                         : code != nullptr && code->severity == policies::Severity::kHint;
}

}  // namespace

bool World::break_accelerator(std::uint32_t number) {
  const FaultRecord fault = faults_[number];
  const std::int64_t lasts_us = draw_lasts(fault).value_or(0);
  Job* job = job_on(fault);
  if (!fault.pool || !pools_[*fault.pool].node(fault.node).present ||
      !pools_[*fault.pool].node(fault.node).up ||
      (job == nullptr && lasts_us == 0 && trials_using(fault).empty())) {
    return false;
  }
  faults_[number].fired = true;
  record_fault(number);
  const bool told = job != nullptr && job->host.info().watches_nodes;
  if (is_hint(effect_of(fault))) {
    if (told) {
      tell_device_fault(*job, number);
    }
    return true;
  }
  if (lasts_us > 0) {
    pools_[*fault.pool].update(fault.node, now_us_,
                               [](Node& changed) { ++changed.bad_accelerators; });
    calendar_.push(now_us_ + lasts_us, EntryClass::kFault,
                   static_cast<std::uint16_t>(What::kAcceleratorBack), fault.node,
                   pools_[*fault.pool].node(fault.node).epoch, *fault.pool);
  }
  fail_trials_of(number);
  if (job != nullptr) {
    RankFailure failure;
    failure.ranks = policies::RankSet::range(fault.rank, fault.rank + 1);
    failure.kind = policies::WorkerFailure::kAcceleratorFault;
    failure.fault = number;
    show_process_failure(fault, failure);
    fail_ranks(*job, std::move(failure));
  }
  if (told) {
    tell_device_fault(*job, number);
  }
  return true;
}

// Which node of the job's own pool that is; a policy has no say over others.
std::optional<std::uint32_t> World::own_node(const Job& job, policies::NodeId node) const {
  const std::uint32_t first = node_number(*scenario_, spec(job).pool, 0);
  const std::uint32_t size = pools_[spec(job).pool].size();
  return node >= first && node - first < size ? std::optional(node - first) : std::nullopt;
}

void World::isolate_node(Job& job, const policies::IsolateNode& command) {
  const auto node = own_node(job, command.node);
  if (!node) {
    refuse(job, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  Pool& pool = pools_[spec(job).pool];
  if (pool.node(*node).isolated) {
    return;
  }
  pool.update(*node, now_us_, [](Node& changed) { changed.isolated = true; });
  recorder_.instant(now_us_, {EntityKind::kNode, spec(job).pool, *node}, "isolated");
  // One that is down comes back when that is over; one that still works is repaired now.
  const auto& repair = scenario_->cluster.pools[spec(job).pool].repair;
  if (repair && pool.node(*node).up) {
    const std::uint32_t epoch = pool.node(*node).epoch;
    const RandomDraw draw(node_key(*scenario_, spec(job).pool, *node), epoch, Purpose::kRepair);
    calendar_.push(now_us_ + draw_us(*repair, draw), EntryClass::kFault,
                   static_cast<std::uint16_t>(What::kIsolationOver), *node, epoch, spec(job).pool);
  }
}

void World::release_node(Job& job, const policies::ReleaseNode& command) {
  const auto node = own_node(job, command.node);
  if (!node) {
    refuse(job, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  release_node(spec(job).pool, *node);
}

void World::release_node(std::uint32_t pool, std::uint32_t node) {
  if (!pools_[pool].node(node).isolated) {
    return;
  }
  pools_[pool].update(node, now_us_, [](Node& changed) {
    changed.isolated = false;
    changed.bad_accelerators = 0;
  });
  recorder_.instant(now_us_, {EntityKind::kNode, pool, node}, "released");
  serve_queue(pool);
}

void World::self_heal(Job& job, const policies::SelfHeal& command) {
  const auto node = own_node(job, command.node);
  const auto fault = std::ranges::find_if(faults_.rbegin(), faults_.rend(), [&](const auto& one) {
    return node && one.pool == spec(job).pool && one.node == *node &&
           one.accelerator == command.accelerator &&
           effect_of(one).kind == FaultKind::kAcceleratorFault;
  });
  if (fault == faults_.rend()) {
    refuse(job, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  if (!job.kept) {
    refuse(job, command.id, policies::CommandError::kIllegalState);
    return;
  }
  const FaultEffect& effect = effect_of(*fault);
  const RandomKey key = fault_key(*scenario_, fault->spec);
  const RandomDraw fails(key, fault->nth, Purpose::kHealFails);
  healings_.push_back({.job = job.index,
                       .command = command.id,
                       .pool = spec(job).pool,
                       .node = *node,
                       .accelerator = command.accelerator,
                       .fault = static_cast<std::uint32_t>(faults_.rend() - fault - 1),
                       .heals = draw_index(1'000'000, fails) >= effect.heal_fails_ppm});
  set_phase(job, Phase::kSelfHealing, job.start_cause);
  calendar_.push(now_us_ + draw_us(effect.heal, RandomDraw(key, fault->nth, Purpose::kHeal)),
                 EntryClass::kCompletion, static_cast<std::uint16_t>(What::kHealed), job.index,
                 job.epoch, static_cast<std::int64_t>(healings_.size()) - 1);
}

void World::healing_over(Job& job, const Entry& entry) {
  const Healing healing = healings_[static_cast<std::size_t>(entry.arg)];
  if (!healing.heals) {
    // It stays out of order until somebody repairs its node.
    pools_[healing.pool].update(healing.node, now_us_,
                                [](Node& changed) { ++changed.bad_accelerators; });
  }
  if (job.epoch != entry.epoch || !job.kept) {
    return;
  }
  set_phase(job, Phase::kDeciding, job.start_cause);
  notify(job, policies::SelfHealResult{.job = job.index,
                                       .command = healing.command,
                                       .node = node_number(*scenario_, healing.pool, healing.node),
                                       .accelerator = healing.accelerator,
                                       .healed = healing.heals});
}

void World::tell_device_fault(Job& job, std::uint32_t number) {
  const FaultRecord& fault = faults_[number];
  const FaultEffect& effect = effect_of(fault);
  faults_[number].detected = true;
  notify(job,
         policies::DeviceFault{.node = node_number(*scenario_, *fault.pool, fault.node),
                               .accelerator = fault.accelerator.value_or(0),
                               .code = effect.code,
                               .severity = effect.severity,
                               .ranks = ranks_on(job, pools_[*fault.pool].node(fault.node).slot)});
}

}  // namespace aftershock::sim
