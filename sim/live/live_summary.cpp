#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/ledger/ledger_record.h"
#include "reports/render/format.h"
#include "reports/results/metrics.h"
#include "sim/live/live_run.h"
#include "sim/results/describe.h"
#include "sim/results/judge.h"
#include "sim/scenario/faults/fault_catalogue.h"

// The header and the end of a live run's recording.
namespace aftershock::sim::live {

namespace {

using reports::Bucket;
using reports::EndState;
using reports::Verdict;

// The driver tells of a fault when it has struck, which takes it a moment.
constexpr std::int64_t kTellingUs = 1'000'000;

/// Why a fault that nobody told of did not strike: the run was over first. None: it was due, and
/// the driver has not done its work.
std::optional<std::string> why_not_due(const scenario::FaultSpec& fault, std::int64_t end_us,
                                       int speed, std::int64_t step) {
  const std::string end = reports::format_duration(end_us);
  if (fault.at_us) {
    const std::int64_t due_us = *fault.at_us / speed;
    return due_us + kTellingUs > end_us
               ? std::optional(fmt::format("the run ended at {}, and it was to come at {}", end,
                                           reports::format_duration(due_us)))
               : std::nullopt;
  }
  if (fault.at_step) {
    return *fault.at_step >= step
               ? std::optional(fmt::format("the run ended at {}, at step {}, and it was to come at "
                                           "step {}",
                                           end, step, *fault.at_step))
               : std::nullopt;
  }
  return fmt::format("the run ended at {}, before the moment that it waited for", end);
}

std::string words_of(const scenario::Scenario& scenario, const FaultTold& missed) {
  return fmt::format("fault {} did not strike{}{}", scenario.faults[missed.fault].id,
                     missed.why.empty() ? "" : ": ", missed.why);
}

}  // namespace

void LiveRun::write_header() {
  if (sink_ == nullptr || header_written_) {
    return;
  }
  header_written_ = true;
  reports::RecordingHeader header = results::describe_scenario(scenario_);
  const std::string policy = begun_ ? begun_->policy : scenario_.jobs.front().policy.name;
  header.policy = policy;
  header.jobs.front().policy = policy;
  header.policies.push_back({policy, rules_.rules, rules_.states, rules_.budgets});
  if (begun_) {
    header.live = reports::HeaderLive{.backend = begun_->backend,
                                      .versions = begun_->versions,
                                      .isolation = begun_->isolation,
                                      .clock = begun_->clock,
                                      .addresses = begun_->addresses,
                                      .speed = speed_};
  }
  reports::write_header(*sink_, header);
}

EndState LiveRun::state_at_end() const {
  if (end_ && end_->outcome == "completed") return EndState::kCompleted;
  if (end_ && end_->outcome == "failed") return EndState::kFailed;
  if (end_ && end_->outcome == "aborted") return EndState::kAborted;
  if (standing_ == Standing::kRunning) return EndState::kTraining;
  if (phase_ == scenario::Phase::kWaitingForCapacity) return EndState::kWaiting;
  return attempts_ <= 1 && step_ == scenario_.jobs.front().initial_steps ? EndState::kStarting
                                                                         : EndState::kRecovering;
}

std::vector<std::string> LiveRun::fault_ids() const {
  std::vector<std::string> ids;
  for (const Strike& strike : strikes_) {
    ids.push_back(strike.id);
  }
  return ids;
}

void LiveRun::close_spans() {
  record_holdings({});
  recorder_.end(now_us_, phase_span_);
  if (attempt_span_ != 0) {
    recorder_.end(now_us_, attempt_span_);
  }
  for (const auto& [node, span] : down_) {
    recorder_.end(now_us_, span);
  }
  const std::string reason = end_ ? end_->reason : invalid_;
  recorder_.instant(
      now_us_, {reports::EntityKind::kJob, 0}, "ended",
      {{"reason", 0, reason.empty() ? std::string_view("-") : reason}, {"steps", step_}});
}

reports::JobSummary LiveRun::job_summary() const {
  const scenario::JobSpec& spec = scenario_.jobs.front();
  reports::JobSummary job;
  job.name = spec.name;
  job.policy = begun_ ? begun_->policy : spec.policy.name;
  job.outcome = end_ ? end_->outcome : "running";
  job.reason = end_ ? end_->reason : invalid_;
  job.vendor_state = state_;
  job.steps = spec.steps;
  job.steps_done = step_;
  job.at_end = state_at_end();
  job.wall_us = ledger_.wall_us();
  job.ledger_us = ledger_.totals_us();
  job.ledger_accelerator_us = ledger_.accelerator_totals_us();
  job.reduced_accelerator_us = ledger_.reduced_accelerator_us();
  job.lost_accelerator_us = job.ledger_accelerator_us[index_of(Bucket::kRolledBack)];
  job.lost_steps = lost_steps_;
  job.lost_us = lost_us_;
  job.attempts = attempts_;
  job.checkpoints_committed = commits_;
  job.recoveries = recoveries_;
  for (reports::Recovery& recovery : job.recoveries) {
    for (std::size_t number = 0; number < strikes_.size(); ++number) {
      if (strikes_[number].id == recovery.fault) {
        const auto by_bucket = ledger_.fault_totals_us(static_cast<std::uint32_t>(number));
        recovery.cost_us += std::accumulate(by_bucket.begin(), by_bucket.end(), std::int64_t{0});
      }
    }
  }
  job.budgets = budgets_;
  job.rules = rules_applied_;
  const std::int64_t productive_us = job.ledger_us[index_of(Bucket::kProductive)];
  if (job.wall_us > 0) {
    job.ettr = static_cast<double>(productive_us) / static_cast<double>(job.wall_us);
  }
  // A job that does not train at the end has what is saved, as a simulated one.
  const bool holds = job.at_end == EndState::kCompleted || job.at_end == EndState::kTraining;
  const std::int64_t kept = holds ? step_ : std::min(committed_, step_);
  job.useful.us = holds ? productive_us : productive_at(kept);
  job.useful.steps = std::max<std::int64_t>(0, kept - spec.initial_steps);
  job.useful.accelerator_us = job.useful.us * spec.workers;
  job.useful.of_us = job.at_end == EndState::kCompleted
                         ? job.wall_us
                         : std::max(job.wall_us, scenario_.until_us.value_or(0) / speed_);
  if (job.at_end == EndState::kCompleted) {
    job.finish_us = now_us_;
  }
  if (job.at_end == EndState::kFailed || job.at_end == EndState::kAborted) {
    job.stranded_steps = job.steps_done;
    job.stranded_accelerator_us = job.ledger_accelerator_us[index_of(Bucket::kProductive)];
  }
  return job;
}

void LiveRun::fill_faults(reports::RunSummary& summary) const {
  for (const Strike& strike : strikes_) {
    const auto kind = scenario_.faults[strike.spec].effects.front().effect.kind;
    reports::FaultCounts& counts = summary.faults[std::string(scenario::name_of(kind))];
    ++counts.injected;
    ++counts.fired;
    counts.detected += strike.detected ? 1 : 0;
  }
  for (const FaultTold& missed : missed_) {
    const scenario::FaultSpec& spec = scenario_.faults[missed.fault];
    const std::string kind(scenario::name_of(spec.effects.front().effect.kind));
    ++summary.faults[kind].injected;
    summary.never_struck.push_back({spec.id, kind, missed.why});
  }
  for (const std::uint32_t index : untold()) {
    const scenario::FaultSpec& spec = scenario_.faults[index];
    const std::string kind(scenario::name_of(spec.effects.front().effect.kind));
    ++summary.faults[kind].injected;
    summary.never_struck.push_back({spec.id, kind,
                                    why_not_due(spec, now_us_, speed_, high_water_)
                                        .value_or("the driver did not tell of it")});
  }
}

std::vector<std::uint32_t> LiveRun::untold() const {
  std::vector<bool> told(scenario_.faults.size());
  for (const Strike& strike : strikes_) {
    told[strike.spec] = true;
  }
  for (const FaultTold& missed : missed_) {
    told[missed.fault] = true;
  }
  std::vector<std::uint32_t> untold;
  for (std::uint32_t index = 0; index < told.size(); ++index) {
    if (!told[index]) {
      untold.push_back(index);
    }
  }
  return untold;
}

std::string LiveRun::overdue() const {
  for (const std::uint32_t index : untold()) {
    if (!why_not_due(scenario_.faults[index], now_us_, speed_, high_water_)) {
      return fmt::format("fault {} was due, and the driver did not tell of it",
                         scenario_.faults[index].id);
    }
  }
  return {};
}

// All in which the run was not as the scenario has it.
void LiveRun::fill_warnings(reports::RunSummary& summary) const {
  const scenario::JobSpec& job = scenario_.jobs.front();
  const scenario::Transport transport = job.collectives.transport;
  if (begun_ && begun_->backend != "ray" && transport != scenario::Transport::kGloo) {
    summary.warnings.push_back(
        fmt::format("job {}: collectives of {} are gloo's in a live run: a rank hears at once that "
                    "a peer's process has ended",
                    job.name, transport == scenario::Transport::kHccl ? "hccl" : "nccl"));
  }
  for (const FaultTold& told : inexact_) {
    summary.warnings.push_back(
        fmt::format("fault {}: {}", scenario_.faults[told.fault].id, told.why));
  }
}

reports::RunSummary LiveRun::finish(std::string_view why) {
  if (!why.empty() && invalid_.empty()) {
    invalid_ = why;
  }
  if (!header_written_) {
    write_header();
  }
  if (phase_span_ == 0) {
    enter(scenario::Phase::kLaunching, reports::Cause::first_start());
  }
  // A job that does not complete leaves what its last checkpoint holds, here as in a simulated run.
  if (const EndState state = state_at_end();
      state == EndState::kFailed || state == EndState::kAborted) {
    resume_from(committed_);
  }
  ledger_.close(now_us_);
  close_spans();
  reports::RunSummary summary;
  summary.scenario = scenario_.name;
  summary.question = scenario_.question;
  summary.policy = begun_ ? begun_->policy : scenario_.jobs.front().policy.name;
  summary.seed = scenario_.seed;
  summary.hash = recorder_.hash();
  summary.simulated_us = now_us_;
  summary.events = recorder_.records();
  summary.jobs.push_back(job_summary());
  fill_faults(summary);
  fill_warnings(summary);
  const nlohmann::ordered_json told = reports::to_json(summary);
  summary.expect = results::judge(scenario_.expect, told, reports::metric_values(summary));
  const bool met = std::ranges::all_of(summary.expect, &reports::ExpectResult::ok);
  if (!invalid_.empty()) {
    summary.verdict = Verdict::kInvalid;
    summary.verdict_reason = invalid_;
  } else if (!missed_.empty()) {
    summary.verdict = Verdict::kInvalid;
    summary.verdict_reason = words_of(scenario_, missed_.front());
  } else if (std::string fault = overdue(); !fault.empty()) {
    summary.verdict = Verdict::kInvalid;
    summary.verdict_reason = std::move(fault);
  } else if (!met) {
    const auto failed = std::ranges::find(summary.expect, false, &reports::ExpectResult::ok);
    summary.verdict = Verdict::kFailed;
    summary.verdict_reason = fmt::format("expectation {} {}", failed->at, failed->wanted);
  }
  if (sink_ != nullptr) {
    recorder_.ledger(now_us_, {reports::EntityKind::kJob, 0},
                     reports::ledger_record_members(ledger_, fault_ids()));
    recorder_.summary(now_us_, reports::to_json_line(summary));
    recorder_.end_of_run(now_us_);
  }
  return summary;
}

}  // namespace aftershock::sim::live
