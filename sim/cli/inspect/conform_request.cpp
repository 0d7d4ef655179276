#include "sim/cli/inspect/conform_request.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "policies/registry.h"
#include "policies/torchrun/config.h"
#include "sim/check/files.h"
#include "sim/cli/command.h"
#include "sim/cli/host_places.h"
#include "sim/cli/inspect/conform_cells.h"
#include "sim/cli/inspect/conform_record.h"
#include "sim/cli/inspect/named_policy.h"
#include "sim/cli/many_runs.h"
#include "sim/hosts/hosts.h"
#include "sim/scenario/read/policy_request.h"

namespace aftershock::sim::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostSeeds = 1'000'000;

/// The folder that scenarios of the shipped lists are named from: where they lie in the tree, or
/// where an installation puts them.
fs::path scenarios_root(const fs::path& programs) {
  std::error_code ignored;
  for (const char* way : {"..", "../../.."}) {
    fs::path root = (programs / way).lexically_normal();
    if (fs::is_directory(root / "scenarios", ignored)) {
      return root;
    }
  }
  return {};
}

/// A list, and the folder that its scenarios are named from; empty: the working folder.
struct FoundList {
  conform::CaseList list;
  fs::path root;
};

/// The list of --list, or the shipped one, which may be of the profile asked for; a list without
/// cases where the family has none. None, with a word on standard error, where it cannot be used.
std::optional<FoundList> case_list(const ConformArguments& arguments,
                                   const policies::PolicyRequest& asked) {
  const std::string& name = asked.name;
  FoundList found{.list = {.policy = name, .profile = {}, .cases = {}}, .root = {}};
  std::string path = arguments.list;
  if (path.empty()) {
    const fs::path programs = hosts::programs_folder();
    found.root = scenarios_root(programs);
    std::error_code ignored;
    const fs::path own = programs / "conform" / fmt::format("{}-{}.json", name, asked.profile);
    path = !asked.profile.empty() && fs::is_regular_file(own, ignored)
               ? own.string()
               : (programs / "conform" / (name + ".json")).string();
    if (programs.empty() || !fs::is_regular_file(path, ignored)) {
      return found;
    }
  }
  std::string text;
  if (!read_text_file(path, text)) {
    return std::nullopt;
  }
  auto read = conform::read_case_list(text);
  if (const auto* problem = std::get_if<std::string>(&read)) {
    complain(fmt::format("{}: {}", path, *problem));
    return std::nullopt;
  }
  found.list = std::get<conform::CaseList>(std::move(read));
  if (found.list.policy != name) {
    complain(fmt::format("{}: is about {}, and {} is compared", path,
                         scenario::in_quotes(found.list.policy), scenario::in_quotes(name)));
    return std::nullopt;
  }
  return found;
}

/// The cases of the list, or the scenarios of the command line as cases, each with what the list
/// says of it.
void choose_cases(const ConformArguments& arguments, FoundList found, ConformRequest& request) {
  request.list = std::move(found.list);
  for (const conform::Case& one : request.list.cases) {
    request.paths.push_back(check::plain_path(found.root / one.scenario));
  }
  request.whole = arguments.words.size() == 1;
  if (request.whole) {
    return;
  }
  std::vector<conform::Case> cases;
  for (std::size_t i = 1; i < arguments.words.size(); ++i) {
    const std::string& path = arguments.words[i];
    cases.push_back({.scenario = path, .seeds = 0, .sequences = 0, .known = {}});
    for (std::size_t listed = 0; listed < request.paths.size(); ++listed) {
      if (check::whole_path(request.paths[listed]) == check::whole_path(path)) {
        cases.back() = request.list.cases[listed];
      }
    }
  }
  request.list.cases = std::move(cases);
  request.paths.assign(arguments.words.begin() + 1, arguments.words.end());
}

/// Every case is the cells of its matrix; false, with a word on standard error, where one has none.
bool name_cells(ConformRequest& request) {
  bool good = true;
  for (std::size_t of = 0; of < request.list.cases.size(); ++of) {
    conform::Case& one = request.list.cases[of];
    one.seeds = one.sequences = 0;
    auto cells = cells_of_matrix(request.paths[of], request.port);
    good = good && cells;
    one.cells = std::move(cells).value_or(std::vector<std::string>());
  }
  request.whole = false;
  return good;
}

bool read_numbers(const ConformArguments& arguments, ConformRequest& request) {
  request.workers = processors();
  if (!arguments.jobs.empty()) {
    const auto jobs = whole_number("--jobs", arguments.jobs, 1, 1024);
    if (!jobs) {
      return false;
    }
    request.workers = static_cast<std::uint32_t>(*jobs);
  }
  if (!arguments.seeds.empty() && !arguments.sequences.empty()) {
    complain("--sequences: stand in the place of --seeds");
    return false;
  }
  if (arguments.matrix) {
    if (!arguments.seeds.empty() || !arguments.sequences.empty()) {
      complain("--matrix: its cells stand in the place of --seeds and --sequences");
      return false;
    }
    return name_cells(request);
  }
  const auto count_all = [&request](const char* option, const std::string& text,
                                    std::uint32_t conform::Case::* count) {
    const auto number = whole_number(option, text, 1, kMostSeeds);
    for (conform::Case& one : request.list.cases) {
      one.seeds = one.sequences = 0;
      one.*count = static_cast<std::uint32_t>(number.value_or(0));
    }
    request.whole = false;
    return number.has_value();
  };
  if (!arguments.seeds.empty()) {
    return count_all("--seeds", arguments.seeds, &conform::Case::seeds);
  }
  if (!arguments.sequences.empty()) {
    return count_all("--sequences", arguments.sequences, &conform::Case::sequences);
  }
  return true;
}

