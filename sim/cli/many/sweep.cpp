#include "sim/sweep/sweep.h"

#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "reports/render/cells_text.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/many/never_struck.h"
#include "sim/cli/many/run_again.h"
#include "sim/cli/many/sweep_request.h"
#include "sim/cli/many_runs.h"
#include "sim/sweep/merge.h"
#include "sim/sweep/mpi_pool.h"
#include "sim/sweep/process_pool.h"
#include "sim/sweep/run_values.h"

namespace aftershock::sim::cli {
namespace {

reports::StoreHeader header_of(const SweepArguments& arguments, const SweepRequest& request) {
  reports::StoreHeader header =
      store_header(request.plan, arguments.path, overrides_of(arguments.scenario));
  header.until = arguments.until;
  header.keep = arguments.keep;
  header.shard = request.shard.shard;
  header.shards = request.shard.shards;
  return header;
}

/// `keep`: as it was asked for.
int keep_recordings(const SweepRequest& request, const std::string& keep, reports::RunStore& store,
                    sweep::WorkerPool& pool, const std::string& folder) {
  const auto chosen = sweep::runs_to_keep(*request.keep, store);
  const auto path_of = [&folder](const reports::RunRow& run) {
    return std::filesystem::path(folder) / sweep::recording_name(run.cell, run.replica);
  };
  std::vector<reports::RunRow> missing = chosen;
  if (request.keep->all()) {
    // Left as they were made, but for those of an earlier sweep that kept none.
    std::erase_if(missing, [&path_of](const reports::RunRow& run) {
      std::error_code ignored;
      return std::filesystem::exists(path_of(run), ignored);
    });
  }
  const sweep::RecordResult recorded = sweep::record_runs(request.plan, pool, missing);
  for (const std::string& problem : recorded.problems) {
    complain(problem);
  }
  if (recorded.ended == sweep::Ended::kInterrupted) {
    complain("interrupted while runs were recorded; go on with --resume");
    return reports::exit_code(reports::Verdict::kInconclusive);
  }
  if (!recorded.problems.empty()) {
    return kInternalError;
  }
  // Those of an earlier --keep, or of fewer runs, may not be among the chosen any more. They go
  // when the new ones are there.
  store.set_keep(keep);
  std::set<std::string> names;
  for (const reports::RunRow& run : chosen) {
    names.insert(sweep::recording_name(run.cell, run.replica));
    store.recording(run.cell, run.replica, path_of(run).string());
  }
  store.finish();
  sweep::remove_other_recordings(folder, names);
  return kOk;
}

/// Says why runs did not go well: of the first whose policy failed how to see it again, and else,
/// with `worst`, of the first of the worst. False, with a word on standard error, where runs cannot
/// be read.
bool tell_why(reports::RunReader& reader, const std::vector<reports::CellSummary>& cells,
              bool worst) {
  using reports::Verdict;
  const auto runs_of = [&cells](Verdict verdict) {
    std::int64_t runs = 0;
    for (const reports::CellSummary& cell : cells) {
      runs += cell.verdicts[static_cast<std::size_t>(verdict)];
    }
    return runs;
  };
  const bool policy_failed = runs_of(Verdict::kPolicyFailed) > 0;
  const Verdict told = policy_failed ? Verdict::kPolicyFailed : reports::worst_verdict(cells);
  if (!policy_failed && (!worst || told == Verdict::kPassed)) {
    return true;
  }
  std::optional<reports::RunRow> first;
  if (const auto problem = reader.each(up_to(told, first))) {
    complain(*problem);
    return false;
  }
  if (!first) {
    return true;  // it was taken away since they were counted
  }
  if (policy_failed) {
    complain_of_policy(reader.header(), *first);
    return true;
  }
  const std::int64_t more = runs_of(told) - 1;
  complain(printable(fmt::format("{}: {}: exit code {}{}", reader.header().scenario,
                                 why_of(reader.header(), *first), reports::exit_code(told),
                                 more == 0 ? "" : fmt::format(", as {} more", more))));
  return true;
}

std::string sweep_text(reports::RunReader& reader, const std::vector<reports::CellSummary>& cells) {
  std::string text = reports::cells_text(reader, cells, output_style());
  for (const auto& kept : reader.recordings()) {
    text += fmt::format("  recorded: {}\n", printable(kept.path));
  }
  return text;
}

/// Prints what the file holds; the worst verdict's exit code.
int tell(const SweepArguments& arguments, const std::string& path) {
  auto opened = reports::RunReader::open(path);
  if (const auto* problem = std::get_if<std::string>(&opened)) {
    complain(*problem);
    return kUnusable;
  }
  auto& reader = std::get<reports::RunReader>(opened);
  auto cells = reports::summarise_cells(reader);
  if (const auto* problem = std::get_if<std::string>(&cells)) {
    complain(*problem);
    return kUnusable;
  }
  const auto& summaries = std::get<0>(cells);
  print_unless_quiet(arguments.scenario,
                     {.text = [&] { return sweep_text(reader, summaries); },
                      .markdown = [&] { return reports::cells_markdown(reader, summaries); },
                      .rows = [&] { return reports::to_json(reader, summaries)["cells"]; },
                      .json = [&] { return reports::to_json(reader, summaries); }});
  for (const auto& trouble : reader.troubles()) {
    complain(fmt::format("a worker died over run {} of cell {}: {}", trouble.replica, trouble.cell,
                         trouble.what));
  }
  if (!arguments.scenario.quiet) tell_never_struck(reader, summaries);
  if (!tell_why(reader, summaries, arguments.scenario.quiet)) {
    return kUnusable;
  }
  return reports::exit_code(reports::worst_verdict(summaries));
}

/// Takes away what killed workers and killed sweeps left of recordings, before and after.
struct LeftoversGone {
  std::string folder;  ///< empty: nothing is recorded

