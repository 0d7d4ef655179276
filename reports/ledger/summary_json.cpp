#include <string_view>

#include <fmt/format.h>

#include "reports/ledger/bucket_json.h"
#include "reports/ledger/summary.h"

namespace aftershock::reports {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json json_of(const Charge& charge) {
  return {{"t_us", charge.t_us},    {"fault", or_null(charge.fault)},
          {"cause", charge.cause},  {"decision", charge.decision},
          {"rule", charge.rule},    {"used", charge.used},
          {"exempt", charge.exempt}};
}

Json json_of(const BudgetSummary& budget) {
  Json charges = Json::array();
  for (const Charge& charge : budget.charges) {
    charges.push_back(json_of(charge));
  }
  return {{"used", budget.used},
          {"limit", or_null(budget.limit)},
          {"exhausted", budget.exhausted},
          {"charges", std::move(charges)}};
}

Json json_of(const Recovery& recovery) {
  return {{"fault", recovery.fault},
          {"rules", recovery.rules},
          {"detected_us", or_null(recovery.detected_us)},
          {"running_us", or_null(recovery.running_us)},
          {"caught_up_us", or_null(recovery.caught_up_us)},
          {"lost_us", recovery.lost_us}};
}

Json json_of(const JobSummary& job) {
  Json object{{"name", job.name},
              {"outcome", job.outcome},
              {"reason", job.reason},
              {"vendor_state", job.vendor_state},
              {"wall_us", job.wall_us},
              {"steps", or_null(job.steps)},
              {"steps_done", job.steps_done},
              {"ettr", job.ettr},
              {"ledger_us", to_json(job.ledger_us)},
              {"ledger_accelerator_us", to_json(job.ledger_accelerator_us)},
              {"lost",
               {{"steps", job.lost_steps},
                {"us", job.lost_us},
                {"accelerator_us", job.lost_accelerator_us}}},
              {"stranded",
               {{"steps", job.stranded_steps}, {"accelerator_us", job.stranded_accelerator_us}}},
              {"stale_accelerator_us", job.stale_accelerator_us},
              {"attempts", job.attempts}};
  object["recoveries"] = Json::array();
  for (const Recovery& recovery : job.recoveries) {
    object["recoveries"].push_back(json_of(recovery));
  }
  object["budgets"] = Json::object();
  for (const auto& [name, budget] : job.budgets) {
    object["budgets"][name] = json_of(budget);
  }
  object["result"] = {{"path", or_null(job.result_path)},
                      {"checkpoint", or_null(job.result_checkpoint)}};
  return object;
}

}  // namespace

Json to_json(const RunSummary& summary) {
  Json object{{"schema", kSchema}, {"scenario", summary.scenario}};
  if (!summary.question.empty()) {
    object["question"] = summary.question;
  }
  object["policy"] = summary.policy;
  object["seed"] = summary.seed;
  object["verdict"] = name_of(summary.verdict);
  object["hash"] = fmt::format("{:016x}", summary.hash);
  object["simulated_us"] = summary.simulated_us;
  object["warnings"] = summary.warnings;
  object["jobs"] = Json::array();
  for (const JobSummary& job : summary.jobs) {
    object["jobs"].push_back(json_of(job));
  }
  object["cluster"] = {{"idle_us",
                        {{"spares", summary.idle_spares_us},
                         {"isolated", summary.idle_isolated_us},
                         {"repairing", summary.idle_repairing_us}}},
                       {"cost", or_null(summary.cost)}};
  object["faults"] = Json::object();
  for (const auto& [kind, counts] : summary.faults) {
    object["faults"][kind] = {{"injected", counts.injected},
                              {"fired", counts.fired},
                              {"masked", counts.masked},
                              {"detected", counts.detected}};
  }
  Json violated = Json::array();
  for (const Violation& violation : summary.violations) {
    violated.push_back({{"id", violation.id}, {"what", violation.what}, {"t_us", violation.t_us}});
  }
  object["invariants"] = {{"checked", summary.invariants_checked},
                          {"violated", std::move(violated)}};
  object["expect"] = Json::array();
  for (const ExpectResult& result : summary.expect) {
    object["expect"].push_back({{"at", result.at}, {"ok", result.ok}, {"got", result.got}});
  }
  object["events"] = summary.events;
  return object;
}

std::string to_json_line(const RunSummary& summary) { return to_line(to_json(summary)); }

}  // namespace aftershock::reports
