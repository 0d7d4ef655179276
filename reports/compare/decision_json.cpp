#include "reports/compare/decision_json.h"

#include <array>

#include <nlohmann/json.hpp>

namespace aftershock::reports {

namespace {

using OutJson = nlohmann::ordered_json;

constexpr std::array kDiffersNames{"ended",  "time",    "fault",   "rule",
                                   "states", "budgets", "commands"};

OutJson step_json(const std::optional<DecisionStep>& step) {
  if (!step) {
    return nullptr;
  }
  OutJson json{{"t_us", step->t_us},
               {"rule", step->rule},
               {"from", step->from},
               {"to", step->to},
               {"saw", step->saw}};
  OutJson& budgets = json["budgets"] = OutJson::array();
  for (const BudgetMove& move : step->budgets) {
    budgets.push_back({{"budget", move.budget},
                       {"cause", move.cause},
                       {"used", move.used},
                       {"limit", move.limit ? OutJson(*move.limit) : OutJson(nullptr)},
                       {"charged", move.charged},
                       {"exhausted", move.exhausted}});
  }
  OutJson& commands = json["commands"] = OutJson::array();
  for (const OrderedCommand& command : step->commands) {
    commands.push_back({{"type", command.type}, {"words", command.words}});
  }
  return json;
}

}  // namespace

OutJson to_json(const Divergence& divergence) {
  return {{"owner", divergence.owner},
          {"fault", divergence.fault.empty() ? OutJson(nullptr) : OutJson(divergence.fault)},
          {"false_alarm", divergence.false_alarm},
          {"differs", kDiffersNames.at(static_cast<std::size_t>(divergence.differs))},
          {"a_us", divergence.a_us},
          {"b_us", divergence.b_us},
          {"a", step_json(divergence.a)},
          {"b", step_json(divergence.b)}};
}

}  // namespace aftershock::reports
