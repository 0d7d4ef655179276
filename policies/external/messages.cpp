#include "policies/external/messages.h"

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"

namespace aftershock::policies::wire {

std::string world_line(const PolicyRequest& request,
                       const std::optional<PolicySource::Setting>& setting) {
  nlohmann::ordered_json policy = {{"name", request.name},
                                   {"profile", request.profile},
                                   {"config", *request.config},
                                   {"env", request.env}};
  nlohmann::ordered_json world = {{"type", "world"}};
  if (setting) {
    world["seed"] = std::to_string(setting->seed);  // it may be larger than 2^53
  } else {
    world["only_check"] = true;
  }
  world["policy"] = std::move(policy);
  std::string line = text_from_json(world);
  line.back() = ',';
  line += "\"inventory\":";
  append_json(line, setting ? setting->inventory : Inventory());
  line += '}';
  return line;
}

std::vector<BudgetNow> budgets_now(const std::vector<BudgetState>& budgets) {
  std::vector<BudgetNow> told;
  told.reserve(budgets.size());
  for (const BudgetState& budget : budgets) {
    told.push_back({budget.used, budget.limit});
  }
  return told;
}

nlohmann::ordered_json trials_json(const std::vector<TrialState>& trials) {
  auto list = nlohmann::ordered_json::array();
  for (const TrialState& state : trials) {
    list.push_back(to_json(Trial{state.trial, state.id, std::string(state.status), state.failures,
                                 state.restores, state.checkpoint, state.iteration}));
  }
  return list;
}

std::string batch_line(const Batch& batch) {
  std::string line = R"({"type":"batch",)";
  const std::size_t brace = line.size();
  append_json(line, batch);
  line.erase(brace, 1);
  return line;
}

std::string decide_line(std::uint64_t seq, const Decision& decision, const PolicyInfo& info,
                        const Standing& standing) {
  std::string line = R"({"type":"decide","seq":)" + std::to_string(seq) + ',';
  const std::size_t brace = line.size();
  append_json(line, decision, info);
  line.erase(brace, 1);
  line.pop_back();
  const auto add = [&line](std::string_view key, const auto& value) {
    if (value) {
      line += ",\"";
      line += key;
      line += "\":";
      line += text_from_json(to_json(*value));
    }
  };
  add("state", standing.state);
  add("budgets", standing.budgets);
  add("result", standing.result);
  line += '}';
  return line;
}

ReadResult<World> world_from_json(const nlohmann::json& message) {
  World world;
  const auto policy = message.find("policy");
  const auto inventory = message.find("inventory");
  if (policy == message.end() || !policy->is_object() || inventory == message.end()) {
    return Issue{"", "a world without \"policy\" or \"inventory\"", "both", {}};
  }
  try {
    world.request.name = policy->value("name", "");
    world.request.profile = policy->value("profile", "");
    *world.request.config = policy->value("config", nlohmann::json::object());
    world.request.env = policy->value("env", std::map<std::string, std::string>());
  } catch (const nlohmann::json::exception& error) {
    return Issue{"/policy", error.what(), "name, profile, config and env", {}};
  }
  auto read = inventory_from_json(*inventory);
  if (auto* issue = std::get_if<Issue>(&read)) {
    return std::move(*issue);
  }
  world.inventory = std::get<Inventory>(std::move(read));
  return world;
}

}  // namespace aftershock::policies::wire
