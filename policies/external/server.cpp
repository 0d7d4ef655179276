#include "policies/external/server.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"
#include "policies/api/json_text.h"
#include "policies/external/unsayable.h"

namespace aftershock::policies {
namespace {

wire::Ready ready_of(const ConfiguredPolicy& configured, int minor) {
  const Policy& policy = *configured.policy;
  const PolicyInfo& info = policy.info();
  wire::Ready ready;
  ready.name = info.name;
  ready.profile = info.profile;
  ready.summary = info.summary;
  ready.subject = info.subject;
  ready.states.assign(info.states.begin(), info.states.end());
  ready.state = info.states[policy.state()];
  const std::vector<BudgetState> budgets = policy.budgets();
  for (std::size_t i = 0; i < info.budgets.size(); ++i) {
    const bool in_a_row =
        std::ranges::find(info.budgets_in_a_row, i) != info.budgets_in_a_row.end();
    ready.budgets.push_back(
        {std::string(info.budgets[i]), in_a_row, budgets[i].used, budgets[i].limit});
  }
  for (std::size_t i = 0; i < info.rules.size(); ++i) {
    const Rule& rule = info.rules[i];
    const auto ending = std::ranges::find(info.endings, i, &Ending::rule);
    ready.rules.push_back({std::string(rule.id), std::string(rule.sentence),
                           std::string(rule.source),
                           ending == info.endings.end() ? std::nullopt : std::optional(ending->why),
                           std::ranges::find(info.relaxing, i) != info.relaxing.end()});
  }
  ready.watches_nodes = info.watches_nodes;
  ready.isolates = info.isolates;
  ready.leaves_peers = info.leaves_peers;
  ready.charges_pods = info.charges_pods;
  ready.pods_are_objects = info.pods_are_objects;
  ready.agents = info.agents;
  ready.commits_checkpoints = info.commits_checkpoints;
  if (minor > 0 && !info.persists.empty()) {
    ready.persists.emplace(info.persists.begin(), info.persists.end());
  }
  if (info.watches_nodes) {
    wire::Terms terms{configured.terms, {}};
    for (const auto& [code, severity] : configured.terms.severities) {
      terms.by_code.push_back({code, severity});
    }
    ready.terms = std::move(terms);
  }
  return ready;
}

std::string refusal(const std::vector<ConfigIssue>& issues) {
  wire::Refused refused;
  for (const ConfigIssue& issue : issues) {
    refused.issues.push_back({issue.pointer, issue.message, issue.expected, issue.nearest});
  }
  return wire::to_line(refused);
}

Issue unexpected(std::string_view what) {
  return {{}, "got a " + std::string(what) + " before any world", {}, {}};
}

}  // namespace

Reply answer_to_world(const MakeResult& made, int minor) {
  if (const auto* issues = std::get_if<std::vector<ConfigIssue>>(&made)) {
    return refusal(*issues);
  }
  const auto& configured = std::get<ConfiguredPolicy>(made);
  if (configured.policy == nullptr) {
    return Issue{{}, "its maker returned no policy", {}, {}};
  }
  const PolicyInfo& info = configured.policy->info();
  if (const auto issue = unsayable({}, configured.policy->state(), info)) {
    return *issue;
  }
  const std::size_t budgets = configured.policy->budgets().size();
  if (budgets != info.budgets.size()) {
    return Issue{"/budgets",
                 "got " + std::to_string(budgets),
                 "all " + std::to_string(info.budgets.size()),
                 {}};
  }
  return wire::to_line(ready_of(configured, minor));
}

Server::Server(std::string name, Maker make, std::string_view protocol)
    : name_(std::move(name)), protocol_(protocol), make_(std::move(make)) {}

std::string_view Server::answer(std::string_view line) {
  if (Batch plain; policy_ != nullptr && json_text::Reader(line).message("batch", plain)) {
    take(decide(plain));
    return answer_;
  }
  auto parsed = parse_json(line);
  Reply said = Issue{{}, "no message", "an object with a \"type\"", {}};
  if (auto* issue = std::get_if<Issue>(&parsed)) {
    said = std::move(*issue);
  } else if (auto& message = std::get<nlohmann::json>(parsed);
             message.is_object() && message.contains("type") && message["type"].is_string()) {
    said = reply(message);
  }
  take(std::move(said));
  return answer_;
}

std::string_view Server::threw(std::string_view words) {
  take(Issue{{}, "threw an exception: " + std::string(words), {}, {}});
  return answer_;
}

void Server::take(Reply said) {
  if (const auto* issue = std::get_if<Issue>(&said)) {
    answer_ = R"({"type":"error","message":)";
    append_json_string(answer_, issue->pointer.empty() && issue->expected.empty()
                                    ? issue->message
                                    : describe(*issue));
    answer_ += '}';
  } else {
    answer_ = std::get<std::string>(std::move(said));
  }
}

Reply Server::reply(nlohmann::json& message) {
  const std::string type = message["type"].get<std::string>();
  if (type == "batch") {
    return batch(message);
  }
  if (type == "ask") {
    return question(message);
  }
  if (type == "world") {
    return world(message);
  }
  if (type == wire::Hello::kName) {
    wire::HelloOk hello;
    hello.protocol = protocol_;
    hello.name = name_;
    hello.features = wire::Hello().features;
    return wire::to_line(hello);
  }
  if (type == "reset" || type == "end") {
    policy_ = nullptr;
    over_ = type == "end";
    return std::string(over_ ? R"({"type":"bye"})" : R"({"type":"reset_ok"})");
  }
  return Issue{"/type", "unknown message \"" + type + "\"", {}, {}};
}

Reply Server::world(const nlohmann::json& message) {
  auto read = wire::world_from_json(message);
  if (auto* issue = std::get_if<Issue>(&read)) {
    return std::move(*issue);
  }
  auto& world = std::get<wire::World>(read);
  MakeResult made = make_(world.request);
  Reply line = answer_to_world(made, world.minor);
  if (std::holds_alternative<Issue>(line) ||
      std::holds_alternative<std::vector<ConfigIssue>>(made)) {
    policy_ = nullptr;
    return line;
  }
  auto& configured = std::get<ConfiguredPolicy>(made);
  policy_ = std::move(configured.policy);
  view_ = View(std::move(world.inventory));
  state_ = policy_->state();
  budgets_ = policy_->budgets();
  result_ = {};
  return line;
}

Reply Server::batch(nlohmann::json& message) {
  if (policy_ == nullptr) {
    return unexpected("batch");
  }
  message.erase("type");
  auto read = batch_from_json(message);
  if (auto* issue = std::get_if<Issue>(&read)) {
    return std::move(*issue);
  }
  return decide(std::get<Batch>(read));
}

Reply Server::decide(const Batch& batch) {
  for (const Event& event : batch.events) {
    view_.apply(event);
  }
  const Decision decision = policy_->on_events(batch, view_);
  if (auto issue = unsayable(decision, policy_->state(), policy_->info())) {
    issue->message = "answered wrongly: " + issue->pointer + ": " + issue->message;
    issue->pointer.clear();
    return *std::move(issue);
  }
  return wire::decide_line(batch.seq, decision, policy_->info(), standing(decision));
}

wire::Standing Server::standing(const Decision& decision) {
  for (const Step& step : decision.steps) {
    state_ = step.to_state;
    for (const BudgetMove& move : step.budgets) {
      if (move.budget < budgets_.size()) {
        budgets_[move.budget] = {move.used, move.limit};
      }
    }
  }
  wire::Standing told;
  if (policy_->state() != state_) {
    state_ = policy_->state();
    told.state = policy_->info().states[state_];
  }
  if (const auto now = policy_->budgets(); now != budgets_) {
    budgets_ = now;
    told.budgets = wire::budgets_now(now);
  }
  const ResultCheckpoints result = policy_->result();
  if (result.latest != result_.latest || result.best != result_.best) {
    result_ = result;
    told.result = {result.latest, result.best};
  }
  return told;
}

Reply Server::question(const nlohmann::json& message) {
  if (policy_ == nullptr) {
    return unexpected("question");
  }
  const std::string what = message.contains("what") && message["what"].is_string()
                               ? message["what"].get<std::string>()
                               : std::string();
  nlohmann::ordered_json answer = {{"type", "answer"}, {"what", what}};
  if (what == wire::kTrials) {
    answer["trials"] = wire::trials_json(policy_->trials());
  } else if (const auto at = message.find("at_us");
             what == wire::kDurable && at != message.end() && at->is_number_unsigned()) {
    answer["durable"] = policy_->durable(at->get<TimeUs>());
    answer["stored_us"] = wire::to_json(policy_->stored_us(at->get<TimeUs>()));
  } else {
    return Issue{"/what", "unknown question", "durable with at_us, or trials", {}};
  }
  return text_from_json(answer);
}

}  // namespace aftershock::policies
