#include "sim/replay/replay.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/render/format.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/scenario_options.h"
#include "sim/control/external/external_source.h"
#include "sim/control/external/transcript.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::cli {
namespace {

struct ReplayArguments {
  std::string path;
  std::string transcript;
  ScenarioOptions scenario;  ///< of which it takes those that say who decides
};

/// A record on one line, cut short: a decision may be pages.
std::string record_text(const std::string& record, std::string_view none) {
  constexpr std::size_t kColumns = 300;
  return record.empty() ? std::string(none) : reports::shorten(printable(record), kColumns, true);
}

nlohmann::ordered_json to_json(const replay::Replay& replay) {
  nlohmann::ordered_json json = {{"schema", 1},
                                 {"scenario", replay.scenario},
                                 {"same", !replay.difference},
                                 {"records", replay.records},
                                 {"t_us", replay.t_us},
                                 {"whole", replay.whole},
                                 {"hash", replay.hash},
                                 {"recorded_by", replay.recorded_by},
                                 {"replayed_by", replay.replayed_by},
                                 {"reason", replay.failure}};
  if (const auto& difference = replay.difference) {
    json["difference"] = {{"t_us", difference->t_us},
                          {"line", difference->line},
                          {"job", difference->job},
                          {"recorded", difference->recorded},
                          {"replayed", difference->replayed}};
  }
  return json;
}

std::string to_text(const ReplayArguments& arguments, const replay::Replay& replay) {
  const std::string count = reports::format_count(replay.records);
  if (const auto& difference = replay.difference) {
    const bool other_policy = replay.recorded_by != replay.replayed_by;
    return fmt::format(
        "{}:{}: the run is another one from {} on{}, after {} records that are the same\n"
        "  recorded {}\n  replayed {}\n{}",
        printable(arguments.path), difference->line, reports::format_duration(difference->t_us),
        difference->job.empty() ? "" : fmt::format(", {}", printable(difference->job)), count,
        record_text(difference->recorded, "nothing more"),
        record_text(difference->replayed, "nothing more"),
        other_policy ? fmt::format("  {} decided then, and {} now: expected the --policy-cmd, "
                                   "--policy-lib or --python of the run\n",
                                   printable(replay.recorded_by), printable(replay.replayed_by))
                     : "");
  }
  return replay.whole ? fmt::format("{}: the same, {} records, hash {}\n",
                                    printable(replay.scenario), count, replay.hash)
                      : fmt::format("{}: the same as far as the recording goes, {} records to {}\n",
                                    printable(replay.scenario), count,
                                    reports::format_duration(replay.t_us));
}

/// The deadline that hello said.
std::optional<std::int64_t> deadline_in(const control::Exchanges& tape) {
  const auto hello = tape.empty() || tape.front().empty()
                         ? nlohmann::json()
                         : policies::json_or_discarded(tape.front().front().to);
  const auto deadline = hello.is_object() ? hello.find("deadline_ms") : hello.end();
  return hello.is_object() && deadline != hello.end() && deadline->is_number_integer()
             ? std::optional(deadline->get<std::int64_t>())
             : std::nullopt;
}

/// Runs the scenario of a transcript, whose policy answers as it did then.
int replay_transcript(const ReplayArguments& arguments) {
  std::string text;
  if (!read_text_file(arguments.transcript, text)) {
    return kUnusable;
  }
  const auto read = control::read_transcript(text);
  if (const auto* problem = std::get_if<std::string>(&read)) {
    complain(fmt::format("{}: {}", arguments.transcript, *problem));
    return kUnusable;
  }
  const auto& transcript = std::get<control::Transcript>(read);
  if (transcript.hash.empty()) {
    complain(
        fmt::format("{}: is cut off: behind its {} messages the line is missing that says how "
                    "the run ended; run it again with --transcript",
                    arguments.transcript, transcript.exchanges));
    return kUnusable;
  }
  control::ExternalOptions how{arguments.transcript, {}};
  how.deadline_ms = deadline_in(transcript.tape).value_or(how.deadline_ms);
  const auto source = std::make_shared<control::ExternalSource>(std::move(how));
  source->listen({.heard = {}, .before = &transcript.tape, .transcript_only = true});
  scenario::ReadOptions options;
  options.policies = source;
  options.may_extend = false;
  auto checked =
      scenario::read_scenario_text(transcript.scenario_json, arguments.transcript, options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&checked)) {
    complain(*errors);
    return kUnusable;
  }
  simulate::SimulateOptions as_then;
  as_then.driver = transcript.how.simgrid ? engine::Driver::kSimGrid : engine::Driver::kAutomatic;
  as_then.max_entries = transcript.how.max_entries;
  if (transcript.how.offsets_us) {
    as_then.offsets = {*transcript.how.offsets_us, {}};
  }
  const auto summary = simulate::simulate(std::make_shared<const scenario::Scenario>(std::move(
                                              std::get<scenario::ReadScenario>(checked).scenario)),
                                          as_then);
  const std::string hash = fmt::format("{:016x}", summary.hash);
  const std::string verdict = fmt::format("\"{}\"", name_of(summary.verdict));
  const bool same = hash == transcript.hash && verdict == transcript.verdict;
  const bool failed = summary.verdict == reports::Verdict::kPolicyFailed;
  if (arguments.scenario.format.is_json()) {
    print_json({{"schema", 1},
                {"scenario", summary.scenario},
                {"same", same},
                {"exchanges", transcript.exchanges},
                {"hash", hash},
                {"reason", failed ? summary.verdict_reason : ""}});
  } else if (!arguments.scenario.quiet) {
    print(same ? fmt::format("{}: the same, {} messages, hash {}{}\n", printable(summary.scenario),
                             transcript.exchanges, hash,
                             failed ? "; its policy failed: " + summary.verdict_reason : "")
          : failed ? fmt::format("{}: {}\n", arguments.transcript, summary.verdict_reason)
                   : fmt::format("{}: the run is another one: {}, hash {}, in the transcript {}, "
                                 "hash {}\n",
                                 arguments.transcript, verdict, hash, transcript.verdict,
                                 transcript.hash));
  }
  return same ? kOk : kFailed;
}

