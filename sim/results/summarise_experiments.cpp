#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/faults/fault_record.h"
#include "sim/results/describe.h"
#include "sim/results/summary_parts.h"
#include "sim/results/useful_work.h"
#include "sim/world/world.h"

namespace aftershock::sim::results {

namespace {

// Tune's words, so that a status that no trial has is counted too: none.
constexpr std::array<std::string_view, 5> kTuneStatuses{"PENDING", "RUNNING", "PAUSED",
                                                        "TERMINATED", "ERROR"};

void count_status(reports::ExperimentSummary& summary, std::string_view status) {
  auto& statuses = summary.statuses;
  auto place =
      std::ranges::find_if(statuses, [&](const auto& each) { return each.first == status; });
  // An external policy may have words of its own.
  if (place == statuses.end()) {
    place = statuses.emplace(statuses.end(), status, 0);
  }
  ++place->second;
}

}  // namespace

reports::ExperimentSummary experiment_summary(const world::World& world,
                                              const workload::Experiment& experiment,
                                              const FaultFreeRun& fault_free,
                                              const FaultTexts& texts) {
  const scenario::ExperimentSpec& spec = world.scenario().experiments[experiment.index];
  const policies::PolicyInfo& info = experiment.control.host.info();
  reports::ExperimentSummary summary;
  summary.name = spec.name;
  summary.policy = policy_title(info);
  summary.outcome = std::string(outcome_word(experiment.outcome));
  summary.reason = experiment.reason;
  summary.vendor_state = std::string(info.states[experiment.control.host.policy().state()]);
  if (experiment.submitted) {
    summary.wall_us = experiment.ended_us - spec.submit_us;
    summary.at_end = state_at_end(world, experiment);
    summary.useful = useful_work(world, experiment, fault_free);
    if (experiment.outcome == workload::Outcome::kCompleted) {
      summary.finish_us = experiment.ended_us;
    }
  }
  summary.ledger_us = experiment.ledger.totals_us();
  summary.ledger_accelerator_us = experiment.ledger.accelerator_totals_us();
  summary.lost_steps = experiment.lost_steps;
  summary.lost_us = experiment.lost_us;
  summary.lost_accelerator_us = experiment.ledger.accelerator_us(experiment.lost_us);
  for (const workload::Trial& trial : experiment.trials) {
    summary.attempts += trial.attempts;
  }
  summary.budgets = budgets_of(experiment.control.host, experiment.control.charges, texts);
  for (std::size_t i = 0; i < experiment.control.rules_applied.size(); ++i) {
    if (experiment.control.rules_applied[i]) {
      summary.rules.emplace_back(experiment.control.host.info().rules[i].id);
    }
  }
  for (const workload::ExperimentRestore& restore : experiment.restores) {
    summary.restores.push_back({restore.t_us, restore.trials});
    for (const std::uint32_t trial : restore.lost_trials) {
      summary.lost_trials.push_back(fmt::format("trial:{}", trial));
    }
  }
  for (const std::string_view status : kTuneStatuses) {
    summary.statuses.emplace_back(status, 0);
  }
  for (const policies::TrialState& state : experiment.control.host.policy().trials()) {
    reports::TrialSummary trial;
    trial.id = state.id;
    trial.status = std::string(state.status);
    trial.failures = state.failures;
    trial.restores = state.restores;
    // Of a trial that this experiment never started only its controller knows the steps.
    trial.iterations = spec.initial_steps + state.iteration;
    if (state.trial < experiment.trials.size()) {
      const workload::Trial& own = experiment.trials[state.trial];
      trial.iterations = own.attempts > 0 ? own.steps : trial.iterations;
      trial.lost_steps = own.lost_steps;
      trial.lost_us = own.lost_us;
    }
    count_status(summary, trial.status);
    summary.trials.push_back(std::move(trial));
  }
  return summary;
}

}  // namespace aftershock::sim::results
