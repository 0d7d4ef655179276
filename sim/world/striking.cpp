#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "policies/api/assert.h"
#include "sim/faults/source.h"
#include "sim/scenario/fault_catalogue.h"
#include "sim/world/arrivals.h"
#include "sim/world/entries.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// Faults: when they come, whom they hit, what they do.
namespace aftershock::sim {

namespace {

using reports::Entity;
using reports::EntityKind;

}  // namespace

void World::plan_faults() {
  for (std::uint32_t i = 0; i < scenario_->faults.size(); ++i) {
    const FaultSpec& fault = scenario_->faults[i];
    if (fault.at_us) {
      calendar_.push(*fault.at_us, EntryClass::kFault, static_cast<std::uint16_t>(What::kScripted),
                     i);
    } else if (fault.source) {
      Arrivals(*this).begin(i);
    }
  }
}

// The job whose process the fault finds at its target.
Job* World::job_on(const FaultRecord& fault) {
  if (!fault.job || !fault.pool || !pools_[*fault.pool].node(fault.node).up) {
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
    failure.visible_us = now_us_;
  }
}

void World::strike(std::uint32_t spec_index, std::uint64_t nth, std::optional<std::uint32_t> trial,
                   std::optional<std::uint32_t> unit) {
  const FaultSpec& spec = scenario_->faults[spec_index];
  FaultRecord fault;
  fault.spec = spec_index;
  fault.nth = nth;
  fault.branch = branch_;
  fault.trial_of_step = trial;
  fault.unit = unit;
  fault.t_us = now_us_;
  if (!jobs_.empty() && jobs_.front().ledger) {
    fault.phase = jobs_.front().phase;
  }
  if (spec.source && spec.source->occurrences) {
    fault.listed = static_cast<std::uint32_t>(nth);
    fault.nth = occurrence_of(*scenario_, fault)->nth;
  }
  const Occurrence* listed = occurrence_of(*scenario_, fault);
  fault.effect = listed != nullptr && listed->cause
                     ? *listed->cause
                     : draw_effect(*scenario_, spec_index, follower(fault.nth, 0), branch_);
  resolve_target(spec, fault);
  if (strikes_ != nullptr) {
    strikes_->push_back(fault);
  }
  const auto number = static_cast<std::uint32_t>(faults_.size());
  faults_.push_back(fault);
  using Strike = bool (World::*)(std::uint32_t);
  // In the order of FaultKind.
  static constexpr std::array<Strike, kFaultKinds> kStrikes{
      &World::crash_node,       &World::preempt,           &World::trouble_network,
      &World::crash_worker,     &World::break_accelerator, &World::hang,
      &World::head_down,        &World::exhaust_memory,    &World::fill_disk,
      &World::interrupt,        &World::tear_snapshot,     &World::sabotage_upload,
      &World::sabotage_report,  &World::break_hook,        &World::unshare_storage,
      &World::head_down,        &World::delete_checkpoint, &World::spoil_snapshot,
      &World::begin_storm,      &World::trouble_network,   &World::trouble_network,
      &World::trouble_network,  &World::trouble_network,   &World::trouble_network,
      &World::trouble_network,  &World::spoil_checkpoint,  &World::spoil_checkpoint,
      &World::trouble_network,  &World::trouble_network,   &World::trouble_machines,
      &World::trouble_machines, &World::trouble_machines,  &World::trouble_machines,
      &World::trouble_machines, &World::trouble_machines,  &World::crash_policy};
  const auto kind = static_cast<std::size_t>(effect_of(fault).kind);
  if (!(this->*kStrikes[kind])(number)) {
    record_fault(number);
    ++masked_[kind];
    faults_.pop_back();  // nothing will ever refer to it
  }
}

void World::record_fault(std::uint32_t number) {
  watchman_.struck(number);
  const FaultRecord& fault = faults_[number];
  const FaultEffect& effect = effect_of(fault);
  const std::uint64_t words[] = {number,     fault.spec, fault.effect,
                                 fault.node, fault.rank, fault.fired ? 1U : 0U};
  std::string body;
  if (recorder_.writing()) {
    body = fmt::format(R"("number":{},"id":{},"kind":"{}","what":{},"target":{},"outcome":"{}")",
                       number, json_text(fault_id(*scenario_, fault)), name_of(effect.kind),
                       json_text(effect.label), json_text(fault_place(*scenario_, fault)),
                       fault.fired ? "fired" : "masked");
  }
  const bool rack = fault.domain && !fault.loses_power;
  const bool whole = fault.pool && (fault.nodes == 0 || fault.domain);
  const Entity on = rack               ? Entity{EntityKind::kRack, *fault.pool, *fault.domain}
                    : whole            ? Entity{EntityKind::kPool, *fault.pool}
                    : fault.head       ? Entity{EntityKind::kHead, *fault.head}
                    : fault.storage    ? Entity{EntityKind::kStorage, *fault.storage}
                    : fault.pool       ? Entity{EntityKind::kNode, *fault.pool, fault.node}
                    : fault.job        ? Entity{EntityKind::kJob, *fault.job}
                    : fault.experiment ? Entity{EntityKind::kTrial, *fault.experiment, fault.trial}
                                       : Entity{EntityKind::kRun};
  recorder_.custom(now_us_, reports::RecordKind::kFault, on, words, body);
}

std::optional<std::int64_t> World::draw_lasts(const FaultRecord& fault) const {
  if (const Occurrence* listed = occurrence_of(*scenario_, fault);
      listed != nullptr && listed->lasts_us) {
    return listed->lasts_us;
  }
  const FaultEffect& effect = effect_of(fault);
  const RandomDraw draw(fault_key(*scenario_, fault.spec, fault.branch), fault.nth,
                        Purpose::kLasts);
  if (effect.lasts) {
    return draw_us(*effect.lasts, draw);
  }
  if (!effect.until_repaired || !fault.pool) {
    return std::nullopt;
  }
  const PoolSpec& pool = scenario_->cluster.pools[*fault.pool];
  const auto& law = fault.accelerator && of_device(effect.kind)
                        ? pool.device_repairs[static_cast<std::size_t>(effect.needs)]
                        : pool.repair;
  return law ? std::optional(draw_us(*law, draw)) : std::nullopt;
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
  faults_[number].fired = true;
  record_fault(number);
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
  faults_[number].fired = true;
  record_fault(number);
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
  if (const auto lasts_us = draw_lasts(fault)) {
    calendar_.push(now_us_ + *lasts_us, EntryClass::kFault,
                   static_cast<std::uint16_t>(What::kHangOver), 0, 0, number);
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
