#include "policies/external/messages.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"

namespace aftershock::policies::wire {

std::optional<int> minor_of(std::string_view protocol) {
  const std::size_t dot = protocol.find('.');
  const std::string_view major = protocol.substr(0, dot);
  if (major != kProtocol.substr(0, kProtocol.find('.'))) {
    return std::nullopt;
  }
  if (dot == std::string_view::npos) {
    return 0;
  }
  int minor = 0;
  const char* end = protocol.data() + protocol.size();
  const auto [stopped, problem] = std::from_chars(protocol.data() + dot + 1, end, minor);
  if (problem != std::errc{} || stopped != end || minor < 0) {
    return std::nullopt;
  }
  return std::min(minor, kNewestMinor);
}

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

std::string world_in(std::string_view world_line, int minor) {
  constexpr std::string_view kType = R"({"type":"world",)";
  std::string line(world_line);
  if (minor > 0) {
    line.insert(kType.size(), R"("protocol":")" + std::string(kNewestProtocol) + R"(",)");
  }
  return line;
}

std::string batch_line(const Batch& batch, int minor) {
  const auto later = [](const Event& event) { return released_with(event) != nullptr; };
  if (minor == 0 && (batch.poll || std::ranges::any_of(batch.events, later))) {
    Batch first{.seq = batch.seq, .t_us = batch.t_us};
    first.events.reserve(batch.events.size());
    for (const Event& event : batch.events) {
      first.events.push_back(in_protocol_1_0(event));
    }
    return batch_line(first, minor);
  }
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
  if (const auto protocol = message.find("protocol"); protocol != message.end()) {
    const auto minor =
        protocol->is_string() ? minor_of(protocol->get_ref<const std::string&>()) : std::nullopt;
    if (!minor) {
      return Issue{"/protocol", "another protocol", "1.0 or a later one", {}};
    }
    world.minor = *minor;
  }
  if (const auto seed = message.find("seed"); seed != message.end()) {
    const auto* text = seed->get_ptr<const std::string*>();
    const std::string_view digits = text == nullptr ? std::string_view() : *text;
    const char* end = digits.data() + digits.size();
    const auto [stopped, problem] = std::from_chars(digits.data(), end, world.request.seed);
    if (digits.empty() || stopped != end || problem != std::errc{}) {
      return Issue{"/seed", "no seed", "its digits, as a string", {}};
    }
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
