#include "gui/why/verdict.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "gui/trace/find.h"
#include "gui/why/summary_line.h"
#include "reports/json/json_value.h"

namespace aftershock::gui {

namespace {

std::optional<double> number_in(const reports::JsonValue& object, const char* name) {
  const reports::JsonValue& value = reports::part(object, name);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

void take_summary(Verdict& verdict, const reports::JsonValue& told) {
  verdict.useful_share = number_in(told, "useful_share");
  verdict.ettr = number_in(told, "ettr");
  verdict.steps_done = reports::integer_in(told, "steps_done");
  verdict.steps = reports::integer_in(told, "steps");
  verdict.lost_accelerator_us = reports::integer_in(reports::part(told, "lost"), "accelerator_us");
  const reports::JsonValue& budgets = reports::part(told, "budgets");
  if (!budgets.is_object()) {
    return;
  }
  for (const auto& [name, budget] : budgets.items()) {
    const std::int64_t used = reports::integer_in(budget, "used").value_or(0);
    const auto limit = reports::integer_in(budget, "limit");
    if (used > 0 || limit) {
      verdict.budgets.push_back({name, used, limit});
    }
  }
}

void take_account(Verdict& verdict, const Trace& trace, const Account& account,
                  const std::map<TextId, std::uint32_t>& by_id) {
  verdict.outcome = account.outcome;
  verdict.reason = account.reason == account.outcome ? std::string() : account.reason;
  if (!account.outcome.empty() && account.outcome != "running") {
    verdict.end_us = verdict.begin_us + account.wall_us;
  }
  for (const FaultCost& cost : account.fault_costs) {
    const std::int64_t cost_us = sum_us(cost.us);
    const auto id = trace.texts.find(cost.fault);
    const auto fault = id ? by_id.find(*id) : by_id.end();
    if (fault != by_id.end() && cost_us > verdict.worst_us) {
      verdict.worst = fault->second;
      verdict.worst_us = cost_us;
    }
  }
}

/// Of a recording that is cut off, or grows still, behind the end of the job.
void take_end(Verdict& verdict, const Trace& trace) {
  const auto end = std::ranges::find(trace.ends, verdict.entity, &EndTold::entity);
  if (end == trace.ends.end()) {
    return;
  }
  const std::string reason(end->reason == kNoText ? std::string_view() : trace.texts[end->reason]);
  verdict.outcome = reason == "completed"         ? "completed"
                    : reason == "stopped_by_user" ? "aborted"
                                                  : "failed";
  verdict.reason = reason == verdict.outcome ? std::string() : reason;
  verdict.end_us = end->t_us;
}

}  // namespace

std::vector<Verdict> verdicts_of(const Trace& trace, const std::vector<Account>& accounts) {
  std::vector<Verdict> verdicts;
  const auto by_id = faults_by_id(trace);
  const reports::JsonValue line = reports::parsed(trace.summary_json);
  const reports::JsonValue& summary = summary_in(line);
  const auto add = [&](const std::string& prefix, const std::string& name, const char* list,
                       std::size_t number) {
    const auto entity = trace.entities.find(prefix + name);
    if (!entity) {
      return;
    }
    Verdict verdict;
    verdict.entity = *entity;
    verdict.name = name;
    const Lane* phases = lane_of(trace, *entity, SubLane::kPhases);
    verdict.begin_us =
        phases == nullptr || phases->columns.size() == 0 ? 0 : phases->columns.spans().begin_us[0];
    // The summary has them in the order of the header, all of them.
    const reports::JsonValue& all = reports::part(summary, list);
    if (all.is_array() && number < all.size() && reports::text_in(all[number], "name") == name) {
      take_summary(verdict, all[number]);
    }
    if (const Account* account = account_of(accounts, *entity)) {
      take_account(verdict, trace, *account, by_id);
    }
    if (verdict.outcome.empty()) {
      take_end(verdict, trace);
    }
    if (verdict.outcome.empty() && trace.reading) {
      verdict.outcome = "running";
    }
    verdicts.push_back(std::move(verdict));
  };
  for (std::size_t i = 0; i < trace.header.jobs.size(); ++i) {
    add("job:", trace.header.jobs[i].name, "jobs", i);
  }
  for (std::size_t i = 0; i < trace.header.experiments.size(); ++i) {
    add("experiment:", trace.header.experiments[i].name, "experiments", i);
  }
  std::ranges::stable_partition(verdicts, &Verdict::failed);
  return verdicts;
}

std::optional<double> cost_of_run(const Trace& trace) {
  const reports::JsonValue line = reports::parsed(trace.summary_json);
  return number_in(reports::part(summary_in(line), "cluster"), "cost");
}

}  // namespace aftershock::gui
