#include "sim/import/observed.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/registry.h"
#include "sim/engine/isolate.h"
#include "sim/import/moment.h"
#include "sim/import/scenario_text.h"
#include "sim/scenario/read/policy_request.h"
#include "sim/scenario/read/read.h"
#include "sim/scenario/text/lookup.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::imports {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kObservedForm =
    R"(an outcome and when, such as "failed@03:12", "llm:failed@9h12min")";

scenario::TextProblem observed_problem(std::string message, std::string nearest = {}) {
  return {std::move(message), std::string(kObservedForm), std::move(nearest)};
}

/// "03:12" or "03:12:45", since midnight.
std::optional<std::int64_t> time_of_day_us(std::string_view text) {
  if ((text.size() != 5 && text.size() != 8) || text[2] != ':' ||
      (text.size() == 8 && text[5] != ':')) {
    return std::nullopt;
  }
  std::int64_t seconds = 0;
  for (std::size_t at = 0; at < text.size(); at += 3) {
    if (!scenario::is_digit(text[at]) || !scenario::is_digit(text[at + 1])) {
      return std::nullopt;
    }
    const int part = (text[at] - '0') * 10 + (text[at + 1] - '0');
    if (part > (at == 0 ? 23 : 59)) {
      return std::nullopt;
    }
    seconds = seconds * 60 + part;
  }
  return (text.size() == 5 ? seconds * 60 : seconds) * 1'000'000;
}

std::variant<std::int64_t, scenario::TextProblem> observed_time(std::string_view text,
                                                                const std::string& start) {
  constexpr std::int64_t kDayUs = std::int64_t{86'400} * 1'000'000;
  const std::int64_t start_us = start.empty() ? 0 : std::get<Moment>(parse_moment(start)).us;
  const std::int64_t ahead_us = zone_us(start).value_or(0);
  if (const auto of_day_us = time_of_day_us(text)) {
    if (start.empty()) {
      return *of_day_us;
    }
    const std::int64_t start_of_day_us = ((start_us + ahead_us) % kDayUs + kDayUs) % kDayUs;
    return (*of_day_us - start_of_day_us + kDayUs) % kDayUs;
  }
  auto parsed = parse_moment(text);
  if (auto* problem = std::get_if<scenario::TextProblem>(&parsed)) {
    return std::move(*problem);
  }
  const auto moment = std::get<Moment>(parsed);
  if (!moment.dated) {
    return moment.us;
  }
  if (start.empty()) {
    return observed_problem("a date, and the scenario does not say when it begins");
  }
  return moment.us - start_us - (moment.zoned ? 0 : ahead_us);
}

/// The end of the job of a scenario with a change; none where the change makes the scenario
/// invalid.
std::optional<SimulatedEnd> end_of(const Json& json, std::uint32_t job,
                                   const std::vector<std::string>& sets,
                                   reports::JobSummary* summary_of_job) {
  scenario::ReadOptions options;
  options.sets = sets;
  auto read = scenario::read_scenario_text(scenario_file_text(json), "the scenario", options);
  auto* checked = std::get_if<scenario::ReadScenario>(&read);
  if (checked == nullptr) {
    return std::nullopt;
  }
  const auto scenario = std::make_shared<const scenario::Scenario>(std::move(checked->scenario));
  simulate::SimulateOptions simulate_options;
  simulate_options.words = false;
  const auto run = [&] {
    reports::RunSummary summary = simulate::simulate(scenario, simulate_options);
    reports::JobSummary& of_job = summary.jobs[job];
    Json end = {{"outcome", of_job.outcome},
                {"reason", of_job.reason},
                {"at", scenario->jobs[job].submit_us + of_job.wall_us},
                {"budgets", Json::array()}};
    for (const auto& [name, budget] : of_job.budgets) {
      end["budgets"].push_back(
          {name, budget.used, budget.limit ? Json(*budget.limit) : Json(nullptr)});
    }
    return policies::text_from_json(end);
  };
  // A process has one SimGrid.
  const auto bytes =
      simulate::may_contend(*scenario) ? engine::run_isolated(run) : std::optional(run());
  if (!bytes) {
    return std::nullopt;
  }
  const Json end = policies::json_from_text<Json>(*bytes);
  if (summary_of_job != nullptr) {
    for (const Json& budget : end["budgets"]) {
      reports::BudgetSummary one;
      one.used = budget[1];
      if (!budget[2].is_null()) {
        one.limit = budget[2].get<std::int64_t>();
      }
      summary_of_job->budgets.emplace_back(budget[0].get<std::string>(), one);
    }
  }
  return SimulatedEnd{end["outcome"], end["reason"], end["at"]};
}

/// Where the policy's configuration says the limit of a budget; empty: nowhere.
std::string place_of_limit(const Json& job, std::uint32_t index, std::string_view parameter) {
  std::string pointer = fmt::format("/jobs/{}/policy/config", index);
  const Json* config = job["policy"].contains("config") ? &job["policy"]["config"] : nullptr;
  if (config != nullptr && config->contains("metadata")) {
    const Json& metadata = (*config)["metadata"];
    if (metadata.contains("annotations") && metadata["annotations"].contains(parameter)) {
      pointer += "/metadata/annotations";
    }
  }
  scenario::append_to_pointer(pointer, parameter);
  return pointer;
}

/// Changes of one budget's limit, as (distance, change).
void add_limits(std::vector<std::pair<std::int64_t, ScenarioChange>>& changes, const Json& job,
                std::uint32_t index, const policies::PolicyInfo& info, const std::string& name,
                const reports::BudgetSummary& budget) {
  const auto parameter = std::ranges::find_if(info.parameters, [&](const auto& each) {
    return each.name == name || each.name.ends_with("/" + name);
  });
  if (parameter == info.parameters.end()) {
    return;
  }
  const std::string place = place_of_limit(job, index, parameter->name);
  const auto add = [&](std::int64_t distance, std::int64_t limit, std::string words) {
    if (limit >= 0) {
      const bool text = parameter->type == "string";
      changes.emplace_back(
          distance, ScenarioChange{std::move(words), place + (text ? fmt::format("=\"{}\"", limit)
                                                                   : fmt::format("={}", limit))});
    }
  };
  constexpr std::int64_t kFarthest = 10;
  const std::int64_t from = budget.limit.value_or(budget.used);
  const std::string was = budget.limit ? std::to_string(from) : "none";
  for (std::int64_t distance = 1; distance <= kFarthest; ++distance) {
    const std::string limits =
        fmt::format("a limit of {} for {} (it is {})", from - distance, name, was);
    add(2 * distance, from - distance,
        budget.limit && distance == 1
            ? fmt::format("one more charge to {}, as with a limit of {}", name, from - 1)
            : limits);
    if (budget.limit) {
      add(2 * distance + 1, from + distance,
          fmt::format("a limit of {} for {} (it is {})", from + distance, name, was));
    }
  }
}

std::vector<ScenarioChange> changes_of(const Json& scenario, const scenario::Scenario& read,
                                       std::uint32_t index, const reports::JobSummary& summary) {
  const Json& job = scenario["jobs"][index];
  const policies::PolicyInfo info =
      std::get<policies::ConfiguredPolicy>(
          policies::make_policy(scenario::policy_request(read.jobs[index])))
          .policy->info();
  std::vector<std::pair<std::int64_t, ScenarioChange>> limits;
  for (const auto& [name, budget] : summary.budgets) {
    add_limits(limits, job, index, info, name, budget);
  }
  std::ranges::stable_sort(limits, {}, [](const auto& each) { return each.first; });
  std::vector<ScenarioChange> changes;
  for (auto& [distance, change] : limits) {
    changes.push_back(std::move(change));
  }
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    for (const std::string_view profile : entry.profiles) {
      if (entry.name == info.name && profile != info.profile) {
        changes.push_back(
            {fmt::format("profile {} of {} (it is {})", profile, entry.name, info.profile),
             fmt::format("/jobs/{}/policy/profile=\"{}\"", index, profile)});
      }
    }
  }
  return changes;
}

