#include <algorithm>
#include <optional>

#include "policies/device_codes/catalogue.h"
#include "policies/device_codes/device_need.h"
#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/machine_trouble.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// Accelerators that fail and are healed, and nodes that a policy keeps from the scheduler
// (modelarts.md 1.3, 5.4).
namespace aftershock::sim {

namespace {

using reports::EntityKind;

// By what the device says, else by the catalogue; none: nobody knows.
std::optional<policies::Severity> severity_of(const FaultEffect& effect) {
  const policies::DeviceCode* code = policies::find_device_code(effect.code);
  return effect.severity || code == nullptr ? effect.severity : std::optional(code->severity);
}

// What nobody needs to do anything about: no process notices it.
bool is_hint(const FaultEffect& effect) { return severity_of(effect) == policies::Severity::kHint; }

// What no healing mends: a platform isolates the node, whoever is on it.
// What no list has is judged as MindCluster judges it.
bool is_critical(const FaultEffect& effect) {
  if (policies::find_device_code(effect.code) == nullptr) {
    return policies::need_of_code(effect.code, effect.severity) ==
           policies::DeviceNeed::kReplacement;
  }
  return severity_of(effect) == policies::Severity::kCritical;
}

const std::string& code_of(const FaultRecord& fault, const FaultEffect& effect) {
  return fault.escalated ? effect.then : effect.code;
}

// What befell an accelerator, and may be healed.
bool hurts(const FaultRecord& fault, const FaultEffect& effect) {
  return fault.escalated || effect.kind == FaultKind::kFalseAlarm ||
         (effect.kind == FaultKind::kAcceleratorFault && !is_hint(effect));
}

const HealingSpec& healing_of(const PoolSpec& pool, std::string_view code) {
  const policies::DeviceCode* listed = policies::find_device_code(code);
  const auto cause = listed != nullptr ? listed->root_cause : policies::RootCause::kUnknown;
  return pool.self_healing[static_cast<std::size_t>(cause)];
}

}  // namespace

// The job whose pod is on the node, if its policy hears of what happens there, which it does not of
// a node that it has isolated. The pod's processes may have ended.
Job* World::watcher(std::uint32_t pool, std::uint32_t node) {
  Job* job = holder(pool, node);
  const bool hears = job != nullptr && job->host.info().watches_nodes &&
                     job->stage != Stage::kEnded &&
                     (has_processes(*job) || !machines_.pool(pool).node(node).isolated);
  return hears ? job : nullptr;
}

bool World::break_accelerator(std::uint32_t number) {
  const FaultRecord fault = faults_[number];
  const std::int64_t lasts_us = draw_lasts(core_.scenario(), fault).value_or(0);
  if (!fault.pool || !machines_.pool(*fault.pool).node(fault.node).present ||
      !machines_.pool(*fault.pool).node(fault.node).up) {
    return false;
  }
  if (job_on(fault) == nullptr && lasts_us == 0 && watcher(*fault.pool, fault.node) == nullptr &&
      trials_using(fault).empty()) {
    // Nobody is on it. Where a platform looks after the pool it does not wait for somebody.
    const auto platform = std::ranges::find_if(jobs_, [&](const Job& job) {
      return spec(job).pool == *fault.pool && job.host.info().watches_nodes &&
             job.stage != Stage::kEnded;
    });
    if (platform == jobs_.end() || !is_critical(effect_of(fault)) ||
        machines_.pool(*fault.pool).node(fault.node).isolated) {
      return false;
    }
    faults_.detect(number);
    fire(number);
    machines_.break_device(core_, {*fault.pool, fault.node, fault.accelerator.value_or(0), number},
                           false);
    machines_.isolate(core_, *fault.pool, fault.node, platform->index);
    begin_repair(*fault.pool, fault.node);
    return true;
  }
  fire(number);
  if (!is_hint(effect_of(fault))) {
    fail_accelerator(number, lasts_us);
  } else if (Job* job = watcher(*fault.pool, fault.node); job != nullptr) {
    tell_device_fault(*job, number);
  }
  return true;
}

void World::fail_accelerator(std::uint32_t number, std::int64_t lasts_us) {
  const FaultRecord fault = faults_[number];
  Job* const told = watcher(*fault.pool, fault.node);
  if (lasts_us > 0 || holder(*fault.pool, fault.node) != nullptr) {
    machines_.break_device(core_, {*fault.pool, fault.node, fault.accelerator.value_or(0), number},
                           lasts_us > 0);
  }
  if (lasts_us > 0) {
    core_.schedule(EntryKind::kAcceleratorBack, core_.now_us() + lasts_us, {.arg = number});
  }
  fail_trials_of(number);
  if (Job* job = job_on(fault); job != nullptr) {
    RankFailure failure;
    failure.ranks = policies::RankSet::range(fault.rank, fault.rank + 1);
    failure.kind = policies::WorkerFailure::kAcceleratorFault;
    failure.fault = number;
    show_process_failure(fault, failure);
    fail_ranks(*job, std::move(failure));
  }
  if (told != nullptr) {
    tell_device_fault(*told, number);
  }
}

// Which node of the job's own pool that is; a policy has no say over others.
std::optional<std::uint32_t> WorldState::own_node(const Job& job, policies::NodeId node) const {
  const std::uint32_t first = node_number(core_.scenario(), spec(job).pool, 0);
  const std::uint32_t size = machines_.pool(spec(job).pool).size();
  return node >= first && node - first < size ? std::optional(node - first) : std::nullopt;
}

void World::isolate_node(Job& job, const policies::IsolateNode& command) {
  const auto node = own_node(job, command.node);
  if (!node) {
    refuse(job, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  if (machines_.pool(spec(job).pool).node(*node).isolated) {
    return;
  }
  machines_.isolate(core_, spec(job).pool, *node, job.index);
  MachineTrouble(*this).isolated(job, *node);
  begin_repair(spec(job).pool, *node);
}

void World::release_node(Job& job, const policies::ReleaseNode& command) {
  const auto node = own_node(job, command.node);
  if (!node) {
    refuse(job, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  Pool& pool = machines_.pool(spec(job).pool);
  if (!pool.node(*node).isolated || pool.node(*node).isolated_by != job.index) {
    return;  // repaired meanwhile, and maybe isolated again by somebody else
  }
  pool.update(*node, core_.now_us(), [](Node& changed) { changed.isolated = false; });
  core_.recorder().instant(core_.now_us(), {EntityKind::kNode, spec(job).pool, *node}, "released");
  MachineTrouble(*this).machine_back(spec(job).pool, *node);
  serve_queue(spec(job).pool);
}

void World::self_heal(Job& job, const policies::SelfHeal& command) {
  const auto node = own_node(job, command.node);
  const auto records = faults_.records();
  const auto fault = std::ranges::find_if(records.rbegin(), records.rend(), [&](const auto& one) {
    return node && one.pool == spec(job).pool && one.node == *node &&
           one.accelerator == command.accelerator && hurts(one, effect_of(one)) &&
           code_of(one, effect_of(one)) == command.code;
  });
  if (fault == records.rend()) {
    refuse(job, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  if (!job.kept) {
    refuse(job, command.id, policies::CommandError::kIllegalState);
    return;
  }
  const FaultEffect& effect = effect_of(*fault);
  const HealingSpec& law =
      healing_of(core_.scenario().cluster.pools[spec(job).pool], code_of(*fault, effect));
  const RandomKey key = fault_key(core_.scenario(), fault->spec, fault->branch);
  const RandomDraw fails(key, fault->nth, Purpose::kHealFails);
  const std::uint32_t number = machines_.begin_healing(
      {.job = job.index,
       .command = command.id,
       .pool = spec(job).pool,
       .node = *node,
       .accelerator = command.accelerator,
       .fault = static_cast<std::uint32_t>(records.rend() - fault - 1),
       .heals = draw_index(1'000'000, fails) >= effect.heal_fails_ppm.value_or(law.fails_ppm)});
  ++job.healings;
  set_phase(job, Phase::kSelfHealing, job.start_cause);
  const RandomDraw takes(key, fault->nth, Purpose::kHeal);
  core_.schedule(EntryKind::kHealed,
                 core_.now_us() + draw_us(effect.heal.value_or(law.takes), takes),
                 {.entity = job.index, .epoch = job.epoch, .arg = number});
}

void World::healing_over(Job& job, const Entry& entry) {
  const Healing healing = machines_.healing(static_cast<std::uint32_t>(entry.arg));
  if (healing.heals) {
    repair_device(healing.fault);
  }
  if (job.epoch != entry.epoch || !job.kept || job.stage == Stage::kEnded) {
    return;
  }
  if (--job.healings == 0) {
    set_phase(job, Phase::kDeciding, job.start_cause);
  }
  notify(job,
         policies::SelfHealResult{.job = job.index,
                                  .command = healing.command,
                                  .node = node_number(core_.scenario(), healing.pool, healing.node),
                                  .accelerator = healing.accelerator,
                                  .healed = healing.heals});
}

void World::tell_device_fault(Job& job, std::uint32_t number) {
  const FaultRecord& fault = faults_[number];
  const FaultEffect& effect = effect_of(fault);
  faults_.detect(number);
  const bool corrected = effect.kind == FaultKind::kCorrectedEccStorm && !fault.escalated;
  const auto severity = corrected ? std::optional(policies::Severity::kHint) : effect.severity;
  const std::uint32_t node = effect.machine.blamed_node.value_or(fault.node);
  const bool of_job = node == fault.node || holder(*fault.pool, node) == &job;
  const auto ranks =
      of_job ? ranks_on(job, machines_.pool(*fault.pool).node(node).slot) : policies::RankSet();
  if (node != fault.node) {
    MachineTrouble(*this).accuse(*fault.pool, node, number);
  }
  notify(job, policies::DeviceFault{.node = node_number(core_.scenario(), *fault.pool, node),
                                    .accelerator = fault.accelerator.value_or(0),
                                    .code = code_of(fault, effect),
                                    .severity = severity,
                                    .ranks = ranks});
}

}  // namespace aftershock::sim
