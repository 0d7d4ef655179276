#include "sim/cli/inspect/coverage.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/render/table.h"
#include "sim/cli/command.h"
#include "sim/cli/inspect/named_policy.h"
#include "sim/cli/output_format.h"
#include "sim/cli/scenario_options.h"
#include "sim/results/describe.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::cli {
namespace {

struct CoverageArguments {
  std::vector<std::string> words;  ///< the policy, unless it is external; scenarios
  ScenarioOptions source;          ///< of which it takes those that say who decides
};

/// A policy as scenarios used it.
struct UsedPolicy {
  policies::PolicyInfo info;
  std::map<std::string, std::string, std::less<>> applied;  ///< rules, and who did so first
  std::set<std::string> scenarios;
};

using Coverage = std::map<std::string, UsedPolicy>;  ///< by title

/// Runs a scenario and notes its policies.
int cover(const std::string& path, const scenario::ReadOptions& options, Coverage& coverage) {
  auto read = scenario::read_scenario_file(path, options);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    complain(*errors);
    return kUnusable;
  }
  const auto scenario = std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(read).scenario));
  const reports::RunSummary summary = simulate::simulate(scenario, {});
  if (summary.verdict == reports::Verdict::kPolicyFailed) {
    complain(fmt::format("{}: {}", path, summary.verdict_reason));
    return kPolicyProcessFailed;
  }
  for (const control::PolicyHost& host : simulate::make_hosts(*scenario)) {
    UsedPolicy& covered = coverage[results::policy_title(host.info())];
    covered.info = host.info();
    covered.scenarios.insert(path);
  }
  const auto note = [&](const auto& one) {
    for (const std::string& rule : one.rules) {
      coverage[one.policy].applied.emplace(rule, path);
    }
  };
  std::ranges::for_each(summary.jobs, note);
  std::ranges::for_each(summary.experiments, note);
  return kOk;
}

std::string coverage_text(const UsedPolicy& covered) {
  std::string text;
  std::size_t count = 0;
  for (const policies::Rule& rule : covered.info.rules) {
    const auto found = covered.applied.find(rule.id);
    const bool applied = found != covered.applied.end();
    count += applied ? 1U : 0U;
    text += applied ? fmt::format("applied      {}  {}\n", rule.id, found->second)
                    : fmt::format("not applied  {}\n", rule.id);
  }
  return text + fmt::format("{}: {} of {} rules applied by {} scenarios\n",
                            results::policy_title(covered.info), count, covered.info.rules.size(),
                            covered.scenarios.size());
}

/// The coverage of all profiles of a policy together; it has one at least.
std::string together_text(const Coverage& coverage) {
  std::set<std::string_view> applied;
  std::set<std::string_view> rules;
  for (const auto& [title, covered] : coverage) {
    for (const auto& [rule, path] : covered.applied) {
      applied.insert(rule);
    }
    for (const policies::Rule& rule : covered.info.rules) {
      rules.insert(rule.id);
    }
  }
  std::string text;
  for (const std::string_view rule : rules) {
    if (!applied.contains(rule)) {
      text += fmt::format("applied under no profile  {}\n", rule);
    }
  }
  return text + fmt::format("{}: {} of {} rules applied under any profile\n",
                            coverage.begin()->second.info.name, applied.size(), rules.size());
}

/// {policy, rule, applied, scenario}, the first scenario that applies it; null: none does.
nlohmann::ordered_json coverage_rows(const Coverage& coverage) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& [title, covered] : coverage) {
    for (const policies::Rule& rule : covered.info.rules) {
      const auto found = covered.applied.find(rule.id);
      const bool applied = found != covered.applied.end();
      rows.push_back({{"policy", title},
                      {"rule", rule.id},
                      {"applied", applied},
                      {"scenario", applied ? nlohmann::ordered_json(found->second) : nullptr}});
    }
  }
  return rows;
}

std::string coverage_markdown(const Coverage& coverage) {
  reports::Table table({{}, {}, {}});
  table.row({"policy", "rule", "applied by"});
  for (const auto& [title, covered] : coverage) {
    for (const policies::Rule& rule : covered.info.rules) {
      const auto found = covered.applied.find(rule.id);
      table.row({title, std::string(rule.id),
                 found == covered.applied.end() ? std::string("-") : found->second});
    }
  }
  return table.markdown();
}

void print_coverage(const Coverage& coverage, bool together, const OutputFormat& format) {
  const auto text = [&] {
    std::string all;
    for (const auto& [title, covered] : coverage) {
      all += coverage_text(covered);
    }
    return all + (together ? together_text(coverage) : std::string());
  };
  print_as(format, {.text = text,
                    .markdown = [&] { return coverage_markdown(coverage); },
                    .rows = [&] { return coverage_rows(coverage); },
                    .json = {}});
}

/// Of an external policy every one that decided; of a shipped one the profile asked for, or
/// without @PROFILE those that scenarios use.
int report_coverage(const CoverageArguments& arguments) {
  const bool installed = names_installed(arguments.words.front());
  ScenarioOptions source = arguments.source;
  source.policy = installed ? arguments.words.front() : "";
  const auto options = read_options(source);
  if (!options) {
    return kUnusable;
  }
  const bool shipped = options->policies == nullptr && !installed;
  const std::string title = shipped ? arguments.words.front() : "";
  const auto policy = shipped ? make_or_complain(request_of(title)) : nullptr;
  if (shipped && policy == nullptr) {
    return kUnusable;
  }
  const std::vector<std::string> paths(arguments.words.begin() + (shipped || installed ? 1 : 0),
                                       arguments.words.end());
  if (paths.empty()) {
    complain("scenario files are missing");
    return kUnusable;
  }
  Coverage coverage;
  for (const std::string& path : paths) {
    if (const int code = cover(path, *options, coverage); code != kOk) {
      return code;
    }
  }
  const bool one_profile = title.find('@') != std::string::npos;
  if (shipped) {
    std::erase_if(coverage, [&](const auto& one) {
      return one_profile ? one.first != results::policy_title(policy->info())
                         : one.second.info.name != policy->info().name;
    });
    if (coverage.empty()) {
      coverage[results::policy_title(policy->info())].info = policy->info();
    }
  }
  const bool together = shipped && !one_profile && !coverage.begin()->second.scenarios.empty();
  print_coverage(coverage, together, arguments.source.format);
  return kOk;
}

}  // namespace

void add_coverage(Command policies, int& exit_code) {
  const auto arguments = std::make_shared<CoverageArguments>();
  Command command = policies.add_command(
      "coverage", "run scenarios and list which rules of a policy they applied, and which not");
  command
      .add_option("scenarios", arguments->words,
                  "scenario files, behind the policy's NAME[@PROFILE] where it is a shipped one or "
                  "installed code")
      .required();
  add_source_options(command, arguments->source);
  add_format(command, arguments->source.format, "a JSON list of rules");
  command.callback([arguments, &exit_code] { exit_code = report_coverage(*arguments); });
}

}  // namespace aftershock::sim::cli
