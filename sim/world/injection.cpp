#include "sim/world/injection.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/world/checkpoint_faults.h"
#include "sim/world/devices.h"
#include "sim/world/drivers.h"
#include "sim/world/failure.h"
#include "sim/world/machine_faults.h"
#include "sim/world/names.h"
#include "sim/world/network_faults.h"
#include "sim/world/peers.h"
#include "sim/world/target_resolution.h"
#include "sim/world/trial_faults.h"
#include "sim/world/world.h"

// Faults: when they come, whom they hit, what they do.
namespace aftershock::sim::world {

namespace {

/// The handler of a kind: it answers whether it found something to strike.
struct StrikeRow {
  scenario::FaultKind kind;
  bool (*strike)(World& world, std::uint32_t number);
};

}  // namespace

// Clocks of sources that depend on nodes which are up, or held.
void expose_clocks(World& world) {
  world.arrivals.expose(world.core, [&world](std::uint32_t spec_index) {
    return TargetResolution(world).units_at_risk(spec_index);
  });
}

void turn_clocks(World& world, const workload::Job& job, bool trains) {
  world.arrivals.turn(world.core, job.index, trains, [&world, &job](std::uint32_t spec_index) {
    return TargetResolution(world).works_on_target(job, spec_index);
  });
}

void plan_faults(World& world) {
  for (std::uint32_t i = 0; i < world.scenario().faults.size(); ++i) {
    const scenario::FaultSpec& fault = world.scenario().faults[i];
    if (fault.at_us) {
      world.core.schedule(core::EntryKind::kScripted, *fault.at_us, {.entity = i});
    } else if (fault.source) {
      world.arrivals.begin(world.core, i);
      // Clocks stand still until they are told how many units are at risk.
      expose_clocks(world);
    }
  }
}

// The job whose process the fault finds at its target.
workload::Job* job_on(World& world, const faults::FaultRecord& fault) {
  if (!fault.job || !fault.pool || !world.machines.pool(*fault.pool).node(fault.node).up) {
    return nullptr;
  }
  workload::Job& job = world.jobs[*fault.job];
  // A process ends once: a fault that comes later finds nobody in its place.
  const auto is_its_end = [&](const detection::RankFailure& failure) {
    return failure.gone && !failure.answers && failure.ranks.contains(fault.rank);
  };
  const bool lives =
      (workload::has_processes(job) || workload::waits_for_others(job, fault.rank)) &&
      std::ranges::none_of(job.detection.failures, is_its_end) &&
      std::ranges::none_of(job.detection.late_failures, is_its_end);
  return lives ? &job : nullptr;
}

// The end of a process shows at once, unless its node is cut off.
void show_process_failure(const World& world, const faults::FaultRecord& fault,
                          detection::RankFailure& failure) {
  if (hides(world, world.jobs[*fault.job], fault.node)) {
    failure.hidden_on = fault.node;
  } else {
    failure.visible_us = world.now_us();
  }
}

namespace {

bool strike_as(World& world, scenario::FaultKind kind, std::uint32_t number) {
  using enum scenario::FaultKind;
  static constexpr auto kRows = std::to_array<StrikeRow>({
      {kNodeCrash, crash_node},
      {kPreemption, preempt},
      {kPartition, partition},
      {kWorkerCrash, crash_worker},
      {kAcceleratorFault, break_accelerator},
      {kHang, hang},
      {kHeadCrash, head_down},
      {kHostOom, exhaust_memory},
      {kFullDisk, fill_disk},
      {kUserInterrupt, interrupt},
      {kTornSnapshot, tear_snapshot},
      {kUploadError, arm_upload_fault},
      {kDivergentReport, arm_report_fault},
      {kHookError, break_hook},
      {kUnsharedStorage, unshare_storage},
      {kObjectStoreFull, head_down},
      {kDeletedCheckpoint, delete_checkpoint},
      {kUnwritableSnapshot, spoil_snapshot},
      {kCorrectedEccStorm, begin_storm},
      {kOneWayPartition, partition},
      {kHeadWorkerPartition, partition},
      {kWorkerStoragePartition, partition},
      {kLinkFlap, partition},
      {kStorageOutage, trouble_storage},
      {kSlowStorage, trouble_storage},
      {kTornCheckpoint, spoil_checkpoint},
      {kCorruptCheckpoint, spoil_checkpoint},
      {kStaleMessage, repeat_message},
      {kDuplicateMessage, repeat_message},
      {kStraggler, slow_down},
      {kClusterOutage, black_out},
      {kBadReplacement, spoil_replacements},
      {kCapacityDenial, deny},
      {kLemonNode, make_lemon},
      {kFalseAlarm, raise_alarm},
      {kPolicyCrash, crash_policy},
  });
  static_assert(kRows.size() == scenario::kFaultKinds);
  static_assert(
      [] {
        for (std::size_t i = 0; i < kRows.size(); ++i) {
          if (kRows[i].kind != static_cast<scenario::FaultKind>(i)) return false;
        }
        return true;
      }(),
      "a row a kind, in the order of FaultKind");
  return kRows[static_cast<std::size_t>(kind)].strike(world, number);
}

// Whether a random process has drawn a place of a pool that has no machine: one that may be
// provisioned, or is gone.
bool finds_no_machine(const World& world, const scenario::FaultSpec& spec,
                      const faults::FaultRecord& fault) {
  return spec.source && !fault.listed && fault.pool && fault.nodes == 1 &&
         !world.machines.pools()[*fault.pool].node(fault.node).present;
}

}  // namespace

void strike(World& world, std::uint32_t spec_index, std::uint64_t nth,
            std::optional<std::uint32_t> trial, std::optional<std::uint32_t> unit) {
  const scenario::FaultSpec& spec = world.scenario().faults[spec_index];
  faults::FaultRecord fault;
  fault.spec = spec_index;
  fault.nth = nth;
  fault.branch = world.core.branch();
  fault.trial_of_step = trial;
  fault.unit = unit;
  fault.t_us = world.now_us();
  if (!world.jobs.empty() && world.jobs.front().ledger) {
    fault.phase = world.jobs.front().phase;
  }
  if (spec.source && spec.source->occurrences) {
    fault.listed = static_cast<std::uint32_t>(nth);
    // Drawn by the number that it had in the run that was exported, so that all else about it is
    // the same.
    fault.nth = faults::occurrence_of(world.scenario(), fault)->nth;
  }
  const scenario::Occurrence* listed = faults::occurrence_of(world.scenario(), fault);
  // Followers have the cause of the one that they follow.
  fault.effect = listed != nullptr && listed->cause
                     ? *listed->cause
                     : faults::draw_effect(world.scenario(), spec_index,
                                           faults::follower(fault.nth, 0), world.core.branch());
  TargetResolution(world).resolve(spec, fault);
  const std::uint32_t number = world.faults.open(fault);
  // A masked fault may have changed something all the same: a node that is down stays so for
  // longer.
  if (!strike_as(world, faults::effect_of(world.scenario(), fault).kind, number)) {
    world.checker.struck(number);
    world.faults.mask(world.core, number, !finds_no_machine(world, spec, fault));
  }
}

// The checker puts what follows down to the fault.
void fire(World& world, std::uint32_t number) {
  world.checker.struck(number);
  world.faults.fire(world.core, number);
}

namespace {

// Its script has begun, and those of the others still run.
bool may_return_early(const workload::Job& job, policies::Rank rank) {
  return !workload::starting(job) && !job.training.ending && !workload::waits_for_others(job, rank);
}

bool all_have_returned(const workload::Job& job) {
  policies::RankSet returned;
  for (const detection::RankFailure& failure : job.detection.failures) {
    returned.add(failure.returned ? failure.ranks : policies::RankSet());
  }
  return returned.size() == job.workers;
}

}  // namespace

bool crash_worker(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  const scenario::FaultEffect& effect = faults::effect_of(world.scenario(), fault);
  if (effect.manner == scenario::CrashManner::kErrorWithoutExit) {
    return hang(world, number);
  }
  const bool returns = effect.manner == scenario::CrashManner::kExit && effect.exit_code == 0;
  if (fault.experiment) {
    return !returns && crash_trial(world, number);
  }
  workload::Job* job = job_on(world, fault);
  if (job == nullptr || (returns && !may_return_early(*job, fault.rank))) {
    return false;
  }
  fire(world, number);
  detection::RankFailure failure;
  failure.ranks = policies::RankSet::range(fault.rank, fault.rank + 1);
  failure.fault = number;
  failure.returned = returns;
  show_process_failure(world, fault, failure);
  if (workload::starting(*job) && !job->broken && effect.during) {
    // In the order of the points, which are stages without the wait for resources.
    job->detection.start_stage = static_cast<policies::StartStage>(
        static_cast<std::uint8_t>(policies::StartStage::kConstruction) +
        static_cast<std::uint8_t>(*effect.during));
  }
  switch (effect.manner) {
    case scenario::CrashManner::kException:
      failure.kind = policies::WorkerFailure::kException;
      failure.answers = true;  // the exception ended the user's thread, not the process
      break;
    case scenario::CrashManner::kOutOfMemory:
      failure.kind = policies::WorkerFailure::kOutOfMemory;
      break;
    case scenario::CrashManner::kExit:
      failure.kind = policies::WorkerFailure::kExit;
      failure.exit_code = effect.exit_code;
      break;
    case scenario::CrashManner::kErrorWithoutExit:
      AFTERSHOCK_ASSERT(false && "its process goes on");
  }
  fail_ranks(world, *job, std::move(failure));
  // With the last of them the job may be said to be complete, however little it has done.
  job->training.ending = job->training.ending || (returns && all_have_returned(*job));
  return true;
}

// Also of a worker that erred and waits: it differs in what it is called, not in what it does.
bool hang(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  if (fault.experiment) {
    return hang_trial(world, number);
  }
  workload::Job* job = job_on(world, fault);
  // Code hangs that waits for other ranks: before the rendezvous and after the training
  // function nobody does.
  const bool waits = job != nullptr && workload::waits_for_others(*job, fault.rank);
  if (job == nullptr || job->broken || (job->stage == workload::Stage::kLaunching && !waits) ||
      job->stage == workload::Stage::kReturned) {
    return false;
  }
  fire(world, number);
  if (!waits) {
    stall(world, *job, number, PeerLoss::kHangs);
  }
  detection::RankFailure failure;
  failure.ranks = policies::RankSet::range(fault.rank, fault.rank + 1);
  failure.kind = faults::effect_of(world.scenario(), fault).kind == scenario::FaultKind::kHang
                     ? policies::WorkerFailure::kCollectiveTimeout
                     : policies::WorkerFailure::kException;
  failure.gone = false;
  failure.answers = faults::effect_of(world.scenario(), fault).answers;
  failure.silent = !failure.answers;
  failure.fault = number;
  if (const auto lasts_us = faults::draw_lasts(world.scenario(), fault)) {
    world.core.schedule(core::EntryKind::kHangOver, world.now_us() + *lasts_us, {.arg = number});
  }
  fail_ranks(world, *job, std::move(failure));
  expect_answer(world, *job);
  return true;
}

void hang_over(World& world, std::uint32_t number) {
  const faults::FaultRecord& fault = world.faults[number];
  if (fault.experiment) {
    trial_hang_over(world, number);
    return;
  }
  workload::Job& job = world.jobs[*fault.job];
  std::erase_if(job.detection.late_failures, [number](const detection::RankFailure& failure) {
    return failure.fault == number && !failure.gone;
  });
  if (workload::has_processes(job)) {
    forget_failures(world, job, number);
  }
}

}  // namespace aftershock::sim::world
