#include "sim/world/devices.h"

#include <algorithm>
#include <optional>

#include "policies/device_codes/catalogue.h"
#include "policies/device_codes/device_need.h"
#include "sim/chance/draws.h"
#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/controlling.h"
#include "sim/world/failure.h"
#include "sim/world/injection.h"
#include "sim/world/machine_faults.h"
#include "sim/world/names.h"
#include "sim/world/nodes.h"
#include "sim/world/phases.h"
#include "sim/world/refusal.h"
#include "sim/world/scheduling.h"
#include "sim/world/trial_faults.h"
#include "sim/world/world.h"

// Accelerators that fail and are healed, and nodes that a policy keeps from the scheduler
// (modelarts.md 1.3, 5.4).
namespace aftershock::sim::world {

namespace {

using reports::EntityKind;

// By what the device says, else by the catalogue; none: nobody knows.
std::optional<policies::Severity> severity_of(const scenario::FaultEffect& effect) {
  const policies::DeviceCode* code = policies::find_device_code(effect.code);
  return effect.severity || code == nullptr ? effect.severity : std::optional(code->severity);
}

// A hint asks for no action: no process notices it.
bool is_hint(const scenario::FaultEffect& effect) {
  return severity_of(effect) == policies::Severity::kHint;
}

// Healing does not mend a critical fault: a platform isolates the node, whatever runs on it.
// A code that no list has is judged as MindCluster judges it.
bool is_critical(const scenario::FaultEffect& effect) {
  if (policies::find_device_code(effect.code) == nullptr) {
    return policies::need_of_code(effect.code, effect.severity) ==
           policies::DeviceNeed::kReplacement;
  }
  return severity_of(effect) == policies::Severity::kCritical;
}

const std::string& code_of(const faults::FaultRecord& fault, const scenario::FaultEffect& effect) {
  return fault.escalated ? effect.then : effect.code;
}

// A reset comes with the next process. More than that somebody has to do: until then, for good
// where nobody does, the device is out of order. It says otherwise where it has a length.
machines::FailedDevice device_of(const World& world, std::uint32_t number,
                                 std::optional<std::int64_t> lasts_us) {
  const faults::FaultRecord& fault = world.faults[number];
  const scenario::FaultEffect& effect = faults::effect_of(world.scenario(), fault);
  const bool lasting = lasts_us ? *lasts_us > 0 : effect.needs != policies::DeviceNeed::kReset;
  return {.pool = *fault.pool,
          .node = fault.node,
          .accelerator = fault.accelerator.value_or(0),
          .fault = number,
          .needs = effect.needs,
          .lasting = lasting,
          .ends = lasting && lasts_us.has_value(),
          .repair_us = lasting && effect.until_repaired ? lasts_us : std::nullopt};
}

// A fault of an accelerator that may be healed.
bool hurts(const faults::FaultRecord& fault, const scenario::FaultEffect& effect) {
  return fault.escalated || effect.kind == scenario::FaultKind::kFalseAlarm ||
         (effect.kind == scenario::FaultKind::kAcceleratorFault && !is_hint(effect));
}

const scenario::HealingSpec& healing_of(const scenario::PoolSpec& pool, std::string_view code) {
  const policies::DeviceCode* listed = policies::find_device_code(code);
  const auto cause = listed != nullptr ? listed->root_cause : policies::RootCause::kUnknown;
  return pool.self_healing[static_cast<std::size_t>(cause)];
}

}  // namespace

// The job whose pod is on the node, if its policy hears of what happens there, which it does not of
// a node that it has isolated. The pod's processes may have ended.
workload::Job* watcher(World& world, std::uint32_t pool, std::uint32_t node) {
  workload::Job* job = holder(world, pool, node);
  const bool hears =
      job != nullptr && job->control.host.info().watches_nodes &&
      job->stage != workload::Stage::kEnded &&
      (workload::has_processes(*job) || !world.machines.pool(pool).node(node).isolated);
  return hears ? job : nullptr;
}

bool break_accelerator(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  if (!fault.pool || !world.machines.pool(*fault.pool).node(fault.node).present ||
      !world.machines.pool(*fault.pool).node(fault.node).up) {
    return false;
  }
  const scenario::FaultEffect& effect = faults::effect_of(world.scenario(), fault);
  const auto lasts_us = faults::draw_lasts(world.scenario(), fault);
  const bool said = !effect.until_repaired && lasts_us.value_or(0) > 0;
  if (!said && job_on(world, fault) == nullptr &&
      watcher(world, *fault.pool, fault.node) == nullptr && trials_using(world, fault).empty()) {
    // Nobody is on it. Where a platform looks after the pool it does not wait for somebody.
    const auto platform = std::ranges::find_if(world.jobs, [&](const workload::Job& job) {
      return spec(world, job).pool == *fault.pool && job.control.host.info().watches_nodes &&
             job.stage != workload::Stage::kEnded;
    });
    if (platform != world.jobs.end() && is_critical(effect) &&
        !world.machines.pool(*fault.pool).node(fault.node).isolated) {
      world.faults.detect(number);
      fire(world, number);
      world.machines.break_device(world.core, device_of(world, number, {}));
      world.machines.isolate(world.core, *fault.pool, fault.node, platform->index, false);
      begin_repair(world, *fault.pool, fault.node);
      return true;
    }
    if (is_hint(effect) || !device_of(world, number, lasts_us).lasting) {
      return false;
    }
  }
  fire(world, number);
  if (!is_hint(effect)) {
    fail_accelerator(world, number, lasts_us);
  } else if (workload::Job* job = watcher(world, *fault.pool, fault.node); job != nullptr) {
    tell_device_fault(world, *job, number);
  }
  return true;
}

void fail_accelerator(World& world, std::uint32_t number, std::optional<std::int64_t> lasts_us) {
  const faults::FaultRecord fault = world.faults[number];
  workload::Job* const told = watcher(world, *fault.pool, fault.node);
  // A passing fault of a node that no job holds is over before a policy can act on it.
  const machines::FailedDevice device = device_of(world, number, lasts_us);
  if (device.lasting || holder(world, *fault.pool, fault.node) != nullptr) {
    world.machines.break_device(world.core, device);
  }
  if (device.ends) {
    world.machines.plan_device_end(world.core, device, *lasts_us);
  }
  fail_trials_of(world, number);
  if (workload::Job* job = job_on(world, fault); job != nullptr) {
    detection::RankFailure failure;
    failure.ranks = policies::RankSet::range(fault.rank, fault.rank + 1);
    failure.kind = policies::WorkerFailure::kAcceleratorFault;
    failure.fault = number;
    show_process_failure(world, fault, failure);
    fail_ranks(world, *job, std::move(failure));
  }
  if (told != nullptr) {
    tell_device_fault(world, *told, number);
  }
}

// Which node of the job's own pool that is; a policy has no say over others.
std::optional<std::uint32_t> own_node(const World& world, const workload::Job& job,
                                      policies::NodeId node) {
  const std::uint32_t first = node_number(world.scenario(), spec(world, job).pool, 0);
  const std::uint32_t size = world.machines.pool(spec(world, job).pool).size();
  return node >= first && node - first < size ? std::optional(node - first) : std::nullopt;
}

void isolate_node(World& world, workload::Job& job, const policies::IsolateNode& command) {
  const auto node = own_node(world, job, command.node);
  if (!node) {
    refuse(world, job, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  if (world.machines.pool(spec(world, job).pool).node(*node).isolated) {
    return;
  }
  world.machines.isolate(world.core, spec(world, job).pool, *node, job.index,
                         command.until_released);
  isolated(world, job, *node);
  begin_repair(world, spec(world, job).pool, *node);
}

void release_node(World& world, workload::Job& job, const policies::ReleaseNode& command) {
  const auto node = own_node(world, job, command.node);
  if (!node) {
    refuse(world, job, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  const machines::Pool& pool = world.machines.pool(spec(world, job).pool);
  if (!pool.node(*node).isolated || pool.node(*node).isolated_by != job.index) {
    return;  // repaired meanwhile, and maybe isolated again by somebody else
  }
  world.machines.release(world.core, spec(world, job).pool, *node);
  world.core.recorder().instant(world.now_us(), {EntityKind::kNode, spec(world, job).pool, *node},
                                "released");
  machine_back(world, spec(world, job).pool, *node);
  serve_queue(world, spec(world, job).pool);
}

void self_heal(World& world, workload::Job& job, const policies::SelfHeal& command) {
  const auto node = own_node(world, job, command.node);
  const auto records = world.faults.records();
  // The newest fault of that code on the chip is the one that is there.
  const auto fault = std::ranges::find_if(records.rbegin(), records.rend(), [&](const auto& one) {
    return node && one.pool == spec(world, job).pool && one.node == *node &&
           one.accelerator == command.accelerator &&
           hurts(one, faults::effect_of(world.scenario(), one)) &&
           code_of(one, faults::effect_of(world.scenario(), one)) == command.code;
  });
  if (fault == records.rend()) {
    refuse(world, job, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  if (job.stage != workload::Stage::kNone || job.attempts == 0) {
    refuse(world, job, command.id, policies::CommandError::kIllegalState);
    return;
  }
  const scenario::FaultEffect& effect = faults::effect_of(world.scenario(), *fault);
  const scenario::HealingSpec& law =
      healing_of(world.scenario().cluster.pools[spec(world, job).pool], code_of(*fault, effect));
  const chance::RandomKey key = faults::fault_key(world.scenario(), fault->spec, fault->branch);
  // Drawn by the fault and not by the attempt: a chip that did not heal does not heal at a second
  // try, either.
  const chance::RandomDraw fails(key, fault->nth, chance::Purpose::kHealFails);
  const std::uint32_t number =
      world.machines.begin_healing({.job = job.index,
                                    .command = command.id,
                                    .pool = spec(world, job).pool,
                                    .node = *node,
                                    .accelerator = command.accelerator,
                                    .fault = static_cast<std::uint32_t>(records.rend() - fault - 1),
                                    .heals = chance::draw_index(1'000'000, fails) >=
                                             effect.heal_fails_ppm.value_or(law.fails_ppm)});
  ++job.pods.healings;
  set_phase(world, job, scenario::Phase::kSelfHealing, job.start_cause);
  const chance::RandomDraw takes(key, fault->nth, chance::Purpose::kHeal);
  world.core.schedule(core::EntryKind::kHealed,
                      world.now_us() + chance::draw_us(effect.heal.value_or(law.takes), takes),
                      {.entity = job.index, .epoch = job.epoch, .arg = number});
}

void healing_over(World& world, workload::Job& job, const engine::Entry& entry) {
  const machines::Healing healing = world.machines.healing(static_cast<std::uint32_t>(entry.arg));
  // The chip is well even if the job that had it healed has gone on otherwise meanwhile.
  if (healing.heals) {
    repair_device(world, healing.fault);
  }
  if (job.epoch != entry.epoch || job.stage == workload::Stage::kEnded) {
    return;
  }
  // Of a healing that a teardown overtook nobody waits in a phase of its own.
  if (job.pods.healings > 0 && --job.pods.healings == 0) {
    set_phase(world, job, scenario::Phase::kDeciding, job.start_cause);
  }
  notify(world, job,
         policies::SelfHealResult{.job = job.index,
                                  .command = healing.command,
                                  .node = node_number(world.scenario(), healing.pool, healing.node),
                                  .accelerator = healing.accelerator,
                                  .healed = healing.heals});
}

void tell_device_fault(World& world, workload::Job& job, std::uint32_t number) {
  const faults::FaultRecord& fault = world.faults[number];
  const scenario::FaultEffect& effect = faults::effect_of(world.scenario(), fault);
  world.faults.detect(number);
  const bool corrected = effect.kind == scenario::FaultKind::kCorrectedEccStorm && !fault.escalated;
  const auto severity = corrected ? std::optional(policies::Severity::kHint) : effect.severity;
  const std::uint32_t node = effect.machine.blamed_node.value_or(fault.node);
  const bool of_job = node == fault.node || holder(world, *fault.pool, node) == &job;
  const auto ranks = of_job ? ranks_on(world, job, world.machines.pool(*fault.pool).node(node).slot)
                            : policies::RankSet();
  if (node != fault.node) {
    accuse(world, *fault.pool, node, number);
  }
  notify(world, job,
         policies::DeviceFault{.node = node_number(world.scenario(), *fault.pool, node),
                               .accelerator = fault.accelerator.value_or(0),
                               .code = code_of(fault, effect),
                               .severity = severity,
                               .ranks = ranks});
}

}  // namespace aftershock::sim::world
