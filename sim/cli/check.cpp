#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "reports/baseline/baseline.h"
#include "reports/check/outputs.h"
#include "reports/check/words.h"
#include "sim/check/check_plan.h"
#include "sim/check/check_runs.h"
#include "sim/check/files.h"
#include "sim/check/fresh.h"
#include "sim/cli/command.h"
#include "sim/cli/many_runs.h"
#include "sim/cli/scenario_options.h"
#include "sim/sweep/process_crew.h"

namespace aftershock::sim::cli {
namespace {

namespace fs = std::filesystem;

struct CheckArguments {
  std::vector<std::string> paths;
  std::vector<std::string> tags;
  ScenarioOptions scenario;
  std::string jobs;
  std::string baseline;
  bool update = false;
  bool strict = false;
  std::string fresh;
  std::string fresh_runs;
  std::string against;
  std::string junit;
  std::string markdown;
  bool github = false;
};

/// The same, understood.
struct CheckRequest {
  CheckSelection selection;
  std::uint32_t workers = 1;
  std::optional<reports::Baseline> baseline;
  std::optional<FreshOptions> fresh;
  std::string overrides;
};

/// Files in the order in which their paths sort, folders with all that is below them.
std::optional<std::vector<fs::path>> files_of(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status)) {
      complain(fmt::format("{}: {}", path, error ? error.message() : "No such file or directory"));
      return std::nullopt;
    }
    if (!fs::is_directory(status)) {
      files.emplace_back(path);
      continue;
    }
    const auto found = scenario_files(path, error);
    if (error) {
      complain(fmt::format("{}: {}", path, error.message()));
      return std::nullopt;
    }
    files.insert(files.end(), found.begin(), found.end());
  }
  std::ranges::sort(files);
  return files;
}

bool read_old_baseline(const CheckArguments& arguments, CheckRequest& request) {
  if (arguments.update && arguments.baseline.empty()) {
    complain("--update-baseline: goes with --baseline FILE, which it writes");
    return false;
  }
  if (arguments.strict && arguments.baseline.empty()) {
    complain("--strict: goes with --baseline FILE, from which nothing may differ");
    return false;
  }
  if (arguments.baseline.empty() || (arguments.update && !fs::exists(arguments.baseline))) {
    return true;
  }
  std::string text;
  if (!fs::exists(arguments.baseline)) {
    complain(
        fmt::format("{}: there is no baseline; --update-baseline writes it", arguments.baseline));
    return false;
  }
  if (!read_text_file(arguments.baseline, text)) {
    return false;
  }
  auto read = reports::read_baseline(text, arguments.baseline);
  if (auto* baseline = std::get_if<reports::Baseline>(&read)) {
    request.baseline = std::move(*baseline);
    return true;
  }
  complain(std::get<std::string>(read) +
           (arguments.update ? "; --update-baseline writes over baselines alone: take it away first"
                             : ""));
  return false;
}

/// No file that is written is one of the others, or one that is read: it would be lost.
bool outputs_apart(const CheckArguments& arguments, const std::vector<fs::path>& scenarios) {
  std::error_code ignored;
  std::map<fs::path, std::string> known;
  for (const fs::path& scenario : scenarios) {
    known.emplace(fs::weakly_canonical(scenario, ignored), "a scenario");
  }
  for (const auto& [path, what] :
       {std::pair(&arguments.baseline, "--baseline"), std::pair(&arguments.junit, "--junit"),
        std::pair(&arguments.markdown, "--markdown")}) {
    if (path->empty()) {
      continue;
    }
    const auto [other, fresh] = known.emplace(fs::weakly_canonical(*path, ignored), what);
    if (!fresh) {
      complain(fmt::format("{} {}: is {} as well; expected a file of its own", what,
                           in_quotes(*path), other->second));
      return false;
    }
  }
  return true;
}

/// The baseline's lines and the runs have not one key in common: that must not be green.
bool compared_nothing(const reports::CheckReport& report) {
  using enum reports::Standing;
  const auto standing = [](const reports::CheckedRun& run) { return run.judgement.standing; };
  return std::ranges::find(report.runs, kMissing, standing) != report.runs.end() &&
         std::ranges::all_of(
             report.runs, [](auto at) { return at == kMissing || at == kNew; }, standing);
}

