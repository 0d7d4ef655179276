#include "sim/chaos/matrix.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "policies/api/config.h"
#include "reports/baseline/baseline.h"
#include "reports/matrix/outputs.h"
#include "sim/cli/command.h"
#include "sim/cli/many_runs.h"
#include "sim/cli/scenario_options.h"
#include "sim/sweep/process_crew.h"

namespace aftershock::sim::cli {
namespace {

struct MatrixArguments {
  std::string path;
  ScenarioOptions scenario;
  std::string job;
  std::string jobs;
  std::string cell;
  std::string junit;
  std::string html;
};

/// The grid, or none with a word on standard error.
std::optional<MatrixPlan> matrix_of(const MatrixArguments& arguments) {
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
  auto made = make_matrix(scenario, *job, arguments.path);
  if (const auto* problem = std::get_if<std::string>(&made)) {
    complain(fmt::format("{}: {}", arguments.path, *problem));
    return std::nullopt;
  }
  return std::get<MatrixPlan>(std::move(made));
}

/// Prints the scenario of one cell, to be run, viewed or kept.
int print_cell(const MatrixArguments& arguments, const MatrixPlan& matrix) {
  const auto found = std::ranges::find(matrix.cells, arguments.cell, id_of);
  if (found == matrix.cells.end()) {
    std::vector<std::string> ids;
    for (const MatrixCell& cell : matrix.cells) {
      ids.push_back(id_of(cell));
    }
    const std::vector<std::string_view> names(ids.begin(), ids.end());
    complain(
        fmt::format("--cell {}: there is no such cell; expected PHASE/FAULT/TARGET/MOMENT, "
                    "such as {}",
                    in_quotes(arguments.cell),
                    policies::nearest_name(arguments.cell, names).empty()
                        ? "tearing_down/F03/other-rank/entry"
                        : policies::nearest_name(arguments.cell, names)));
    return kUnusable;
  }
  if (!found->excluded.empty()) {
    complain(fmt::format("--cell {}: cannot be: {}", arguments.cell, found->excluded));
    return kUnusable;
  }
  print(nlohmann::ordered_json::parse(
            cell_scenario(matrix.bare, matrix.setting, matrix.opened_us, *found))
            .dump(1) +
        "\n");
  return kOk;
}

bool write_outputs(const MatrixArguments& arguments, const reports::MatrixReport& report) {
  bool good = true;
  const auto write = [&good](const std::string& path, const std::string& text) {
    if (const auto problem = path.empty() ? std::nullopt : reports::write_whole(path, text)) {
      complain(*problem);
      good = false;
    }
  };
  write(arguments.junit, arguments.junit.empty() ? "" : reports::matrix_junit(report));
  write(arguments.html, arguments.html.empty() ? "" : reports::matrix_page(report));
  return good;
}

int run_matrix_command(const MatrixArguments& arguments) {
  const auto workers =
      whole_number("--jobs", arguments.jobs.empty() ? std::to_string(processors()) : arguments.jobs,
                   1, kMostWorkers);
  if (!workers) {
    return kUnusable;
  }
  const auto matrix = matrix_of(arguments);
  if (!matrix) {
    return kUnusable;
  }
  if (!arguments.cell.empty()) {
    return print_cell(arguments, *matrix);
  }
  MatrixRuns runs;
  {
    Progress progress(arguments.scenario.quiet || arguments.scenario.json);
    const auto crew = make_process_crew(matrix->plan, {static_cast<std::uint32_t>(*workers), {}});
    runs = run_matrix(*matrix, *crew, [&progress](std::uint64_t done, std::uint64_t total) {
      progress.show(done, total);
    });
  }
  for (const std::string& trouble : runs.troubles) {
    complain(trouble);
  }
  if (runs.ended == Ended::kInterrupted) {
    complain("interrupted: nothing was judged");
    return reports::exit_code(reports::Verdict::kInconclusive);
  }
  if (runs.ended != Ended::kDone) {
    complain(runs.why);
    return kInternalError;
  }
  reports::MatrixReport report = matrix_report(*matrix, runs.rows);
  report.path = arguments.path;
  report.options = overrides_of(arguments.scenario);
  if (arguments.scenario.json) {
    print_json(reports::matrix_json(report));
  } else if (!arguments.scenario.quiet) {
    print(reports::matrix_text(report, output_style()));
  }
  return write_outputs(arguments, report) ? reports::exit_code(reports::verdict_of(report))
                                          : kUnusable;
}

}  // namespace

void add_matrix(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "matrix", "break a job's recovery in each of its phases, with each fault, at each target");
  const auto arguments = std::make_shared<MatrixArguments>();
  command->add_option("scenario", arguments->path, "scenario file")->required()->check(not_empty());
  add_scenario_options(*command, arguments->scenario);
  command->add_option("--job", arguments->job,
                      "which job, where there are more (default: the first)");
  command->add_option(
      "--cell", arguments->cell,
      "run nothing, but print the scenario of this cell: PHASE/FAULT/TARGET/MOMENT");
  command->add_option("--junit", arguments->junit, "write JUnit XML there, a case a cell")
      ->check(not_empty());
  command->add_option("--html", arguments->html, "write a page with the heat map there")
      ->check(not_empty());
  command->add_option("-j,--jobs", arguments->jobs, "worker processes (default: a processor each)");
  command->callback([arguments, &exit_code] { exit_code = run_matrix_command(*arguments); });
}

}  // namespace aftershock::sim::cli
