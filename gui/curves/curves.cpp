#include "gui/curves/curves.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gui/why/accounts.h"
#include "reports/json/json_value.h"

namespace aftershock::gui {

namespace {

/// Budgets by entity and name, in the order of the header.
class Budgets {
 public:
  Curve& of(std::uint32_t entity, const std::string& name) {
    const auto [found, is_new] = index_.try_emplace({entity, name}, curves.size());
    if (is_new) {
      Curve curve{.facet = Facet::kBudgets, .name = name, .samples = {}};
      curve.samples.entity = entity;
      curves.push_back(std::move(curve));
    }
    return curves[found->second];
  }

  std::vector<Curve> curves;

 private:
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> index_;
};

void add_sample(Counter& counter, std::int64_t t_us, std::int64_t value) {
  counter.t_us.push_back(t_us);
  counter.value.push_back(value);
}

std::int64_t begin_of(const Trace& trace, std::uint32_t entity) {
  const Lane* phases = lane_of(trace, entity, SubLane::kPhases);
  return phases != nullptr && phases->columns.size() > 0 ? phases->columns.spans().begin_us[0] : 0;
}

void add_policy(Budgets& budgets, const Trace& trace, const std::string& entity,
                const std::string& policy) {
  const auto found = trace.entities.find(entity);
  const auto words = std::ranges::find(trace.header.policies, policy, &reports::HeaderPolicy::name);
  if (!found || words == trace.header.policies.end()) {
    return;
  }
  for (const std::string& name : words->budgets) {
    budgets.of(*found, name);
  }
}

/// Of each job that the summary has; none where the recording does not end.
std::map<std::string, UsefulTime> useful_times(const Trace& trace) {
  std::map<std::string, UsefulTime> times;
  const reports::JsonValue line = reports::parsed(trace.summary_json);
  const reports::JsonValue& inner = reports::part(line, "summary");
  for (const reports::JsonValue& job : reports::list_in(inner.is_object() ? inner : line, "jobs")) {
    const auto us = reports::integer_in(job, "useful_us");
    const auto of_us = reports::integer_in(job, "useful_of_us");
    if (us && of_us) {
      times[reports::text_in(job, "name")] = {*us, *of_us};
    }
  }
  return times;
}

}  // namespace

std::vector<Curve> budget_curves(const Trace& trace, const std::vector<Charge>& moves) {
  Budgets budgets;
  for (const reports::HeaderJob& job : trace.header.jobs) {
    add_policy(budgets, trace, "job:" + job.name, job.policy);
  }
  for (const reports::HeaderExperiment& experiment : trace.header.experiments) {
    add_policy(budgets, trace, "experiment:" + experiment.name, experiment.policy);
  }
  for (const Charge& each : moves) {
    Curve& curve = budgets.of(each.entity, each.move.budget);
    if (curve.samples.t_us.empty()) {
      add_sample(curve.samples, std::min(begin_of(trace, each.entity), each.t_us),
                 each.move.before);
    }
    add_sample(curve.samples, each.t_us, each.move.used);
    curve.limit = each.move.limit;
    curve.marks.push_back({each.t_us, each.move.charged});
  }
  for (Curve& curve : budgets.curves) {
    if (curve.samples.t_us.empty()) {
      add_sample(curve.samples, begin_of(trace, curve.samples.entity), 0);
    }
  }
  return std::move(budgets.curves);
}

Reckoned reckon(const Trace& trace, const std::string& path, const std::atomic<bool>& stop) {
  Reckoned out;
  std::vector<Curve>& curves = out.curves;
  const auto useful = useful_times(trace);
  for (const reports::HeaderJob& job : trace.header.jobs) {
    const auto entity = trace.entities.find("job:" + job.name);
    if (!entity || stop) {
      continue;
    }
    const auto told = useful.find(job.name);
    for (auto curve :
         {progress_curve(trace, *entity),
          told == useful.end() ? std::nullopt : useful_curve(trace, *entity, told->second),
          ettr_curve(trace, *entity), lost_curve(trace, *entity)}) {
      if (curve) {
        curves.push_back(*std::move(curve));
      }
    }
  }
  const std::vector<Account> accounts = accounts_of(trace);
  out.verdicts = verdicts_of(trace, accounts);
  out.bills = fault_bills(trace, accounts);
  out.span_ends = span_ends(trace);
  out.moves = budget_moves(trace, path, kNone, &stop);
  std::vector<Curve> budgets = budget_curves(trace, out.moves);
  std::ranges::move(budgets, std::back_inserter(curves));
  return out;
}

}  // namespace aftershock::gui
