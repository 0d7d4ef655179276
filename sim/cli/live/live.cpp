#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "reports/ledger/summary.h"
#include "reports/render/summary_text.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"
#include "sim/cli/host_places.h"
#include "sim/cli/live/kept_run.h"
#include "sim/cli/recording_file.h"
#include "sim/cli/scenario_options.h"
#include "sim/hosts/hosts.h"
#include "sim/live/calibration.h"
#include "sim/live/driver.h"
#include "sim/live/fact.h"
#include "sim/live/kept_facts.h"
#include "sim/live/live_run.h"
#include "sim/live/machine.h"
#include "sim/live/plan.h"

namespace aftershock::sim::cli {

namespace {

namespace fs = std::filesystem;

// A cluster of Ray takes 20 s to start on two cores, and as long to be gone.
constexpr std::int64_t kStartAndEndMs = 120'000;

struct LiveArguments {
  std::string path;
  ScenarioOptions scenario;
  std::string backend;
  std::string record;
  std::string keep_facts;
  std::string facts;
  int speed = 1;
  bool calibrate = false;
  bool view = false;
};

/// The folder with the drivers' run.py: beside the hosts where both are installed, or in the tree.
fs::path drivers_folder(const fs::path& hosts) {
  std::error_code error;
  for (const char* place : {"../live", "../../../live"}) {
    fs::path folder = (hosts / place).lexically_normal();
    if (fs::is_regular_file(folder / "run.py", error)) {
      return folder;
    }
  }
  return {};
}

/// The words that start the driver; none, and said why, where something is missing.
std::optional<std::vector<std::string>> driver_words(const LiveArguments& arguments,
                                                     live::Backend backend, bool isolated) {
  const hosts::Family* const family = hosts::find_host(live::family_of(backend));
  const hosts::Places places = host_places(arguments.scenario.python);
  const auto found = hosts::find(*family, places);
  if (const auto* why = std::get_if<std::string>(&found)) {
    complain(fmt::format("--backend {}: {}", arguments.backend, *why));
    return std::nullopt;
  }
  const fs::path folder = drivers_folder(places.programs);
  if (folder.empty()) {
    complain("the drivers of live runs are not beside this program, nor in its share/aftershock");
    return std::nullopt;
  }
  std::vector<std::string> words;
  if (isolated) {
    words = live::in_namespaces();
  }
  words.push_back(std::get<hosts::Found>(found).command.front());
  words.push_back((folder / "run.py").string());
  words.push_back(arguments.backend);
  return words;
}

bool refused(const std::string& path, const std::vector<live::Refusal>& refusals) {
  for (const live::Refusal& refusal : refusals) {
    complain(fmt::format("{}: {}: {}", scenario::file_title(path),
                         refusal.pointer.empty() ? "/" : refusal.pointer, refusal.why));
  }
  return !refusals.empty();
}

/// The controller and the versions of it that made the run; empty: it has not begun.
std::string played_by(const live::LiveRun& run) {
  const auto& begun = run.begun();
  if (!begun) {
    return {};
  }
  std::vector<std::string> versions;
  for (const auto& [name, version] : begun->versions) {
    versions.push_back(fmt::format("{} {}", name, version));
  }
  return printable(versions.empty()
                       ? begun->backend
                       : fmt::format("{} ({})", begun->backend, fmt::join(versions, ", ")));
}

void tell(const LiveArguments& arguments, const live::LiveRun& run,
          const reports::RunSummary& summary) {
  if (arguments.scenario.format.is_json()) {
    nlohmann::ordered_json json = reports::to_json(summary);
    if (const auto& begun = run.begun()) {
      nlohmann::ordered_json& live = json["live"];
      live = {{"backend", begun->backend},
              {"isolation", begun->isolation},
              {"clock", begun->clock},
              {"addresses", begun->addresses},
              {"speed", arguments.speed}};
      for (const auto& [name, version] : begun->versions) {
        live["versions"][name] = version;
      }
    }
    print_json(json);
  } else if (!arguments.scenario.quiet) {
    print(reports::summary_text(summary,
                                {.style = output_style(), .host_s = {}, .real = played_by(run)}));
  }
  if (arguments.scenario.quiet && summary.verdict != reports::Verdict::kPassed) {
    complain_lines(fmt::format("{}: {}: {}", scenario::file_title(arguments.path),
                               name_of(summary.verdict), summary.verdict_reason));
  }
}

/// A run without faults and one with them, and the lengths that they had.
int calibrate(const scenario::Scenario& scenario, int speed,
              const std::function<std::string(live::LiveRun&, const scenario::Scenario&)>& play) {
  scenario::Scenario calm = scenario;
  calm.faults.clear();
  live::LiveRun runs[] = {{calm, nullptr, speed}, {scenario, nullptr, speed}};
  live::Measured measured[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string why = play(runs[i], i == 0 ? calm : scenario);
    const reports::RunSummary summary = runs[i].finish(why);
    if (summary.verdict == reports::Verdict::kInvalid) {
      complain(fmt::format("the run {} faults means nothing: {}", i == 0 ? "without" : "with",
                           summary.verdict_reason));
      return reports::exit_code(summary.verdict);
    }
    const reports::JobSummary& job = summary.jobs.front();
    measured[i] = {runs[i].stays(), job.steps_done, job.checkpoints_committed};
  }
  complain(
      "these go into /jobs/0, each in the place of its own member, and into \"checkpoint\" "
      "beside the members that it has");
  print(live::patch_text(live::calibrate(measured[0], measured[1])));
  return kOk;
}

/// The backend that is named; none, and said why, where the words of the command do not go
/// together.
std::optional<live::Backend> backend_of(const LiveArguments& arguments) {
  if (arguments.backend == "kubernetes") {
    complain(
        "--backend kubernetes: its controllers are hosted only, as `--policy job@installed`; "
        "expected torchrun, ray or nvrx");
    return std::nullopt;
  }
  const auto backend = live::backend_named(arguments.backend);
  if (!backend) {
    complain(fmt::format("--backend {}: expected torchrun, ray or nvrx",
                         scenario::in_quotes(arguments.backend)));
    return std::nullopt;
  }
  return backend;
}

/// The facts of the driver, which has the environment that it needs; none, and said why, where that
/// is missing.
std::optional<std::function<Facts(const scenario::Scenario&)>> driven(
    const LiveArguments& arguments, const scenario::Scenario& scenario, live::PlanOptions plan,
    reports::LineSink* kept) {
  const live::Means means = live::means_here();
  if (refused(arguments.path, live::beyond_means(scenario, means))) {
    return std::nullopt;
  }
  plan.isolated = means.namespaces;
  const auto words = driver_words(arguments, plan.backend, plan.isolated);
  if (!words) {
    return std::nullopt;
  }
  constexpr std::int64_t kMillisecondUs = 1000;
  const std::int64_t until_ms = *scenario.until_us / kMillisecondUs / arguments.speed;
  return [words = *words, plan, kept,
          longest_ms = until_ms + kStartAndEndMs](const scenario::Scenario& played) -> Facts {
    const live::DriverOptions options{
        .words = words, .plan = live::plan_line(played, plan), .longest_ms = longest_ms};
    return [options, kept](const live::TakeLine& take) {
      return live::run_driver(options,
                              kept == nullptr ? take : live::keeping(*kept, options.plan, take));
    };
  };
}

/// The facts that a driver told before, in a file; none, and said why, where it cannot be read.
std::optional<std::function<Facts(const scenario::Scenario&)>> told_before(
    const std::string& path, const std::string& plan) {
  auto read = live::read_kept(path, plan);
  if (const auto* why = std::get_if<std::string>(&read)) {
    complain("--facts " + *why);
    return std::nullopt;
  }
  return [lines = std::get<std::vector<std::string>>(std::move(read))](
             const scenario::Scenario&) -> Facts {
    return [&lines](const live::TakeLine& take) {
      for (const std::string& line : lines) {
        if (!take(line)) {
          break;
        }
      }
      return std::string();
    };
  };
}

/// The viewer has the scenario run, so that it follows the recording while it grows, and ends as
/// that run did.
int live_in_viewer(const LiveArguments& arguments) {
  if (!files_alone({arguments.path}, "the viewer has the scenario run; expected a file") ||
      (!arguments.record.empty() && !may_record(arguments.record))) {
    return kUnusable;
  }
  std::vector<std::string> words = run_words(arguments.scenario);
  words.push_back("--backend=" + arguments.backend);
  if (arguments.speed != 1) {
    words.push_back(fmt::format("--speed={}", arguments.speed));
  }
  const std::pair<const char*, const std::string&> files[] = {
      {"--facts", arguments.facts},
      {"--python", arguments.scenario.python},
      {"--record", arguments.record}};
  for (const auto& [name, value] : files) {
    if (!value.empty()) {
      words.push_back(fmt::format("{}={}", name, value));
    }
  }
  words.insert(words.end(), {"--verdict", "--", arguments.path});
  return start_viewer(words);
}

int live_run(const LiveArguments& arguments) {
  const auto backend = backend_of(arguments);
  ScenarioOptions reading = arguments.scenario;
  reading.python.clear();  // it runs the driver, and no policy
  const auto options = backend ? read_options(reading) : std::nullopt;
  if (!options ||
      !files_apart({{"the scenario", arguments.path}, {"--facts", arguments.facts}},
                   {{"--record", arguments.record}, {"--keep-facts", arguments.keep_facts}})) {
    return kUnusable;
  }
  auto read = scenario::read_scenario_file(arguments.path, *options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    complain(*errors);
    return kUnusable;
  }
  const scenario::Scenario scenario = std::move(std::get<scenario::ReadScenario>(read).scenario);
  const live::PlanOptions plan{.backend = *backend, .speed = static_cast<double>(arguments.speed)};
  if (refused(arguments.path, live::refusals(scenario, plan))) {
    return kUnusable;
  }
  if (arguments.view) {
    return live_in_viewer(arguments);
  }
  Kept kept;
  std::optional<std::function<Facts(const scenario::Scenario&)>> facts_of;
  if (!arguments.facts.empty()) {
    facts_of = told_before(arguments.facts, live::plan_line(scenario, plan));
  }
  if ((!arguments.facts.empty() && !facts_of) ||
      !open_kept(arguments.record, arguments.keep_facts, kept)) {
    return kUnusable;
  }
  if (!facts_of) {
    facts_of = driven(arguments, scenario, plan, kept.facts ? &*kept.facts : nullptr);
  }
  if (!facts_of) {
    return kUnusable;
  }
  const auto play = [&](live::LiveRun& run, const scenario::Scenario& played) {
    return drive(run, played, *backend, (*facts_of)(played), arguments.facts, kept);
  };
  if (arguments.calibrate) {
    return calibrate(scenario, arguments.speed, play);
  }
  live::LiveRun run(scenario, kept.recording ? &*kept.recording : nullptr, arguments.speed);
  const std::string why = play(run, scenario);
  const reports::RunSummary summary = run.finish(why);
  tell(arguments, run, summary);
  return finish(kept, summary.verdict);
}

}  // namespace

void add_live(Command app, int& exit_code) {
  Command command = app.add_command(
      "live", "run a scenario's job and faults on real processes under the real controller");
  const auto arguments = std::make_shared<LiveArguments>();
  command.add_option("scenario", arguments->path, "scenario file; - is standard input").required();
  add_live_options(command, arguments->scenario);
  command.add_option("--backend", arguments->backend, "torchrun, ray or nvrx").required();
  command
      .add_option("--speed", arguments->speed,
                  "divide the scenario's durations by N; the recording keeps real times")
      .between(1, 100)
      .shows_default();
  Option calibrate = command.add_flag(
      "--calibrate", arguments->calibrate,
      "run it once without faults and once with them, and print the lengths of its phases");
  command.add_option("--record", arguments->record,
                     "write the recording to FILE.aftershock, or compressed to "
                     "FILE.aftershock.zst");
  Option keep =
      command.add_option("--keep-facts", arguments->keep_facts,
                         "write what the processes did to FILE, or compressed to FILE.zst");
  Option facts = command.add_option(
      "--facts", arguments->facts,
      "run nothing: take what the processes did from a FILE that --keep-facts wrote");
  for (const char* other : {"--record", "--json", "--quiet", "--keep-facts", "--facts"}) {
    calibrate.excludes(command.option(other));
  }
  facts.excludes(keep);
  facts.excludes(command.option("--python"));
  Option view = command.add_flag("--view", arguments->view,
                                 "run it in the viewer, which shows the recording while it grows");
  for (const char* other : {"--json", "--quiet", "--calibrate", "--keep-facts"}) {
    view.excludes(command.option(other));
  }
  command.callback([arguments, &exit_code] { exit_code = live_run(*arguments); });
}

}  // namespace aftershock::sim::cli
