#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/recording/open_file.h"
#include "reports/render/format.h"
#include "reports/render/storage_tree.h"
#include "reports/render/summary_text.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"
#include "sim/cli/pods_text.h"
#include "sim/cli/policy_source.h"
#include "sim/cli/recording_file.h"
#include "sim/cli/run/transcript_writer.h"
#include "sim/cli/scenario_options.h"
#include "sim/control/external/transcript.h"
#include "sim/invariants/invariants.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::cli {

namespace {

struct RunArguments {
  std::string path;
  ScenarioOptions scenario;
  std::string record;
  std::string driver = "auto";
  std::optional<std::int64_t> max_events;
  std::string transcript;
  int verify_policy = 0;
  bool storage_tree = false;
  bool view = false;
  bool strict = false;
};

std::string unit_word(const scenario::Scenario& scenario) {
  const bool npu = std::ranges::any_of(scenario.cluster.pools, [](const scenario::PoolSpec& pool) {
    return pool.accelerator == scenario::AcceleratorKind::kNpu;
  });
  const bool gpu = std::ranges::any_of(scenario.cluster.pools, [](const scenario::PoolSpec& pool) {
    return pool.accelerator == scenario::AcceleratorKind::kGpu;
  });
  return npu && gpu ? "accelerator" : npu ? "NPU" : "GPU";
}

/// CLI11 takes a number that 64 bits do not hold for the largest one that they do.
std::string whole_number_above_zero(const std::string& text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  const bool good = problem == std::errc{} && stopped == end && number > 0;
  return good ? std::string()
              : fmt::format("{}: expected a whole number from 1 to {}", scenario::in_quotes(text),
                            std::numeric_limits<std::int64_t>::max());
}

/// The viewer runs the scenario itself, so that it shows the recording while it grows, and ends as
/// that run did.
int run_in_viewer(const RunArguments& arguments) {
  if (!arguments.record.empty() && !may_record(arguments.record)) {
    return kUnusable;
  }
  std::vector<std::string> words = run_words(arguments.scenario);
  if (!arguments.record.empty()) {
    words.push_back("--record=" + arguments.record);
  }
  words.insert(words.end(), {"--verdict", "--", arguments.path});
  return start_viewer(words);
}

/// The violated invariants, and how to see the violations again.
std::string violations_text(const RunArguments& arguments, const reports::RunSummary& summary) {
  std::string out;
  std::set<std::string_view> told;
  for (const reports::Violation& violation : summary.violations) {
    const invariants::Invariant* known = invariants::find_invariant(violation.id);
    if (known != nullptr && told.insert(known->id).second) {
      out += fmt::format("{} is: {}\n", known->id, known->sentence);
    }
  }
  return out + fmt::format("reproduce: aftershock run {} --seed {}{}\n",
                           reports::shell_path(arguments.path), summary.seed,
                           overrides_of(arguments.scenario));
}

/// False, and said why, when --transcript names what must not be written over, or cannot be.
bool may_transcribe(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) {
    constexpr std::size_t kBeginning = 256;
    const auto beginning = reports::read_beginning(path, kBeginning);
    const auto* text = std::get_if<std::string>(&beginning);
    if (text == nullptr || !(text->empty() || control::begins_transcript(*text))) {
      complain(
          fmt::format("--transcript {}: is there already, and is not a transcript; choose "
                      "another name",
                      scenario::in_quotes(path)));
      return false;
    }
  }
  if (!std::ofstream(path, std::ios::app)) {
    complain(fmt::format("--transcript {}: cannot be written: {}", scenario::in_quotes(path),
                         std::strerror(errno)));
    return false;
  }
  return true;
}

/// Starts the transcript, where one is asked for, with the first word to the policy; false, and
/// said why, when it cannot be written.
bool listen(const RunArguments& arguments, const scenario::ReadOptions& options,
            std::optional<TranscriptWriter>& talk) {
  if (arguments.transcript.empty() && arguments.verify_policy == 0) {
    return true;
  }
  if (!arguments.transcript.empty() && !may_transcribe(arguments.transcript)) {
    return false;
  }
  if (const auto source = std::dynamic_pointer_cast<control::ExternalSource>(options.policies)) {
    talk.emplace(source);
  } else if (const auto hosts = std::dynamic_pointer_cast<HostPolicies>(options.installed)) {
    hosts->made = [&talk](const auto& made) { talk.emplace(made); };
  }
  return true;
}

