#include "sim/import/import.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/baseline/baseline.h"
#include "reports/render/format.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"
#include "sim/cli/interrupted.h"
#include "sim/cli/many_runs.h"
#include "sim/cli/output_format.h"
#include "sim/import/fit.h"
#include "sim/import/import_text.h"
#include "sim/import/incident.h"
#include "sim/import/observed.h"
#include "sim/import/scenario_text.h"

namespace aftershock::sim::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ImportArguments {
  std::string path;
  std::string from;
  std::string into;
  bool keep_random = false;
  std::string pool;
  std::string map;
  std::string nodes;
  std::string out;
  std::string observed;
  std::string within = "10min";
  bool fit = false;
  OutputFormat format;
  bool quiet = false;
};

/// The lines of a text, those that are too wide on several.
std::string narrow(std::string_view text) {
  const std::size_t width = output_style().width;
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t indent = std::min(line.size(), line.find_first_not_of(' '));
    out += reports::wrapped(line.substr(indent), indent, width);
  }
  return out;
}

std::string end_text(const imports::SimulatedEnd& end) {
  return fmt::format("{} after {}{}", end.outcome, reports::format_duration(end.at_us),
                     end.reason.empty() || end.reason == end.outcome
                         ? ""
                         : fmt::format(", {}", printable(end.reason)));
}

std::string observed_text(const ImportArguments& arguments, const imports::ObservedAnswer& answer) {
  std::string text = fmt::format("  {}: observed {}; simulated {}\n",
                                 answer.agrees ? "they agree" : "they do not agree",
                                 printable(arguments.observed), end_text(answer.simulated));
  if (answer.least) {
    text += fmt::format("  they do with {}: {}\n    --set '{}' (change {} of those tried)\n",
                        answer.least->words, end_text(*answer.changed), answer.least->set,
                        answer.tried);
  } else if (!answer.agrees) {
    text += fmt::format("  nor with any of {} changes of a budget's limit or the profile\n",
                        answer.tried);
  }
  return text;
}

Json observed_json(const imports::ObservedAnswer& answer) {
  const auto end = [](const imports::SimulatedEnd& of) {
    return Json{{"outcome", of.outcome}, {"reason", of.reason}, {"at_us", of.at_us}};
  };
  Json json = {
      {"agrees", answer.agrees}, {"simulated", end(answer.simulated)}, {"tried", answer.tried}};
  if (answer.least) {
    json["least"] = {{"change", answer.least->words}, {"set", answer.least->set}};
    json["changed"] = end(*answer.changed);
  }
  return json;
}

/// Answers --observed; false where it cannot be read.
bool judge(const ImportArguments& arguments, const imports::Imported& imported,
           std::optional<imports::ObservedAnswer>& answer) {
  if (arguments.observed.empty()) {
    return true;
  }
  const auto problem = [](std::string_view option, const scenario::TextProblem& what) {
    complain(
        fmt::format("{}: {}; expected {}{}", option, what.message, what.expected,
                    what.nearest.empty() ? "" : fmt::format("; did you mean {}?", what.nearest)));
    return false;
  };
  const auto within = scenario::parse_duration(arguments.within);
  if (const auto* wrong = std::get_if<scenario::TextProblem>(&within)) {
    return problem("--within", *wrong);
  }
  const auto observed = imports::parse_observed(arguments.observed, imported.read);
  if (const auto* wrong = std::get_if<scenario::TextProblem>(&observed)) {
    return problem("--observed", *wrong);
  }
  const TellsInterrupt telling(Unkept::kImport);
  answer = imports::judge_observed(imported.scenario, std::get<imports::ObservedEnd>(observed),
                                   std::get<std::int64_t>(within));
  return true;
}

int give_scenario(const ImportArguments& arguments, const imports::Imported& imported) {
  std::optional<imports::ObservedAnswer> answer;
  if (!judge(arguments, imported, answer)) {
    return kUnusable;
  }
  const std::string text = imports::scenario_file_text(imported.scenario);
  if (!arguments.out.empty()) {
    if (const auto problem = reports::write_whole(arguments.out, text)) {
      complain(*problem);
      return kUnusable;
    }
  }
  const std::string report =
      narrow(imports::import_text(imported, scenario::file_title(arguments.path)) +
             (answer ? observed_text(arguments, *answer) : std::string()));
  if (arguments.format.is_json()) {
    Json json = imports::import_json(imported, scenario::file_title(arguments.path));
    if (answer) {
      json["observed"] = observed_json(*answer);
    }
    if (arguments.out.empty()) {
      json["scenario"] = imported.scenario;
    }
    print_json(json);
  } else if (!arguments.out.empty() || answer) {
    print(arguments.quiet ? "" : report);
  } else {
    print_json_text(text);
    if (!arguments.quiet) {
      complain_lines(report);
    }
  }
  return answer && !answer->agrees ? kFailed : kOk;
}

