#include <algorithm>
#include <functional>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/registry.h"
#include "reports/baseline/baseline.h"
#include "reports/render/format.h"
#include "sim/advise/advice_page.h"
#include "sim/advise/advice_text.h"
#include "sim/advise/choices.h"
#include "sim/advise/known_runs.h"
#include "sim/advise/policy_settings.h"
#include "sim/advise/unlike_choices.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"
#include "sim/cli/many/advise_cures.h"
#include "sim/cli/many/advise_goal.h"
#include "sim/cli/many/advise_runs.h"
#include "sim/cli/many/advise_search.h"
#include "sim/cli/many_runs.h"
#include "sim/cli/scenario_options.h"
#include "sim/scenario/expression/parse_expression.h"
#include "sim/scenario/faults/randomness.h"
#include "sim/sweep/process_pool.h"
#include "sim/sweep/run_values.h"
#include "sim/sweep/scale_rates.h"

namespace aftershock::sim::cli {
namespace {

struct AdviseArguments {
  std::string path;
  ScenarioOptions scenario;
  std::string goal = "p(alive) > 95% and max useful";
  std::vector<std::string> choose;
  std::string runs = "400";
  std::string jobs;
  std::string out;
  bool resume = false;
  std::string html;
};

/// The same, understood.
struct AdviseRequest {
  advise::AdviceQuestion question;
  sweep::Plan plan;
  std::uint32_t workers = 1;
  std::shared_ptr<advise::KnownRuns> known;
};

bool read_goal(const AdviseArguments& arguments, const sweep::Plan& of,
               advise::AdviceQuestion& question) {
  auto parsed = sweep::parse_many_runs(arguments.goal, of, true);
  const auto* goal = std::get_if<scenario::Expression>(&parsed);
  if (const std::string added = goal == nullptr ? "" : survival_added(*goal); !added.empty()) {
    parsed = sweep::parse_many_runs(fmt::format("{} and {}", added, arguments.goal), of, true);
  }
  if (const auto* problem = std::get_if<scenario::ExpressionProblem>(&parsed)) {
    complain(scenario::format(scenario::argument_error("--goal", arguments.goal, *problem)));
    return false;
  }
  question.goal = std::get<scenario::Expression>(std::move(parsed));
  return true;
}

/// Reads the places to choose for, and the rates at which they are tried.
bool read_dimensions(const AdviseArguments& arguments, const scenario::Scenario& scenario,
                     advise::AdviceQuestion& question) {
  if (arguments.choose.empty()) {
    complain(
        fmt::format("--choose is missing: what may change; expected POINTER=VALUES, or one of "
                    "{}",
                    fmt::join(advise::choice_words(scenario), ", ")));
    return false;
  }
  auto dimensions = advise::read_choices(arguments.choose, scenario);
  if (const auto* problem = std::get_if<std::string>(&dimensions)) {
    complain(fmt::format("--choose {}", *problem));
    return false;
  }
  for (advise::Choosable& each : std::get<0>(dimensions)) {
    question.dimensions.push_back(std::move(each.dimension));
    question.by_model.push_back(each.by_model);
  }
  auto choices = sweep::combine(question.dimensions);
  if (const auto* problem = std::get_if<std::string>(&choices)) {
    complain(fmt::format("--choose: {}", *problem));
    return false;
  }
  question.choices = std::get<0>(std::move(choices));
  if (const auto problem = advise::length_problem(scenario, question.dimensions)) {
    complain(*problem);
    return false;
  }
  if (const auto problem = advise::size_problem(scenario, question.dimensions, arguments.goal)) {
    complain(*problem);
    return false;
  }
  auto random = *scenario.resolved;
  question.rates =
      sweep::scale_rates(random, 1) ? std::vector<double>{1} : std::vector<double>{1, 0.5, 2};
  return true;
}

/// The policy that the scenario has, by its name alone where a choice names it so.
std::string present_policy(const advise::AdviceQuestion& question,
                           const scenario::PolicySpec& policy) {
  const std::string name =
      policy.profile.empty() ? policy.name : fmt::format("{}@{}", policy.name, policy.profile);
  const auto* entry = policies::shipped_policy(policy.name);
  const bool first = entry != nullptr && !entry->profiles.empty() &&
                     (policy.profile.empty() || policy.profile == entry->profiles.front());
  const auto named = [&](const sweep::Point& choice) {
    return std::ranges::find(choice, std::pair<std::string, std::string>("policy", policy.name)) !=
           choice.end();
  };
  return first && std::ranges::any_of(question.choices, named) ? policy.name : name;
}

/// The scenario's present values in the places that are chosen.
std::vector<std::optional<std::string>> present_values(const advise::AdviceQuestion& question,
                                                       const scenario::Scenario& scenario) {
  const scenario::PolicySpec& policy =
      scenario.jobs.empty() ? scenario.experiments.front().policy : scenario.jobs.front().policy;
  std::vector<std::optional<std::string>> present;
  for (const auto& [place, value] : question.choices.front()) {
    present.push_back(place == "policy" ? std::optional(present_policy(question, policy))
                                        : advise::present_value(scenario, place));
  }
  return present;
}

/// The scenario as it is now is run, too, so that the advice can be held against it.
void keep_present(advise::AdviceQuestion& question) {
  sweep::Point present = question.choices.front();
  for (std::size_t i = 0; i < present.size(); ++i) {
    if (!question.present[i]) {
      return;
    }
    present[i].second = *question.present[i];
  }
  const auto same = [&](const sweep::Point& choice) {
    return std::ranges::equal(choice, present, [](const auto& left, const auto& right) {
      return advise::is_same_value(left.second, right.second);
    });
  };
  if (std::ranges::none_of(question.choices, same)) {
    question.choices.push_back(std::move(present));
  }
}

/// Choices that have each value of every dimension: those that differ from the first in one at
/// most.
std::vector<sweep::Point> each_value(const advise::AdviceQuestion& question) {
  std::vector<sweep::Point> points;
  const sweep::Point& first = question.choices.front();
  for (const sweep::Point& choice : question.choices) {
    std::size_t begin = 0;
    int differ = 0;
    for (const sweep::Dimension& dimension : question.dimensions) {
      const auto end = begin + dimension.names.size();
      differ += std::equal(choice.begin() + static_cast<std::ptrdiff_t>(begin),
                           choice.begin() + static_cast<std::ptrdiff_t>(end),
                           first.begin() + static_cast<std::ptrdiff_t>(begin))
                    ? 0
                    : 1;
      begin = end;
    }
    if (differ <= 1) {
      points.push_back(choice);
    }
  }
  return points;
}

/// The choices at each rate, as cells of a plan.
std::vector<sweep::Point> at_every_rate(const advise::AdviceQuestion& question) {
  std::vector<sweep::Point> points;
  for (const double rate : question.rates) {
    for (const sweep::Point& choice : question.choices) {
      sweep::Point& point = points.emplace_back();
      if (question.rates.size() > 1) {
        point.emplace_back(std::string(sweep::kRates), fmt::format("{}", rate));
      }
      point.insert(point.end(), choice.begin(), choice.end());
    }
  }
  return points;
}

TryChoices by_runs(const AdviseArguments& arguments, const scenario::ReadOptions& options,
                   const AdviseRequest& request) {
  return [&](const std::vector<sweep::Point>& points, std::uint32_t runs,
             std::optional<std::uint64_t> first_seed)
             -> std::optional<std::vector<advise::ChoiceResult>> {
    auto plan = planned(arguments.path, options, points);
    if (!plan) {
      return std::nullopt;
    }
    advise::AdviceQuestion question = request.question;
    question.choices = points;
    question.rates = {1};
    question.dimensions.clear();
    for (const sweep::Point& point : points) {
      question.present.resize(std::max(question.present.size(), point.size()));
    }
    plan->replicas = request.question.random ? runs : 1;
    plan->first_seed = first_seed.value_or(plan->first_seed);
    plan->pointers = advise::advice_pointers(question, *plan);
    auto store = open_store("", false, store_header(*plan, arguments.path, ""));
    const auto pool = sweep::make_process_pool(*plan, {request.workers, {}});
    if (!store ||
        make_unknown_runs(*plan, *store, *pool, arguments.scenario, false, *request.known) != kOk) {
      return std::nullopt;
    }
    auto advice = advise::advise(question, *plan, *store);
    if (const auto* problem = std::get_if<std::string>(&advice)) {
      complain(*problem);
      return std::nullopt;
    }
    return std::move(std::get<advise::Advice>(advice).results.front());
  };
}

std::optional<AdviseRequest> advise_request(const AdviseArguments& arguments) {
  AdviseRequest request;
  advise::AdviceQuestion& question = request.question;
  const auto options = read_options(arguments.scenario);
  if (!options) {
    return std::nullopt;
  }
  auto read = scenario::read_scenario_file(arguments.path, *options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    complain(*errors);
    return std::nullopt;
  }
  const scenario::Scenario& scenario = std::get<scenario::ReadScenario>(read).scenario;
  const auto runs = whole_number("--runs", arguments.runs, 2, sweep::kMostReplicas);
  const auto workers =
      whole_number("--jobs", arguments.jobs.empty() ? std::to_string(processors()) : arguments.jobs,
                   1, kMostWorkers);
  if (!runs || !workers || !read_dimensions(arguments, scenario, question)) {
    return std::nullopt;
  }
  request.workers = static_cast<std::uint32_t>(*workers);
  request.known = std::make_shared<advise::KnownRuns>(scenario);
  question.present = present_values(question, scenario);
  question.random = scenario.policies != nullptr || scenario::draws_random_numbers(scenario);
  question.scripted =
      question.random && scenario.policies == nullptr && !scenario::draws_faults(scenario);
  if (question.rates.size() == 1) {
    complain(
        question.random
            ? "warning: nothing fails at random here; there are no other rates of failure to "
              "try"
            : "warning: nothing is random here: one run of each choice says all, and there are "
              "no other rates of failure to try");
  }
  if (needs_search(question, !arguments.out.empty())) {
    const auto values = planned(arguments.path, *options, each_value(question));
    if (!values || !read_goal(arguments, *values, question)) {
      return std::nullopt;
    }
    const auto words = narrow_choices(question, scenario, !arguments.out.empty(),
                                      by_runs(arguments, *options, request));
    if (!words) {
      return std::nullopt;
    }
    question.search = *words;
  }
  keep_present(question);
  auto plan = planned(arguments.path, *options, at_every_rate(question));
  if (!plan) {
    return std::nullopt;
  }
  request.plan = *std::move(plan);
  if (!read_goal(arguments, request.plan, question)) {
    return std::nullopt;
  }
  if (const std::string problem = never_completes(question.goal, scenario); !problem.empty()) {
    complain(problem);
    return std::nullopt;
  }
  if (question.goal.text != arguments.goal) {
    complain(fmt::format(
        "note: --goal says nothing of how many runs live, and the least may be that of the dead; "
        "with that the goal is {}",
        scenario::in_quotes(question.goal.text)));
  }
  request.plan.replicas = question.random ? static_cast<std::uint32_t>(*runs) : 1;
  request.plan.pointers = advise::advice_pointers(question, request.plan);
  return request;
}

/// Flags that change the scenario, as a shell reads them, each behind a blank.
std::string flags_of(const ScenarioOptions& options) {
  return (options.seed.empty() ? std::string() : " --seed " + reports::shell_word(options.seed)) +
         overrides_of(options);
}

int run_advise(const AdviseArguments& arguments) {
  auto request = advise_request(arguments);
  if (!request) {
    return kUnusable;
  }
  if (!files_apart({{"the scenario", arguments.path}},
                   {{"--out", arguments.out}, {"--html", arguments.html}}) ||
      (!arguments.html.empty() && !may_write_page("--html", arguments.html))) {
    return kUnusable;
  }
  int code = kOk;
  auto advice = advice_by_runs(request->question, request->plan,
                               {.shown = arguments.scenario,
                                .path = arguments.path,
                                .workers = request->workers,
                                .out = arguments.out,
                                .resume = arguments.resume},
                               *request->known, code);
  if (!advice) {
    return code;
  }
  if (const auto options = read_options(arguments.scenario)) {
    advice->cures = try_cures(*advice, request->question, request->plan,
                              by_runs(arguments, *options, *request));
  }
  const advise::AdviceContext context{request->question, request->plan, arguments.path,
                                      flags_of(arguments.scenario)};
  if (!arguments.html.empty()) {
    if (const auto problem =
            reports::write_whole(arguments.html, advise::advice_page(*advice, context))) {
      complain(*problem);
      return kUnusable;
    }
  }
  print_unless_quiet(arguments.scenario,
                     {.text = [&] { return advise::advice_text(*advice, context, output_style()); },
                      .markdown = [&] { return advise::advice_markdown(*advice, context); },
                      .rows = [&] { return advise::advice_rows(*advice, context); },
                      .json = [&] { return advise::advice_json(*advice, context); }});
  return advice->chosen ? kOk : kFailed;
}

}  // namespace

void add_advise(Command app, int& exit_code) {
  Command command = app.add_command(
      "advise",
      "choose a checkpoint interval, spares, retry budgets or anything else by many runs");
  const auto arguments = std::make_shared<AdviseArguments>();
  command.add_option("scenario", arguments->path, "scenario file; - is standard input").required();
  command.add_option("--goal", arguments->goal,
                     "the goal, e.g. 'p(exhausted) < 1% and max useful' (default: 'p(alive) > 95% "
                     "and max useful': at most one run in twenty fails or is stuck)");
  command
      .add_option("--choose", arguments->choose,
                  "the settings to choose: checkpoint, spares, budget or a budget's own name, "
                  "alone or with =VALUES; or /json/pointer=VALUES as in `sweep --vary` (may be "
                  "repeated: every combination is tried)")
      .one_value_each();
  add_scenario_options(command, arguments->scenario, Prints::kTable);
  command.add_option(
      "--runs", arguments->runs,
      "runs of each choice at each rate of failure (default 400); without --out fewer at "
      "other rates than the present where these show whether it keeps the goal");
  command.add_option("-j,--jobs", arguments->jobs, "worker processes (default: a processor each)");
  command.add_option("--out", arguments->out, "keep all results: an SQLite file, a row a run");
  command.add_flag("--resume", arguments->resume,
                   "go on with the runs that --out FILE has of the same question");
  command.add_option("--html", arguments->html,
                     "also write the advice as a page for a browser, whose name ends in .html");
  command.callback([arguments, &exit_code] {
    exit_code = in_one_process("advise") ? run_advise(*arguments) : kUnusable;
  });
}

}  // namespace aftershock::sim::cli
