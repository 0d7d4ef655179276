#include "sim/chaos/shrink.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/baseline/baseline.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"
#include "sim/cli/many_runs.h"
#include "sim/cli/scenario_options.h"
#include "sim/processes/stop_signals.h"

namespace aftershock::sim::cli {
namespace {

struct ShrinkArguments {
  std::string path;
  ScenarioOptions scenario;
  std::string out;
  std::string runs;
};

/// While it lives Ctrl-C, and a batch system's end, are asked for and kill nobody.
class Interrupts {
 public:
  Interrupts() { sigprocmask(SIG_BLOCK, &asked_, &before_); }
  ~Interrupts() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// Whether one came since the last time.
  [[nodiscard]] bool came() const {
    const timespec at_once{};
    return sigtimedwait(&asked_, nullptr, &at_once) > 0;
  }

 private:
  sigset_t asked_ = processes::stop_signals();
  sigset_t before_{};
};

std::size_t faults_in(const nlohmann::ordered_json& scenario) {
  return scenario.contains("faults") ? scenario["faults"].size() : 0;
}

/// Whether every fault strikes at a time, a step or a phase of its own.
bool scripted(const scenario::Scenario& scenario) {
  return std::ranges::none_of(
      scenario.faults, [](const scenario::FaultSpec& fault) { return fault.source.has_value(); });
}

/// The scenario as a file of its own: what it asks says what it was made from.
nlohmann::ordered_json as_regression(nlohmann::ordered_json scenario, const chaos::Failure& failure,
                                     const std::string& from) {
  scenario["question"] =
      fmt::format("{}: {} (the smallest of {})", failure.id, printable(failure.words), from);
  return scenario;
}

chaos::Shrunk shrunk_from(const ShrinkArguments& arguments, const scenario::Scenario& scenario,
                          chaos::Failure failure, std::int64_t most_runs) {
  const Interrupts interrupts;
  Progress progress(arguments.scenario.quiet || !arguments.scenario.format.is_table());
  chaos::ShrinkOptions options;
  options.most_runs = most_runs;
  options.go_on = [&](std::int64_t runs) {
    progress.show(static_cast<std::uint64_t>(runs), static_cast<std::uint64_t>(most_runs));
    return !interrupts.came();
  };
  options.policies = scenario.policies;
  return chaos::shrink(*scenario.resolved, std::move(failure), arguments.path, options);
}

int run_shrink(const ShrinkArguments& arguments) {
  constexpr std::uint64_t kMost = 10'000'000;
  const auto most =
      whole_number("--runs", arguments.runs.empty() ? "20000" : arguments.runs, 1, kMost);
  const auto options = read_options(arguments.scenario);
  if (!most || !options) {
    return kUnusable;
  }
  auto read = scenario::read_scenario_file(arguments.path, *options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    complain(*errors);
    return kUnusable;
  }
  const scenario::Scenario& scenario = std::get<scenario::ReadScenario>(read).scenario;
  if (!scripted(scenario)) {
    complain(
        fmt::format("{}: has faults that come by chance, which cannot be taken away one by "
                    "one; `aftershock export RECORDING --faults` makes them scripted",
                    scenario::file_title(arguments.path)));
    return kUnusable;
  }
  if (!is_new_file("--out", arguments.out)) {
    return kUnusable;
  }
  auto failure = chaos::failure_of(*scenario.resolved, arguments.path, scenario.policies);
  if (!failure) {
    complain(
        fmt::format("{}: its run does not fail; expected one that violates an invariant, is "
                    "stuck, misses an expectation, or whose policy fails",
                    scenario::file_title(arguments.path)));
    return kUnusable;
  }
  const chaos::Shrunk shrunk =
      shrunk_from(arguments, scenario, *std::move(failure), static_cast<std::int64_t>(*most));
  const std::string text =
      policies::text_from_json(
          as_regression(shrunk.scenario, shrunk.failure, scenario::file_title(arguments.path)),
          {.indent = 1}) +
      "\n";
  if (!arguments.scenario.quiet) {
    complain(fmt::format("{}: {} of {} faults left after {} runs{}", shrunk.failure.id,
                         faults_in(shrunk.scenario), faults_in(*scenario.resolved), shrunk.runs,
                         shrunk.whole ? "" : ", which were not enough; it may become smaller"));
  }
  if (arguments.out.empty()) {
    print_json_text(text);
  } else if (const auto problem = reports::write_whole(arguments.out, text)) {
    complain(*problem);
    return kUnusable;
  }
  return shrunk.whole ? kOk : reports::exit_code(reports::Verdict::kInconclusive);
}

}  // namespace

void add_shrink(Command app, int& exit_code) {
  Command command = app.add_command(
      "shrink", "make a failing scenario as small as it can be while it fails alike");
  const auto arguments = std::make_shared<ShrinkArguments>();
  command
      .add_option("scenario", arguments->path, "scenario file whose run fails; - is standard input")
      .required();
  add_scenario_options(command, arguments->scenario);
  command.add_option("--out", arguments->out, "where it goes (default: standard output)");
  command.add_option("--runs", arguments->runs, "try at most so many runs (default 20000)");
  command.callback([arguments, &exit_code] { exit_code = run_shrink(*arguments); });
}

}  // namespace aftershock::sim::cli