/// The side of the installed code; false, with a word on standard error, where it cannot be
/// started.
bool read_installed(const ConformArguments& arguments, const std::string& name,
                    ConformRequest& request) {
  if (!arguments.recorded.empty()) {
    if (!source_words(arguments.source).empty() || !arguments.record.empty()) {
      complain("--recorded: stands alone, without --record and a program that decides");
      return false;
    }
    request.recorded = recorded_runs(arguments.recorded, name);
    request.installed_title = request.recorded ? request.recorded->installed + ", recorded" : "";
    return request.recorded.has_value();
  }
  ScenarioOptions options = arguments.source;
  options.policy = name;
  request.installed_title = options.policy_cmd.empty() ? options.policy_lib : options.policy_cmd;
  if (request.installed_title.empty()) {
    options.policy += "@installed";
    const hosts::Family* host = hosts::find_host(name);
    const auto found = hosts::find(*host, host_places(options.python));
    if (const auto* why = std::get_if<std::string>(&found)) {
      complain(*why);
      return false;
    }
    request.installed_title =
        fmt::format("{} {}", host->package, std::get<hosts::Found>(found).version);
    request.hosted = true;
  }
  if (name == "torchrun" && request.list.profile == policies::torchrun::kSharedStore) {
    options.sets.emplace_back("/jobs/0/env/TORCH_DISABLE_SHARE_RDZV_TCP_STORE=\"0\"");
  }
  auto read = read_options(options);
  if (!read) {
    return false;
  }
  request.installed = *std::move(read);
  return true;
}

/// A family without a port, or without a host and anything in its place: who asks about one has
/// made no mistake.
bool says_nothing_to_compare(const ConformArguments& arguments, const std::string& name) {
  const hosts::Family* family = hosts::find_family(name);
  const bool ported = policies::shipped_policy(name) != nullptr;
  const bool in_its_place = !arguments.source.policy_cmd.empty() ||
                            !arguments.source.policy_lib.empty() || !arguments.recorded.empty();
  if (family == nullptr || (ported && (!family->package.empty() || in_its_place))) {
    return false;
  }
  print(ported ? fmt::format("{}: no installed code to compare with: {}; --policy-cmd PROGRAM "
                             "stands in its place\n",
                             name, family->without)
               : fmt::format("{}: no port to compare\n", name));
  return true;
}

/// False, with a word on standard error, where the words behind the policy name another one.
bool names_one_policy(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::error_code ignored;
    if (hosts::find_family(words[i]) != nullptr && !fs::exists(words[i], ignored)) {
      complain(
          fmt::format("{}: is a policy, and one is compared at a time; expected scenarios "
                      "behind {}",
                      words[i], words.front()));
      return false;
    }
  }
  return true;
}

/// Says of a scenario of the command line that the port has another profile than it asks for.
void tell_other_profiles(const ConformRequest& request) {
  for (const std::string& path : request.paths) {
    const auto read = scenario::read_scenario_file(path, {});
    const auto* own = std::get_if<scenario::ReadScenario>(&read);
    const scenario::PolicySpec* policy =
        own == nullptr || own->scenario.jobs.empty() ? nullptr : &own->scenario.jobs.front().policy;
    if (policy != nullptr && policy->name == request.list.policy && !policy->profile.empty() &&
        policy->profile != request.list.profile) {
      complain(fmt::format(
          "warning: {}: its profile {} is not used, the port has {}; {}@{} asks "
          "for it",
          printable(path), policy->profile, request.list.profile, policy->name, policy->profile));
    }
  }
}

}  // namespace

scenario::ReadOptions port_options(const std::string& name, const std::string& profile) {
  scenario::ReadOptions options;
  options.policy =
      std::get<scenario::PolicySpec>(scenario::policy_named(fmt::format("{}@{}", name, profile)));
  return options;
}

std::variant<ConformRequest, int> understood(const ConformArguments& arguments) {
  if (!names_one_policy(arguments.words)) {
    return kUnusable;
  }
  const policies::PolicyRequest asked = request_of(arguments.words.front());
  if (says_nothing_to_compare(arguments, asked.name)) {
    return kOk;
  }
  const auto port = make_or_complain(asked);
  auto list = port == nullptr ? std::nullopt : case_list(arguments, asked);
  if (!list) {
    return kUnusable;
  }
  ConformRequest request;
  choose_cases(arguments, *std::move(list), request);
  request.keeps_views = !arguments.record.empty();
  request.shows_progress = !arguments.source.quiet && arguments.source.format.is_table();
  if (request.list.cases.empty()) {
    complain(
        fmt::format("{}: has no list of scenarios to compare; expected --list FILE, or "
                    "scenarios",
                    asked.name));
    return kUnusable;
  }
  if (!asked.profile.empty()) {
    request.list.profile = asked.profile;
  } else if (request.list.profile.empty()) {
    const hosts::Family* host = hosts::find_host(asked.name);
    request.list.profile =
        host == nullptr ? std::string(port->info().profile) : std::string(host->profile);
  }
  if (asked.profile.empty() && arguments.words.size() > 1 && !arguments.source.quiet) {
    tell_other_profiles(request);
  }
  request.port = port_options(asked.name, request.list.profile);
  if (!read_numbers(arguments, request) || !read_installed(arguments, asked.name, request)) {
    return kUnusable;
  }
  return request;
}

}  // namespace aftershock::sim::cli
