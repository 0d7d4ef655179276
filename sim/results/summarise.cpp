#include "sim/results/summarise.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"
#include "sim/faults/fault_record.h"
#include "sim/results/describe.h"
#include "sim/results/judge.h"
#include "sim/results/summarise_faults.h"
#include "sim/results/summary_parts.h"
#include "sim/results/useful_work.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/scenario/holders.h"
#include "sim/workload/checkpoint_name.h"
#include "sim/workload/recoveries.h"
#include "sim/world/closing.h"
#include "sim/world/findings.h"
#include "sim/world/liveness.h"
#include "sim/world/stuck.h"
#include "sim/world/world.h"

namespace aftershock::sim::results {

namespace {

using reports::Bucket;
using reports::RunSummary;
using reports::Verdict;

std::vector<reports::PodSummary> pods_of(const workload::Job& job) {
  std::vector<reports::PodSummary> summaries;
  for (const policies::PodEnv& pods : job.pods.pod_env) {
    reports::PodSummary& started = summaries.emplace_back();
    started.ranks = policies::to_line(pods.ranks);
    for (const policies::Variable& variable : pods.variables) {
      started.env.emplace_back(variable.name, variable.value);
    }
  }
  return summaries;
}

std::vector<reports::Recovery> recoveries_of(const workload::Job& job, const FaultTexts& texts) {
  const policies::PolicyInfo& info = job.control.host.info();
  const std::vector<std::int64_t> costs_us = workload::story_costs_us(job);
  std::vector<reports::Recovery> recoveries;
  recoveries.reserve(job.account.recoveries.size());
  for (const workload::Recovery& told : job.account.recoveries) {
    const std::int64_t cost_us = costs_us[recoveries.size()];
    reports::Recovery& recovery = recoveries.emplace_back();
    recovery.detected_us = told.detected_us;
    recovery.running_us = told.running_us;
    recovery.caught_up_us = told.caught_up_us;
    recovery.lost_us = told.lost_us;
    recovery.cost_us = cost_us;
    if (!texts.wanted) {
      continue;
    }
    recovery.fault = texts.ids[told.fault];
    recovery.what = texts.words[told.fault];
    recovery.rules.reserve(told.rules.size());
    for (const std::uint16_t rule : told.rules) {
      recovery.rules.emplace_back(info.rules[rule].id);
    }
  }
  return recoveries;
}

std::string name_of_checkpoint(const world::World& world, const workload::Job& job,
                               std::uint32_t id) {
  const workload::Checkpoint* found = workload::find_checkpoint(job, id);
  return workload::checkpoint_name({job.control.host.info().name, world.scenario().start}, id,
                                   found != nullptr ? found->named_us : 0);
}

// The checkpoint that it left in storage.
void add_result(const world::World& world, const workload::Job& job, reports::JobSummary& summary) {
  const scenario::JobSpec& spec = world.scenario().jobs[job.index];
  const policies::PolicyInfo& info = job.control.host.info();
  if (job.control.drivers > 0 && !job.control.run_key.empty()) {
    summary.result_path = world.driver_runs[job.control.driver_run].run;
  } else if (!spec.run.storage_path.empty() || !spec.run.name.empty()) {
    summary.result_path = fmt::format("{}/{}", spec.run.storage_path, spec.run.name);
  }
  if (job.saved.committed != 0) {
    summary.result_checkpoint = name_of_checkpoint(world, job, job.saved.committed);
  }
  const bool v1 = info.name == "ray_train_v1";
  if (v1 && spec.run.sync_artifacts) {
    workload::Artifacts artifacts = job.saved.artifacts;
    if (job.stage != workload::Stage::kEnded) {
      workload::stop_writing(artifacts, spec.run.sync_period_us, world.now_us());
    }
    summary.artifacts = {artifacts.synced_us, artifacts.lost_us};
  }
  if (const auto best = job.control.host.policy().result().best) {
    summary.result_best = name_of_checkpoint(world, job, *best);
  }
}

reports::JobSummary job_summary(const world::World& world, const workload::Job& job,
                                const FaultFreeRun& fault_free, const FaultTexts& texts) {
  const scenario::JobSpec& spec = world.scenario().jobs[job.index];
  const policies::PolicyInfo& info = job.control.host.info();
  reports::JobSummary summary;
  summary.name = spec.name;
  summary.policy = policy_title(info);
  summary.outcome = std::string(outcome_word(job.outcome));
  summary.reason =
      job.stage == workload::Stage::kEnded ? job.reason : world::circling_words(world, job);
  summary.unplaced = job.wait.unplaced_words;
  summary.left_reserved = world::left_reserved_words(world, job);
  summary.vendor_state = std::string(info.states[job.control.host.policy().state()]);
  summary.steps = spec.steps;
  summary.steps_done = job.training.work_us / spec.step_us;
  summary.attempts = job.attempts;
  summary.false_alarms = job.account.false_alarms;
  summary.checkpoints_committed = job.saved.committed_count;
  summary.lost_steps = job.account.lost_steps;
  summary.lost_us = job.account.lost_us;
  summary.stale_accelerator_us = job.account.stale_accelerator_us;
  summary.budgets = budgets_of(job.control.host, job.control.charges, texts);
  for (std::size_t i = 0; i < job.control.rules_applied.size(); ++i) {
    if (job.control.rules_applied[i]) {
      summary.rules.emplace_back(info.rules[i].id);
    }
  }
  summary.pods = pods_of(job);
  if (!job.ledger) {
    return summary;  // never submitted
  }
  summary.at_end = state_at_end(world, job);
  summary.useful = useful_work(world, job, fault_free);
  if (job.outcome == workload::Outcome::kCompleted) {
    summary.finish_us = job.ended_us;
  }
  summary.wall_us = job.ledger->wall_us();
  summary.ledger_us = job.ledger->totals_us();
  summary.ledger_accelerator_us = job.ledger->accelerator_totals_us();
  summary.reduced_accelerator_us = job.ledger->reduced_accelerator_us();
  summary.lost_accelerator_us =
      summary.ledger_accelerator_us[static_cast<std::size_t>(Bucket::kRolledBack)];
  const std::int64_t productive_us =
      summary.ledger_us[static_cast<std::size_t>(Bucket::kProductive)];
  if (summary.wall_us > 0) {
    summary.ettr = static_cast<double>(productive_us) / static_cast<double>(summary.wall_us);
  }
  if (job.outcome == workload::Outcome::kFailed || job.outcome == workload::Outcome::kAborted) {
    // The saved work of a job that ended without completing serves nobody unless it begins again.
    summary.stranded_steps = summary.steps_done;
    summary.stranded_accelerator_us =
        summary.ledger_accelerator_us[static_cast<std::size_t>(Bucket::kProductive)];
  }
  summary.recoveries = recoveries_of(job, texts);
  add_result(world, job, summary);
  return summary;
}

reports::DriverRun driver_run(const world::World& world, const drivers::DriverRun& run) {
  reports::DriverRun out;
  const auto name = [&](std::uint32_t holder) -> const std::string& {
    return scenario::of_holder(world.scenario(), holder,
                               [](const auto& spec) -> const std::string& { return spec.name; });
  };
  out.job = name(run.job);
  out.nth = run.nth;
  out.run = run.run;
  out.found = "nothing";
  if (run.found_job) {
    const bool experiment = world::experiment_of(world, run.job) != nullptr ||
                            world::experiment_of(world, *run.found_job) != nullptr;
    out.found = !run.torn.empty() ? fmt::format("a torn {}", run.torn)
                : experiment      ? "the state of an earlier experiment"
                                  : fmt::format("step {} of job {}", run.found_steps.value_or(0),
                                                name(*run.found_job));
  }
  out.started_us = run.started_us;
  const std::uint32_t head =
      scenario::of_holder(world.scenario(), run.job, [](const auto& spec) { return spec.head; });
  if (const auto& restart = world.scenario().cluster.heads[head].restart; restart && run.nth > 1) {
    out.started_by = restart->by == scenario::RestartBy::kOperator ? "operator" : "submitter";
  }
  out.ended_us = run.ended_us;
  if (run.ended_by) {
    out.ended_by = faults::fault_id(world.scenario(), world.faults[*run.ended_by]);
  }
  return out;
}

// Whether the fault did what the scenario says it must; the reason if not.
std::optional<std::string> unmet(const world::World& world, std::uint32_t spec_index) {
  const scenario::FaultSpec& spec = world.scenario().faults[spec_index];
  if (spec.require == scenario::Requirement::kNone) {
    return std::nullopt;
  }
  bool fired = false;
  bool detected = false;
  bool caused_restart = false;
  for (const faults::FaultRecord& fault : world.faults.records()) {
    // Any one of a source's occurrences will do.
    if (fault.spec == spec_index) {
      fired = fired || fault.fired;
      detected = detected || fault.detected;
      caused_restart = caused_restart || fault.caused_restart;
    }
  }
  if (!fired) {
    return fmt::format("fault {} was required to fire and did not", spec.id);
  }
  if (spec.require != scenario::Requirement::kFired && !detected) {
    return fmt::format("fault {} was required to be detected and was not", spec.id);
  }
  if (spec.require == scenario::Requirement::kCausedRestart && !caused_restart) {
    return fmt::format("fault {} was required to cause a restart and did not", spec.id);
  }
  return std::nullopt;
}

/// Whether it may be about recoveries, charges or trials: it names them, or all of a job, an
/// experiment or a budget.
bool looks_into_lists(const std::string& at) {
  const auto depth = std::ranges::count(at, '/');
  if (!at.starts_with("/jobs") && !at.starts_with("/experiments")) {
    return at.empty();
  }
  return depth < 3 || at.find("/recoveries") != std::string::npos ||
         at.find("/rules") != std::string::npos || at.find("/pods") != std::string::npos ||
         at.find("/trials") != std::string::npos ||
         (at.find("/budgets") != std::string::npos &&
          (depth < 5 || at.find("/charges") != std::string::npos));
}

bool needs_lists(const scenario::Expectation& expectation) {
  if (!expectation.that) return looks_into_lists(expectation.at);
  return std::ranges::any_of(expectation.that->terms, [](const scenario::Term& term) {
    return term.kind == scenario::Term::Kind::kMetric && looks_into_lists(term.name);
  });
}

/// The values of a condition are few and short; what else is a list or an object may be long.
std::string short_text(const reports::ExpectResult& result) {
  const nlohmann::ordered_json& got = result.got;
  if (!result.at.starts_with('/') && got.is_object()) return policies::text_from_json(got);
  return got.is_array() ? "a list" : got.is_object() ? "an object" : policies::text_from_json(got);
}

/// Why a policy failed that was asked how it stands at the end; empty: none did.
std::string_view late_failure(const world::World& world) {
  for (const workload::Job& job : world.jobs) {
    if (const auto why = job.control.host.policy().failure(); !why.empty()) {
      return why;
    }
  }
  for (const workload::Experiment& experiment : world.experiments) {
    if (const auto why = experiment.control.host.policy().failure(); !why.empty()) {
      return why;
    }
  }
  return {};
}

void judge_run(const world::World& world, RunSummary& summary) {
  const auto failed_expectations = std::ranges::count_if(
      summary.expect, [](const reports::ExpectResult& result) { return !result.ok; });
  if (world.core.policy_failed()) {
    summary.verdict = Verdict::kPolicyFailed;
    summary.verdict_reason = world.core.cut_short_by();
    return;
  }
  if (const auto why = late_failure(world); !why.empty()) {
    summary.verdict = Verdict::kPolicyFailed;
    summary.verdict_reason = why;
    return;
  }
  // Demands on the whole run cannot be held against one that did not get to its end.
  const bool ended = world.core.cut_short_by().empty();
  for (std::uint32_t i = 0; ended && i < world.scenario().faults.size(); ++i) {
    if (const auto why = unmet(world, i)) {
      summary.verdict = Verdict::kInvalid;
      summary.verdict_reason += (summary.verdict_reason.empty() ? "" : "; ") + *why;
    }
  }
  // In the order in which commands over many runs rank their verdicts.
  if (summary.verdict == Verdict::kInvalid) {
    return;
  }
  if (world::stuck(world)) {
    summary.verdict = Verdict::kStuck;
    summary.verdict_reason = world::stuck_reason(world);
  } else if (const std::string idle = idle_reason(world); ended && !idle.empty()) {
    summary.verdict = Verdict::kStuck;
    summary.verdict_reason = idle;
  } else if (!summary.violations.empty()) {
    // One of liveness is about a run that gets nowhere.
    const bool alive = summary.violations.front().id.front() != 'L';
    summary.verdict = alive ? Verdict::kFailed : Verdict::kStuck;
    summary.verdict_reason = fmt::format("invariant {} violated: {}", summary.violations.front().id,
                                         summary.violations.front().what);
  } else if (!ended) {
    summary.verdict = Verdict::kInconclusive;
    summary.verdict_reason = world.core.cut_short_by() + world::circling_jobs(world);
  } else if (failed_expectations > 0) {
    summary.verdict = Verdict::kFailed;
    const auto first = std::ranges::find(summary.expect, false, &reports::ExpectResult::ok);
    summary.verdict_reason =
        fmt::format("{} of {} expectations failed: {}: wanted {}, got {}", failed_expectations,
                    summary.expect.size(), first->at, first->wanted, short_text(*first));
  }
}

// The time of nodes that nobody used, and the cost of all.
void add_pools(const world::World& world, RunSummary& summary) {
  const scenario::Scenario& scenario = world.scenario();
  double cost = 0;
  double cost_reserved = 0;
  bool priced = false;
  double node_us = 0;
  double up_us = 0;
  std::int64_t all_up_us = 0;
  for (std::size_t i = 0; i < world.machines.pools().size(); ++i) {
    const machines::PoolUsage& usage = world.machines.pools()[i].usage();
    const scenario::PoolSpec& pool = scenario.cluster.pools[i];
    node_us += static_cast<double>(pool.nodes + pool.spares) * static_cast<double>(world.now_us());
    up_us += static_cast<double>(usage.up_us);
    summary.node_us += std::int64_t{pool.nodes + pool.spares} * world.now_us();
    all_up_us += usage.up_us;
    summary.idle_spares_us += usage.spares_idle_us;
    summary.idle_isolated_us += usage.isolated_us;
    summary.idle_repairing_us += usage.repairing_us;
    constexpr double kMicrosPerHour = 3.6e9;
    const double hours = static_cast<double>(usage.up_us) / kMicrosPerHour;
    const double price = pool.price_per_node_hour.value_or(0);
    const double reserved = pool.reserved_price_per_node_hour.value_or(price);
    priced = priced || pool.price_per_node_hour || pool.reserved_price_per_node_hour;
    cost += price * hours;
    cost_reserved += reserved * hours;
  }
  // Nodes provisioned beyond them make up for some.
  summary.down_us = std::max<std::int64_t>(0, summary.node_us - all_up_us);
  summary.unavailability = node_us > up_us ? 1 - up_us / node_us : 0;
  if (priced) {
    summary.cost = cost;
    summary.cost_reserved = cost_reserved;
  }
}

}  // namespace

RunSummary summarise(world::World& world, const FaultFreeRun& fault_free,
                     const std::vector<std::string>& warnings, bool words) {
  const scenario::Scenario& scenario = world.scenario();
  const bool lists = std::ranges::any_of(scenario.expect, needs_lists);
  RunSummary summary;
  summary.scenario = scenario.name;
  summary.question = scenario.question;
  summary.policy = !world.jobs.empty()
                       ? policy_title(world.jobs.front().control.host.info())
                       : policy_title(world.experiments.front().control.host.info());
  summary.seed = scenario.seed;
  summary.hash = world.core.recorder().hash();
  summary.simulated_us = world.now_us();
  summary.warnings = warnings;
  const FaultTexts texts = words || lists ? texts_of(world) : FaultTexts{};
  for (const workload::Job& job : world.jobs) {
    summary.jobs.push_back(job_summary(world, job, fault_free, texts));
  }
  for (const workload::Experiment& experiment : world.experiments) {
    summary.experiments.push_back(experiment_summary(world, experiment, fault_free, texts));
  }
  for (const drivers::DriverRun& run : world.driver_runs.all()) {
    summary.driver_runs.push_back(driver_run(world, run));
    // Train V1 and Tune resume what they are told to; Train V2 whatever has the name.
    const bool by_name = run.resumed && world::job_of(world, run.job) != nullptr &&
                         world::job_of(world, run.job)->control.host.info().name == "ray_train";
    if (by_name && run.found_job && *run.found_job != run.job) {
      summary.warnings.push_back(fmt::format("job {} resumed the run of job {}: both are called {}",
                                             scenario.jobs[run.job].name,
                                             scenario.jobs[*run.found_job].name, run.run));
    }
  }
  add_pools(world, summary);
  summarise_faults(world, summary);
  summary.invariants_checked = world::invariants_checked(world);
  summary.violations = world.violations;
  world::judge_liveness(world, summary);
  summary.events = world.core.recorder().records();
  if (!scenario.expect.empty()) {
    // Behind all else but the verdict, which depends on it: an expectation may be about violations.
    summary.expect =
        judge(scenario.expect, reports::to_json(summary, lists), reports::metric_values(summary));
  }
  judge_run(world, summary);
  return summary;
}

}  // namespace aftershock::sim::results
