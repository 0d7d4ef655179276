#include "sim/chaos/explore.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/render/format.h"
#include "reports/render/table.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/many_runs.h"
#include "sim/cli/scenario_options.h"
#include "sim/cli/search/search_runs.h"

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

std::string show_command(const ExploreArguments& arguments, std::uint64_t seed) {
  return fmt::format("aftershock explore {}{} --show {}", reports::shell_word(arguments.path),
                     overrides_of(arguments.scenario), seed);
}

std::string coverage_text(const chaos::ExplorePlan& plan, const chaos::ExploreStore& store) {
  const auto& names = plan.coverage->names();
  std::int64_t pairs = 0;
  std::int64_t rules = 0;
  std::int64_t rules_there = 0;
  std::int64_t met = 0;
  std::int64_t points_there = 0;
  std::string points;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool reached = store.covered()[i].runs > 0;
    if (names[i].starts_with("rule ")) {
      ++rules_there;
      rules += reached ? 1 : 0;
    } else if (names[i].starts_with('C')) {
      ++points_there;
      met += reached ? 1 : 0;
      const std::string& needs = plan.coverage->needs()[i];
      points += reports::wrapped(
          fmt::format("{:>9}  {}{}",
                      reached ? reports::format_count(store.covered()[i].runs) : "never", names[i],
                      reached || needs.empty() ? "" : ": takes " + needs),
          2, output_style().width);
    } else {
      pairs += reached ? 1 : 0;
    }
  }
  for (const chaos::UnreachablePoint& point : chaos::unreachable_points()) {
    points += reports::wrapped(
        fmt::format("{:>9}  {}: {} ({})", "cannot be", point.name, point.why, point.source), 2,
        output_style().width);
  }
  return fmt::format(
      "covered: {} pairs of a fault and a phase, {} of {} rules, {} of {} points; {} cannot be\n{}",
      pairs, rules, rules_there, met, points_there, chaos::unreachable_points().size(), points);
}

/// All that was to be covered, a row each, also points out of reach.
nlohmann::ordered_json coverage_rows(const chaos::ExplorePlan& plan,
                                     const chaos::ExploreStore& store) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < plan.coverage->names().size(); ++i) {
    const chaos::Covered& mark = store.covered()[i];
    nlohmann::ordered_json row{{"name", plan.coverage->names()[i]},
                               {"state", mark.runs > 0 ? "reached" : "never"},
                               {"runs", mark.runs}};
    row["first_seed"] =
        mark.runs == 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(mark.first_seed);
    rows.push_back(std::move(row));
  }
  for (const chaos::UnreachablePoint& point : chaos::unreachable_points()) {
    rows.push_back({{"name", point.name}, {"state", "cannot be"}, {"why", point.why}});
  }
  return rows;
}

std::string coverage_markdown(const chaos::ExplorePlan& plan, const chaos::ExploreStore& store) {
  using reports::Table;
  Table table({{.align = Table::Align::kRight}, {}, {}});
  table.row({"runs", "point", "why not"});
  for (const auto& row : coverage_rows(plan, store)) {
    const auto name = row["name"].get<std::string>();
    if (name.starts_with('C')) {
      const auto runs = row.value("runs", std::int64_t{0});
      table.row({runs > 0 ? reports::format_count(runs) : row["state"].get<std::string>(), name,
                 row.value("why", std::string())});
    }
  }
  return table.markdown();
}

nlohmann::ordered_json explore_json(const chaos::ExplorePlan& plan, chaos::ExploreStore& store) {
  nlohmann::ordered_json covered = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < plan.coverage->names().size(); ++i) {
    const chaos::Covered& mark = store.covered()[i];
    nlohmann::ordered_json entry{{"name", plan.coverage->names()[i]}, {"runs", mark.runs}};
    entry["first_seed"] =
        mark.runs == 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(mark.first_seed);
    covered.push_back(std::move(entry));
  }
  nlohmann::ordered_json cannot_be = nlohmann::ordered_json::array();
  for (const chaos::UnreachablePoint& point : chaos::unreachable_points()) {
    cannot_be.push_back({{"name", point.name}, {"why", point.why}, {"source", point.source}});
  }
  return {{"schema", 1},
          {"scenario", plan.plan.scenario},
          {"policy", plan.plan.cells.front().about.policy},
          {"runs", store.runs()},
          {"covered", std::move(covered)},
          {"cannot_be", std::move(cannot_be)},
          {"failures", failures_json(store, "seed")}};
}