int run_replay(const ReplayArguments& arguments) {
  if (arguments.path.empty() == arguments.transcript.empty()) {
    complain("expected a recording, or --transcript FILE");
    return kUnusable;
  }
  if (!arguments.transcript.empty() && !source_words(arguments.scenario).empty()) {
    complain("--transcript: nobody is asked; expected no --policy-cmd and no --policy-lib");
    return kUnusable;
  }
  if (!arguments.transcript.empty()) {
    return replay_transcript(arguments);
  }
  const auto options = read_options(arguments.scenario);
  if (!options) {
    return kUnusable;
  }
  const auto replayed = replay::replay(arguments.path, *options);
  if (const auto* problem = std::get_if<std::string>(&replayed)) {
    complain(*problem);
    return kUnusable;
  }
  const auto& result = std::get<replay::Replay>(replayed);
  if (!result.note.empty()) {
    complain(fmt::format("warning: {}: {}", arguments.path, result.note));
  }
  if (arguments.scenario.format.is_json()) {
    print_json(to_json(result));
  } else if (!arguments.scenario.quiet) {
    print(to_text(arguments, result));
  }
  if (!result.failure.empty()) {
    complain(fmt::format("{}: {}", arguments.path, result.failure));
  }
  return result.difference ? result.failure.empty() ? kFailed : kPolicyProcessFailed : kOk;
}

}  // namespace

void add_replay(Command app, int& exit_code) {
  Command command = app.add_command(
      "replay", "run a recording again from its header, up to the first difference");
  const auto arguments = std::make_shared<ReplayArguments>();
  command.add_option("recording", arguments->path, "file that `run --record` wrote");
  command.add_option("--transcript", arguments->transcript,
                     "instead: file that `run --transcript` wrote; nobody is asked, the policy "
                     "answers as it did");
  add_source_options(command, arguments->scenario);
  add_json(command, arguments->scenario.format);
  command.add_flag("--quiet", arguments->scenario.quiet, "print nothing but errors");
  command.footer("exits with 0 when the run is the same, with 1 when it is not");
  command.callback([arguments, &exit_code] { exit_code = run_replay(*arguments); });
}

}  // namespace aftershock::sim::cli