/// Whether the policy is to be asked again before the run: a process has one engine of SimGrid.
bool rehearses(const RunArguments& arguments, const scenario::Scenario& scenario,
               const simulate::SimulateOptions& options) {
  return arguments.verify_policy > 0 && simulate::takes_simgrid(scenario, options.driver);
}

/// Writes the transcript, and asks the policy again, unless that was done. 0, or the exit code of
/// what went wrong.
int settle(const RunArguments& arguments, const std::shared_ptr<const scenario::Scenario>& scenario,
           const simulate::SimulateOptions& options, const reports::RunSummary& summary,
           const std::optional<std::string>& rehearsed, TranscriptWriter& talk) {
  if (!arguments.transcript.empty()) {
    control::RunHow how{options.driver == engine::Driver::kSimGrid, options.max_entries, {}};
    if (options.offsets) {
      how.offsets_us = options.offsets->offsets_us;
    }
    if (const auto problem = talk.write(arguments.transcript, *scenario, how, summary)) {
      complain(*problem);
      return kUnusable;
    }
  }
  if (summary.verdict == reports::Verdict::kPolicyFailed) {
    return kOk;  // the run says so
  }
  const auto other = rehearses(arguments, *scenario, options)
                         ? rehearsed
                         : talk.differs(scenario, options, arguments.verify_policy);
  if (other) {
    complain(fmt::format("--verify-policy: {}", *other));
    return kPolicyProcessFailed;
  }
  return kOk;
}

/// Tells the outcome, and how long it took the host.
void tell(const RunArguments& arguments, const scenario::Scenario& scenario,
          const reports::RunSummary& summary, double host_s) {
  if (arguments.scenario.format.is_json()) {
    nlohmann::ordered_json json = reports::to_json(summary);
    json["host"] = {{"elapsed_s", host_s}};
    print_json(json);
  } else if (!arguments.scenario.quiet) {
    reports::SummaryTextOptions text_options;
    text_options.style = output_style();
    text_options.style.accelerator = unit_word(scenario);
    text_options.host_s = host_s;
    print(reports::summary_text(summary, text_options));
    print(pods_text(scenario, text_options.style));
    if (!summary.violations.empty()) {
      print(violations_text(arguments, summary));
    }
  }
  if (arguments.storage_tree && !arguments.scenario.format.is_json()) {
    print(reports::storage_tree(summary.storage, output_style()));
  }
  if (arguments.scenario.quiet && summary.verdict != reports::Verdict::kPassed) {
    // A policy's last words are several lines.
    complain_lines(fmt::format("{}: {}: {}", scenario::file_title(arguments.path),
                               name_of(summary.verdict), summary.verdict_reason));
  }
}

/// With --strict what the run itself warns of is an error, too.
int judge_strictly(const reports::RunSummary& summary, std::size_t told) {
  for (std::size_t i = told; i < summary.warnings.size(); ++i) {
    complain("error, by --strict: " + printable(summary.warnings[i]));
  }
  for (const reports::NeverStruck& fault : summary.never_struck) {
    complain(fmt::format("error, by --strict: fault {} never struck: {}", printable(fault.fault),
                         printable(fault.why)));
  }
  const int code = reports::exit_code(summary.verdict);
  return code != kOk                      ? code
         : !summary.never_struck.empty()  ? reports::exit_code(reports::Verdict::kInvalid)
         : summary.warnings.size() > told ? kUnusable
                                          : kOk;
}