/// The search, or none with a word on standard error.
std::optional<chaos::ExplorePlan> exploration_of(const ExploreArguments& arguments) {
  const auto broken = job_to_break(arguments.path, arguments.scenario, arguments.job);
  if (!broken) {
    return std::nullopt;
  }
  auto made =
      chaos::make_exploration(broken->scenario, broken->job, arguments.path, program_version());
  if (const auto* problem = std::get_if<std::string>(&made)) {
    complain(fmt::format("{}: {}", scenario::file_title(arguments.path), *problem));
    return std::nullopt;
  }
  return std::get<chaos::ExplorePlan>(std::move(made));
}

int search(const ExploreArguments& arguments, const chaos::ExplorePlan& plan) {
  constexpr std::uint64_t kMostRuns = 1'000'000'000;
  const auto runs =
      whole_number("--runs", arguments.runs.empty() ? "10000" : arguments.runs, 1, kMostRuns);
  if (!runs) {
    return kUnusable;
  }
  auto searched =
      search_runs({.out = arguments.out,
                   .limit = arguments.limit,
                   .jobs = arguments.jobs,
                   .runs = *runs,
                   .quiet = arguments.scenario.quiet || !arguments.scenario.format.is_table()},
                  plan.plan, plan.digest, plan.coverage->names(),
                  [&plan](chaos::ExploreStore& store, sweep::WorkerPool& pool,
                          const chaos::ExploreOptions& options) {
                    return chaos::explore(plan, store, pool, options);
                  });
  if (const int* code = std::get_if<int>(&searched)) {
    return *code;
  }
  auto& store = std::get<chaos::ExploreStore>(searched);
  const auto show = [&arguments](std::uint64_t seed) { return show_command(arguments, seed); };
  print_unless_quiet(arguments.scenario,
                     {.text =
                          [&] {
                            return fmt::format(
                                "{} under {}: {} runs\n{}{}", printable(plan.plan.scenario),
                                plan.plan.cells.front().about.policy,
                                reports::format_count(store.runs()), coverage_text(plan, store),
                                failures_text(store, show));
                          },
                      .markdown = [&] { return coverage_markdown(plan, store); },
                      .rows = [&] { return coverage_rows(plan, store); },
                      .json = [&] { return explore_json(plan, store); }});
  return search_exit_code(store);
}

int run_explore(const ExploreArguments& arguments) {
  if (arguments.show.empty() == arguments.out.empty()) {
    complain(arguments.out.empty() ? "--out FILE is missing: where what was found goes"
                                   : "--show and --out do not go together");
    return kUnusable;
  }
  if (!arguments.scenario.seed.empty()) {
    complain(
        "--seed: a search runs the seeds from 0 on, as many as --runs says, each of which has "
        "a scenario of its own; --show SEED prints one");
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
    print_json(chaos::explored_scenario(plan->base, *seed));
    return kOk;
  }
  return search(arguments, *plan);
}

}  // namespace

void add_explore(Command app, int& exit_code) {
  Command command = app.add_command(
      "explore", "search for faults that break a recovery: other faults, another world, each seed");
  const auto arguments = std::make_shared<ExploreArguments>();
  command.add_option("scenario", arguments->path, "scenario file; - is standard input").required();
  add_scenario_options(command, arguments->scenario, Prints::kTable);
  command.add_option("--job", arguments->job,
                     "which job, where there are more (default: the first)");
  command.add_option("--out", arguments->out,
                     "where what was found goes, an SQLite file; one of the same search goes on");
  command.add_option("--runs", arguments->runs, "seeds, from 0 on (default 10000)");
  command.add_option("--for", arguments->limit, "end after so long, such as 3min");
  command.add_option("-j,--jobs", arguments->jobs, "worker processes (default: a processor each)");
  command.add_option("--show", arguments->show, "run nothing, but print the scenario of this seed");
  command.callback([arguments, &exit_code] { exit_code = run_explore(*arguments); });
}

}  // namespace aftershock::sim::cli
