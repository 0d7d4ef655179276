#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "reports/recording/open_file.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"
#include "sim/cli/many/compare_runs.h"
#include "sim/cli/many_runs.h"
#include "sim/sweep/sweep.h"

namespace aftershock::sim::cli {
namespace {

int compare_cells_of(const CompareArguments& arguments) {
  const auto request = understood(arguments);
  if (!request) {
    return kUnusable;
  }
  const sweep::Plan& plan = request->sweep.plan;
  auto store = new_store(arguments.sweep.out, store_header(plan, arguments.paths.front(),
                                                           overrides_of(arguments.sweep.scenario)));
  const RecordingFolder folder(store ? arguments.sweep.out : "");
  if (!store || !folder.problem().empty()) {
    if (store) complain(folder.problem());
    return kUnusable;
  }
  const auto pool = sweep::make_process_pool(plan, {request->sweep.workers, folder.path()});
  if (const MadeRuns made = make_runs(arguments.sweep.scenario, plan, *store, *pool);
      made.code != kOk) {
    return made.code;
  }
  auto rows = rows_by_cell(*store);
  if (!rows) {
    return kUnusable;
  }
  Told told{
      .comparison = reports::compare_cells(store->header(), *rows, request->goal, request->costs),
      .rows = *std::move(rows),
      .exact = false,
      .kept = folder.kept()};
  told.comparison.moving_faults = request->moving_faults;
  told.comparison.settings = request->settings;
  told.comparison.history = request->history;
  const RecordPair record =
      [&](std::uint32_t second,
          std::uint32_t replica) -> std::variant<std::vector<std::string>, sweep::NotRun> {
    std::vector<reports::RunRow> runs;
    std::vector<std::string> files;
    for (const std::uint32_t cell : {0U, second}) {
      runs.push_back(told.rows[cell].at(replica));
      const auto file = std::filesystem::path(folder.path()) / sweep::recording_name(cell, replica);
      files.push_back(file.string());
    }
    const sweep::RecordResult recorded = sweep::record_runs(plan, *pool, runs);
    if (recorded.ended == sweep::Ended::kInterrupted) {
      return sweep::NotRun{"interrupted", true};
    }
    if (!recorded.problems.empty()) {
      return sweep::NotRun{recorded.problems.front()};
    }
    if (folder.kept()) {
      store->recording(0, replica, files[0]);
      store->recording(second, replica, files[1]);
    }
    return files;
  };
  const int code = tell(arguments, *request, told, record);
  store->finish();
  return code;
}

/// By its first bytes; of what cannot be read others say what is wrong.
bool is_recording(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return false;  // the bytes of a pipe are there once
  }
  const auto read = reports::read_beginning(path, 16);
  const auto* beginning = std::get_if<std::string>(&read);
  return beginning != nullptr &&
         (beginning->starts_with(R"({"r":"header")") || beginning->starts_with("\x28\xB5\x2F\xFD"));
}

int run_compare(const CompareArguments& arguments) {
  if (arguments.paths.size() == 1 && is_recording(arguments.paths.front())) {
    complain(
        fmt::format("{}: is a recording; expected a second one to compare it with, or a "
                    "scenario",
                    arguments.paths.front()));
    return kUnusable;
  }
  if (arguments.paths.size() == 2 &&
      !files_alone(arguments.paths, "two recordings are compared; expected two files")) {
    return kUnusable;
  }
  if (!arguments.against.empty() &&
      !files_alone(arguments.paths, "another build reads the scenario as well; expected a file")) {
    return kUnusable;
  }
  if (arguments.paths.size() == 2) {
    return compare_recordings(arguments);
  }
  return arguments.against.empty() ? compare_cells_of(arguments) : compare_builds(arguments);
}

}  // namespace

void add_compare(Command app, int& exit_code) {
  Command command = app.add_command(
      "compare", "hold policies, values, builds or two recordings against each other");
  const auto arguments = std::make_shared<CompareArguments>();
  SweepArguments& sweep = arguments->sweep;
  command
      .add_option("FILE", arguments->paths,
                  "a scenario, run once per compared variant; or two recordings")
      .required()
      .expected(1, 2);
  add_options_but_policy(command, sweep.scenario, Prints::kTable);
  command
      .add_option("--policy", arguments->policies,
                  "NAME[@PROFILE], for every job: one to compare with the scenario's own, or "
                  "several with each other (may be repeated)")
      .one_value_each();
  command
      .add_option("--vary", sweep.vary,
                  "values to compare, as `sweep` has them: /json/pointer=a,b; the first is what "
                  "others are compared with (may be repeated)")
      .one_value_each();
  command.add_option("--where", sweep.where, "only cells for which this holds");
  command.add_option("--against", arguments->against,
                     "another build of this program: its runs are compared with those of this one");
  command.add_option("--timeout", arguments->timeout,
                     "seconds that --against's program may take (default 600)");
  command.add_option("--runs", sweep.runs,
                     "runs of each, with seeds from the scenario's upwards (default 30)");
  command.add_option("--goal", arguments->goal,
                     "the metric that decides which is better (default useful_share)");
  command
      .add_option("--metric", sweep.metrics,
                  "one more metric: a JSON Pointer into the summary of `run --json` (may be "
                  "repeated)")
      .one_value_each();
  command.add_option("--pair", arguments->pair,
                     "the seed whose two runs are compared decision by decision (default: where "
                     "the goal differs most)");
  command.add_option("-j,--jobs", sweep.jobs, "worker processes (default: a processor each)");
  command.add_option("--out", sweep.out, "keeps the rows, in a file as `sweep` makes");
  command.callback([arguments, &exit_code] {
    exit_code = in_one_process("compare") ? run_compare(*arguments) : kUnusable;
  });
}

}  // namespace aftershock::sim::cli
