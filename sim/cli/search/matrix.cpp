#include "sim/chaos/matrix.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/config.h"
#include "policies/api/json_as_text.h"
#include "reports/baseline/baseline.h"
#include "reports/matrix/outputs.h"
#include "reports/render/format.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/interrupted.h"
#include "sim/cli/many_runs.h"
#include "sim/cli/scenario_options.h"
#include "sim/cli/search/matrix_outputs.h"
#include "sim/cli/search/matrix_pairs.h"
#include "sim/sweep/process_pool.h"

namespace aftershock::sim::cli {
namespace {

struct MatrixArguments {
  std::string path;
  ScenarioOptions scenario;
  std::string job;
  std::string jobs;
  std::string cell;
  bool pairs = false;
  std::string pair;
  std::string out;
  std::string limit;
  MatrixOutputs outputs;
};

/// The options that make it another scenario, its seed too: what is printed is to be run again.
std::string options_of(const ScenarioOptions& options) {
  return overrides_of(options) +
         (options.seed.empty() ? "" : " --seed " + reports::shell_word(options.seed));
}

/// The result of `make` for the scenario and its job, or none with a word on standard error.
template <typename Make>
auto made_of(const MatrixArguments& arguments, const Make& make)
    -> std::optional<std::variant_alternative_t<0, decltype(make(scenario::Scenario(), 0))>> {
  const auto broken = job_to_break(arguments.path, arguments.scenario, arguments.job);
  if (!broken) {
    return std::nullopt;
  }
  auto made = make(broken->scenario, broken->job);
  if (const auto* problem = std::get_if<std::string>(&made)) {
    complain(fmt::format("{}: {}", scenario::file_title(arguments.path), *problem));
    return std::nullopt;
  }
  return std::get<0>(std::move(made));
}

std::optional<chaos::MatrixPlan> matrix_of(const MatrixArguments& arguments) {
  return made_of(arguments, [&](const scenario::Scenario& scenario, std::uint32_t job) {
    const TellsInterrupt telling(Unkept::kCells);
    return chaos::make_matrix(scenario, job, arguments.path);
  });
}

/// Two faults, one in the recovery from the other.
int run_with_pairs(const MatrixArguments& arguments) {
  if (arguments.pairs && arguments.out.empty()) {
    complain("--out FILE is missing: where what was run goes");
    return kUnusable;
  }
  if (!may_write(arguments.outputs, arguments.path, arguments.out)) {
    return kUnusable;
  }
  const auto plan = made_of(arguments, [&](const scenario::Scenario& scenario, std::uint32_t job) {
    const TellsInterrupt telling(Unkept::kPairs);
    return chaos::make_pairs(scenario, job, arguments.path, program_version());
  });
  if (!plan) {
    return kUnusable;
  }
  if (!arguments.pair.empty()) {
    return print_pair(arguments.pair, **plan);
  }
  if (!needs_no_table(arguments.scenario.format, "--pairs")) {
    return kUnusable;
  }
  const bool json = arguments.scenario.format.is_json();
  const bool quiet = arguments.scenario.quiet;
  return run_pairs_command({.search = {.out = arguments.out,
                                       .limit = arguments.limit,
                                       .jobs = arguments.jobs,
                                       .quiet = quiet || json},
                            .path = arguments.path,
                            .options = options_of(arguments.scenario),
                            .outputs = arguments.outputs,
                            .json = json,
                            .quiet = quiet},
                           **plan);
}

/// Prints the scenario of one cell, to be run, viewed or kept.
int print_cell(const MatrixArguments& arguments, const chaos::MatrixPlan& matrix) {
  const auto found = std::ranges::find(matrix.cells, arguments.cell, chaos::id_of);
  if (found == matrix.cells.end()) {
    std::vector<std::string> ids;
    for (const chaos::MatrixCell& cell : matrix.cells) {
      ids.push_back(chaos::id_of(cell));
    }
    const std::vector<std::string_view> names(ids.begin(), ids.end());
    complain(
        fmt::format("--cell {}: the matrix has no such cell; expected PHASE/FAULT/TARGET/MOMENT, "
                    "such as {}",
                    scenario::in_quotes(arguments.cell),
                    policies::nearest_name(arguments.cell, names).empty()
                        ? "tearing_down/F03/other-rank/entry"
                        : policies::nearest_name(arguments.cell, names)));
    return kUnusable;
  }
  if (!found->excluded.empty()) {
    complain(fmt::format("--cell {}: cannot be: {}", arguments.cell, found->excluded));
    return kUnusable;
  }
  print_json(policies::json_from_text<nlohmann::ordered_json>(
      chaos::cell_scenario(matrix.bare, matrix.setting, matrix.opened_us, *found)));
  return kOk;
}

int run_matrix_command(const MatrixArguments& arguments) {
  if (arguments.pairs || !arguments.pair.empty()) {
    return run_with_pairs(arguments);
  }
  const auto workers =
      whole_number("--jobs", arguments.jobs.empty() ? std::to_string(processors()) : arguments.jobs,
                   1, kMostWorkers);
  if (!workers) {
    return kUnusable;
  }
  if (!may_write(arguments.outputs, arguments.path, {})) {
    return kUnusable;
  }
  const auto matrix = matrix_of(arguments);
  if (!matrix) {
    return kUnusable;
  }
  if (!arguments.cell.empty()) {
    return print_cell(arguments, *matrix);
  }
  chaos::MatrixRuns runs;
  {
    Progress progress(arguments.scenario.quiet || !arguments.scenario.format.is_table());
    const auto pool =
        sweep::make_process_pool(matrix->plan, {static_cast<std::uint32_t>(*workers), {}});
    runs = chaos::run_matrix(*matrix, *pool, [&progress](std::uint64_t done, std::uint64_t total) {
      progress.show(done, total);
    });
  }
  for (const std::string& trouble : runs.troubles) {
    complain(trouble);
  }
  if (runs.ended == sweep::Ended::kInterrupted) {
    complain("interrupted: nothing was judged or kept; begin again with the same command");
    return reports::exit_code(reports::Verdict::kInconclusive);
  }
  if (runs.ended != sweep::Ended::kDone) {
    complain(runs.why);
    return kInternalError;
  }
  reports::MatrixReport report = chaos::matrix_report(*matrix, runs.rows);
  report.path = arguments.path;
  report.options = options_of(arguments.scenario);
  print_unless_quiet(arguments.scenario,
                     {.text = [&] { return reports::matrix_text(report, output_style()); },
                      .markdown = [&] { return reports::matrix_markdown(report); },
                      .rows = [&] { return reports::matrix_rows(report); },
                      .json = [&] { return reports::matrix_json(report); }});
  return write_outputs(arguments.outputs, report) ? reports::exit_code(reports::verdict_of(report))
                                                  : kUnusable;
}

}  // namespace

void add_matrix(Command app, int& exit_code) {
  Command command = app.add_command(
      "matrix", "break a job's recovery in each of its phases, with each fault, at each target");
  const auto arguments = std::make_shared<MatrixArguments>();
  command.add_option("scenario", arguments->path, "scenario file; - is standard input").required();
  add_scenario_options(command, arguments->scenario, Prints::kTable);
  command.add_option("--job", arguments->job,
                     "which job, where there are more (default: the first)");
  Option cell = command.add_option(
      "--cell", arguments->cell,
      "run nothing, but print the scenario of this cell: PHASE/FAULT/TARGET/MOMENT");
  Option pairs =
      command.add_flag("--pairs", arguments->pairs,
                       "two faults, one in the recovery from the other, every kind in every phase");
  command
      .add_option("--out", arguments->out,
                  "where the pairs that were run go, an SQLite file; one of the same pairs goes on")
      .needs(pairs);
  command.add_option("--for", arguments->limit, "end the pairs after so long, such as 3min")
      .needs(pairs);
  Option pair = command.add_option(
      "--pair", arguments->pair,
      "run nothing, but print the scenario of this pair: PHASE/FAULT,PHASE/FAULT");
  Option junit = command.add_option("--junit", arguments->outputs.junit,
                                    "write JUnit XML there, a case a cell or a pair");
  Option html =
      command.add_option("--html", arguments->outputs.html, "write a page with the heat map there");
  // Each of the three is another thing to do, and who prints a scenario judges nothing.
  cell.excludes(pairs).excludes(pair);
  pair.excludes(pairs);
  for (const Option& one : {cell, pair}) {
    junit.excludes(one);
    html.excludes(one);
  }
  command.add_option("-j,--jobs", arguments->jobs, "worker processes (default: a processor each)");
  command.callback([arguments, &exit_code] { exit_code = run_matrix_command(*arguments); });
}

}  // namespace aftershock::sim::cli
