#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"
#include "reports/json/json_tree.h"
#include "reports/json/json_writer.h"
#include "reports/ledger/bucket_json.h"
#include "reports/ledger/summary.h"

namespace aftershock::reports {

namespace {

constexpr int kSchema = 1;

void write_json(JsonWriter& json, const nlohmann::ordered_json& of) {
  json.raw(text_from_json(of));
}
void write_json(JsonTree& json, const nlohmann::ordered_json& of) { json.value(of); }

void write_or_null(auto& json, std::string_view key, const std::string& text) {
  json.key(key);
  text.empty() ? json.value(nullptr) : json.value(text);
}

void write(auto& json, const Charge& charge) {
  json.open_object();
  json.member("t_us", charge.t_us);
  write_or_null(json, "fault", charge.fault);
  json.member("cause", charge.cause);
  json.member("decision", charge.decision);
  json.member("rule", charge.rule);
  json.member("used", charge.used);
  json.member("exempt", charge.exempt);
  json.close_object();
}

void write(auto& json, const BudgetSummary& budget, bool lists) {
  json.open_object();
  json.member("used", budget.used);
  json.member("limit", budget.limit);
  json.member("exhausted", budget.exhausted);
  if (budget.by_agent) {
    json.member("by_agent", true);
  }
  json.key("charges");
  json.open_array();
  for (std::size_t i = 0; lists && i < budget.charges.size(); ++i) {
    write(json, budget.charges[i]);
  }
  json.close_array();
  json.close_object();
}

void write(auto& json, EndState at_end, const UsefulWork& useful,
           const std::optional<std::int64_t>& finish_us) {
  json.member("at_end", name_of(at_end));
  json.member("useful_us", useful.us);
  json.member("useful_of_us", useful.of_us);
  json.member("useful_share", useful.share());
  json.member("useful_accelerator_us", useful.accelerator_us);
  json.member("finish_us", finish_us);
}

void write_rules(auto& json, const std::vector<std::string>& rules, bool lists) {
  json.key("rules");
  json.open_array();
  for (std::size_t i = 0; lists && i < rules.size(); ++i) {
    json.value(rules[i]);
  }
  json.close_array();
}

void write(auto& json, const Recovery& recovery) {
  json.open_object();
  json.member("fault", recovery.fault);
  json.member("rules", recovery.rules);
  json.member("detected_us", recovery.detected_us);
  json.member("running_us", recovery.running_us);
  json.member("caught_up_us", recovery.caught_up_us);
  json.member("lost_us", recovery.lost_us);
  json.close_object();
}

void write_budgets(auto& json, const std::vector<std::pair<std::string, BudgetSummary>>& budgets,
                   bool lists) {
  json.key("budgets");
  json.open_object();
  for (const auto& [name, budget] : budgets) {
    json.key(name);
    write(json, budget, lists);
  }
  json.close_object();
}

void write_pods(auto& json, const std::vector<PodSummary>& pods, bool lists) {
  json.key("pods");
  json.open_array();
  for (std::size_t i = 0; lists && i < pods.size(); ++i) {
    json.open_object();
    json.member("ranks", pods[i].ranks);
    json.key("env");
    json.open_object();
    for (const auto& [name, value] : pods[i].env) {
      json.member(name, value);
    }
    json.close_object();
    json.close_object();
  }
  json.close_array();
}

void write(auto& json, const JobSummary& job, bool lists) {
  json.open_object();
  json.member("name", job.name);
  json.member("outcome", job.outcome);
  json.member("reason", job.reason);
  if (!job.unplaced.empty()) {
    json.member("unplaced", job.unplaced);
  }
  if (!job.left_reserved.empty()) {
    json.member("left_reserved", job.left_reserved);
  }
  json.member("vendor_state", job.vendor_state);
  json.member("wall_us", job.wall_us);
  json.member("steps", job.steps);
  json.member("steps_done", job.steps_done);
  write(json, job.at_end, job.useful, job.finish_us);
  json.member("useful_steps", job.useful.steps);
  json.member("ettr", job.ettr);
  write_totals(json, "ledger_us", job.ledger_us);
  write_accelerator_totals(json, "ledger_accelerator_us", job.ledger_accelerator_us,
                           job.reduced_accelerator_us);
  json.key("lost");
  json.open_object();
  json.member("steps", job.lost_steps);
  json.member("us", job.lost_us);
  json.member("accelerator_us", job.lost_accelerator_us);
  json.close_object();
  json.key("stranded");
  json.open_object();
  json.member("steps", job.stranded_steps);
  json.member("accelerator_us", job.stranded_accelerator_us);
  json.close_object();
  json.member("stale_accelerator_us", job.stale_accelerator_us);
  json.member("attempts", job.attempts);
  json.member("false_alarms", job.false_alarms);
  json.key("recoveries");
  json.open_array();
  for (std::size_t i = 0; lists && i < job.recoveries.size(); ++i) {
    write(json, job.recoveries[i]);
  }
  json.close_array();
  write_budgets(json, job.budgets, lists);
  write_rules(json, job.rules, lists);
  write_pods(json, job.pods, lists);
  json.key("result");
  json.open_object();
  write_or_null(json, "path", job.result_path);
  write_or_null(json, "checkpoint", job.result_checkpoint);
  write_or_null(json, "best", job.result_best);
  json.key("artifacts");
  if (job.artifacts) {
    json.open_object();
    json.member("synced_us", job.artifacts->synced_us);
    json.member("lost_us", job.artifacts->lost_us);
    json.close_object();
  } else {
    json.value(nullptr);
  }
  json.close_object();
  json.close_object();
}

void write(auto& json, const DriverRun& run) {
  json.open_object();
  json.member("job", run.job);
  json.member("nth", run.nth);
  json.member("run", run.run);
  json.member("found", run.found);
  json.member("started_us", run.started_us);
  json.member("started_by", run.started_by);
  json.member("ended_us", run.ended_us);
  write_or_null(json, "ended_by", run.ended_by);
  json.close_object();
}

void write_storage(auto& json, const RunSummary& summary) {
  json.key("storage");
  json.open_array();
  for (const StoredFolder& folder : summary.storage) {
    json.open_object();
    json.member("path", folder.path);
    json.key("files");
    json.open_array();
    for (const StoredFile& file : folder.files) {
      json.open_object();
      json.member("path", file.path);
      write_or_null(json, "what", file.what);
      json.close_object();
    }
    json.close_array();
    json.close_object();
  }
  json.close_array();
}

void write(auto& json, const TrialSummary& trial) {
  json.open_object();
  json.member("id", trial.id);
  json.member("status", trial.status);
  json.member("iterations", trial.iterations);
  json.member("failures", trial.failures);
  json.member("restores", trial.restores);
  json.key("lost");
  json.open_object();
  json.member("steps", trial.lost_steps);
  json.member("us", trial.lost_us);
  json.close_object();
  json.close_object();
}

void write(auto& json, const ExperimentSummary& experiment, bool lists) {
  json.open_object();
  json.member("name", experiment.name);
  json.member("policy", experiment.policy);
  json.member("outcome", experiment.outcome);
  json.member("reason", experiment.reason);
  json.member("vendor_state", experiment.vendor_state);
  json.member("wall_us", experiment.wall_us);
  write(json, experiment.at_end, experiment.useful, experiment.finish_us);
  json.key("statuses");
  json.open_object();
  for (const auto& [status, count] : experiment.statuses) {
    json.member(status, count);
  }
  json.close_object();
  write_totals(json, "ledger_us", experiment.ledger_us);
  write_totals(json, "ledger_accelerator_us", experiment.ledger_accelerator_us);
  json.key("lost");
  json.open_object();
  json.member("steps", experiment.lost_steps);
  json.member("us", experiment.lost_us);
  json.member("accelerator_us", experiment.lost_accelerator_us);
  json.close_object();
  json.member("attempts", experiment.attempts);
  write_budgets(json, experiment.budgets, lists);
  write_rules(json, experiment.rules, lists);
  json.key("restores");
  json.open_array();
  for (const RestoreSummary& restore : experiment.restores) {
    json.open_object();
    json.member("t_us", restore.t_us);
    json.member("trials", restore.trials);
    json.close_object();
  }
  json.close_array();
  json.member("lost_trials", experiment.lost_trials);
  json.key("trials");
  json.open_array();
  for (std::size_t i = 0; lists && i < experiment.trials.size(); ++i) {
    write(json, experiment.trials[i]);
  }
  json.close_array();
  json.close_object();
}

void write_cluster(auto& json, const RunSummary& summary) {
  json.key("cluster");
  json.open_object();
  json.key("idle_us");
  json.open_object();
  json.member("spares", summary.idle_spares_us);
  json.member("isolated", summary.idle_isolated_us);
  json.member("repairing", summary.idle_repairing_us);
  json.close_object();
  json.member("unavailability", summary.unavailability);
  json.member("cost", summary.cost);
  json.member("cost_reserved", summary.cost_reserved);
  json.close_object();
}

void write_faults(auto& json, const RunSummary& summary) {
  json.key("faults");
  json.open_object();
  for (const auto& [kind, counts] : summary.faults) {
    json.key(kind);
    json.open_object();
    json.member("injected", counts.injected);
    json.member("fired", counts.fired);
    json.member("masked", counts.masked);
    json.member("detected", counts.detected);
    json.close_object();
  }
  json.close_object();
  json.key("never_struck");
  json.open_array();
  for (const NeverStruck& fault : summary.never_struck) {
    json.open_object();
    json.member("fault", fault.fault);
    json.member("kind", fault.kind);
    json.member("why", fault.why);
    json.close_object();
  }
  json.close_array();
}

void write_judgement(auto& json, const RunSummary& summary) {
  json.key("invariants");
  json.open_object();
  json.member("checked", summary.invariants_checked);
  json.key("violated");
  json.open_array();
  for (const Violation& violation : summary.violations) {
    json.open_object();
    json.member("id", violation.id);
    json.member("what", violation.what);
    json.member("t_us", violation.t_us);
    json.close_object();
  }
  json.close_array();
  json.close_object();
  json.key("expect");
  json.open_array();
  for (const ExpectResult& result : summary.expect) {
    json.open_object();
    json.member("at", result.at);
    json.member("ok", result.ok);
    json.key("got");
    write_json(json, result.got);
    json.close_object();
  }
  json.close_array();
}

void write(auto& json, const RunSummary& summary, bool lists) {
  json.open_object();
  json.member("schema", kSchema);
  json.member("scenario", summary.scenario);
  if (!summary.question.empty()) {
    json.member("question", summary.question);
  }
  json.member("policy", summary.policy);
  json.member("seed", summary.seed);
  json.member("verdict", name_of(summary.verdict));
  if (!summary.verdict_reason.empty()) {
    json.member("verdict_reason", summary.verdict_reason);
  }
  json.member("hash", fmt::format("{:016x}", summary.hash));
  json.member("simulated_us", summary.simulated_us);
  json.member("warnings", summary.warnings);
  json.key("jobs");
  json.open_array();
  for (const JobSummary& job : summary.jobs) {
    write(json, job, lists);
  }
  json.close_array();
  json.key("experiments");
  json.open_array();
  for (const ExperimentSummary& experiment : summary.experiments) {
    write(json, experiment, lists);
  }
  json.close_array();
  json.key("driver_runs");
  json.open_array();
  for (const DriverRun& run : summary.driver_runs) {
    write(json, run);
  }
  json.close_array();
  if (!summary.storage.empty()) {
    write_storage(json, summary);
  }
  write_cluster(json, summary);
  write_faults(json, summary);
  write_judgement(json, summary);
  json.member("events", summary.events);
  json.close_object();
}

}  // namespace

std::string to_json_line(const RunSummary& summary, bool lists) {
  JsonWriter json;
  write(json, summary, lists);
  return std::string(json.text());
}

nlohmann::ordered_json to_json(const RunSummary& summary, bool lists) {
  JsonTree json;
  write(json, summary, lists);
  return json.take();
}

}  // namespace aftershock::reports
