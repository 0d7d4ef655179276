#include "sim/results/summary_parts.h"

#include <algorithm>

#include "policies/registry.h"
#include "sim/faults/fault_record.h"
#include "sim/world/world.h"

namespace aftershock::sim::results {

std::string_view outcome_word(workload::Outcome outcome) {
  switch (outcome) {
    case workload::Outcome::kRunning:
      return "running";
    case workload::Outcome::kCompleted:
      return "completed";
    case workload::Outcome::kFailed:
      return "failed";
    case workload::Outcome::kAborted:
      return "aborted";
  }
  return {};
}

FaultTexts texts_of(const world::World& world) {
  FaultTexts texts;
  texts.wanted = true;
  texts.ids.reserve(world.faults.records().size());
  texts.words.reserve(world.faults.records().size());
  for (const faults::FaultRecord& fault : world.faults.records()) {
    texts.ids.push_back(faults::fault_id(world.scenario(), fault));
    texts.words.push_back(faults::fault_words(world.scenario(), fault));
  }
  return texts;
}

std::vector<std::pair<std::string, reports::BudgetSummary>> budgets_of(
    const control::PolicyHost& host, const std::vector<workload::ChargeRecord>& charges,
    const FaultTexts& texts) {
  const policies::PolicyInfo& info = host.info();
  const std::vector<policies::BudgetState> states = host.policy().budgets();
  std::vector<std::pair<std::string, reports::BudgetSummary>> budgets;
  for (std::size_t i = 0; i < info.budgets.size(); ++i) {
    reports::BudgetSummary budget;
    budget.used = states[i].used;
    budget.limit = states[i].limit;
    budget.by_agent = policies::counts_by_agent(info.name, info.budgets[i]);
    budget.charges.reserve(static_cast<std::size_t>(std::ranges::count_if(
        charges, [i](const workload::ChargeRecord& record) { return record.move.budget == i; })));
    for (const workload::ChargeRecord& record : charges) {
      if (record.move.budget != i) {
        continue;
      }
      budget.exhausted = budget.exhausted || record.move.exhausted;
      reports::Charge& charge = budget.charges.emplace_back();
      charge.t_us = record.t_us;
      charge.used = record.move.used;
      charge.exempt = record.move.exempt;
      // Most of a summary's time goes into words (SimulateOptions::words).
      if (!texts.wanted) {
        continue;
      }
      if (record.fault >= 0) {
        const auto number = static_cast<std::size_t>(record.fault);
        charge.fault = texts.ids[number];
        charge.what = texts.words[number];
      } else if (record.false_alarm) {
        charge.what = reports::kFalseAlarm;
      }
      charge.cause = std::string(policies::name_of(record.move.cause));
      // Some decisions have no word of their own: the state that followed stands in for it.
      charge.decision =
          std::string(record.decision.empty() ? info.states[record.to_state] : record.decision);
      charge.rule = std::string(info.rules[record.rule].id);
    }
    budgets.emplace_back(std::string(info.budgets[i]), std::move(budget));
  }
  return budgets;
}

}  // namespace aftershock::sim::results
