#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_reader.h"
#include "policies/api/wire_decision.h"

namespace aftershock::policies {
namespace {

using json_reader::Place;
using json_reader::Problem;
using json_reader::read_whole;
using json_reader::unknown;

Problem find_word(const Place& place, std::string_view kind, const std::string& word,
                  std::span<const std::string_view> known, std::uint16_t& out) {
  for (std::size_t index = 0; index < known.size(); ++index) {
    if (known[index] == word) {
      out = static_cast<std::uint16_t>(index);
      return {};
    }
  }
  return unknown(place, kind, word, known);
}

Problem find_words(const Place& place, const WireStep& wire, const PolicyInfo& info,
                   std::span<const std::string_view> rules, Step& step) {
  if (auto problem = find_word(place.at("rule"), "rule", wire.rule, rules, step.rule)) {
    return problem;
  }
  if (auto problem =
          find_word(place.at("from"), "state", wire.from, info.states, step.from_state)) {
    return problem;
  }
  if (auto problem = find_word(place.at("to"), "state", wire.to, info.states, step.to_state)) {
    return problem;
  }
  const Place budgets = place.at("budgets");
  for (std::size_t index = 0; index < wire.budgets.size(); ++index) {
    const WireBudget& from = wire.budgets[index];
    BudgetMove& move = step.budgets.emplace_back(
        BudgetMove{0, from.cause, from.used, from.limit, !from.charged, from.exhausted});
    const Place here = budgets.at(index);
    if (auto problem =
            find_word(here.at("budget"), "budget", from.budget, info.budgets, move.budget)) {
      return problem;
    }
  }
  return {};
}

}  // namespace

ReadResult<Decision> decision_from_json(const nlohmann::json& value, const PolicyInfo& info) {
  auto read = read_whole<WireDecision>(value);
  if (auto* issue = std::get_if<Issue>(&read)) {
    return std::move(*issue);
  }
  return decision_of(std::get<WireDecision>(read), info);
}

ReadResult<Decision> decision_of(WireDecision& wire, const PolicyInfo& info) {
  std::vector<std::string_view> rules;
  rules.reserve(info.rules.size());
  for (const Rule& rule : info.rules) {
    rules.push_back(rule.id);
  }
  Decision decision{{}, wire.watch};
  const Place root;
  const Place steps = root.at("steps");
  for (std::size_t index = 0; index < wire.steps.size(); ++index) {
    WireStep& from = wire.steps[index];
    Step& step = decision.steps.emplace_back();
    if (auto problem = find_words(steps.at(index), from, info, rules, step)) {
      return *std::move(problem);
    }
    step.saw = std::move(from.saw);
    step.commands = std::move(from.commands);
  }
  return decision;
}

}  // namespace aftershock::policies
