#include "policies/api/case_runner.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"

namespace aftershock::policies {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 17> kKeys{
    "name",      "why",     "policy",        "profile", "config",  "env",
    "inventory", "in",      "expect",        "states",  "rules",   "commands",
    "budgets",   "durable", "durable_at_us", "issues",  "warnings"};
constexpr std::array<std::string_view, 8> kExpectations{"expect",  "states",  "rules",  "commands",
                                                        "budgets", "durable", "issues", "warnings"};

/// Findings of one case, one a line.
class Findings {
 public:
  void add(const std::string& text) {
    constexpr std::size_t kMost = 20;
    if (++count_ <= kMost) {
      text_ += "  " + text + '\n';
    } else if (count_ == kMost + 1) {
      text_ += "  ...\n";
    }
  }
  void add(const Issue& issue) { add(describe(issue)); }
  void add(const Findings& others) {
    text_ += others.text_;
    count_ += others.count_;
  }
  void differs(const std::string& pointer, const json& expected, const json& got) {
    add(pointer + ": expected " + text_from_json(expected) + ", got " + text_from_json(got));
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::string text() const { return text_; }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

/// Compares as `expect` says: objects may leave members out, so that {} matches anything.
void match(const json& pattern, const json& got, const std::string& pointer, Findings& findings) {
  if (pattern.is_object() && pattern.empty()) {
    return;
  }
  if (pattern.is_object() && got.is_object()) {
    for (const auto& item : pattern.items()) {
      const std::string here = pointer_to(pointer, item.key());
      const auto found = got.find(item.key());
      if (found == got.end() && item.value().is_null()) {
        continue;  // members without a value may be left out of a message
      }
      if (found == got.end()) {
        findings.add(here + ": expected " + text_from_json(item.value()) + ", got no such member");
      } else {
        match(item.value(), *found, here, findings);
      }
    }
    return;
  }
  if (pattern.is_array() && got.is_array() && pattern.size() == got.size()) {
    for (std::size_t index = 0; index < pattern.size(); ++index) {
      match(pattern[index], got[index], pointer + '/' + std::to_string(index), findings);
    }
    return;
  }
  if (pattern != got) {
    findings.differs(pointer, pattern, got);
  }
}

/// The totals of a whole run of a case.
struct Walk {
  json states = json::array();
  json rules = json::array();
  json commands = json::array();
  std::map<std::string, std::int64_t, std::less<>> used;

  void add(const Decision& decision, const PolicyInfo& info) {
    for (const Step& step : decision.steps) {
      const std::string_view state = info.states[step.to_state];
      if (states.empty()) {
        states.push_back(info.states[step.from_state]);
      }
      if (states.back() != state) {
        states.push_back(state);
      }
      rules.push_back(info.rules[step.rule].id);
      for (const Command& command : step.commands) {
        commands.push_back(name_of(command));
      }
      for (const BudgetMove& move : step.budgets) {
        used[std::string(info.budgets[move.budget])] = move.used;
      }
    }
  }
};

class Case {
 public:
  Case(const json& object, std::string_view default_policy)
      : object_(object), default_policy_(default_policy) {}

  void run(const PolicyMaker& make, Findings& findings) {
    if (!check_members(findings)) {
      return;
    }
    const auto request = read_request(findings);
    const auto inventory = read_inventory(findings);
    if (!request || !inventory) {
      return;
    }
    auto made = make(*request);
    if (auto* issues = std::get_if<std::vector<ConfigIssue>>(&made)) {
      refused(*issues, findings);
      return;
    }
    auto& configured = std::get<ConfiguredPolicy>(made);
    if (object_.contains("issues")) {
      findings.add("/issues: expected " + text_from_json(object_["issues"]) +
                   ", got an accepted configuration");
      return;
    }
    compare_pointers("warnings", configured.warnings, findings);
    drive(Driver(std::move(configured.policy), *inventory), findings);
  }

 private:
  bool check_members(Findings& findings) const {
    if (!object_.is_object()) {
      findings.add("a case is an object, not " + std::string(object_.type_name()));
      return false;
    }
    bool expects = false;
    for (const auto& item : object_.items()) {
      const auto is_key = [&](std::string_view key) { return key == item.key(); };
      expects |= std::any_of(kExpectations.begin(), kExpectations.end(), is_key);
      if (std::none_of(kKeys.begin(), kKeys.end(), is_key)) {
        findings.add(Issue{pointer_to("", item.key()), "no such member of a case", "a known member",
                           std::string(nearest_name(item.key(), kKeys))});
      }
    }
    if (!expects) {
      findings.add("the case expects nothing");
    }
    return findings.empty();
  }

  std::optional<PolicyRequest> read_request(Findings& findings) const {
    PolicyRequest request;
    request.name = default_policy_;
    const auto read_text = [&](const char* key, std::string& out) {
      if (!object_.contains(key)) {
        return;
      }
      if (object_[key].is_string()) {
        out = object_[key].get<std::string>();
      } else {
        findings.differs(pointer_to("", key), "a string", object_[key]);
      }
    };
    read_text("policy", request.name);
    read_text("profile", request.profile);
    *request.config = object_.value("config", json::object());
    const json env = object_.value("env", json::object());
    if (!env.is_object()) {
      findings.differs("/env", "an object", env);
      return std::nullopt;
    }
    for (const auto& item : env.items()) {
      if (item.value().is_string()) {
        request.env[item.key()] = item.value().get<std::string>();
      } else {
        findings.differs(pointer_to("/env", item.key()), "a string", item.value());
      }
    }
    return findings.empty() ? std::optional(std::move(request)) : std::nullopt;
  }

  std::optional<Inventory> read_inventory(Findings& findings) const {
    if (!object_.contains("inventory")) {
      return Inventory{};
    }
    auto read = inventory_from_json(object_["inventory"]);
    if (auto* issue = std::get_if<Issue>(&read)) {
      issue->pointer.insert(0, "/inventory");
      findings.add(*issue);
      return std::nullopt;
    }
    return std::get<Inventory>(std::move(read));
  }

  void refused(const std::vector<ConfigIssue>& issues, Findings& findings) const {
    if (!object_.contains("issues")) {
      for (const ConfigIssue& issue : issues) {
        findings.add(issue);
      }
      return;
    }
    compare_pointers("issues", issues, findings);
  }

  void compare_pointers(const char* key, const std::vector<ConfigIssue>& issues,
                        Findings& findings) const {
    json pointers = json::array();
    for (const ConfigIssue& issue : issues) {
      pointers.push_back(issue.pointer);
    }
    compare(key, pointers, findings);
  }

  void compare(const char* key, const json& got, Findings& findings) const {
    if (object_.contains(key) && object_[key] != got) {
      findings.differs(pointer_to("", key), object_[key], got);
    }
  }

  void drive(Driver driver, Findings& findings) const {
    const json batches = object_.value("in", json::array());
    const json patterns = object_.value("expect", json());
    if (!batches.is_array()) {
      findings.differs("/in", "an array of batches", batches);
      return;
    }
    if (!patterns.is_null() && (!patterns.is_array() || patterns.size() != batches.size())) {
      findings.add("/expect: expected an array with one pattern for each of the " +
                   std::to_string(batches.size()) + " batches");
      return;
    }
    const PolicyInfo& info = driver.policy().info();
    Walk walk;
    walk.states.push_back(info.states[driver.policy().state()]);
    for (std::size_t index = 0; index < batches.size(); ++index) {
      auto answer = driver.decide(batches[index]);
      if (auto* issue = std::get_if<Issue>(&answer)) {
        issue->pointer.insert(0, "/in/" + std::to_string(index));
        findings.add(*issue);
        return;
      }
      const auto& decision = std::get<Decision>(answer);
      walk.add(decision, info);
      if (!patterns.is_null()) {
        compare_decision(patterns[index], decision, info, index, findings);
      }
    }
    compare("states", walk.states, findings);
    compare("rules", walk.rules, findings);
    compare("commands", walk.commands, findings);
    compare_budgets(walk, info, findings);
    if (object_.contains("durable")) {
      TimeUs at_us = driver.t_us();
      if (const auto at = object_.find("durable_at_us"); at != object_.end()) {
        if (!at->is_number_integer() || at->get<TimeUs>() < at_us) {
          findings.differs("/durable_at_us", "a time not before the last batch", *at);
          return;
        }
        at_us = at->get<TimeUs>();
      }
      compare("durable", driver.policy().durable(at_us), findings);
    }
  }

  static void compare_decision(const json& pattern, const Decision& decision,
                               const PolicyInfo& info, std::size_t index, Findings& findings) {
    const std::string line = to_line(decision, info);
    Findings here;
    match(pattern, json_from_text<json>(line), "", here);
    if (!here.empty()) {
      findings.add("batch " + std::to_string(index) + ", answered with " + line);
      findings.add(here);
    }
  }

  void compare_budgets(const Walk& walk, const PolicyInfo& info, Findings& findings) const {
    const json expected = object_.value("budgets", json::object());
    if (!expected.is_object()) {
      findings.differs("/budgets", "an object", expected);
      return;
    }
    for (const auto& item : expected.items()) {
      const std::string pointer = pointer_to("/budgets", item.key());
      if (std::find(info.budgets.begin(), info.budgets.end(), item.key()) == info.budgets.end()) {
        findings.add(Issue{pointer, "the policy has no such budget", "a known budget",
                           std::string(nearest_name(item.key(), info.budgets))});
        continue;
      }
      const auto found = walk.used.find(item.key());
      const json got = found == walk.used.end() ? 0 : found->second;
      if (item.value() != got) {
        findings.differs(pointer, item.value(), got);
      }
    }
  }

  const json& object_;
  std::string_view default_policy_;
};

CaseResult run_case(std::string_view line, std::size_t number, const PolicyMaker& make,
                    std::string_view default_policy) {
  CaseResult result{"line " + std::to_string(number), number, false, {}};
  Findings findings;
  const auto parsed = parse_json(line);
  if (const auto* issue = std::get_if<Issue>(&parsed)) {
    findings.add(*issue);
  } else {
    const auto& object = std::get<json>(parsed);
    if (object.is_object() && object.contains("name") && object["name"].is_string()) {
      result.name = object["name"].get<std::string>();
    }
    Case(object, default_policy).run(make, findings);
  }
  result.passed = findings.empty();
  result.diff = findings.text();
  return result;
}

}  // namespace

std::vector<CaseResult> run_cases(std::string_view text, const PolicyMaker& make,
                                  std::string_view default_policy) {
  std::vector<CaseResult> results;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      results.push_back(run_case(line, number, make, default_policy));
    }
  }
  return results;
}

}  // namespace aftershock::policies
