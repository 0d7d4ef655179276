#include "sim/control/external/identity.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json_reader.h"
#include "policies/external/messages.h"
#include "sim/control/external/answer.h"

namespace aftershock::sim::control {
namespace {

using policies::Issue;

/// Reads a message behind its type.
template <class Message>
policies::ReadResult<Message> read_message(const nlohmann::json& answer) {
  Message message;
  if (auto problem = policies::json_reader::read_members(policies::json_reader::Place{}, answer,
                                                         message, "type")) {
    return *std::move(problem);
  }
  return message;
}

/// The types of all events, by their index in the variant.
template <class... Events>
std::array<std::string_view, sizeof...(Events)> event_names(const std::variant<Events...>*) {
  return {Events::kName...};
}

/// The reason why a text cannot be a name.
std::optional<std::string> name_problem(std::string_view name) {
  constexpr std::size_t kLongest = 200;
  const auto odd = [](char letter) {
    return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f' || letter == '"' ||
           letter == '\\';
  };
  if (name.size() > kLongest) {
    return "a name of " + std::to_string(name.size()) + " bytes, and " + std::to_string(kLongest) +
           " are the most";
  }
  return std::ranges::any_of(name, odd)
             ? std::optional<std::string>("a quote, a backslash or a control character in a name")
             : std::nullopt;
}

/// Names stand in recordings and tables as they are, and are told apart by nothing else.
std::optional<Issue> check_names(std::string_view list, std::string_view member, const auto& named,
                                 const auto& name_of) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < named.size(); ++i) {
    const std::string_view name = name_of(named[i]);
    const policies::json_reader::Place root;
    const auto place = root.at(list);
    const std::string pointer = place.at(i).pointer() + std::string(member);
    if (name.empty()) {
      return Issue{pointer, "no name", "a name", {}};
    }
    if (auto problem = name_problem(name)) {
      return Issue{pointer, *std::move(problem), "a plain name", {}};
    }
    if (!seen.insert(name).second) {
      return Issue{
          pointer, "\"" + std::string(name) + "\" is there twice", "names that differ", {}};
    }
  }
  return std::nullopt;
}

/// Names of everything that has one.
std::optional<Issue> check_all_names(const policies::wire::Ready& ready) {
  for (const auto& [pointer, text] : {std::pair<const char*, std::string_view>{"/name", ready.name},
                                      {"/profile", ready.profile}}) {
    if (auto problem = name_problem(text)) {
      return Issue{pointer, *std::move(problem), "a plain name", {}};
    }
  }
  auto issue = check_names("rules", "/id", ready.rules,
                           [](const auto& rule) { return std::string_view(rule.id); });
  if (!issue) {
    issue = check_names("budgets", "/name", ready.budgets,
                        [](const auto& budget) { return std::string_view(budget.name); });
  }
  if (!issue) {
    issue = check_names("states", "", ready.states,
                        [](const auto& state) { return std::string_view(state); });
  }
  return issue;
}

std::optional<Issue> check(const policies::wire::Ready& ready) {
  // Steps and moves name them by 16 bits.
  constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
  if (ready.states.size() > kMost || ready.rules.size() > kMost || ready.budgets.size() > kMost) {
    return Issue{"", "more than " + std::to_string(kMost) + " states, rules or budgets", {}, {}};
  }
  const auto known_events = event_names(static_cast<const policies::Event*>(nullptr));
  for (std::size_t i = 0; ready.events && i < ready.events->size(); ++i) {
    const std::string& event = (*ready.events)[i];
    if (std::ranges::find(known_events, event) == known_events.end()) {
      const policies::json_reader::Place root;
      const auto list = root.at("events");
      return policies::json_reader::unknown(list.at(i), "event", event, known_events);
    }
  }
  if (auto issue = check_all_names(ready)) {
    return issue;
  }
  const auto& states = ready.states;
  if (!ready.state.empty() && std::ranges::find(states, ready.state) == states.end()) {
    const std::vector<std::string_view> known(states.begin(), states.end());
    return Issue{"/state", "unknown state \"" + ready.state + "\"", "one of \"states\"",
                 std::string(policies::nearest_name(ready.state, known))};
  }
  return std::nullopt;
}

/// The error in what it says that it persists.
std::optional<Issue> check_persists(const policies::wire::Ready& ready,
                                    const Introduced& introduced) {
  if (!ready.persists) {
    return std::nullopt;
  }
  if (introduced.minor == 0) {
    return Issue{"/persists",
                 "a member of protocol 1.1, and it asked for 1.0 in hello_ok",
                 "\"protocol\": \"1.1\" there, or no such member",
                 {}};
  }
  if (!ready.persists->empty() && !introduced.durable) {
    return Issue{"/persists",
                 "it persists something, and cannot be asked for it",
                 "\"durable\" among the features of hello_ok",
                 {}};
  }
  return std::nullopt;
}

