#include <iostream>
#include <memory>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "policies/api/case_runner.h"
#include "policies/api/json_as_text.h"
#include "policies/external/schema.h"
#include "policies/registry.h"
#include "reports/render/format.h"
#include "reports/render/table.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/inspect/conform.h"
#include "sim/cli/inspect/coverage.h"
#include "sim/cli/inspect/named_policy.h"
#include "sim/cli/inspect/policy_json.h"
#include "sim/cli/inspect/serve.h"
#include "sim/cli/output_format.h"

namespace aftershock::sim::cli {

namespace {

std::string policy_lines() {
  std::string text;
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    text += reports::wrapped(fmt::format("{}  {} (profiles: {})", entry.name, entry.summary,
                                         fmt::join(entry.profiles, ", ")),
                             0, output_style().width);
  }
  return text;
}

std::string policy_table() {
  reports::Table table({{}, {}, {}});
  table.row({"policy", "summary", "profiles"});
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    table.row({std::string(entry.name), std::string(entry.summary),
               fmt::format("{}", fmt::join(entry.profiles, ", "))});
  }
  return table.markdown();
}

nlohmann::ordered_json policy_rows() {
  auto list = nlohmann::ordered_json::array();
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    list.push_back(
        {{"name", entry.name}, {"summary", entry.summary}, {"profiles", entry.profiles}});
  }
  return list;
}

void print_policy(const policies::PolicyInfo& info, const policies::PolicyEntry* entry) {
  print(fmt::format("{}@{}\n", info.name, info.profile));
  print(wrap(info.summary, "  "));
  print("\nparameters\n");
  for (const policies::Parameter& parameter : info.parameters) {
    print(reports::wrapped(
        fmt::format("{}  {}{}{}, default {}{}", parameter.name, parameter.type,
                    parameter.unit.empty() ? "" : " in ", parameter.unit, parameter.default_text,
                    parameter.env.empty() ? "" : fmt::format(", set by {}", parameter.env)),
        2, output_style().width));
    print(wrap(parameter.meaning, "      "));
  }
  if (entry != nullptr) {
    print("\npresets, as in --policy NAME:PRESET; the first is that of a name alone\n");
    for (const policies::Preset& preset : entry->presets) {
      print(wrap(fmt::format("{}  {}: {}", preset.name, preset.config, preset.what), "  "));
      print(wrap(fmt::format("source: {}", preset.source), "      "));
    }
  }
  print("\nstates\n");
  std::string states;
  for (const std::string_view state : info.states) {
    states += (states.empty() ? "" : ", ") + std::string(state);
  }
  print(wrap(states, "  "));
  print("\nbudgets\n");
  for (const std::string_view budget : info.budgets) {
    print(fmt::format("  {}\n", budget));
  }
  print("\nkept by a persist\n");
  for (const std::string_view kept : info.persists) {
    print(wrap(kept, "  "));
  }
  print("\nrules\n");
  for (const policies::Rule& rule : info.rules) {
    print(fmt::format("  {}\n", rule.id));
    print(wrap(rule.sentence, "      "));
    print(wrap(fmt::format("source: {}", rule.source), "      "));
  }
}

int show_policy(const std::string& title, const OutputFormat& format) {
  const auto policy = make_or_complain(request_of(title));
  if (policy == nullptr) {
    return kUnusable;
  }
  const policies::PolicyInfo& info = policy->info();
  const policies::PolicyEntry* entry = policies::shipped_policy(info.name);
  if (format.is_json()) {
    print_json(policy_json(info, entry));
  } else {
    print_policy(info, entry);
  }
  return kOk;
}

struct DriveArguments {
  std::string policy;
  std::string config = "{}";
  std::vector<std::string> env;
  std::string cases;
};

constexpr std::size_t kLongestLine = std::size_t{1} << 20U;

// The next line without its newline, or its begin where it is longer than allowed.
bool read_line(std::istream& input, std::string& line) {
  line.clear();
  for (int c = input.get(); c != std::istream::traits_type::eof(); c = input.get()) {
    if (c == '\n') {
      return true;
    }
    line.push_back(static_cast<char>(c));
    if (line.size() > kLongestLine) {
      return true;
    }
  }
  return !line.empty();
}

