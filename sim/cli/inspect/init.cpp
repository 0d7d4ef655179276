#include <charconv>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/baseline/baseline.h"
#include "sim/advise/starter.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/many_runs.h"
#include "sim/scenario/read/policy_request.h"
#include "sim/scenario/read/read.h"
#include "sim/scenario/shape/lexicals.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::cli {
namespace {

// The policy that recovers the job where the request names none.
constexpr const char* kGpuPolicy = "ray_train";
constexpr const char* kNpuPolicy = "modelarts";

struct InitArguments {
  std::string gpu;
  std::string npu;
  std::string policy;
  std::string days;
  std::string name = "starter";
  std::string out;
  bool spot = false;
  advise::SpotRequest market;
  std::vector<std::string> annotations;
};

constexpr double kMostPreemptionsADay = 1e6;
constexpr std::string_view kLongestWait = "30d";

/// The error of a number of preemptions, none where it can be taken: a rate of the scenario has as
/// many digits as it is written with, and no exponent.
std::optional<std::string> preemptions_problem(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  constexpr std::size_t kMostDigits = 12;
  const bool plain = text.find_first_not_of("0123456789.") == text.npos;
  if (plain && problem == std::errc{} && stopped == end && number > 0 &&
      number <= kMostPreemptionsADay && text.size() <= kMostDigits) {
    return std::nullopt;
  }
  return fmt::format(
      "--preemptions-per-day {}: expected a number above 0 and up to {:.0f}, of all nodes "
      "together, in at most {} digits and without an exponent; without preemptions leave --spot "
      "out",
      scenario::in_quotes(text), kMostPreemptionsADay, kMostDigits);
}

/// The error of a wait that would be as long as the whole run; a text that is not a time is refused
/// elsewhere.
std::optional<std::string> wait_problem(std::string_view flag, const std::string& text) {
  const auto asked = scenario::parse_duration(text);
  const auto* us = std::get_if<std::int64_t>(&asked);
  if (us == nullptr || *us <= std::get<std::int64_t>(scenario::parse_duration(kLongestWait))) {
    return std::nullopt;
  }
  return fmt::format("{} {}: expected a time from 0s to {}", flag, scenario::in_quotes(text),
                     kLongestWait);
}

/// None, with a word on standard error, where what is said of a market has none.
bool read_market(const InitArguments& arguments, advise::StarterRequest& request) {
  const bool spot = arguments.spot || !arguments.market.preemptions_a_day.empty();
  for (const auto& [flag, value] : {std::pair("--notice", arguments.market.notice),
                                    std::pair("--provision", arguments.market.provision)}) {
    if (!spot && !value.empty()) {
      complain(
          fmt::format("{}: nothing takes these machines back; expected --spot, or "
                      "--preemptions-per-day N, beside it",
                      flag));
      return false;
    }
    if (const auto problem = value.empty() ? std::nullopt : wait_problem(flag, value)) {
      complain(*problem);
      return false;
    }
  }
  const std::string& preemptions = arguments.market.preemptions_a_day;
  if (const auto problem = preemptions.empty() ? std::nullopt : preemptions_problem(preemptions)) {
    complain(*problem);
    return false;
  }
  if (spot) {
    request.spot = arguments.market;
  }
  return true;
}

std::optional<advise::StarterRequest> starter_request(const InitArguments& arguments) {
  if (arguments.gpu.empty() == arguments.npu.empty()) {
    complain(arguments.gpu.empty() ? "--gpu N or --npu N is missing: how many accelerators"
                                   : "--gpu and --npu: expected one of the two");
    return std::nullopt;
  }
  advise::StarterRequest request;
  const bool npu = !arguments.npu.empty();
  const auto accelerators =
      whole_number(npu ? "--npu" : "--gpu", npu ? arguments.npu : arguments.gpu, 1,
                   advise::kMostStarterAccelerators);
  const auto days = whole_number("--days", arguments.days.empty() ? "30" : arguments.days, 1,
                                 static_cast<std::uint64_t>(advise::kMostStarterDays));
  if (!accelerators || !days) {
    return std::nullopt;
  }
  const bool annotated = !arguments.annotations.empty();
  request.policy_told = !arguments.policy.empty();
  const auto named = scenario::policy_named(request.policy_told ? arguments.policy
                                            : npu || annotated  ? kNpuPolicy
                                                                : kGpuPolicy);
  const auto* policy = std::get_if<scenario::PolicySpec>(&named);
  if (policy == nullptr) {
    complain("--policy: " + std::get<std::string>(named));
    return std::nullopt;
  }
  if (!policy->preset.empty()) {
    complain("--policy: the settings of a starter are made for it; expected NAME[@PROFILE]");
    return std::nullopt;
  }
  if (const auto problem = scenario::lexicals::name().check(arguments.name)) {
    complain(fmt::format("--name {}: {}; expected {}", scenario::in_quotes(arguments.name),
                         problem->message, problem->expected));
    return std::nullopt;
  }
  request.kind = npu ? scenario::AcceleratorKind::kNpu : scenario::AcceleratorKind::kGpu;
  request.accelerators = static_cast<std::uint32_t>(*accelerators);
  request.policy = *policy;
  request.days = static_cast<std::int64_t>(*days);
  request.days_told = !arguments.days.empty();
  request.annotations = arguments.annotations;
  if (!read_market(arguments, request)) {
    return std::nullopt;
  }
  request.name = arguments.name;
  return request;
}

int run_init(const InitArguments& arguments) {
  const auto request = starter_request(arguments);
  if (!request) {
    return kUnusable;
  }
  const auto made = advise::make_starter(*request);
  if (const auto* problem = std::get_if<std::string>(&made)) {
    complain(*problem);
    return kUnusable;
  }
  for (const std::string& warning : std::get<advise::Starter>(made).warnings) {
    complain("warning: " + warning);
  }
  const std::string& text = std::get<advise::Starter>(made).text;
  // Each number may be one that a scenario can have, and what follows from all of them none.
  const auto read = scenario::read_scenario_text(text, arguments.name, {});
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    complain("these numbers make no scenario that can run; expected smaller ones:");
    complain(*errors);
    return kUnusable;
  }
  if (arguments.out.empty()) {
    print(text);
    return kOk;
  }
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(arguments.out, ignored))) {
    complain(fmt::format("{}: is there already; choose another name", arguments.out));
    return kUnusable;
  }
  if (const auto problem = reports::write_whole(arguments.out, text)) {
    complain(*problem);
    return kUnusable;
  }
  return kOk;
}

}  // namespace

