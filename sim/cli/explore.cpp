#include "sim/chaos/explore.h"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "reports/render/table.h"
#include "sim/cli/command.h"
#include "sim/cli/many_runs.h"
#include "sim/cli/scenario_options.h"
#include "sim/scenario/units.h"
#include "sim/sweep/process_crew.h"

namespace aftershock::sim::cli {
namespace {

struct ExploreArguments {
  std::string path;
  ScenarioOptions scenario;
  std::string job;
  std::string out;
  std::string runs;
  std::string limit;
  std::string jobs;
  std::string show;
};

constexpr std::size_t kFailuresShown = 10;

/// Failures of one kind.
struct FailureKind {
  std::int64_t runs = 0;
  FoundFailure first;
};

std::map<std::string, FailureKind> by_kind(const std::vector<FoundFailure>& failures, bool known) {
  std::map<std::string, FailureKind> kinds;
  for (const FoundFailure& found : failures) {
    if (found.known == known) {
      FailureKind& kind = kinds[found.failure.id];
      if (kind.runs++ == 0) {
        kind.first = found;
      }
    }
  }
  return kinds;
}

std::string show_command(const ExploreArguments& arguments, std::uint64_t seed) {
  return fmt::format("aftershock explore {}{} --show {}", reports::shell_word(arguments.path),
                     overrides_of(arguments.scenario), seed);
}

std::string coverage_text(const ExplorePlan& plan, const ExploreStore& store) {
  const auto& names = plan.coverage->names();
  std::int64_t pairs = 0;
  std::int64_t rules = 0;
  std::int64_t rules_there = 0;
  std::string points;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool reached = store.covered()[i].runs > 0;
    if (names[i].starts_with("rule ")) {
      ++rules_there;
      rules += reached ? 1 : 0;
    } else if (names[i].starts_with('C')) {
      points +=
          fmt::format("  {:>9}  {}\n",
                      reached ? reports::format_count(store.covered()[i].runs) : "never", names[i]);
    } else {
      pairs += reached ? 1 : 0;
    }
  }
  return fmt::format("covered: {} pairs of a fault and a phase, {} of {} rules\n{}", pairs, rules,
                     rules_there, points);
}

std::string failures_text(const ExploreArguments& arguments, ExploreStore& store) {
  const auto failures = store.failures();
  std::string text;
  for (const bool known : {false, true}) {
    std::size_t shown = 0;
    for (const auto& [id, kind] : by_kind(failures, known)) {
      if (++shown > kFailuresShown) {
        break;
      }
      text += fmt::format("{} {}: {} runs, first seed {}: {}\n    {}\n",
                          known ? "documented" : "FOUND", id, reports::format_count(kind.runs),
                          kind.first.seed, printable(kind.first.failure.words),
                          show_command(arguments, kind.first.seed));
    }
  }
  return text;
}

nlohmann::ordered_json explore_json(const ExplorePlan& plan, ExploreStore& store) {
  nlohmann::ordered_json covered = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < plan.coverage->names().size(); ++i) {
    const Covered& mark = store.covered()[i];
    nlohmann::ordered_json entry{{"name", plan.coverage->names()[i]}, {"runs", mark.runs}};
    entry["first_seed"] =
        mark.runs == 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(mark.first_seed);
    covered.push_back(std::move(entry));
  }
  nlohmann::ordered_json failures = nlohmann::ordered_json::array();
  for (const FoundFailure& found : store.failures()) {
    failures.push_back({{"seed", found.seed},
                        {"id", found.failure.id},
                        {"words", found.failure.words},
                        {"known", found.known}});
  }
  return {{"schema", 1},
          {"scenario", plan.plan.scenario},
          {"policy", plan.plan.cells.front().about.policy},
          {"runs", store.runs()},
          {"covered", std::move(covered)},
          {"failures", std::move(failures)}};
}

/// The search, or none with a word on standard error.
std::optional<ExplorePlan> exploration_of(const ExploreArguments& arguments) {
  const auto options = read_options(arguments.scenario);
  if (!options) {
    return std::nullopt;
  }
  auto read = read_scenario_file(arguments.path, *options);
  if (const auto* errors = std::get_if<std::vector<ScenarioError>>(&read)) {
    complain(*errors);
    return std::nullopt;
  }
  const Scenario& scenario = std::get<ReadScenario>(read).scenario;
  const auto job = job_to_break(arguments.path, scenario, arguments.job);
  if (!job) {
    return std::nullopt;
  }
  auto made = make_exploration(scenario, *job, arguments.path, program_version());
  if (const auto* problem = std::get_if<std::string>(&made)) {
    complain(fmt::format("{}: {}", arguments.path, *problem));
    return std::nullopt;
  }
  return std::get<ExplorePlan>(std::move(made));
}

