#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "sim/cli/command.h"
#include "sim/cli/many/compare_runs.h"
#include "sim/cli/many_runs.h"
#include "sim/sweep/child.h"
#include "sim/sweep/other_build.h"
#include "sim/sweep/sweep.h"

// Another build is asked in its own words: it sweeps the scenario into a file of results, and
// records the run that is looked into.
namespace aftershock::sim::cli {
namespace {

/// The options that both its commands have beside the scenario.
std::vector<std::string> option_words(const CompareArguments& arguments) {
  std::vector<std::string> words;
  for (const std::string& policy : arguments.policies) {
    words.insert(words.end(), {"--policy", policy});
  }
  for (const std::string& set : arguments.sweep.scenario.sets) {
    words.insert(words.end(), {"--set", set});
  }
  const auto source = source_words(arguments.sweep.scenario);
  words.insert(words.end(), source.begin(), source.end());
  return words;
}

/// The request to the other build.
sweep::OtherSweep other_sweep(const CompareArguments& arguments, const CompareRequest& request,
                              const std::filesystem::path& folder, std::int64_t timeout_s) {
  return {.program = arguments.against,
          .scenario = arguments.paths.front(),
          .options = option_words(arguments),
          .pointers = request.sweep.plan.pointers,
          .first_seed = request.sweep.plan.first_seed,
          .runs = request.sweep.plan.replicas,
          .workers = request.sweep.workers,
          .results = (folder / "other.sqlite").string(),
          .timeout_s = timeout_s};
}

/// One run of both builds, recorded.
std::variant<std::vector<std::string>, sweep::NotRun> record_both(
    const CompareArguments& arguments, const sweep::Plan& plan, const reports::RunRow& run,
    sweep::WorkerPool& pool, const std::filesystem::path& folder, std::int64_t timeout_s) {
  const std::string ours = (folder / sweep::recording_name(0, run.replica)).string();
  const std::string theirs = (folder / sweep::recording_name(1, run.replica)).string();
  const sweep::RecordResult recorded = sweep::record_runs(plan, pool, {run});
  if (!recorded.problems.empty() || recorded.ended != sweep::Ended::kDone) {
    return recorded.problems.empty() ? sweep::NotRun{"interrupted", true}
                                     : sweep::NotRun{recorded.problems.front()};
  }
  std::vector<std::string> words = option_words(arguments);
  words.insert(words.begin(), {arguments.against, "run", arguments.paths.front(), "--quiet"});
  words.insert(words.end(), {"--seed", std::to_string(run.seed), "--record", theirs});
  const sweep::ChildEnd end = sweep::run_child(words, timeout_s);
  if (!std::filesystem::exists(theirs)) {
    return sweep::NotRun{fmt::format("{} {}", arguments.against, printable(end.words())),
                         end.how == sweep::ChildEnd::How::kInterrupted};
  }
  return std::vector<std::string>{ours, theirs};
}

/// The two builds as cells; the first is this one.
reports::StoreHeader header_of_both(const CompareArguments& arguments, const sweep::Plan& plan,
                                    const std::string& version) {
  reports::StoreHeader header =
      store_header(plan, arguments.paths.front(), overrides_of(arguments.sweep.scenario));
  header.cells.front().label = "this build";
  header.cells.push_back(header.cells.front());
  header.cells.back().label = fmt::format("{} ({})", arguments.against, version);
  return header;
}

}  // namespace

int compare_builds(const CompareArguments& arguments) {
  if (arguments.policies.size() > 1 || !arguments.sweep.vary.empty()) {
    complain("--against: compares two builds; give one --policy at most, and no --vary");
    return kUnusable;
  }
  const auto timeout_s = read_timeout(arguments.timeout);
  CompareArguments own = arguments;
  if (!own.policies.empty()) {
    own.sweep.scenario.policy = own.policies.front();
    own.policies.clear();
  }
  auto request = timeout_s ? understood(own) : std::nullopt;
  if (!request) {
    return kUnusable;
  }
  const sweep::Plan& plan = request->sweep.plan;
  // Before the other build works for minutes for nothing.
  if (const auto problem = reports::no_new_file(arguments.sweep.out)) {
    complain(*problem);
    return kUnusable;
  }
  const RecordingFolder folder(arguments.sweep.out);
  if (!folder.problem().empty()) {
    complain(folder.problem());
    return kUnusable;
  }
  auto swept =
      sweep::sweep_by_other_build(other_sweep(arguments, *request, folder.path(), *timeout_s));
  if (const auto* problem = std::get_if<sweep::NotRun>(&swept)) {
    complain(fmt::format("--against {}: {}", scenario::in_quotes(arguments.against),
                         printable(problem->why)));
    return problem->interrupted ? reports::exit_code(reports::Verdict::kInconclusive) : kUnusable;
  }
  auto& other = std::get<sweep::OtherRows>(swept);
  const reports::StoreHeader header = header_of_both(arguments, plan, other.version);
  auto store = new_store(arguments.sweep.out, header);
  if (!store) {
    return kUnusable;
  }
  const auto pool = sweep::make_process_pool(plan, {request->sweep.workers, folder.path()});
  if (const MadeRuns made = make_runs(arguments.sweep.scenario, plan, *store, *pool);
      made.code != kOk) {
    return made.code;
  }
  for (reports::RunRow& row : other.rows) {
    row.cell = 1;
    store->add(row);
  }
  auto rows = rows_by_cell(*store);
  if (!rows) {
    return kUnusable;
  }
  Told told{.comparison = reports::compare_cells(header, *rows, request->goal, {}),
            .rows = *std::move(rows),
            .exact = true,
            .kept = folder.kept()};
  told.comparison.moving_faults = request->moving_faults;
  told.comparison.history = request->history;
  const RecordPair record = [&](std::uint32_t, std::uint32_t replica) {
    return record_both(arguments, plan, told.rows[0].at(replica), *pool, folder.path(), *timeout_s);
  };
  const int code = tell(own, *request, told, record);
  store->finish();
  return code;
}

}  // namespace aftershock::sim::cli
