#include <array>

#include "reports/html/run_gatherer.h"

namespace aftershock::reports {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kStepsShown = 150;

/// Events that a policy is told without a sign of a fault.
bool is_sign(std::string_view event) {
  static constexpr std::array<std::string_view, 13> kOrdinary{
      "attempt_running",    "capacity_changed",
      "checkpoint_durable", "checkpoint_reported",
      "command_result",     "controller_started",
      "job_done",           "job_submitted",
      "persisted",          "timer",
      "trial_result",       "workers_finished",
      "workers_stopped"};
  return std::ranges::find(kOrdinary, event) == kOrdinary.end();
}

}  // namespace

void RunGatherer::fault(const Record& record, dom::element json) {
  FaultStory fault;
  fault.t_us = record.t_us;
  fault.id = text_at(json, "id");
  fault.kind = text_at(json, "kind");
  fault.target = text_at(json, "target");
  fault.masked = text_at(json, "outcome") == "masked";
  // "accelerator_fault (xid:94)" tells more than its kind.
  if (const std::string what = text_at(json, "what"); !what.empty()) {
    fault.kind = what;
  }
  faults_[fault.id] = data_.faults.size();
  // One that was masked shares its number with the next.
  if (const auto number = whole_at(json, "number"); number && !fault.masked) {
    numbers_[*number] = data_.faults.size();
  }
  data_.faults.push_back(std::move(fault));
}

void RunGatherer::decision(const Record& record, dom::element json) {
  const std::string id = text_at(json, "fault");
  FaultStory* fault = id.empty() ? nullptr : fault_named(id);
  if (fault != nullptr) {
    each_at(json, "saw", [&](dom::element event) {
      const std::string type = text_at(event, "type");
      if (is_sign(type)) {
        add_once(fault->seen, type);
        fault->detected_us = fault->detected_us.value_or(record.t_us);
      }
    });
  }
  each_at(json, "steps", [&](dom::element each) { step(record, json, each, fault); });
}

BudgetChange RunGatherer::move(const Record& record, dom::element json, PartStory* part) {
  BudgetChange move;
  move.t_us = record.t_us;
  move.budget = text_at(json, "budget");
  move.cause = text_at(json, "cause");
  move.used = whole_at(json, "used").value_or(0);
  move.limit = whole_at(json, "limit");
  move.charged = flag_at(json, "charged", true);
  if (part != nullptr) {
    auto budget = std::ranges::find(part->budgets, move.budget, &BudgetStory::name);
    if (budget == part->budgets.end()) {
      budget = part->budgets.emplace(part->budgets.end());
      budget->name = move.budget;
      budget->used.add(0, 0);
    }
    budget->used.add(record.t_us, static_cast<double>(move.used));
    budget->now = move.used;
    budget->limit = move.limit;
    budget->exhausted = budget->exhausted || flag_at(json, "exhausted", false);
  }
  return move;
}

void RunGatherer::step(const Record& record, dom::element json, dom::element step,
                       FaultStory* fault) {
  StepStory story;
  story.rule = rule_named(text_at(step, "rule"));
  RuleStory& rule = data_.rules[story.rule];
  ++rule.used;
  PartStory* part = part_on(record.on);
  each_at(step, "budgets", [&](dom::element each) {
    story.moves.push_back(move(record, each, part));
    story.moves.back().rule = rule.id;
    rule.charges += story.moves.back().charged ? 1 : 0;
  });
  if (fault != nullptr) {
    add_once(fault->rules, story.rule);
    fault->moves.insert(fault->moves.end(), story.moves.begin(), story.moves.end());
  }
  if (fault == nullptr && story.moves.empty()) {
    return;
  }
  story.t_us = record.t_us;
  story.on = record.on;
  story.fault = text_at(json, "fault");
  story.from = text_at(step, "from");
  story.to = text_at(step, "to");
  each_at(step, "commands", [&](dom::element command) {
    story.commands += (story.commands.empty() ? "" : ", ") + text_at(command, "type");
  });
  if (data_.first_steps.size() < kStepsShown) {
    data_.first_steps.push_back(std::move(story));
    return;
  }
  data_.last_steps.push_back(std::move(story));
  if (data_.last_steps.size() > kStepsShown) {
    data_.last_steps.pop_front();
    ++data_.steps_between;
  }
}

}  // namespace aftershock::reports
