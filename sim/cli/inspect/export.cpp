#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "reports/baseline/baseline.h"
#include "reports/render/chrome_writer.h"
#include "reports/render/format.h"
#include "reports/render/perfetto_writer.h"
#include "reports/render/recording_trace.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"
#include "sim/cli/scenario_options.h"
#include "sim/import/scenario_text.h"
#include "sim/replay/occurrences.h"

namespace aftershock::sim::cli {
namespace {

using Writer = reports::TraceWriter;

struct ExportArguments {
  std::string path;
  std::string out;
  bool faults = false;
  bool perfetto = false;
  bool chrome = false;
  bool csv = false;
  ScenarioOptions scenario;  ///< of which it takes those that say who decides
};

/// To --out, whole or not at all, else to standard output.
int give_out(const ExportArguments& arguments, const std::string& text) {
  if (arguments.out.empty()) {
    arguments.perfetto ? print_bytes(text) : arguments.csv ? print(text) : print_json_text(text);
    return kOk;
  }
  if (const auto problem = reports::write_whole(arguments.out, text)) {
    complain(*problem);
    return kUnusable;
  }
  return kOk;
}

int export_faults(const ExportArguments& arguments) {
  const auto options = read_options(arguments.scenario);
  if (!options) {
    return kUnusable;
  }
  const auto made = replay::scripted_run(arguments.path, *options);
  if (const auto* problem = std::get_if<std::string>(&made)) {
    complain(*problem);
    return kUnusable;
  }
  const auto& run = std::get<replay::ScriptedRun>(made);
  if (!run.whole && !arguments.scenario.quiet) {
    complain(
        fmt::format("warning: {}: was cut short; the run is taken to its end", arguments.path));
  }
  const int exit_code = give_out(arguments, imports::scenario_file_text(run.scenario));
  if (exit_code == kOk && !arguments.out.empty() && !arguments.scenario.quiet) {
    print(fmt::format("{}: {} occurrences of {} random sources; runs to hash {}\n",
                      printable(arguments.out), run.occurrences, run.sources, run.hash));
  }
  return exit_code;
}

int export_trace(const ExportArguments& arguments) {
  if (arguments.perfetto && arguments.out.empty() && on_terminal(STDOUT_FILENO)) {
    complain("--perfetto: is nothing for a terminal; expected --out FILE");
    return kUnusable;
  }
  std::string text;
  const auto gather = [&text](std::string_view piece) {
    text += piece;
    return true;
  };
  reports::PerfettoWriter perfetto(gather);
  reports::ChromeWriter chrome(gather);
  const reports::ReadResult result =
      arguments.csv
          ? reports::write_trace_csv(arguments.path, gather)
          : reports::write_trace(arguments.path, arguments.perfetto ? static_cast<Writer&>(perfetto)
                                                                    : static_cast<Writer&>(chrome));
  if (!result.readable()) {
    complain(result.message);
    return kUnusable;
  }
  if (!result.message.empty() && !arguments.scenario.quiet) {
    complain("warning: " + result.message);
  }
  const int exit_code = give_out(arguments, text);
  if (exit_code == kOk && !arguments.out.empty() && !arguments.scenario.quiet) {
    print(fmt::format("{}: {} records\n", printable(arguments.out),
                      reports::format_count(result.records)));
  }
  return exit_code;
}

int run_export(const ExportArguments& arguments) {
  if (!is_new_file("--out", arguments.out)) {
    return kUnusable;
  }
  if (const auto words = source_words(arguments.scenario); !arguments.faults && !words.empty()) {
    complain(fmt::format("{}: goes with --faults, for which the run is made again", words.front()));
    return kUnusable;
  }
  return arguments.faults ? export_faults(arguments) : export_trace(arguments);
}

}  // namespace

void add_export(Command app, int& exit_code) {
  Command command = app.add_command("export", "write a recording in another form");
  const auto arguments = std::make_shared<ExportArguments>();
  command.add_option("recording", arguments->path, "file that `run --record` wrote").required();
  Command forms = command.add_choice("forms", "one of these");
  forms.add_flag("--faults", arguments->faults,
                 "its scenario, with all that random sources sent as a script; runs to the same "
                 "hash");
  forms.add_flag("--perfetto", arguments->perfetto, "a trace for ui.perfetto.dev");
  forms.add_flag("--chrome", arguments->chrome, "a trace for chrome://tracing, JSON");
  forms.add_flag("--csv", arguments->csv,
                 "a table of its spans, instants, faults and decisions, as the viewer writes it");
  command.add_option("--out", arguments->out, "where it goes (default: standard output)");
  add_source_options(command, arguments->scenario);
  command.add_flag("--quiet", arguments->scenario.quiet,
                   "print nothing but errors and what is exported");
  command.callback([arguments, &exit_code] { exit_code = run_export(*arguments); });
}

}  // namespace aftershock::sim::cli