int search(const ExploreArguments& arguments, const ExplorePlan& plan) {
  constexpr std::uint64_t kMostRuns = 1'000'000'000;
  const auto runs =
      whole_number("--runs", arguments.runs.empty() ? "10000" : arguments.runs, 1, kMostRuns);
  const auto workers =
      whole_number("--jobs", arguments.jobs.empty() ? std::to_string(processors()) : arguments.jobs,
                   1, kMostWorkers);
  const auto limit = parse_duration(arguments.limit.empty() ? "100000d" : arguments.limit);
  if (const auto* problem = std::get_if<TextProblem>(&limit)) {
    complain(fmt::format("--for {}: {}; expected {}", arguments.limit, problem->message,
                         problem->expected));
    return kUnusable;
  }
  if (!runs || !workers) {
    return kUnusable;
  }
  auto opened = ExploreStore::open(arguments.out, plan.digest, plan.coverage->names());
  if (const auto* problem = std::get_if<std::string>(&opened)) {
    complain(*problem);
    return kUnusable;
  }
  auto& store = std::get<ExploreStore>(opened);
  ExploreResult result;
  {
    Progress progress(arguments.scenario.quiet || arguments.scenario.json);
    ExploreOptions options;
    options.seeds = static_cast<std::uint32_t>(*runs);
    std::int64_t seconds = 0;
    options.go_on = [&](std::int64_t done) {
      progress.show(static_cast<std::uint64_t>(done), *runs);
      constexpr std::int64_t kSecondUs = 1'000'000;
      seconds += progress.second_passed() ? 1 : 0;
      return seconds * kSecondUs < std::get<std::int64_t>(limit);
    };
    const auto crew = make_process_crew(plan.plan, {static_cast<std::uint32_t>(*workers), {}});
    result = explore(plan, store, *crew, options);
  }
  for (const std::string& trouble : result.troubles) {
    complain(trouble);
  }
  if (result.ended == Ended::kInterrupted) {
    complain(fmt::format("interrupted with {} runs done; the same command goes on", store.runs()));
    return reports::exit_code(reports::Verdict::kInconclusive);
  }
  if (result.ended != Ended::kDone) {
    complain(result.why);
    return result.ended == Ended::kNotStored ? kUnusable : kInternalError;
  }
  if (arguments.scenario.json) {
    print_json(explore_json(plan, store));
  } else if (!arguments.scenario.quiet) {
    print(fmt::format("{} under {}: {} runs\n{}{}", printable(plan.plan.scenario),
                      plan.plan.cells.front().about.policy, reports::format_count(store.runs()),
                      coverage_text(plan, store), failures_text(arguments, store)));
  }
  const auto failures = store.failures();
  return std::ranges::any_of(failures, [](const FoundFailure& found) { return !found.known; })
             ? kFailed
             : kOk;
}

int run_explore(const ExploreArguments& arguments) {
  if (arguments.show.empty() == arguments.out.empty()) {
    complain(arguments.out.empty() ? "--out FILE is missing: where what was found goes"
                                   : "--show and --out do not go together");
    return kUnusable;
  }
  const auto plan = exploration_of(arguments);
  if (!plan) {
    return kUnusable;
  }
  if (arguments.out.empty()) {
    constexpr std::uint64_t kMostSeed = std::uint64_t{1} << 62U;
    const auto seed = whole_number("--show", arguments.show, 0, kMostSeed);
    if (!seed) {
      return kUnusable;
    }
    print(swarm_scenario(plan->base, *seed).dump(1) + "\n");
    return kOk;
  }
  return search(arguments, *plan);
}

}  // namespace

void add_explore(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "explore", "search for faults that break a recovery: other faults, another world, each seed");
  const auto arguments = std::make_shared<ExploreArguments>();
  command->add_option("scenario", arguments->path, "scenario file")->required()->check(not_empty());
  add_scenario_options(*command, arguments->scenario);
  command->add_option("--job", arguments->job,
                      "which job, where there are more (default: the first)");
  command
      ->add_option("--out", arguments->out,
                   "where what was found goes, an SQLite file; one of the same search goes on")
      ->check(not_empty());
  command->add_option("--runs", arguments->runs, "seeds, from 0 on (default 10000)");
  command->add_option("--for", arguments->limit, "end after so long, such as 3min");
  command->add_option("-j,--jobs", arguments->jobs, "worker processes (default: a processor each)");
  command->add_option("--show", arguments->show,
                      "run nothing, but print the scenario of this seed");
  command->callback([arguments, &exit_code] { exit_code = run_explore(*arguments); });
}

}  // namespace aftershock::sim::cli
