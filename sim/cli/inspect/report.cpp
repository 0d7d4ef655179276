#include "reports/html/report.h"

#include <cctype>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "reports/baseline/baseline.h"
#include "reports/html/page.h"
#include "reports/recording/byte_source.h"
#include "reports/recording/hash.h"
#include "reports/recording/memory_sink.h"
#include "reports/recording/open_file.h"
#include "reports/results/run_store.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"
#include "sim/cli/scenario_options.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> files;
  std::string out;
  std::string title;
  ScenarioOptions scenario;

  /// Something is to be changed in a scenario, which needs one to be run.
  [[nodiscard]] bool changes_scenario() const {
    return !scenario.seed.empty() || !scenario.sets.empty() || !scenario.policy.empty() ||
           !scenario.policy_config.empty() || !source_words(scenario).empty();
  }
};

/// The first bytes of a file; none, with a word on standard error, where it cannot be read.
std::optional<std::string> beginning_of(const std::string& path) {
  auto read = reports::read_beginning(path, 4096);
  if (const auto* problem = std::get_if<reports::FileProblem>(&read)) {
    complain(fmt::format("{}: {}", path, problem->message));
    return std::nullopt;
  }
  return std::get<std::string>(std::move(read));
}

std::uint64_t hash_of(std::string_view text) {
  reports::RollingHash hash;
  hash.add(text);
  return hash.value();
}

/// The difference of a run of a scenario from its others: "-seed-7-modelarts".
std::string difference_of(const ScenarioOptions& options) {
  std::string words;
  const auto add = [&words](const std::string& text) {
    if (!text.empty()) {
      words += "-" + text;
    }
  };
  add(options.seed.empty() ? "" : "seed-" + options.seed);
  add(options.policy);
  add(std::filesystem::path(options.policy_config).stem().string());
  for (const std::string& set : options.sets) {
    // The value that it sets, by its last name: "spares=3" of /cluster/pools/0/spares=3.
    add(set.substr(set.substr(0, set.find('=')).rfind('/') + 1));
  }
  for (char& c : words) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("-_.@=", c);
    c = plain ? c : '_';
  }
  constexpr std::size_t kMost = 80;
  return words.size() <= kMost
             ? words
             : fmt::format("{}-{:08x}", words.substr(0, kMost), hash_of(words) & 0xffff'ffff);
}

/// Where the page goes when nobody says: beside the file, under its name.
std::string default_out(const ReportArguments& arguments) {
  const std::vector<std::string>& files = arguments.files;
  const auto stem = [](std::string name) {
    for (const std::string_view end : {".zst", ".aftershock", ".sqlite", ".json"}) {
      if (name.ends_with(end) && name.size() > end.size()) {
        name.resize(name.size() - end.size());
      }
    }
    return name;
  };
  std::string out = stem(files.front());
  if (files.size() > 1) {
    const std::filesystem::path other(files[1]);
    const std::string name = stem(other.filename().string());
    // Two of one name are told apart by their folders.
    const bool alike = name == std::filesystem::path(out).filename().string();
    out += "_against_" + (alike ? other.parent_path().filename().string() + "_" : "") + name;
  }
  return out + difference_of(arguments.scenario) + ".html";
}

/// The source of the page, as it says itself: the names of the files, and the changes to them.
std::string source_of(const ReportArguments& arguments) {
  std::string names;
  for (const std::string& file : arguments.files) {
    names += (names.empty() ? "" : " ") + std::filesystem::path(file).filename().string();
  }
  return names + difference_of(arguments.scenario);
}

/// False, with a word on standard error, where something else has the name that the page would get
/// by itself: mine.json and mine.sqlite have the same, and so may have what somebody else wrote.
bool may_take_default(const std::string& out, const std::string& source) {
  if (!may_write_page("--out", out)) {
    return false;
  }
  std::error_code ignored;
  if (!std::filesystem::exists(out, ignored)) {
    return true;
  }
  const auto beginning = beginning_of(out);
  if (beginning && reports::is_page_of(*beginning, source)) {
    return true;
  }
  complain(fmt::format("{}: is there already, and no page of {}; choose a name with --out", out,
                       scenario::in_quotes(source)));
  return false;
}

/// The parts of runs that are read: of two also those by which they are compared.
reports::ReadFor wanted_of(const ReportArguments& arguments) {
  return arguments.files.size() > 1 ? reports::ReadFor::kComparison : reports::ReadFor::kRun;
}

/// The run of a scenario, as its recording would tell it. `policy_failed` becomes what there is to
/// say where its policy did: that has a page, too.
std::optional<reports::RunData> run_of_scenario(const std::string& path,
                                                const ReportArguments& arguments,
                                                std::string& policy_failed) {
  const auto options = read_options(arguments.scenario);
  if (!options) {
    return std::nullopt;
  }
  auto read = scenario::read_scenario_file(path, *options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    complain(*errors);
    return std::nullopt;
  }
  auto& checked = std::get<scenario::ReadScenario>(read);
  reports::MemorySink sink;
  simulate::SimulateOptions simulate_options;
  simulate_options.sink = &sink;
  simulate_options.warnings = checked.warnings;
  const reports::RunSummary summary = simulate::simulate(
      std::make_shared<const scenario::Scenario>(std::move(checked.scenario)), simulate_options);
  if (summary.verdict == reports::Verdict::kPolicyFailed) {
    policy_failed =
        fmt::format("{}: {}: {}", path, name_of(summary.verdict), summary.verdict_reason);
  }
  auto run = reports::read_run_data(std::make_unique<reports::MemoryBytes>(sink.text()), path,
                                    wanted_of(arguments));
  auto& data = std::get<reports::RunData>(run);
  data.view = {"aftershock", "run", path};
  for (const auto& [flag, value] :
       {std::pair("--seed", &arguments.scenario.seed),
        std::pair("--policy", &arguments.scenario.policy),
        std::pair("--policy-config", &arguments.scenario.policy_config)}) {
    if (!value->empty()) {
      data.view.insert(data.view.end(), {flag, *value});
    }
  }
  for (const std::string& set : arguments.scenario.sets) {
    data.view.insert(data.view.end(), {"--set", set});
  }
  const auto source = source_words(arguments.scenario);
  data.view.insert(data.view.end(), source.begin(), source.end());
  if (source.empty()) {
    data.view.emplace_back("--view");
  } else {
    // The viewer asks no external policy: it takes a recording.
    data.view.insert(data.view.end(), {"--record", data.scenario + ".aftershock"});
  }
  return std::move(data);
}