  explicit LeftoversGone(std::string of) : folder(std::move(of)) { remove(); }
  LeftoversGone(const LeftoversGone&) = delete;
  LeftoversGone& operator=(const LeftoversGone&) = delete;
  ~LeftoversGone() { remove(); }

  void remove() const {
    if (!folder.empty()) {
      sweep::remove_unfinished_recordings(folder);
    }
  }
};

/// Which faults, budgets and list elements there are is known with the first run only.
void warn_of_no_number(const sweep::Plan& plan, const reports::RunRow& first) {
  for (std::size_t i = 0; !first.values.empty() && i < plan.pointers.size(); ++i) {
    if (!reports::number_of(first.values[reports::metrics().size() + i])) {
      complain(fmt::format(
          "warning: {}: the first run has no number there; budgets and kinds of faults go by their "
          "names, and only what came to pass has a place",
          scenario::in_quotes(plan.pointers[i])));
    }
  }
}

/// Makes the runs; the exit code. `unmet`: there are all, and --until asks for more.
int sweep_with(const SweepArguments& arguments, const SweepRequest& request,
               reports::RunStore& store, sweep::MpiJob* mpi, bool& unmet) {
  const std::string folder = arguments.out + ".recordings";
  if (request.keep) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      complain(fmt::format("{}: {}", folder, error.message()));
      return kUnusable;
    }
  }
  const LeftoversGone cleaning{request.keep ? folder : std::string()};
  const sweep::WorkerPoolOptions pool_options{request.workers, folder};
  const auto pool = mpi != nullptr && mpi->ranks() > 1
                        ? sweep::make_mpi_pool(*mpi, request.plan, pool_options)
                        : sweep::make_process_pool(request.plan, pool_options);
  sweep::SweepOptions options;
  options.shard = request.shard;
  options.record = request.keep && request.keep->all();
  std::optional<sweep::StopRule> rule;
  if (request.until) {
    rule.emplace(*request.until, request.plan.cells.size(), request.plan.pointers);
    options.saw = [&rule](const reports::RunRow& row) { rule->saw(row); };
    options.enough = [&rule](std::uint32_t replicas) { return rule->met(replicas); };
  }
  options.first = [&request](const reports::RunRow& row) { warn_of_no_number(request.plan, row); };
  const MadeRuns made =
      make_runs(arguments.scenario, request.plan, store, *pool, options, "go on with --resume");
  const sweep::SweepResult& result = made.result;
  if (made.code != kOk) {
    return made.code;
  }
  if (!result.not_recorded.empty()) {
    complain(result.not_recorded);
    return kUnusable;
  }
  unmet = request.until && result.replicas == request.plan.replicas && !rule->was_met();
  if (unmet) {
    complain(
        fmt::format("--until {} was not reached with {} {} a cell; more with --resume --runs N",
                    scenario::in_quotes(arguments.until), result.replicas,
                    result.replicas == 1 ? "run" : "runs"));
  }
  if (request.keep) {
    return keep_recordings(request, arguments.keep, store, *pool, folder);
  }
  return kOk;
}