int run(const RunArguments& arguments) {
  const auto options = read_options(arguments.scenario);
  std::optional<TranscriptWriter> talk;
  if (!options ||
      !files_apart({{"the scenario", arguments.path}},
                   {{"--record", arguments.record}, {"--transcript", arguments.transcript}}) ||
      !listen(arguments, *options, talk)) {
    return kUnusable;
  }
  auto read = scenario::read_scenario_file(arguments.path, *options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    complain(*errors);
    return kUnusable;
  }
  auto& checked = std::get<scenario::ReadScenario>(read);
  if (!talk && (!arguments.transcript.empty() || arguments.verify_policy > 0)) {
    complain(
        "--transcript and --verify-policy: go with --policy-cmd, --policy-lib or installed code");
    return kUnusable;
  }
  for (const std::string& warning : checked.warnings) {
    complain((arguments.strict ? "error, by --strict: " : "warning: ") + warning);
  }
  if (arguments.strict && !checked.warnings.empty()) {
    return kUnusable;
  }
  if (arguments.view) {
    if (!files_alone({arguments.path}, "the viewer runs the scenario by itself; expected a file")) {
      return kUnusable;
    }
    return run_in_viewer(arguments);
  }
  const auto scenario = std::make_shared<const scenario::Scenario>(std::move(checked.scenario));

  std::optional<reports::FileSink> sink;
  if (!arguments.record.empty() && !open_recording(arguments.record, sink)) {
    return kUnusable;
  }
  simulate::SimulateOptions simulate_options;
  simulate_options.driver =
      arguments.driver == "simgrid" ? engine::Driver::kSimGrid : engine::Driver::kAutomatic;
  simulate_options.max_entries = arguments.max_events;
  simulate_options.sink = sink ? &*sink : nullptr;
  simulate_options.storage_tree = arguments.storage_tree;
  simulate_options.warnings = checked.warnings;
  if (talk) {
    simulate_options.offsets = talk->offsets(scenario, simulate_options);
  }
  const auto rehearsed = talk && rehearses(arguments, *scenario, simulate_options)
                             ? talk->rehearse(scenario, simulate_options, arguments.verify_policy)
                             : std::nullopt;
  const auto begin = std::chrono::steady_clock::now();
  const reports::RunSummary summary = simulate::simulate(scenario, simulate_options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

  tell(arguments, *scenario, summary, elapsed.count());
  if (sink) {
    if (const auto error = sink->finish()) {
      complain(*error);
      return kUnusable;
    }
  }
  const int trouble =
      talk ? settle(arguments, scenario, simulate_options, summary, rehearsed, *talk) : kOk;
  if (trouble != kOk) {
    return trouble;
  }
  return arguments.strict ? judge_strictly(summary, checked.warnings.size())
                          : reports::exit_code(summary.verdict);
}

}  // namespace

void add_run(Command app, int& exit_code) {
  Command command = app.add_command("run", "simulate one scenario and say what was lost and why");
  const auto arguments = std::make_shared<RunArguments>();
  command.add_option("scenario", arguments->path, "scenario file; - is standard input").required();
  add_scenario_options(command, arguments->scenario);
  command.add_option("--record", arguments->record,
                     "write the recording to FILE.aftershock, or compressed to "
                     "FILE.aftershock.zst");
  command
      .add_option("--driver", arguments->driver,
                  "auto: SimGrid only where transfers share a way; simgrid: for every transfer")
      .one_of({"auto", "simgrid"})
      .shows_default();
  command
      .add_option("--max-events", arguments->max_events,
                  "end the run after so many calendar entries (default 10000000)")
      .check(whole_number_above_zero, "N");
  command.add_option("--transcript", arguments->transcript,
                     "write all that is said to --policy-cmd to this file, and what it answers");
  command
      .add_option("--verify-policy", arguments->verify_policy,
                  "run so often again, and stop where --policy-cmd answers otherwise")
      .between(1, 1'000'000);
  command.add_flag("--strict", arguments->strict,
                   "run nothing where the scenario has warnings; a fault that never strikes is an "
                   "error, too");
  command.add_flag("--storage-tree", arguments->storage_tree,
                   "show what the runs left in storage, as Ray lays it out");
  Option view = command.add_flag("--view", arguments->view,
                                 "run it in the viewer, which shows the recording while it grows");
  for (const char* other : {"--json", "--quiet", "--driver", "--max-events", "--storage-tree",
                            "--policy-cmd", "--policy-lib", "--transcript", "--verify-policy"}) {
    view.excludes(command.option(other));
  }
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace aftershock::sim::cli