void add_init(Command app, int& exit_code) {
  Command command = app.add_command("init", "print a scenario to start from");
  const auto arguments = std::make_shared<InitArguments>();
  command.add_option("--npu", arguments->npu, "so many NPUs, 8 a node");
  command.add_option("--gpu", arguments->gpu, "so many GPUs, 8 a node");
  command.add_option("--policy", arguments->policy,
                     fmt::format("NAME[@PROFILE]; what recovers the job (default {}; with --npu or "
                                 "--annotation {})",
                                 kGpuPolicy, kNpuPolicy));
  command
      .add_option("--annotation", arguments->annotations,
                  "KEY=VALUE; an annotation of the job as ModelArts has it (may be repeated; "
                  "default: all strategies on)")
      .one_value_each();
  command.add_flag("--spot", arguments->spot, "a market takes the nodes back, and has others");
  command.add_option("--preemptions-per-day", arguments->market.preemptions_a_day,
                     "how many nodes it takes back a day, of all together (with --spot by default "
                     "a fifth of them in 30 days; without, this alone means it)");
  command.add_option("--notice", arguments->market.notice,
                     "how long before it says so (default 30s)");
  command.add_option("--provision", arguments->market.provision,
                     "how long another node takes to come (default 10min)");
  command.add_option("--days", arguments->days, "how long it is to train (default 30)");
  command.add_option("--name", arguments->name, "name of the scenario (default starter)");
  command.add_option("--out", arguments->out, "where it goes (default: standard output)");
  command.callback([arguments, &exit_code] { exit_code = run_init(*arguments); });
}

}  // namespace aftershock::sim::cli