bool read_fresh(const CheckArguments& arguments, CheckRequest& request) {
  if (arguments.fresh.empty() && arguments.against.empty()) {
    if (!arguments.fresh_runs.empty()) {
      complain("--fresh-runs: goes with --fresh SEED --against BINARY");
    }
    return arguments.fresh_runs.empty();
  }
  if (arguments.fresh.empty() || arguments.against.empty()) {
    complain(arguments.fresh.empty()
                 ? "--against: goes with --fresh SEED, the first of the new seeds"
                 : "--fresh: goes with --against BINARY, another build of aftershock");
    return false;
  }
  constexpr std::uint64_t kMostSeed = std::uint64_t{1} << 62U;
  const auto seed = whole_number("--fresh", arguments.fresh, 0, kMostSeed);
  const auto runs = whole_number(
      "--fresh-runs", arguments.fresh_runs.empty() ? "32" : arguments.fresh_runs, 2, 100'000);
  if (!seed || !runs) {
    return false;
  }
  request.fresh =
      FreshOptions{*seed, static_cast<std::uint32_t>(*runs), arguments.against, request.workers};
  return true;
}

std::optional<CheckRequest> check_understood(const CheckArguments& arguments) {
  CheckRequest request;
  const auto options = read_options(arguments.scenario);
  const auto workers =
      whole_number("--jobs", arguments.jobs.empty() ? std::to_string(processors()) : arguments.jobs,
                   1, kMostWorkers);
  if (!options || !workers) {
    return std::nullopt;
  }
  if (arguments.github && arguments.scenario.json) {
    complain("--github: annotations do not go into the one object of --json; expected one of them");
    return std::nullopt;
  }
  request.workers = static_cast<std::uint32_t>(*workers);
  auto files = files_of(arguments.paths);
  if (!files || !outputs_apart(arguments, *files) || !read_old_baseline(arguments, request) ||
      !read_fresh(arguments, request)) {
    return std::nullopt;
  }
  request.selection = {*std::move(files), arguments.tags, *options};
  request.overrides = overrides_of(arguments.scenario);
  return request;
}

/// Nothing to run is a mistake, and must not be green.
bool anything_to_run(const CheckPlan& plan, const CheckArguments& arguments) {
  if (!plan.scenarios.empty() || !plan.unusable.empty()) {
    return true;
  }
  complain(plan.untagged > 0
               ? fmt::format("none of {} scenarios has the tag {}", plan.untagged,
                             in_quotes(fmt::format("{}", fmt::join(arguments.tags, ", "))))
               : fmt::format("no scenario files in {}", fmt::join(arguments.paths, ", ")));
  return false;
}

/// The rows, or an exit code where there are not all.
std::optional<int> ended_early(Ended ended, const std::string& why) {
  if (ended == Ended::kInterrupted) {
    complain("interrupted: nothing was judged");
    return reports::exit_code(reports::Verdict::kInconclusive);
  }
  if (ended != Ended::kDone) {
    complain(why);
    return kInternalError;
  }
  return std::nullopt;
}

/// True where everything that was asked for as a file is written.
bool write_outputs(const CheckArguments& arguments, const reports::CheckReport& report) {
  bool good = true;
  const auto write = [&good](const std::string& path, const std::string& text) {
    const auto problem = path.empty() ? std::nullopt : reports::write_whole(path, text);
    if (problem) {
      complain(*problem);
      good = false;
    }
  };
  write(arguments.junit, arguments.junit.empty() ? "" : reports::check_junit(report));
  write(arguments.markdown, arguments.markdown.empty() ? "" : reports::check_markdown(report));
  return good;
}

/// Writes what these runs came to as the baseline; the exit code is that of their verdicts.
int write_baseline(const CheckArguments& arguments, const CheckPlan& plan, const CheckRuns& runs,
                   const reports::CheckReport& report) {
  for (const auto& file : report.unusable) {
    complain(file.message);
  }
  if (!report.unusable.empty()) {
    complain(
        fmt::format("{}: not written, since not every scenario can be used", arguments.baseline));
    return kUnusable;
  }
  std::vector<reports::BaselineRun> kept;
  for (const reports::RunRow& row : runs.rows) {
    if (row.verdict == reports::Verdict::kInternalError) {
      complain(fmt::format("{}: not written: {}, seed {}: {}", arguments.baseline,
                           plan.scenarios[row.cell].path, row.seed, row.reason));
      return kInternalError;
    }
    kept.push_back(baseline_run_of(plan.scenarios[row.cell], row));
  }
  if (const auto problem =
          reports::write_whole(arguments.baseline, reports::baseline_text(std::move(kept)))) {
    complain(*problem);
    return kUnusable;
  }
  reports::CheckReport without = report;
  std::erase_if(without.runs, [](const reports::CheckedRun& run) {
    return run.judgement.standing == reports::Standing::kMissing;
  });
  const auto missing = report.runs.size() - without.runs.size();
  if (!arguments.scenario.quiet) {
    print(fmt::format("{}: written, {}{}\n", arguments.baseline, reports::summary_of(without),
                      missing == 0 ? "" : fmt::format("; {} taken out", missing)));
  }
  for (reports::CheckedRun& run : without.runs) {
    run.judgement.standing = reports::Standing::kNoBaseline;
  }
  return reports::exit_code(reports::verdict_of(without));
}

void tell_check(const CheckArguments& arguments, const reports::CheckReport& report) {
  if (!arguments.scenario.json && !arguments.scenario.quiet) {
    print(reports::check_text(report, output_style()));
  }
  if (arguments.scenario.json) {
    print_json(reports::check_json(report));
  }
  if (arguments.github) {
    print(reports::check_annotations(report));
  }
}

int run_check(const CheckArguments& arguments) {
  const auto request = check_understood(arguments);
  if (!request) {
    return kUnusable;
  }
  CheckPlan plan = make_check_plan(request->selection);
  if (!anything_to_run(plan, arguments)) {
    return kUnusable;
  }
  if (!plan.warnings.empty()) {
    complain(fmt::format("{} {} of these scenarios; `aftershock validate FILE` tells them",
                         plan.warnings.size(), plan.warnings.size() == 1 ? "warning" : "warnings"));
  }
  CheckRuns runs;
  FreshResult fresh;
  {
    Progress progress(arguments.scenario.quiet || arguments.scenario.json);
    const auto show = [&progress](std::uint64_t done, std::uint64_t total) {
      progress.show(done, total);
    };
    if (!plan.scenarios.empty()) {
      runs = run_checks(plan, *make_process_crew(plan.plan, {request->workers, {}}), show);
    }
    if (request->fresh && runs.ended == Ended::kDone && !plan.scenarios.empty()) {
      const Plan part = fresh_plan(plan, *request->fresh);
      fresh = run_fresh(plan, part, make_process_crew(part, {request->workers, {}}),
                        *request->fresh, show);
    }
  }
  for (const std::string& trouble : runs.troubles) {
    complain(trouble);
  }
  if (const auto code = ended_early(runs.ended, runs.why)) {
    return *code;
  }
  if (const auto code = ended_early(fresh.ended, fresh.why)) {
    return *code;
  }
  reports::CheckReport report;
  report.runs = judge_runs(plan, runs, request->baseline ? &*request->baseline : nullptr);
  report.unusable = std::move(plan.unusable);
  report.fresh = std::move(fresh.runs);
  report.baseline = arguments.baseline;
  report.against = arguments.against;
  report.overrides = request->overrides;
  report.strict = arguments.strict;
  if (arguments.update) {
    return write_baseline(arguments, plan, runs, report);
  }
  for (const auto& file : report.unusable) {
    complain(file.message);
  }
  tell_check(arguments, report);
  const bool written = write_outputs(arguments, report);
  if (compared_nothing(report)) {
    complain(fmt::format(
        "{}: not one of its lines is about these runs, so nothing was compared; a line is found by "
        "file, policy and seed: run it from the folder where it was made, or write a new one",
        arguments.baseline));
    return kUnusable;
  }
  return written ? reports::exit_code(reports::verdict_of(report)) : kUnusable;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("check", "run scenarios for CI, and judge them by a baseline");
  const auto arguments = std::make_shared<CheckArguments>();
  command->add_option("PATHS", arguments->paths, "scenario files, and folders with all below them")
      ->required()
      ->check(not_empty());
  command->add_option("--tag", arguments->tags, "only scenarios with this tag (may be repeated)")
      ->allow_extra_args(false)
      ->check(not_empty());
  add_scenario_options(*command, arguments->scenario);
  command->add_option("-j,--jobs", arguments->jobs, "worker processes (default: a processor each)");
  command
      ->add_option("--baseline", arguments->baseline,
                   "what runs came to before: each is judged same, changed, better or worse")
      ->check(not_empty());
  command->add_flag("--update-baseline", arguments->update,
                    "write these runs as the baseline, and judge nothing by it");
  command->add_flag("--strict", arguments->strict,
                    "any change is an error, also a better, a new or a missing run");
  command->add_option("--fresh", arguments->fresh,
                      "also run on new seeds, from this one upwards, by this build and another");
  command->add_option("--fresh-runs", arguments->fresh_runs,
                      "new seeds of each scenario (default 32)");
  command
      ->add_option("--against", arguments->against,
                   "the other build: the path of its aftershock program")
      ->check(not_empty());
  command->add_option("--junit", arguments->junit, "write JUnit's XML to FILE")->check(not_empty());
  command
      ->add_option("--markdown", arguments->markdown,
                   "write a table to FILE, for the summary of a job")
      ->check(not_empty());
  command->add_flag("--github", arguments->github,
                    "print annotations as GitHub Actions understands them, too");
  command->callback([arguments, &exit_code] { exit_code = run_check(*arguments); });
}

}  // namespace aftershock::sim::cli
