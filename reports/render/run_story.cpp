#include "reports/render/run_story.h"

#include <algorithm>

namespace aftershock::reports {

namespace {

using Json = nlohmann::json;

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

Json parsed(std::string_view text) { return Json::parse(text, nullptr, false); }

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
  scenario_ = text_of(parsed(header->scenario_json), "name");
}

void RunStory::add_fault(std::string_view text) {
  const Json fault = parsed(text);
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

void RunStory::add_decision(const Record& record) {
  static constexpr std::string_view kPrefix = "job:";
  if (!record.on.starts_with(kPrefix)) {
    return;
  }
  const Json decision = parsed(record.text);
  Job& job = job_named(record.on.substr(kPrefix.size()));
  for (const Json& step : member(decision, "steps")) {
    add_step(job, step, record.t_us, text_of(decision, "fault"));
  }
}

void RunStory::add_step(Job& job, const Json& step, std::int64_t t_us, const std::string& fault) {
  const Decision decision{t_us, text_of(step, "rule"), text_of(step, "from"), text_of(step, "to"),
                          text_of(step, "decision")};
  job.last_decision = decision;
  for (const Json& move : member(step, "budgets")) {
    const std::string name = text_of(move, "budget");
    auto& budgets = job.summary.budgets;
    auto place =
        std::ranges::find_if(budgets, [&name](const auto& budget) { return budget.first == name; });
    if (place == budgets.end()) {
      place = budgets.emplace(budgets.end(), name, BudgetSummary{});
    }
    Charge charge;
    charge.t_us = t_us;
    charge.fault = fault;
    const auto words = faults_.find(fault);
    charge.what = words == faults_.end() ? std::string() : words->second;
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
  const Json line = parsed(text);
  const Json& run = member(line, "summary");
  verdict_ = text_of(run, "verdict");
  verdict_reason_ = text_of(run, "verdict_reason");
  for (const Json& json : member(run, "jobs")) {
    Job& job = job_named(text_of(json, "name"));
    job.ended = true;
    JobSummary& summary = job.summary;
    summary.outcome = text_of(json, "outcome");
    summary.reason = text_of(json, "reason");
    summary.vendor_state = text_of(json, "vendor_state");
    summary.wall_us = integer_of(json, "wall_us").value_or(0);
    for (const Json& entry : member(json, "recoveries")) {
      Recovery recovery = recovery_of(entry);
      const auto words = faults_.find(recovery.fault);
      recovery.what = words == faults_.end() ? std::string() : words->second;
      summary.recoveries.push_back(std::move(recovery));
    }
  }
}

}  // namespace aftershock::reports
