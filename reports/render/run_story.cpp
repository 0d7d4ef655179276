#include "reports/render/run_story.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"

namespace aftershock::reports {

namespace {

// Statuses are told in the order in which they were written.
using Json = nlohmann::ordered_json;

// A recording may come from anywhere: what is missing or of another type reads as nothing.

const Json& member(const Json& object, const char* key) {
  static const Json kNothing;
  if (!object.is_object()) {
    return kNothing;
  }
  const auto place = object.find(key);
  return place == object.end() ? kNothing : *place;
}

std::string text_of(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<std::int64_t> integer_of(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

bool flag_of(const Json& object, const char* key, bool otherwise) {
  const Json& value = member(object, key);
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

Recovery recovery_of(const Json& json) {
  Recovery recovery;
  recovery.fault = text_of(json, "fault");
  for (const Json& rule : member(json, "rules")) {
    if (rule.is_string()) {
      recovery.rules.push_back(rule.get<std::string>());
    }
  }
  recovery.detected_us = integer_of(json, "detected_us");
  recovery.running_us = integer_of(json, "running_us");
  recovery.caught_up_us = integer_of(json, "caught_up_us");
  recovery.lost_us = integer_of(json, "lost_us").value_or(0);
  return recovery;
}

TrialSummary trial_of(const Json& json) {
  TrialSummary trial;
  trial.id = text_of(json, "id");
  trial.status = text_of(json, "status");
  trial.iterations = integer_of(json, "iterations").value_or(0);
  trial.failures = integer_of(json, "failures").value_or(0);
  trial.restores = integer_of(json, "restores").value_or(0);
  trial.lost_steps = integer_of(member(json, "lost"), "steps").value_or(0);
  trial.lost_us = integer_of(member(json, "lost"), "us").value_or(0);
  return trial;
}

/// How it stood at its end, and where its time went: of a job or an experiment.
template <class Summary>
void read_end(const Json& json, Summary& summary) {
  summary.at_end = end_state_named(text_of(json, "at_end"));
  summary.useful.us = integer_of(json, "useful_us").value_or(0);
  summary.useful.of_us = integer_of(json, "useful_of_us").value_or(0);
  for (std::size_t i = 0; i < kBucketCount; ++i) {
    const std::string bucket(kBucketNames[i]);
    summary.ledger_us[i] = integer_of(member(json, "ledger_us"), bucket.c_str()).value_or(0);
  }
}

/// All but the budgets, whose charges the decisions have told.
void read_experiment(const Json& json, ExperimentSummary& summary) {
  summary.policy = text_of(json, "policy");
  summary.outcome = text_of(json, "outcome");
  summary.reason = text_of(json, "reason");
  summary.vendor_state = text_of(json, "vendor_state");
  summary.wall_us = integer_of(json, "wall_us").value_or(0);
  read_end(json, summary);
  summary.attempts = integer_of(json, "attempts").value_or(0);
  summary.lost_steps = integer_of(member(json, "lost"), "steps").value_or(0);
  summary.lost_us = integer_of(member(json, "lost"), "us").value_or(0);
  if (const Json& statuses = member(json, "statuses"); statuses.is_object()) {
    for (const auto& status : statuses.items()) {
      summary.statuses.emplace_back(status.key(),
                                    integer_of(statuses, status.key().c_str()).value_or(0));
    }
  }
  for (const Json& restore : member(json, "restores")) {
    summary.restores.push_back(
        {integer_of(restore, "t_us").value_or(0), integer_of(restore, "trials").value_or(0)});
  }
  for (const Json& trial : member(json, "lost_trials")) {
    if (trial.is_string()) {
      summary.lost_trials.push_back(trial.get<std::string>());
    }
  }
  for (const Json& trial : member(json, "trials")) {
    summary.trials.push_back(trial_of(trial));
  }
  for (auto& [name, budget] : summary.budgets) {
    const Json& told = member(member(json, "budgets"), name.c_str());
    budget.used = integer_of(told, "used").value_or(budget.used);
    budget.limit = integer_of(told, "limit");
    budget.by_agent = flag_of(told, "by_agent", false);
  }
}

}  // namespace

void RunStory::add(const Record& record) {
  switch (record.kind) {
    case LineKind::kHeader:
      add_header(record.text);
      break;
    case LineKind::kFault:
      add_fault(record.text);
      break;
    case LineKind::kDecision:
      add_decision(record);
      break;
    case LineKind::kSummary:
      add_summary(record.text);
      break;
    default:
      break;
  }
}

RunStory::Job& RunStory::job_named(std::string_view name) {
  const auto [place, is_new] = job_places_.emplace(name, jobs_.size());
  if (is_new) {
    jobs_.emplace_back().summary.name = name;
  }
  return jobs_[place->second];
}

void RunStory::add_header(std::string_view text) {
  const auto header = parse_header(text);
  if (!header) {
    return;
  }
  for (const HeaderJob& job : header->jobs) {
    job_named(job.name).summary.policy = job.policy;
  }
  scenario_ = text_of(json_or_discarded<Json>(header->scenario_json), "name");
}

void RunStory::add_fault(std::string_view text) {
  const Json fault = json_or_discarded<Json>(text);
  if (text_of(fault, "outcome") == "masked") {
    return;
  }
  std::string words = text_of(fault, "what");
  if (words.empty()) {
    words = text_of(fault, "kind");
    const std::string target = text_of(fault, "target");
    words += words.empty() || target.empty() ? target : " " + target;
  }
  faults_[text_of(fault, "id")] = std::move(words);
}

RunStory::Experiment& RunStory::experiment_named(std::string_view name) {
  const auto found = std::ranges::find_if(
      experiments_, [name](const Experiment& one) { return one.summary.name == name; });
  if (found != experiments_.end()) {
    return *found;
  }
  experiments_.emplace_back().summary.name = name;
  return experiments_.back();
}

void RunStory::add_decision(const Record& record) {
  static constexpr std::string_view kJob = "job:";
  static constexpr std::string_view kExperiment = "experiment:";
  const bool of_job = record.on.starts_with(kJob);
  if (!of_job && !record.on.starts_with(kExperiment)) {
    return;
  }
  const Json decision = json_or_discarded<Json>(record.text);
  for (const Json& step : member(decision, "steps")) {
    Decision made{record.t_us, text_of(step, "rule"), text_of(step, "from"), text_of(step, "to"),
                  text_of(step, "decision")};
    if (of_job) {
      Job& job = job_named(record.on.substr(kJob.size()));
      job.last_decision = made;
      add_moves(step, made, decision, job.summary.budgets);
    } else {
      Experiment& experiment = experiment_named(record.on.substr(kExperiment.size()));
      experiment.last_decision = made;
      // Every rule's id begins with the policy.
      made.to = made.rule.substr(made.rule.find('.') + 1);
      add_moves(step, made, decision, experiment.summary.budgets);
    }
  }
}

void RunStory::add_moves(const Json& step, const Decision& decision, const Json& record,
                         std::vector<std::pair<std::string, BudgetSummary>>& budgets) {
  const std::string fault = text_of(record, "fault");
  const auto known = faults_.find(fault);
  const std::string words = known != faults_.end()                  ? known->second
                            : flag_of(record, "false_alarm", false) ? std::string(kFalseAlarm)
                                                                    : std::string();
  for (const Json& move : member(step, "budgets")) {
    const std::string name = text_of(move, "budget");
    auto place =
        std::ranges::find_if(budgets, [&name](const auto& budget) { return budget.first == name; });
    if (place == budgets.end()) {
      place = budgets.emplace(budgets.end(), name, BudgetSummary{});
    }
    Charge charge;
    charge.t_us = decision.t_us;
    charge.fault = fault;
    charge.what = words;
    charge.cause = text_of(move, "cause");
    charge.decision = decision.word.empty() ? decision.to : decision.word;
    charge.rule = decision.rule;
    charge.used = integer_of(move, "used").value_or(0);
    charge.exempt = !flag_of(move, "charged", true);
    BudgetSummary& budget = place->second;
    budget.used = charge.used;
    budget.limit = integer_of(move, "limit");
    budget.exhausted = budget.exhausted || flag_of(move, "exhausted", false);
    budget.charges.push_back(std::move(charge));
  }
}

void RunStory::add_summary(std::string_view text) {
  const Json line = json_or_discarded<Json>(text);
  const Json& run = member(line, "summary");
  verdict_ = text_of(run, "verdict");
  verdict_reason_ = text_of(run, "verdict_reason");
  for (const Json& json : member(run, "jobs")) {
    Job& job = job_named(text_of(json, "name"));
    job.ended = true;
    JobSummary& summary = job.summary;
    summary.outcome = text_of(json, "outcome");
    summary.reason = text_of(json, "reason");
    summary.unplaced = text_of(json, "unplaced");
    summary.vendor_state = text_of(json, "vendor_state");
    summary.wall_us = integer_of(json, "wall_us").value_or(0);
    read_end(json, summary);
    summary.false_alarms = integer_of(json, "false_alarms").value_or(0);
    for (const Json& entry : member(json, "recoveries")) {
      Recovery recovery = recovery_of(entry);
      const auto words = faults_.find(recovery.fault);
      recovery.what = words == faults_.end() ? std::string() : words->second;
      summary.recoveries.push_back(std::move(recovery));
    }
  }
  for (const Json& json : member(run, "experiments")) {
    Experiment& experiment = experiment_named(text_of(json, "name"));
    experiment.ended = true;
    read_experiment(json, experiment.summary);
  }
}

}  // namespace aftershock::reports
