#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "policies/api/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/world/machine_trouble.h"
#include "sim/world/names.h"
#include "sim/world/network_trouble.h"
#include "sim/world/target_resolution.h"
#include "sim/world/world.h"

// Faults: when they come, whom they hit, what they do.
namespace aftershock::sim {

namespace {

/// What a kind does: the answer is whether it found something to strike.
struct StrikeRow {
  FaultKind kind;
  bool (*strike)(World& world, std::uint32_t number);
};

template <auto Handler>
bool by_world(World& world, std::uint32_t number) {
  return (world.*Handler)(number);
}

template <auto Handler>
bool by_machines(World& world, std::uint32_t number) {
  return (MachineTrouble(world).*Handler)(number);
}

template <auto Handler>
bool by_network(World& world, std::uint32_t number) {
  return (NetworkTrouble(world).*Handler)(number);
}

}  // namespace

// Clocks of sources that depend on nodes which are up, or held.
void World::expose_clocks() {
  arrivals_.expose(core_, [this](std::uint32_t spec_index) {
    return TargetResolution(*this).units_at_risk(spec_index);
  });
}

void World::turn_clocks(const Job& job, bool trains) {
  arrivals_.turn(core_, job.index, trains, [this, &job](std::uint32_t spec_index) {
    return TargetResolution(*this).works_on_target(job, spec_index);
  });
}

void World::plan_faults() {
  for (std::uint32_t i = 0; i < core_.scenario().faults.size(); ++i) {
    const FaultSpec& fault = core_.scenario().faults[i];
    if (fault.at_us) {
      core_.schedule(EntryKind::kScripted, *fault.at_us, {.entity = i});
    } else if (fault.source) {
      arrivals_.begin(core_, i);
      expose_clocks();
    }
  }
}

// The job whose process the fault finds at its target.
Job* World::job_on(const FaultRecord& fault) {
  if (!fault.job || !fault.pool || !machines_.pool(*fault.pool).node(fault.node).up) {
    return nullptr;
  }
  Job& job = jobs_[*fault.job];
  const auto is_its_end = [&](const RankFailure& failure) {
    return failure.gone && !failure.answers && failure.ranks.contains(fault.rank);
  };
  const bool lives = (has_processes(job) || waits_for_others(job, fault.rank)) &&
                     std::ranges::none_of(job.failures, is_its_end) &&
                     std::ranges::none_of(job.late_failures, is_its_end);
  return lives ? &job : nullptr;
}

// The end of a process shows at once, unless its node is cut off.
void World::show_process_failure(const FaultRecord& fault, RankFailure& failure) const {
  if (hides(jobs_[*fault.job], fault.node)) {
    failure.hidden_on = fault.node;
  } else {
    failure.visible_us = core_.now_us();
  }
}

bool World::strike_as(FaultKind kind, std::uint32_t number) {
  using enum FaultKind;
  static constexpr auto kRows = std::to_array<StrikeRow>({
      {kNodeCrash, by_world<&World::crash_node>},
      {kPreemption, by_world<&World::preempt>},
      {kPartition, by_network<&NetworkTrouble::partition>},
      {kWorkerCrash, by_world<&World::crash_worker>},
      {kAcceleratorFault, by_world<&World::break_accelerator>},
      {kHang, by_world<&World::hang>},
      {kHeadCrash, by_world<&World::head_down>},
      {kHostOom, by_world<&World::exhaust_memory>},
      {kFullDisk, by_world<&World::fill_disk>},
      {kUserInterrupt, by_world<&World::interrupt>},
      {kTornSnapshot, by_world<&World::tear_snapshot>},
      {kUploadError, by_world<&World::arm_upload_fault>},
      {kDivergentReport, by_world<&World::arm_report_fault>},
      {kHookError, by_world<&World::break_hook>},
      {kUnsharedStorage, by_world<&World::unshare_storage>},
      {kObjectStoreFull, by_world<&World::head_down>},
      {kDeletedCheckpoint, by_world<&World::delete_checkpoint>},
      {kUnwritableSnapshot, by_world<&World::spoil_snapshot>},
      {kCorrectedEccStorm, by_world<&World::begin_storm>},
      {kOneWayPartition, by_network<&NetworkTrouble::partition>},
      {kHeadWorkerPartition, by_network<&NetworkTrouble::partition>},
      {kWorkerStoragePartition, by_network<&NetworkTrouble::partition>},
      {kLinkFlap, by_network<&NetworkTrouble::partition>},
      {kStorageOutage, by_network<&NetworkTrouble::trouble_storage>},
      {kSlowStorage, by_network<&NetworkTrouble::trouble_storage>},
      {kTornCheckpoint, by_world<&World::spoil_checkpoint>},
      {kCorruptCheckpoint, by_world<&World::spoil_checkpoint>},
      {kStaleMessage, by_network<&NetworkTrouble::repeat_message>},
      {kDuplicateMessage, by_network<&NetworkTrouble::repeat_message>},
      {kStraggler, by_machines<&MachineTrouble::slow_down>},
      {kClusterOutage, by_machines<&MachineTrouble::black_out>},
      {kBadReplacement, by_machines<&MachineTrouble::spoil_replacements>},
      {kCapacityDenial, by_machines<&MachineTrouble::deny>},
      {kLemonNode, by_machines<&MachineTrouble::make_lemon>},
      {kFalseAlarm, by_machines<&MachineTrouble::raise_alarm>},
      {kPolicyCrash, by_world<&World::crash_policy>},
  });
  static_assert(kRows.size() == kFaultKinds);
  static_assert(
      [] {
        for (std::size_t i = 0; i < kRows.size(); ++i) {
          if (kRows[i].kind != static_cast<FaultKind>(i)) return false;
        }
        return true;
      }(),
      "a row a kind, in the order of FaultKind");
  return kRows[static_cast<std::size_t>(kind)].strike(*this, number);
}

void World::strike(std::uint32_t spec_index, std::uint64_t nth, std::optional<std::uint32_t> trial,
                   std::optional<std::uint32_t> unit) {
  const FaultSpec& spec = core_.scenario().faults[spec_index];
  FaultRecord fault;
  fault.spec = spec_index;
  fault.nth = nth;
  fault.branch = core_.branch();
  fault.trial_of_step = trial;
  fault.unit = unit;
  fault.t_us = core_.now_us();
  if (!jobs_.empty() && jobs_.front().ledger) {
    fault.phase = jobs_.front().phase;
  }
  if (spec.source && spec.source->occurrences) {
    fault.listed = static_cast<std::uint32_t>(nth);
    fault.nth = occurrence_of(core_.scenario(), fault)->nth;
  }
  const Occurrence* listed = occurrence_of(core_.scenario(), fault);
  fault.effect =
      listed != nullptr && listed->cause
          ? *listed->cause
          : draw_effect(core_.scenario(), spec_index, follower(fault.nth, 0), core_.branch());
  TargetResolution(*this).resolve(spec, fault);
  const std::uint32_t number = faults_.open(fault);
  if (!strike_as(effect_of(fault).kind, number)) {
    checker_.struck(number);
    faults_.mask(core_, number);
  }
}

// The checker puts what follows down to the fault.
void World::fire(std::uint32_t number) {
  checker_.struck(number);
  faults_.fire(core_, number);
}

bool World::crash_worker(std::uint32_t number) {
  const FaultRecord fault = faults_[number];
  const FaultEffect& effect = effect_of(fault);
  if (effect.manner == CrashManner::kErrorWithoutExit) {
    return hang(number);
  }
  if (fault.experiment) {
    return crash_trial(number);
  }
  Job* job = job_on(fault);
  if (job == nullptr) {
    return false;
  }
  fire(number);
  RankFailure failure;
  failure.ranks = policies::RankSet::range(fault.rank, fault.rank + 1);
  failure.fault = number;
  show_process_failure(fault, failure);
  if (starting(*job) && !job->broken && effect.during) {
    // In the order of the points, which are stages without the wait for resources.
    job->start_stage = static_cast<policies::StartStage>(
        static_cast<std::uint8_t>(policies::StartStage::kConstruction) +
        static_cast<std::uint8_t>(*effect.during));
  }
  switch (effect.manner) {
    case CrashManner::kException:
      failure.kind = policies::WorkerFailure::kException;
      failure.answers = true;  // the exception ended the user's thread, not the process
      break;
    case CrashManner::kOutOfMemory:
      failure.kind = policies::WorkerFailure::kOutOfMemory;
      break;
    case CrashManner::kExit:
      failure.kind = policies::WorkerFailure::kExit;
      failure.exit_code = effect.exit_code;
      break;
    case CrashManner::kErrorWithoutExit:
      AFTERSHOCK_ASSERT(false && "its process goes on");
  }
  fail_ranks(*job, std::move(failure));
  return true;
}

// Also of a worker that erred and waits: it differs in what it is called, not in what it does.
bool World::hang(std::uint32_t number) {
  const FaultRecord fault = faults_[number];
  if (fault.experiment) {
    return hang_trial(number);
  }
  Job* job = job_on(fault);
  // What hangs is code that waits for other ranks: before the rendezvous and after the training
  // function nobody does.
  const bool waits = job != nullptr && waits_for_others(*job, fault.rank);
  if (job == nullptr || job->broken || (job->stage == Stage::kLaunching && !waits) ||
      job->stage == Stage::kReturned) {
    return false;
  }
  fire(number);
  if (!waits) {
    stall(*job, number);
  }
  RankFailure failure;
  failure.ranks = policies::RankSet::range(fault.rank, fault.rank + 1);
  failure.kind = effect_of(fault).kind == FaultKind::kHang
                     ? policies::WorkerFailure::kCollectiveTimeout
                     : policies::WorkerFailure::kException;
  failure.gone = false;
  failure.answers = effect_of(fault).answers;
  failure.silent = !failure.answers;
  failure.fault = number;
  if (const auto lasts_us = draw_lasts(core_.scenario(), fault)) {
    core_.schedule(EntryKind::kHangOver, core_.now_us() + *lasts_us, {.arg = number});
  }
  fail_ranks(*job, std::move(failure));
  expect_answer(*job);
  return true;
}

void World::hang_over(std::uint32_t number) {
  const FaultRecord& fault = faults_[number];
  if (fault.experiment) {
    trial_hang_over(number);
    return;
  }
  Job& job = jobs_[*fault.job];
  std::erase_if(job.late_failures, [number](const RankFailure& failure) {
    return failure.fault == number && !failure.gone;
  });
  if (has_processes(job)) {
    forget_failures(job, number);
  }
}

}  // namespace aftershock::sim