int drive_policy(const DriveArguments& arguments) {
  policies::PolicyRequest request = request_of(arguments.policy);
  try {
    *request.config = policies::json_from_text(arguments.config);
  } catch (const nlohmann::json::parse_error& error) {
    complain(
        fmt::format("--config: not JSON at byte {}; expected an object, e.g. "
                    "'{{\"max_failures\":3}}'",
                    error.byte));
    return kUnusable;
  }
  for (const std::string& assignment : arguments.env) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) {
      complain(fmt::format("--env {}: expected NAME=VALUE", assignment));
      return kUnusable;
    }
    request.env[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  auto policy = make_or_complain(request);
  if (policy == nullptr) {
    return kUnusable;
  }
  policies::Driver driver(std::move(policy), {});
  std::uint64_t number = 0;
  for (std::string line; read_line(std::cin, line);) {
    ++number;
    if (line.size() > kLongestLine) {
      complain(fmt::format("<stdin>:{}: longer than {} bytes; expected one batch a line", number,
                           kLongestLine));
      return kUnusable;
    }
    if (line.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    const auto answer = driver.answer(line);
    if (const auto* error = std::get_if<policies::Driver::Error>(&answer)) {
      complain(fmt::format("<stdin>:{}: {}", number, error->message));
      return kUnusable;
    }
    print_json_text(std::get<std::string>(answer) + "\n");
    if (!flush_output()) {
      return kUnusable;
    }
  }
  return kOk;
}

int test_policy(const DriveArguments& arguments, std::string_view text) {
  const policies::PolicyRequest request = request_of(arguments.policy);
  const auto make = [&](policies::PolicyRequest asked) {
    if (asked.profile.empty()) {
      asked.profile = request.profile;
    }
    return policies::make_policy(asked);
  };
  const auto results = policies::run_cases(text, make, request.name);
  std::size_t failed = 0;
  for (const policies::CaseResult& result : results) {
    if (!result.passed) {
      ++failed;
      print(fmt::format("{}:{}: FAILED {}\n{}", arguments.cases, result.line, result.name,
                        result.diff));
    }
  }
  if (results.empty()) {
    complain(fmt::format("{}: holds no case", arguments.cases));
    return kUnusable;
  }
  print(fmt::format("{} passed, {} failed\n", results.size() - failed, failed));
  return failed == 0 ? kOk : kFailed;
}

}  // namespace

void add_policies(Command app, int& exit_code) {
  Command command = app.add_command("policies", "the shipped recovery policies");
  command.requires_command();
  Command list = command.add_command("list", "every policy and its profiles");
  const auto format = std::make_shared<OutputFormat>();
  add_format(list, *format, "one JSON array");
  list.callback([format, &exit_code] {
    print_as(*format,
             {.text = policy_lines, .markdown = policy_table, .rows = policy_rows, .json = {}});
    exit_code = kOk;
  });

  const auto arguments = std::make_shared<DriveArguments>();
  Command show = command.add_command("show", "parameters, states, budgets and rules of a policy");
  show.add_option("policy", arguments->policy, "NAME[@PROFILE]").required();
  const auto shown_as = std::make_shared<OutputFormat>();
  add_json(show, *shown_as);
  show.callback(
      [arguments, shown_as, &exit_code] { exit_code = show_policy(arguments->policy, *shown_as); });

  Command drive = command.add_command(
      "drive", "feed a policy by hand: one batch a line in, one decision a line out");
  drive.add_option("policy", arguments->policy, "NAME[@PROFILE]").required();
  drive.add_option("--config", arguments->config, "configuration as JSON").shows_default();
  drive.add_option("--env", arguments->env, "NAME=VALUE of the job's environment").one_value_each();
  drive.callback([arguments, &exit_code] { exit_code = drive_policy(*arguments); });

  add_serve(command, exit_code);
  command.add_command("schema", "print the JSON Schema of the messages that policies answer")
      .callback([&exit_code] {
        print(policies::wire::messages_schema_text());
        exit_code = kOk;
      });

  add_conform(command, exit_code);
  add_coverage(command, exit_code);

  Command test = command.add_command("test", "run a table of cases, a diff per failing one");
  test.add_option("policy", arguments->policy, "NAME[@PROFILE]").required();
  test.add_option("cases", arguments->cases, "file of cases, one JSON object a line").required();
  test.callback([arguments, &exit_code] {
    std::string text;
    if (!read_text_file(arguments->cases, text)) {
      exit_code = kUnusable;
      return;
    }
    exit_code = test_policy(*arguments, text);
  });
}

}  // namespace aftershock::sim::cli