bool agree(const SimulatedEnd& simulated, const ObservedEnd& observed, std::int64_t within_us) {
  return simulated.outcome == observed.outcome &&
         std::abs(simulated.at_us - observed.at_us) <= within_us;
}

}  // namespace

std::variant<ObservedEnd, scenario::TextProblem> parse_observed(
    std::string_view text, const scenario::Scenario& scenario) {
  ObservedEnd observed;
  if (scenario.jobs.empty()) {
    return observed_problem("the scenario has no job");
  }
  const std::size_t at = text.find('@');
  if (at == text.npos) {
    return observed_problem(fmt::format("{} has no @", scenario::in_quotes(text)));
  }
  std::string_view word = text.substr(0, at);
  if (const std::size_t colon = word.find(':'); colon != word.npos) {
    const auto job = scenario::index_by_name(scenario.jobs, word.substr(0, colon));
    if (!job) {
      return scenario::no_such("job", scenario.jobs, word.substr(0, colon));
    }
    observed.job = *job;
    word.remove_prefix(colon + 1);
  } else if (scenario.jobs.size() > 1) {
    return observed_problem("there are several jobs: JOB:failed@TIME");
  }
  constexpr std::array<std::string_view, 3> kOutcomes{"completed", "failed", "aborted"};
  if (std::ranges::find(kOutcomes, word) == kOutcomes.end()) {
    return scenario::TextProblem{fmt::format("unknown outcome {}", scenario::in_quotes(word)),
                                 fmt::format("one of {}", fmt::join(kOutcomes, ", ")),
                                 std::string(policies::nearest_name(word, kOutcomes))};
  }
  observed.outcome = word;
  auto time = observed_time(text.substr(at + 1), scenario.start);
  if (auto* problem = std::get_if<scenario::TextProblem>(&time)) {
    return std::move(*problem);
  }
  observed.at_us = std::get<std::int64_t>(time);
  if (observed.at_us < 0) {
    return observed_problem(
        fmt::format("{} is before the scenario's start", scenario::in_quotes(text)));
  }
  return observed;
}

ObservedAnswer judge_observed(const Json& scenario, const ObservedEnd& observed,
                              std::int64_t within_us) {
  ObservedAnswer answer;
  reports::JobSummary summary;
  const auto simulated = end_of(scenario, observed.job, {}, &summary);
  if (!simulated) {
    return answer;
  }
  answer.simulated = *simulated;
  answer.agrees = agree(*simulated, observed, within_us);
  if (answer.agrees) {
    return answer;
  }
  const auto read = scenario::read_scenario_text(scenario_file_text(scenario), "the scenario");
  for (const ScenarioChange& change : changes_of(
           scenario, std::get<scenario::ReadScenario>(read).scenario, observed.job, summary)) {
    if (answer.tried == kMostChanges) {
      break;
    }
    ++answer.tried;
    const auto changed = end_of(scenario, observed.job, {change.set}, nullptr);
    if (changed && agree(*changed, observed, within_us)) {
      answer.least = change;
      answer.changed = changed;
      break;
    }
  }
  return answer;
}

}  // namespace aftershock::sim::imports
