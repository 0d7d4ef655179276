#include "sim/conform/view.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "policies/api/issue.h"

namespace aftershock::sim::conform {
namespace {

using Json = nlohmann::ordered_json;

/// The kind of a member of a job or an experiment in the summary; none: it is not compared, or
/// taken apart. All others are work.
constexpr std::array<std::pair<std::string_view, std::optional<Kind>>, 22> kMembers{{
    {"name", std::nullopt},          {"policy", std::nullopt},
    {"reason", std::nullopt},        {"rules", std::nullopt},
    {"budgets", std::nullopt},       {"recoveries", std::nullopt},
    {"restores", std::nullopt},      {"outcome", Kind::kOutcome},
    {"unplaced", Kind::kOutcome},    {"vendor_state", Kind::kOutcome},
    {"at_end", Kind::kOutcome},      {"statuses", Kind::kOutcome},
    {"lost_trials", Kind::kOutcome}, {"result", Kind::kOutcome},
    {"attempts", Kind::kAttempts},   {"wall_us", Kind::kTime},
    {"finish_us", Kind::kTime},      {"ettr", Kind::kTime},
    {"useful_of_us", Kind::kTime},   {"useful_share", Kind::kTime},
    {"ledger_us", Kind::kTime},      {"ledger_accelerator_us", Kind::kTime},
}};

std::optional<Kind> kind_of_member(std::string_view member) {
  const auto* const found =
      std::ranges::find(kMembers, member, [](const auto& known) { return known.first; });
  return found == kMembers.end() ? Kind::kWork : found->second;
}

Json& part(View& view, Kind kind) { return view[std::string(name_of(kind))]; }

/// The members of `told` in two: those whose names end in "_us" are times.
std::pair<Json, Json> apart(const Json& told) {
  std::pair<Json, Json> parts{Json::object(), Json::object()};
  for (const auto& [name, value] : told.items()) {
    (name.ends_with("_us") ? parts.second : parts.first)[name] = value;
  }
  return parts;
}

void add_list(View& view, const std::string& owner, const std::string& name, const Json& list) {
  for (const Json& each : list) {
    auto [what, when] = apart(each);
    what.erase("rules");
    part(view, Kind::kAttempts)[owner][name].push_back(std::move(what));
    part(view, Kind::kTime)[owner][name].push_back(std::move(when));
  }
}

/// A budget that has no limit and of which nothing was used, such as that of a part which is off: a
/// controller without it is the same, and so is one that says of nothing that it is exempt.
bool is_idle(const Json& budget) {
  const auto is_exempt = [](const Json& charge) { return charge.at("exempt").get<bool>(); };
  return budget.at("used") == 0 && budget.at("limit").is_null() &&
         std::ranges::all_of(budget.at("charges"), is_exempt);
}

void add_budget(View& view, const std::string& owner, const std::string& name, const Json& budget) {
  if (is_idle(budget)) {
    return;
  }
  Json& use = part(view, Kind::kOutcome)[owner]["budgets"][name];
  for (const char* member : {"used", "limit", "exhausted"}) {
    use[member] = budget.at(member);
  }
  for (const Json& charge : budget.at("charges")) {
    if (charge.at("exempt").get<bool>()) {
      continue;
    }
    Json what;
    for (const char* member : {"cause", "fault", "decision", "used"}) {
      what[member] = charge.at(member);
    }
    part(view, Kind::kCharges)[owner][name].push_back(std::move(what));
    part(view, Kind::kTime)[owner]["charges"][name].push_back(charge.at("t_us"));
  }
}

/// An account without what nothing was put down to: it is most of it.
Json without_zeros(const Json& account) {
  Json used = Json::object();
  for (const auto& [name, value] : account.items()) {
    if (value != 0) {
      used[name] = value;
    }
  }
  return used;
}

void add_subject(View& view, std::string_view what, const Json& subject) {
  const std::string owner = fmt::format("{}:{}", what, subject.at("name").get<std::string>());
  for (const auto& [name, value] : subject.items()) {
    if (const auto kind = kind_of_member(name)) {
      const bool account = name.starts_with("ledger_") && value.is_object();
      part(view, *kind)[owner][name] = account ? without_zeros(value) : value;
    }
  }
  for (const auto& [name, budget] : subject.at("budgets").items()) {
    add_budget(view, owner, name, budget);
  }
  for (const char* list : {"recoveries", "restores"}) {
    if (subject.contains(list)) {
      add_list(view, owner, list, subject.at(list));
    }
  }
}

/// The judgement in a step: a charge, or the vendor's word where it has one; empty for none.
std::string judgement_in(const reports::DecisionStep& step) {
  for (const reports::BudgetMove& move : step.budgets) {
    if (move.charged) {
      return fmt::format("charges {} ({})", move.budget, move.cause);
    }
  }
  return {};
}

void add_step(View& view, const reports::DecisionStep& step) {
  const auto add = [&](Kind kind, const std::string& what) {
    const std::string name(name_of(kind));
    part(view, kind)[step.owner].push_back(what);
    part(view, Kind::kTime)[step.owner][name].push_back(step.t_us);
  };
  if (const std::string judged = judgement_in(step); !judged.empty()) {
    add(Kind::kDecisions, judged);
  }
  if (step.from != step.to) {
    add(Kind::kDecisions, step.to);
  }
  for (const reports::OrderedCommand& command : step.commands) {
    add(Kind::kCommands, command.type);
  }
}

std::optional<Difference> difference_at(const Json& port, const Json& installed,
                                        const std::string& pointer);

std::optional<Difference> difference_of_objects(const Json& port, const Json& installed,
                                                const std::string& pointer) {
  static const Json nothing;
  const auto member = [](const Json& object, const std::string& name) -> const Json& {
    const auto found = object.find(name);
    return found == object.end() ? nothing : *found;
  };
  for (const Json* object : {&port, &installed}) {
    for (const auto& [name, value] : object->items()) {
      const auto found = difference_at(member(port, name), member(installed, name),
                                       policies::pointer_to(pointer, name));
      if (found) {
        return found;
      }
    }
  }
  return std::nullopt;
}

std::optional<Difference> difference_of_lists(const Json& port, const Json& installed,
                                              const std::string& pointer) {
  static const Json nothing;
  for (std::size_t i = 0; i < std::max(port.size(), installed.size()); ++i) {
    const auto found = difference_at(i < port.size() ? port[i] : nothing,
                                     i < installed.size() ? installed[i] : nothing,
                                     fmt::format("{}/{}", pointer, i));
    if (found) {
      return found;
    }
  }
  return std::nullopt;
}

std::optional<Difference> difference_at(const Json& port, const Json& installed,
                                        const std::string& pointer) {
  if (port.is_object() && installed.is_object()) {
    return difference_of_objects(port, installed, pointer);
  }
  if (port.is_array() && installed.is_array()) {
    return difference_of_lists(port, installed, pointer);
  }
  if (port == installed) {
    return std::nullopt;
  }
  return Difference{.kind = {}, .pointer = pointer, .port = port, .installed = installed};
}

std::uint64_t count_in(const View& view, Kind kind, int depth) {
  const auto found = view.find(std::string(name_of(kind)));
  std::uint64_t count = 0;
  if (found == view.end()) {
    return count;
  }
  for (const Json& owner : *found) {
    if (depth == 1) {
      count += owner.size();
      continue;
    }
    for (const Json& list : owner) {
      count += list.size();
    }
  }
  return count;
}

}  // namespace

View view_of(const Json& summary, const reports::Decisions& decisions) {
  View view;
  for (const Kind kind : kKinds) {
    part(view, kind) = Json::object();
  }
  for (const Json& job : summary.at("jobs")) {
    add_subject(view, "job", job);
  }
  for (const Json& experiment : summary.at("experiments")) {
    add_subject(view, "experiment", experiment);
  }
  for (const Json& driver : summary.at("driver_runs")) {
    auto [what, when] = apart(driver);
    part(view, Kind::kAttempts)["drivers"].push_back(std::move(what));
    part(view, Kind::kTime)["drivers"].push_back(std::move(when));
  }
  part(view, Kind::kTime)["simulated_us"] = summary.at("simulated_us");
  part(view, Kind::kTime)["cluster"] = summary.at("cluster");
  Json& faults = part(view, Kind::kFaults);
  faults["counts"] = summary.at("faults");
  faults["never_struck"] = summary.at("never_struck");
  for (const Json& violation : summary.at("invariants").at("violated")) {
    faults["violated"].push_back(violation.at("id"));
  }
  for (const reports::DecisionStep& step : decisions.steps) {
    add_step(view, step);
  }
  return view;
}

Counts counts_of(const View& view) {
  return {.decisions = count_in(view, Kind::kDecisions, 1),
          .charges = count_in(view, Kind::kCharges, 2)};
}

std::vector<Difference> differences(const View& port, const View& installed) {
  std::vector<Difference> found;
  for (const Kind kind : kKinds) {
    const std::string name(name_of(kind));
    static const Json nothing = Json::object();
    auto difference =
        difference_at(port.contains(name) ? port.at(name) : nothing,
                      installed.contains(name) ? installed.at(name) : nothing, "/" + name);
    if (difference) {
      difference->kind = kind;
      found.push_back(*std::move(difference));
    }
  }
  return found;
}

}  // namespace aftershock::sim::conform
