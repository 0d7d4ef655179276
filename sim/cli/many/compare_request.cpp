#include "sim/cli/many/compare_request.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/registry.h"
#include "reports/render/format.h"
#include "sim/advise/assumed.h"
#include "sim/advise/unlike_choices.h"
#include "sim/cli/command.h"
#include "sim/cli/many/budget_note.h"
#include "sim/cli/many_runs.h"
#include "sim/cli/pods_text.h"
#include "sim/scenario/expression/parse_expression.h"
#include "sim/scenario/expression/run_metric.h"
#include "sim/scenario/faults/randomness.h"
#include "sim/scenario/read/elastic_size.h"
#include "sim/scenario/read/policy_request.h"
#include "sim/sweep/hindsight.h"

namespace aftershock::sim::cli {
namespace {

constexpr const char* kUsualPairs = "30";

/// The policies to compare, as cells; the scenario's own first where one is named, or none.
std::optional<std::vector<sweep::Point>> policy_points(const std::vector<std::string>& policies,
                                                       const std::string& from_elsewhere) {
  std::vector<sweep::Point> points;
  if (policies.size() + (from_elsewhere.empty() ? 0 : 1) < 2) {
    points.emplace_back();
  }
  for (const std::string& policy : policies) {
    if (const auto named = scenario::policy_named(policy); named.index() == 1) {
      complain(fmt::format("--policy {}: {}", scenario::in_quotes(policy),
                           std::get<std::string>(named)));
      return std::nullopt;
    }
    points.push_back({{"policy", policy}});
  }
  if (!from_elsewhere.empty()) {
    points.push_back({{"policy", from_elsewhere}});
  }
  return points;
}

using Config = nlohmann::json;

/// The policy of a scenario's first job, as written.
Config first_policy(const Config& scenario) {
  const Config::json_pointer place("/jobs/0/policy");
  return scenario.contains(place) ? scenario.at(place) : Config::object();
}

/// "max_failures 3, limit 2": settings by their own names, wherever they stand.
std::string values_words(const Config& config) {
  std::string words;
  for (const auto& [key, value] : config.items()) {
    const std::string name = key.substr(key.rfind('/') + 1);
    const std::string part = value.is_object() && !value.empty() ? values_words(value)
                             : value.is_string()
                                 ? fmt::format("{} {}", name, value.get<std::string>())
                                 : fmt::format("{} {}", name, policies::text_from_json(value));
    words += (words.empty() ? "" : ", ") + part;
  }
  return words;
}

/// ", of job first; others have their own": where the jobs of a queue have different settings.
std::string own_settings_of_others(const Config& scenario) {
  const Config jobs = scenario.value("jobs", Config::array());
  const Config first = first_policy(scenario);
  const bool alike = std::ranges::all_of(
      jobs, [&](const Config& job) { return job.value("policy", Config::object()) == first; });
  return alike ? std::string()
               : fmt::format(", of job {}; others have their own",
                             jobs.front().value("name", std::string()));
}

/// "max_failures 3 (the scenario's)": with which settings the policy of a cell's first job runs,
/// and whose they are.
std::string settings_words(const sweep::PlannedCell& cell, const Config& own) {
  const Config scenario = policies::json_from_text(cell.text);
  const Config policy = first_policy(scenario);
  const Config config = policy.value("config", Config::object());
  if (config.empty()) {
    return "its defaults";
  }
  const std::string name = policy.value("name", std::string());
  const std::string words = values_words(config);
  const std::string others = own_settings_of_others(scenario);
  if (own.value("name", std::string()) == name && own.value("config", Config::object()) == config) {
    return fmt::format("{} (the scenario's{})", words, others);
  }
  const policies::PolicyEntry* entry = policies::shipped_policy(name);
  const std::string size(scenario::elastic_setting(name));
  Config but_size = config;
  const bool sized = !size.empty() && but_size.erase(size) == 1;
  if (entry != nullptr) {
    for (const policies::Preset& preset : entry->presets) {
      const Config own_settings = policies::json_from_text(std::string(preset.config));
      if (own_settings == config) {
        return fmt::format("{} (preset {}: {})", words, preset.name, preset.what);
      }
      if (sized && own_settings == but_size) {
        return fmt::format("{} (preset {}: {}; {} by the sizes that the scenario's job may have)",
                           words, preset.name, preset.what, size);
      }
    }
  }
  return words;
}

/// Cells are called by what differs: where that is the policy alone, by its full name.
void name_cells(std::vector<sweep::PlannedCell>& cells) {
  std::set<std::string> names;
  const bool policies_alone = std::ranges::all_of(cells, [](const sweep::PlannedCell& cell) {
    const auto& about = cell.about.parameters;
    return about.empty() || (about.size() == 1 && about.front().first == "policy");
  });
  for (sweep::PlannedCell& cell : cells) {
    if (policies_alone) {
      cell.about.label = cell.about.policy;
      if (!cell.about.parameters.empty()) {
        const std::string& asked = cell.about.parameters.front().second;
        const std::size_t preset = asked.find(':');
        cell.about.label += preset == asked.npos ? std::string() : asked.substr(preset);
      }
    } else if (cell.about.label.empty()) {
      cell.about.label = "as it is";
    }
    if (!names.insert(cell.about.label).second) {
      cell.about.label += fmt::format(" ({})", names.size() + 1);
    }
  }
}

/// The metric of work that compares cells, and why the share of useful work does not; without a
/// reason that share itself.
struct Leading {
  std::string_view metric = "useful";
  std::string_view why{};
};

std::string_view told(const Leading& leading) {
  if (!leading.why.empty()) {
    complain(fmt::format("note: {}: {} leads", leading.why, leading.metric));
  }
  return leading.metric;
}

std::optional<std::string> goal_of(const CompareArguments& arguments, const sweep::Plan& plan,
                                   const Leading& leading) {
  const std::string goal(
      scenario::metric_meant(arguments.goal.empty() ? told(leading) : arguments.goal));
  if (std::ranges::find(plan.pointers, goal) != plan.pointers.end()) {
    return goal;
  }
  std::vector<std::string_view> names = reports::metric_names();
  names.emplace_back("useful");
  const auto problem = scenario::check_one_of(goal, names, "metric");
  if (problem) {
    complain(fmt::format(
        "--goal: {}{}", problem->message,
        problem->nearest.empty()
            ? "; expected a metric, or what a --metric names"
            : fmt::format("; did you mean {}?", scenario::in_quotes(problem->nearest))));
    return std::nullopt;
  }
  return goal;
}

/// Where policies differ: with which settings each runs. `base`: how the scenario is read as it is.
void tell_settings(const sweep::Plan& plan, const std::string& path, const ScenarioOptions& base,
                   CompareRequest& request) {
  const bool by_policy = std::ranges::any_of(plan.cells, [](const sweep::PlannedCell& cell) {
    return std::ranges::any_of(cell.about.parameters,
                               [](const auto& each) { return each.first == "policy"; });
  });
  if (!by_policy) {
    return;
  }
  const auto options = read_options(base);
  const auto read =
      scenario::read_scenario_file(path, options ? *options : scenario::ReadOptions());
  const auto* own = std::get_if<scenario::ReadScenario>(&read);
  const Config policy =
      own == nullptr ? Config::object() : first_policy(Config(*own->scenario.resolved));
  const scenario::Scenario first = sweep::scenario_of(plan.cells.front());
  for (const sweep::PlannedCell& cell : plan.cells) {
    request.settings.push_back(settings_words(cell, policy));
    if (const std::string note = budget_note(first, sweep::scenario_of(cell)); !note.empty()) {
      request.settings.back() += "; " + note;
    }
  }
}

/// By what the runs of a cell differ; an external policy may draw what it likes.
reports::History history_of(const scenario::Scenario& cell) {
  if (scenario::draws_faults(cell)) {
    return reports::History::kMany;
  }
  const bool draws = cell.policies != nullptr || scenario::draws_random_numbers(cell);
  return draws ? reports::History::kOneOfFaults : reports::History::kOne;
}

/// Whether the jobs of a queue are not all as large, or stand beside trials.
bool has_other_sizes(const scenario::Scenario& scenario) {
  return (!scenario.jobs.empty() && !scenario.experiments.empty()) ||
         std::ranges::adjacent_find(scenario.jobs, std::ranges::not_equal_to(),
                                    &scenario::JobSpec::workers) != scenario.jobs.end();
}

/// The metric that compares the work of a cell with that of the first, where a share does not.
std::optional<Leading> leading_between(const scenario::Scenario& first,
                                       const scenario::Scenario& cell) {
  constexpr std::string_view kWork = "useful_accelerator_us";
  if (advise::other_lengths(first, cell)) {
    return Leading{kWork,
                   "the cells are runs of other lengths, of which a longer one has more time to "
                   "fail, and useful_share is a share of its own"};
  }
  if (advise::other_steps(first, cell)) {
    return Leading{"useful_steps",
                   "a step takes other times in the cells, so that as long work is not as much"};
  }
  if (advise::other_sizes(first, cell)) {
    return Leading{kWork,
                   "the cells are jobs of other sizes, and useful_share is a share of a job's own"};
  }
  return std::nullopt;
}

/// Reads the cells once more for what the comparison wants to know of them, and which metric of
/// work compares them.
Leading look_at(const std::vector<sweep::PlannedCell>& cells, CompareRequest& request) {
  bool has_costs = true;
  std::optional<Leading> leading;
  std::optional<scenario::Scenario> first;
  for (const sweep::PlannedCell& cell : cells) {
    const scenario::Scenario checked = sweep::scenario_of(cell);
    const std::string pods = pods_text(checked, output_style());
    if (!pods.empty() && std::ranges::find(request.assumed, pods) == request.assumed.end()) {
      request.assumed.push_back(pods);
    }
    for (const std::string& assumed : advise::assumed_words(checked)) {
      const std::string line = reports::wrapped("assumed: " + assumed, 0, output_style().width);
      if (std::ranges::find(request.assumed, line) == request.assumed.end()) {
        request.assumed.push_back(line);
      }
    }
    if (auto other = first ? leading_between(*first, checked) : std::nullopt) {
      leading = other;
    }
    if (!first) {
      first = checked;
    }
    request.history = std::min(request.history, history_of(checked));
    const auto costs = sweep::start_costs(checked);
    if (!costs) {
      has_costs = false;
      continue;
    }
    request.costs.push_back(*costs);
    request.moving_faults = sweep::moving_faults(checked);
  }
  if (!has_costs) {
    request.costs.clear();
  }
  if (!leading && first && has_other_sizes(*first)) {
    leading = Leading{"useful_accelerator_us",
                      "the jobs are of other sizes, and useful_share counts an hour of each alike"};
  }
  return leading.value_or(Leading{});
}

}  // namespace

std::optional<CompareRequest> understood(const CompareArguments& arguments) {
  SweepArguments asked = arguments.sweep;
  asked.path = arguments.paths.front();
  if (asked.runs.empty()) {
    asked.runs = kUsualPairs;
  }
  const ScenarioOptions& scenario = arguments.sweep.scenario;
  const std::string from_elsewhere =
      printable(scenario.policy_cmd.empty() ? scenario.policy_lib : scenario.policy_cmd);
  asked.scenario.names_installed = std::ranges::any_of(arguments.policies, names_installed);
  // Two builds ask one and the same policy.
  const auto bases =
      policy_points(arguments.policies, arguments.against.empty() ? from_elsewhere : std::string());
  auto sweep = bases ? cli::understood(asked, *bases) : std::nullopt;
  if (!sweep) {
    return std::nullopt;
  }
  CompareRequest request;
  request.sweep = *std::move(sweep);
  sweep::Plan& plan = request.sweep.plan;
  if (plan.cells.size() < 2 && arguments.against.empty()) {
    complain(
        "there is nothing to compare with: give --policy NAME[@PROFILE] (twice, or once against "
        "the scenario's own), --vary, or --against ANOTHER_BUILD");
    return std::nullopt;
  }
  name_cells(plan.cells);
  const Leading leading = look_at(plan.cells, request);
  auto goal = goal_of(arguments, plan, leading);
  if (!goal) {
    return std::nullopt;
  }
  request.goal = *std::move(goal);
  if (!arguments.pair.empty()) {
    const auto seed = whole_number("--pair", arguments.pair, plan.first_seed,
                                   plan.first_seed + plan.replicas - 1);
    if (!seed) {
      return std::nullopt;
    }
    request.replica = static_cast<std::uint32_t>(*seed - plan.first_seed);
  }
  tell_settings(plan, asked.path, asked.scenario, request);
  return request;
}

}  // namespace aftershock::sim::cli