/// The run that a file tells of, or that it asks for.
std::optional<reports::RunData> run_of(const std::string& path, const ReportArguments& arguments,
                                       std::string& policy_failed) {
  const auto beginning = beginning_of(path);
  if (!beginning) {
    return std::nullopt;
  }
  switch (reports::kind_of_input(*beginning)) {
    case reports::ReportInput::kResults:
      complain(
          fmt::format("{}: is a file of results, which has a page of its own; a comparison is "
                      "of two recordings or scenarios",
                      path));
      return std::nullopt;
    case reports::ReportInput::kOther:
      if (beginning->find('{') != beginning->npos && !path.ends_with(".aftershock")) {
        return run_of_scenario(path, arguments, policy_failed);
      }
      break;
    case reports::ReportInput::kRecording:
      if (arguments.changes_scenario()) {
        complain(
            fmt::format("{}: is a recording, in which --seed, --set and --policy change "
                        "nothing; run its scenario with them",
                        path));
        return std::nullopt;
      }
      break;
  }
  auto read = reports::read_run_data(path, wanted_of(arguments));
  if (const auto* problem = std::get_if<std::string>(&read)) {
    complain(*problem);
    return std::nullopt;
  }
  return std::get<reports::RunData>(std::move(read));
}

/// The page of a file of results; empty, and said why, where there is none.
std::string page_of_results(const ReportArguments& arguments) {
  const std::string& path = arguments.files.front();
  if (arguments.changes_scenario()) {
    complain(
        fmt::format("{}: is a file of results, in which --seed, --set and --policy change "
                    "nothing",
                    path));
    return {};
  }
  auto opened = reports::RunReader::open(path);
  if (const auto* problem = std::get_if<std::string>(&opened)) {
    complain(*problem);
    return {};
  }
  auto result = reports::sweep_page(std::get<reports::RunReader>(opened), path, arguments.title);
  if (!result.problem.empty()) {
    complain(result.problem);
  }
  return std::move(result.page);
}

std::string page_of(const ReportArguments& arguments, std::string& policy_failed) {
  const auto beginning = beginning_of(arguments.files.front());
  if (!beginning) {
    return {};
  }
  if (arguments.files.size() == 1 &&
      reports::kind_of_input(*beginning) == reports::ReportInput::kResults) {
    return page_of_results(arguments);
  }
  std::vector<reports::RunData> runs;
  for (const std::string& path : arguments.files) {
    auto run = run_of(path, arguments, policy_failed);
    if (!run) {
      return {};
    }
    runs.push_back(std::move(*run));
  }
  return runs.size() == 1 ? reports::run_page(runs.front(), arguments.title)
                          : reports::comparison_page(runs[0], runs[1], arguments.title);
}

int report(const ReportArguments& arguments) {
  if (!files_alone(arguments.files,
                   "a page has the name of its file; expected one, or `run - --record FILE`")) {
    return kUnusable;
  }
  const std::string out = arguments.out.empty() ? default_out(arguments) : arguments.out;
  const std::string source = source_of(arguments);
  if (!(arguments.out.empty() ? may_take_default(out, source) : may_write_page("--out", out))) {
    return kUnusable;
  }
  std::string policy_failed;
  std::string page = page_of(arguments, policy_failed);
  if (page.empty()) {
    return kUnusable;
  }
  page = reports::with_source(std::move(page), source);
  if (const auto problem = reports::write_whole(out, page)) {
    complain(*problem);
    return kUnusable;
  }
  if (arguments.scenario.format.is_json()) {
    print_json({{"schema", 1}, {"report", out}, {"bytes", page.size()}});
  } else if (!arguments.scenario.quiet) {
    print(fmt::format("{}: {} KB, to be opened in any browser\n", printable(out),
                      (page.size() + 999) / 1000));
  }
  if (!policy_failed.empty()) {
    complain(policy_failed);
    return kPolicyProcessFailed;
  }
  return kOk;
}

}  // namespace

void add_report(Command app, int& exit_code) {
  Command command = app.add_command(
      "report", "write a page of a run, of a sweep, or of two runs side by side, for a browser");
  const auto arguments = std::make_shared<ReportArguments>();
  command
      .add_option("FILE", arguments->files,
                  "a recording, a file of results, or a scenario, which is run; two recordings or "
                  "scenarios are compared")
      .required()
      .expected(1, 2);
  command.add_option("--out", arguments->out,
                     "the page, which ends in .html (default: beside the file, under its name)");
  command.add_option("--title", arguments->title, "its heading (default: the scenario's name)");
  add_scenario_options(command, arguments->scenario);
  command.callback([arguments, &exit_code] { exit_code = report(*arguments); });
}

}  // namespace aftershock::sim::cli