/// `mpi`: null where no MPI launcher started this process, else its rank 0.
int run_here(const SweepArguments& arguments, sweep::MpiJob* mpi) {
  if (arguments.rare && mpi != nullptr) {
    complain("--rare works in one process; start it without the MPI launcher");
    return kUnusable;
  }
  if (arguments.rare && !arguments.path.empty()) {
    return run_rare(arguments);
  }
  if (!arguments.rare_job.empty() || !arguments.effort.empty() || !arguments.repetitions.empty()) {
    complain("--job, --effort and --repetitions go with --rare");
    return kUnusable;
  }
  if (arguments.path.empty() || arguments.out.empty()) {
    complain(arguments.path.empty() ? "a scenario file is missing: aftershock sweep SCENARIO --out "
                                      "FILE"
                                    : "--out FILE is missing: where results go");
    return kUnusable;
  }
  const auto request = understood(arguments);
  if (!request) {
    return kUnusable;
  }
  bool unmet = false;
  {
    auto store = open_store(arguments.out, arguments.resume, header_of(arguments, *request));
    if (!store) {
      return kUnusable;
    }
    if (const int code = sweep_with(arguments, *request, *store, mpi, unmet); code != kOk) {
      return code;
    }
  }
  const int code = tell(arguments, arguments.out);
  // The question stays open; but the outcome of runs counts more (design.md 5).
  return unmet && code == kOk ? reports::exit_code(reports::Verdict::kInconclusive) : code;
}

int run_sweep(const SweepArguments& arguments) {
  if (!started_by_mpi()) {
    return run_here(arguments, nullptr);
  }
  auto joined = sweep::MpiJob::join();
  if (const auto* problem = std::get_if<std::string>(&joined)) {
    complain(*problem);
    return kUnusable;
  }
  sweep::MpiJob& mpi = *std::get<0>(joined);
  if (mpi.rank() == 0) {
    return run_here(arguments, &mpi);
  }
  sweep::serve_mpi_rank(
      mpi, [options = read_options(arguments.scenario)](const sweep::PlannedCell& cell) {
        return options ? sweep::policies_of(cell, *options) : nullptr;
      });
  return kOk;
}

int run_merge(const SweepArguments& arguments) {
  if (!in_one_process("sweep merge")) {
    return kUnusable;
  }
  if (const auto problem = sweep::merge_results(arguments.merge_out, arguments.merge_in)) {
    complain(*problem);
    return kUnusable;
  }
  return tell(arguments, arguments.merge_out);
}

}  // namespace

void add_sweep(Command app, int& exit_code) {
  Command command =
      app.add_command("sweep", "run a scenario many times, with many seeds and values");
  const auto arguments = std::make_shared<SweepArguments>();
  command.add_option("scenario", arguments->path, "scenario file; - is standard input");
  command.add_option("--out", arguments->out, "where results go: an SQLite file, a row a run");
  add_scenario_options(command, arguments->scenario, Prints::kTable);
  command.add_option("--runs", arguments->runs,
                     "runs of each cell, with seeds from the scenario's upwards (default 100; "
                     "with --until at most, 100000)");
  command
      .add_option(
          "--vary", arguments->vary,
          "/json/pointer=a,b,c or =1..8 or =10min..1h:10min or =1..64:x2; several with "
          "blanks between go together; policy=NAME@PROFILE,... varies the policy, rates=0.5,1,2 "
          "how often things fail at random (may be repeated: every combination is a "
          "cell)")
      .one_value_each();
  command.add_option("--where", arguments->where,
                     "only cells for which this holds: '/jobs/0/workers <= 64'");
  command.add_option("--until", arguments->until,
                     "stop when this holds in every cell: 'ettr.ci95 < 0.002'");
  command.add_option("--keep", arguments->keep,
                     "record runs, in FILE.recordings: all, failed, worst:N or worst:N:METRIC");
  command
      .add_option("--metric", arguments->metrics,
                  "one more column: a JSON Pointer into the summary of `run --json` (may be "
                  "repeated)")
      .one_value_each();
  command.add_option("-j,--jobs", arguments->jobs,
                     "worker processes (default: a processor each; under mpirun one a rank)");
  command.add_flag("--resume", arguments->resume,
                   "go on with the file of a sweep that was stopped, or make more runs");
  command.add_option("--shard", arguments->shard,
                     "K/N: only this part of the runs, for `sweep merge`");
  command.add_flag("--rare", arguments->rare,
                   "no table of runs, but how likely a job exhausts its retries, down to one in "
                   "millions, by multilevel splitting");
  command.add_option("--job", arguments->rare_job, "with --rare: which job, where there are more");
  command.add_option("--effort", arguments->effort,
                     "with --rare: worlds in a generation (default 500)");
  command.add_option("--repetitions", arguments->repetitions,
                     "with --rare: independent estimates (default 20)");
  Command merge = command.add_command("merge", "put the results of all shards of a sweep together");
  merge.add_option("OUT", arguments->merge_out, "the file to make").required();
  merge.add_option("SHARDS", arguments->merge_in, "the shards' files").required();
  add_format(merge, arguments->scenario.format);
  merge.add_flag("--quiet", arguments->scenario.quiet, "print nothing but errors");
  command.callback([arguments, merge, &exit_code] {
    exit_code = merge.given() ? run_merge(*arguments) : run_sweep(*arguments);
  });
}

}  // namespace aftershock::sim::cli
