#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/check/outputs.h"
#include "reports/check/words.h"
#include "sim/check/baseline_file.h"
#include "sim/check/check_recordings.h"
#include "sim/check/check_runs.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/many/check_request.h"
#include "sim/cli/many/never_struck.h"
#include "sim/cli/many/run_again.h"
#include "sim/cli/many_runs.h"
#include "sim/sweep/process_pool.h"

namespace aftershock::sim::cli {
namespace {

/// Nothing to run is a mistake, and must not be green.
bool anything_to_run(const check::CheckPlan& plan, const CheckRequest& request,
                     const CheckArguments& arguments) {
  if (!plan.scenarios.empty() || !plan.unusable.empty() || !request.recordings.empty()) {
    return true;
  }
  complain(
      plan.untagged > 0
          ? fmt::format("none of {} scenarios has the tag {}", plan.untagged,
                        scenario::in_quotes(fmt::format("{}", fmt::join(arguments.tags, ", "))))
          : fmt::format("no scenario files in {}", fmt::join(arguments.paths, ", ")));
  return false;
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

/// ", kept 12 of what was not asked for, taken out 3": of lines that were there before.
std::string old_lines_words(const check::UpdatedBaseline& made) {
  std::string words;
  if (made.kept > 0) {
    words += fmt::format("; kept {} of what was not asked for", made.kept);
  }
  return made.taken_out > 0 ? words + fmt::format("; {} taken out", made.taken_out) : words;
}

/// The exit code of a check. With --quiet one line still says why it is red.
int code_of(const CheckArguments& arguments, const reports::CheckReport& report) {
  const reports::Verdict verdict = reports::verdict_of(report);
  if (arguments.scenario.quiet && verdict != reports::Verdict::kPassed) {
    complain(reports::check_line(report));
  }
  return reports::exit_code(verdict);
}

/// Writes what these runs came to as the baseline; the exit code is that of their verdicts. The
/// report then tells of these runs alone, and compares them with nothing.
int write_baseline(const CheckArguments& arguments, const CheckRequest& request,
                   const check::CheckPlan& plan, const check::CheckRuns& runs,
                   reports::CheckReport& report) {
  const auto not_written = [&](const std::string& why, int code) {
    complain(fmt::format("{}: not written: {}", arguments.baseline, why));
    return code;
  };
  for (const auto& file : report.unusable) {
    complain(printable(file.message));
  }
  if (!report.skipped.empty()) {
    return not_written("interrupted", reports::exit_code(reports::Verdict::kInconclusive));
  }
  if (!report.unusable.empty()) {
    return not_written("not every scenario can be used", kUnusable);
  }
  for (const auto verdict : {reports::Verdict::kInternalError, reports::Verdict::kPolicyFailed}) {
    const auto lost = std::ranges::find(runs.rows, verdict, &reports::RunRow::verdict);
    if (lost != runs.rows.end()) {
      return not_written(printable(fmt::format("{}, seed {}: {}", plan.scenarios[lost->cell].path,
                                               lost->seed, reports::why_of(*lost))),
                         reports::exit_code(verdict));
    }
  }
  check::UpdatedBaseline made =
      check::updated(plan, runs, request.baseline ? &*request.baseline : nullptr);
  const std::string old_lines = old_lines_words(made);
  std::set<reports::RunKey> kept;
  for (const reports::BaselineRun& run : made.runs) {
    kept.insert(run.key);
  }
  if (const auto problem = check::write_baseline_file(arguments.baseline, std::move(made.runs))) {
    complain(*problem);
    return kUnusable;
  }
  std::erase_if(report.runs, [](const reports::CheckedRun& run) {
    return run.judgement.standing == reports::Standing::kMissing;
  });
  for (const std::string& gone : made.gone) {
    complain(printable(fmt::format("{}: is no longer there; its lines are taken out", gone)));
  }
  if (!arguments.scenario.quiet) {
    reports::CheckReport held = report;
    std::erase_if(held.runs,
                  [&](const reports::CheckedRun& run) { return !kept.contains(run.run.key); });
    print(printable(fmt::format("{}: written, {}{}", arguments.baseline, reports::summary_of(held),
                                old_lines)) +
          "\n");
    if (const std::string seeds = reports::seeds_of(report); !seeds.empty()) {
      print(printable(seeds) + "\n");
    }
  }
  for (reports::CheckedRun& run : report.runs) {
    run.judgement.standing = reports::Standing::kNoBaseline;
  }
  return code_of(arguments, report);
}

/// A baseline of which no line is about the runs is a file that cannot be used: that must not be
/// green.
void look_at_baseline(const CheckRequest& request, reports::CheckReport& report) {
  const bool compared = std::ranges::any_of(
      report.runs, [](const reports::CheckedRun& run) { return run.old.has_value(); });
  if (!request.baseline || !report.skipped.empty() || report.runs.empty() || compared) {
    return;
  }
  report.unusable.push_back(
      {.file = report.baseline,
       .message = fmt::format(
           "{}: not one of its lines is about these runs, so nothing was compared; a line is found "
           "by the scenario's path from the baseline's folder and by seed; write a new one with "
           "--update-baseline",
           report.baseline)});
}

void tell_check(const CheckArguments& arguments, const reports::CheckReport& report) {
  print_unless_quiet(arguments.scenario,
                     {.text = [&] { return reports::check_text(report, output_style()); },
                      .markdown = [&] { return reports::check_markdown(report); },
                      .rows = [&] { return reports::check_rows(report); },
                      .json = [&] { return reports::check_json(report); }});
  if (arguments.github) {
    print(reports::check_annotations(report));
  }
}

/// All runs, on the baseline's seeds and on new ones.
struct Checked {
  check::CheckRuns runs;
  check::FreshResult fresh;
};

Checked make_checks(const CheckArguments& arguments, const CheckRequest& request,
                    const check::CheckPlan& plan) {
  Checked made;
  if (plan.scenarios.empty()) {
    return made;
  }
  Progress progress(arguments.scenario.quiet || !arguments.scenario.format.is_table());
  const auto show = [&progress](std::uint64_t done, std::uint64_t total) {
    progress.show(done, total);
  };
  made.runs =
      check::run_checks(plan, *sweep::make_process_pool(plan.plan, {request.workers, {}}), show);
  if (request.fresh && made.runs.ended == sweep::Ended::kDone) {
    const sweep::Plan part = check::fresh_plan(plan, *request.fresh);
    made.fresh = check::run_fresh(plan, part, sweep::make_process_pool(part, {request.workers, {}}),
                                  *request.fresh, show);
  }
  return made;
}

reports::UnsaidSeeds unsaid_seeds(const check::CheckPlan& plan) {
  reports::UnsaidSeeds unsaid{check::kRandomSeeds, {}};
  for (const check::CheckedScenario& scenario : plan.scenarios) {
    if (!scenario.seeds_said && scenario.seeds == check::kRandomSeeds) {
      unsaid.scenarios.push_back(scenario.path);
    }
  }
  return unsaid;
}

/// The runs that an interrupt kept from being run; none where there was none.
std::vector<reports::SkippedRun> interrupted(const CheckRequest& request,
                                             const check::CheckPlan& plan, const Checked& made) {
  if (made.runs.ended == sweep::Ended::kInterrupted) {
    return check::skipped_runs(plan, made.runs);
  }
  std::vector<reports::SkippedRun> skipped;
  if (made.fresh.ended == sweep::Ended::kInterrupted) {
    for (const check::CheckedScenario& scenario : plan.scenarios) {
      skipped.push_back(
          {scenario.path, fmt::format("{}, {} new seeds from {}", scenario.policy,
                                      request.fresh->runs, request.fresh->first_seed)});
    }
  }
  return skipped;
}

int tell_all(const CheckArguments& arguments, const reports::CheckReport& report) {
  for (const auto& file : report.unusable) {
    complain(printable(file.message));
  }
  if (!report.skipped.empty()) {
    complain(fmt::format("interrupted; {} not run", report.skipped.size()));
  }
  tell_check(arguments, report);
  const bool written = write_outputs(arguments, report);
  const int code = code_of(arguments, report);
  return written ? code : kUnusable;
}

int run_check(const CheckArguments& arguments) {
  const auto request = understood(arguments);
  if (!request) {
    return kUnusable;
  }
  check::CheckPlan plan = check::make_check_plan(request->selection);
  if (!anything_to_run(plan, *request, arguments)) {
    return kUnusable;
  }
  if (!plan.warnings.empty()) {
    complain(fmt::format("{} {} of these scenarios; `aftershock validate FILE` tells them",
                         plan.warnings.size(), plan.warnings.size() == 1 ? "warning" : "warnings"));
  }
  Checked made = make_checks(arguments, *request, plan);
  for (const std::string& trouble : made.runs.troubles) {
    complain(printable(trouble));
  }
  NeverStruckRuns never;
  for (const reports::RunRow& row : made.runs.rows) {
    never.add(row);
  }
  if (never.first && !arguments.scenario.quiet) {
    const std::string& path = plan.scenarios[never.first->cell].path;
    tell_never_struck(never, path, run_command(path, request->overrides, {}, never.first->seed));
  }
  for (const auto& [ended, why] :
       {std::pair(made.runs.ended, made.runs.why), std::pair(made.fresh.ended, made.fresh.why)}) {
    if (ended != sweep::Ended::kDone && ended != sweep::Ended::kInterrupted) {
      complain(why);
      return kInternalError;
    }
  }
  reports::CheckReport report;
  report.runs =
      check::judge_runs(plan, made.runs, request->baseline ? &*request->baseline : nullptr);
  report.joint = check::judge_together(plan, made.runs);
  report.skipped = interrupted(*request, plan, made);
  report.unusable = std::move(plan.unusable);
  check::check_recordings(request->recordings, report);
  report.fresh = std::move(made.fresh.runs);
  report.unsaid_seeds = unsaid_seeds(plan);
  report.baseline = arguments.baseline;
  report.against = arguments.against;
  report.overrides = request->overrides;
  report.strict = arguments.strict;
  if (arguments.update) {
    const int code = write_baseline(arguments, *request, plan, made.runs, report);
    if (arguments.github) {
      print(reports::check_annotations(report));
    }
    return write_outputs(arguments, report) ? code : kUnusable;
  }
  look_at_baseline(*request, report);
  return tell_all(arguments, report);
}

}  // namespace

void add_check(Command app, int& exit_code) {
  Command command = app.add_command("check", "run scenarios for CI, and judge them by a baseline");
  const auto arguments = std::make_shared<CheckArguments>();
  command
      .add_option(
          "PATHS", arguments->paths,
          "scenario files, folders with all below them, and recordings, which are judged as they "
          "are")
      .required();
  command.add_option("--tag", arguments->tags, "only scenarios with this tag (may be repeated)")
      .one_value_each();
  add_scenario_options(command, arguments->scenario, Prints::kTable);
  command.add_option("-j,--jobs", arguments->jobs, "worker processes (default: a processor each)");
  command.add_option("--baseline", arguments->baseline,
                     "the earlier results: each run is judged same, changed, better or worse");
  command.add_flag("--update-baseline", arguments->update,
                   "write these runs as the baseline, and judge nothing by it");
  command.add_flag("--strict", arguments->strict,
                   "any change is an error, also a better, a new or a missing run");
  command.add_option("--fresh", arguments->fresh,
                     "also run on new seeds, from this one upwards, by this build and another");
  command.add_option("--fresh-runs", arguments->fresh_runs,
                     "new seeds of each scenario (default 32)");
  command.add_option("--against", arguments->against,
                     "the other build: the path of its aftershock program");
  command.add_option("--timeout", arguments->timeout,
                     "seconds that --against's program may take for a scenario (default 600)");
  command.add_option("--junit", arguments->junit, "write JUnit's XML to FILE");
  command.add_option("--markdown", arguments->markdown,
                     "write a table to FILE, for the summary of a job");
  command.add_flag("--github", arguments->github,
                   "print annotations as GitHub Actions understands them, too");
  command.callback([arguments, &exit_code] {
    exit_code = in_one_process("check") ? run_check(*arguments) : kUnusable;
  });
}

}  // namespace aftershock::sim::cli