/// Texts move in and are referred to.
class Texts {
 public:
  explicit Texts(std::vector<std::string>& kept) : kept_(kept) {}
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

 private:
  std::vector<std::string>& kept_;
};

void fill(Identity& identity, policies::wire::Ready ready, std::string_view name) {
  constexpr std::size_t kFew = 8;
  // Strings do not move again once they are kept.
  identity.texts.reserve(kFew + ready.states.size() + ready.budgets.size() +
                         3 * ready.rules.size() + (ready.persists ? ready.persists->size() : 0));
  Texts texts(identity.texts);
  policies::PolicyInfo& info = identity.info;
  info.subject = ready.subject;
  info.name = texts.keep(ready.name.empty() ? std::string(name) : std::move(ready.name));
  info.profile = texts.keep(std::move(ready.profile));
  info.summary = texts.keep(std::move(ready.summary));
  // A policy that says little of itself still has a state and a rule to show in recordings.
  if (ready.states.empty()) {
    ready.states = {"RUNNING"};
  }
  if (ready.rules.empty()) {
    // A command that stands in for a name may have quotes.
    ready.rules = {{.id = std::string(name_problem(info.name) ? "policy" : info.name) + ".decides",
                    .sentence = "It says no more of why.",
                    .source = {},
                    .ends = {},
                    .relaxes = false}};
  }
  for (std::string& state : ready.states) {
    if (state == ready.state) {
      identity.state = static_cast<std::uint16_t>(info.states.size());
    }
    info.states.push_back(texts.keep(std::move(state)));
  }
  for (policies::wire::Budget& budget : ready.budgets) {
    if (budget.in_a_row) {
      info.budgets_in_a_row.push_back(static_cast<std::uint16_t>(info.budgets.size()));
    }
    info.budgets.push_back(texts.keep(std::move(budget.name)));
    identity.budgets.push_back({budget.used, budget.limit});
  }
  for (policies::wire::Rule& rule : ready.rules) {
    if (rule.ends) {
      info.endings.push_back({static_cast<std::uint16_t>(info.rules.size()), *rule.ends});
    }
    if (rule.relaxes) {
      info.relaxing.push_back(static_cast<std::uint16_t>(info.rules.size()));
    }
    const std::string_view id = texts.keep(std::move(rule.id));
    const std::string_view sentence = texts.keep(std::move(rule.sentence));
    info.rules.push_back({id, sentence, texts.keep(std::move(rule.source))});
  }
  if (ready.events) {
    for (const std::string_view event : event_names(static_cast<const policies::Event*>(nullptr))) {
      identity.answers.push_back(std::ranges::find(*ready.events, event) != ready.events->end());
    }
  }
  identity.persists_nothing = ready.persists && ready.persists->empty();
  for (std::size_t i = 0; ready.persists && i < ready.persists->size(); ++i) {
    info.persists.push_back(texts.keep(std::move((*ready.persists)[i])));
  }
  info.watches_nodes = ready.watches_nodes;
  info.isolates = ready.isolates;
  info.leaves_peers = ready.leaves_peers;
  info.charges_pods = ready.charges_pods;
  info.pods_are_objects = ready.pods_are_objects;
  info.agents = ready.agents;
  info.commits_checkpoints = ready.commits_checkpoints;
  if (ready.terms) {
    identity.terms = *ready.terms;
    for (const policies::wire::CodeSeverity& code : ready.terms->by_code) {
      identity.terms.severities[code.code] = code.severity;
    }
  }
}

}  // namespace

IdentityResult identity_of(const nlohmann::json& answer, const Introduced& introduced) {
  const auto type = answer.find("type");
  if (type != answer.end() && *type == policies::wire::Refused::kName) {
    auto read = read_message<policies::wire::Refused>(answer);
    if (auto* issue = std::get_if<Issue>(&read)) {
      return std::move(*issue);
    }
    std::vector<policies::ConfigIssue> issues;
    for (policies::wire::RefusedIssue& issue : std::get<policies::wire::Refused>(read).issues) {
      issues.push_back({std::move(issue.pointer), std::move(issue.message),
                        std::move(issue.expected), std::move(issue.nearest)});
    }
    if (issues.empty()) {
      return Issue{"/issues", "it refuses and does not say why", "an issue", {}};
    }
    return issues;
  }
  if (too_large(answer)) {
    return Issue{"", std::string(kTooLarge), {}, {}};
  }
  auto read = read_message<policies::wire::Ready>(answer);
  if (auto* issue = std::get_if<Issue>(&read)) {
    return std::move(*issue);
  }
  auto& ready = std::get<policies::wire::Ready>(read);
  if (auto issue = check(ready)) {
    return *std::move(issue);
  }
  if (auto issue = check_persists(ready, introduced)) {
    return *std::move(issue);
  }
  auto identity = std::make_shared<Identity>();
  fill(*identity, std::move(ready), introduced.name);
  return identity;
}

}  // namespace aftershock::sim::control