int give_fit(const ImportArguments& arguments, const imports::Imported& imported) {
  if (!imported.trace) {
    complain("--fit: an incident is too short for random processes; expected a trace");
    return kUnusable;
  }
  const auto fits = [&] {
    const TellsInterrupt telling(Unkept::kImport);
    return imports::fit_causes(*imported.trace, imported.figures.nodes);
  }();
  const std::string pool =
      arguments.pool.empty() ? imported.read.cluster.pools.front().name : arguments.pool;
  if (!arguments.format.is_table() && !arguments.format.is_json()) {
    // The other two have them.
    for (const std::string& warning : imports::fit_warnings(fits)) {
      complain("warning: " + warning);
    }
  }
  const Printed printed{.text = [&] { return imports::fit_text(fits, pool, output_style()); },
                        .markdown = [&] { return imports::fit_markdown(fits); },
                        .rows = [&] { return imports::fit_rows(fits); },
                        .json = [&] { return imports::fit_json(fits, pool); }};
  if (arguments.out.empty()) {
    print_as(arguments.format, printed);
    return kOk;
  }
  const auto problem = reports::write_whole(arguments.out, text_as(arguments.format, printed));
  if (problem) {
    complain(*problem);
  }
  return problem ? kUnusable : kOk;
}

int run_import(const ImportArguments& arguments) {
  imports::ImportRequest request{.path = arguments.path,
                                 .format = arguments.from,
                                 .into = arguments.into,
                                 .pool = arguments.pool,
                                 .map = arguments.map,
                                 .keep_random = arguments.keep_random};
  if (!arguments.nodes.empty()) {
    constexpr std::uint64_t kMost = 1'000'000;
    const auto nodes = whole_number("--nodes", arguments.nodes, 1, kMost);
    if (!nodes) {
      return kUnusable;
    }
    request.nodes = static_cast<std::uint32_t>(*nodes);
  }
  if (!arguments.fit && !needs_no_table(arguments.format, "a scenario")) {
    return kUnusable;
  }
  if (!standard_input_once({arguments.path, arguments.into})) {
    return kUnusable;
  }
  if (arguments.path == "-") {
    // Its name is that of the faults that come from it.
    request.path = "stdin";
  }
  if (!is_new_file("--out", arguments.out) ||
      !read_text_file(readable_path(arguments.path), request.text) ||
      (!arguments.map.empty() && !read_text_file(arguments.map, request.map_text))) {
    return kUnusable;
  }
  const auto imported = [&] {
    const TellsInterrupt telling(Unkept::kImport);
    return imports::import_faults(request);
  }();
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&imported)) {
    complain(*errors);
    return kUnusable;
  }
  const auto& result = std::get<imports::Imported>(imported);
  for (const std::string& warning : result.warnings) {
    complain("warning: " + warning);
  }
  return arguments.fit ? give_fit(arguments, result) : give_scenario(arguments, result);
}

}  // namespace

void add_import(Command app, int& exit_code) {
  Command command = app.add_command("import", "make scripted faults of a trace or of an incident");
  const auto arguments = std::make_shared<ImportArguments>();
  command.add_option("FILE", arguments->path, "the events of a cluster; - is standard input")
      .required();
  command
      .add_option("--from", arguments->from,
                  fmt::format("{} (default: by what is in it)", imports::kImportFormats))
      .one_of({"infinitehbd", "bamboo", "csv", "incident"});
  command.add_option("--into", arguments->into,
                     "a scenario that gets the faults (default: one around a trace is made)");
  command.add_option("--pool", arguments->pool,
                     "the pool of --into that the machines of a trace, or of an incident, are in");
  command.add_flag("--keep-random", arguments->keep_random,
                   "keep the random faults of --into beside what happened");
  command.add_option("--nodes", arguments->nodes,
                     "how many nodes a trace's cluster has (default: those that it names; "
                     "infinitehbd 400)");
  command.add_option("--out", arguments->out, "where it goes (default: standard output)");
  Option fit = command.add_flag(
      "--fit", arguments->fit,
      "no scenario, but laws for each cause of a trace, how good they are, and sources to paste");
  command
      .add_option(
          "--map", arguments->map,
          "a file that says which machine is which node of --into (default: the pool's nodes "
          "in the order of the machines' names)")
      .excludes(fit);
  command
      .add_option("--observed", arguments->observed,
                  "how the job really ended, failed@03:12: run it, say whether it ends so, and if "
                  "not what least change makes it; without --out no scenario is printed")
      .excludes(fit);
  command.add_option("--within", arguments->within, "how far from that the simulated end may be")
      .shows_default();
  add_format(command, arguments->format);
  command.add_flag("--quiet", arguments->quiet, "print nothing but errors and the scenario");
  command.footer(wrap(std::string("csv: ") + imports::kOutagesCsvHelp, "") + "\n" +
                 wrap(std::string("incident: ") + imports::kIncidentHelp, "") + "\n" +
                 wrap(std::string("--map: ") + imports::kMapHelp, "") +
                 "\nexits with 1 where the job does not end as --observed says");
  command.callback([arguments, &exit_code] { exit_code = run_import(*arguments); });
}

}  // namespace aftershock::sim::cli
