#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "sim/cli/arguments/arguments.h"
#include "sim/scenario/error.h"

namespace aftershock::sim::cli {

namespace {

void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() == 0) {
      continue;  // a flag
    }
    const std::string what = option->get_description();
    option->check(
        [what](const std::string& text) {
          return text.empty() ? fmt::format("must not be empty; expected {}", what) : std::string();
        },
        "", "not_empty");
  }
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    refuse_empty_values(*command);
  }
}

// CLI11 says what it did not expect; this adds what was probably meant.
std::string suggestion(const CLI::App& app, int count, char** arguments) {
  std::string lines;
  const CLI::App* command = &app;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    std::vector<std::string_view> known;
    std::vector<std::string> storage;
    if (word.starts_with("--")) {
      for (const CLI::Option* option : command->get_options()) {
        for (const std::string& name : option->get_lnames()) {
          storage.push_back("--" + name);
        }
      }
    } else {
      for (const CLI::App* sub : command->get_subcommands([](const CLI::App*) { return true; })) {
        storage.push_back(sub->get_name());
        if (sub->get_name() == word) {
          command = sub;
          storage.clear();
          break;
        }
      }
    }
    known.assign(storage.begin(), storage.end());
    if (i == 1 && !word.starts_with("-") && command == &app) {
      lines += fmt::format("unknown command {}; the commands are: {}\n", in_quotes(word),
                           fmt::join(storage, ", "));
    }
    const std::string_view flag = word.substr(0, word.find('='));
    if (storage.empty() || std::ranges::find(known, flag) != known.end()) {
      continue;
    }
    if (flag == "--format") {
      return lines + fmt::format("{} prints no table, and has no --format{}\n",
                                 command->get_display_name(),
                                 std::ranges::find(known, "--json") == known.end()
                                     ? ""
                                     : "; --json prints one JSON object");
    }
    if (const std::string_view nearest = aftershock::policies::nearest_name(flag, known);
        !nearest.empty()) {
      return lines + fmt::format("did you mean {}?\n", nearest);
    }
  }
  return lines;
}

/// CLI11 gives help also where a word stands for nothing; help of a command that is not there would
/// hide the mistake.
void parse_or_throw(CLI::App& app, int count, char** words) {
  try {
    app.parse(count, words);
  } catch (const CLI::CallForHelp&) {
    const std::vector<std::string> unknown = app.remaining(true);
    if (!unknown.empty() && !unknown.front().starts_with("-")) {
      throw CLI::ExtrasError(app.get_name(), unknown);
    }
    throw;
  }
}

}  // namespace

Program::Program(std::string name, std::string description, std::string version)
    : app_(std::make_unique<CLI::App>(std::move(description), std::move(name))) {
  app_->set_version_flag("--version", std::move(version));
  app_->require_subcommand(1);
  app_->failure_message(CLI::FailureMessage::simple);
}

Program::~Program() = default;

Command Program::top() { return Command(*app_); }

Program::Outcome Program::parse(int count, char** words) {
  refuse_empty_values(*app_);
  Outcome outcome;
  try {
    parse_or_throw(*app_, count, words);
  } catch (const CLI::ParseError& error) {
    outcome.refused = error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success);
    std::ostringstream out;
    std::ostringstream complaint;
    if (count == 1) {
      complaint << app_->help() << '\n';  // nothing was asked: this is what can be
    } else {
      app_->exit(error, out, complaint);
    }
    outcome.output = out.str();
    outcome.complaint = complaint.str() + (outcome.refused ? suggestion(*app_, count, words) : "");
    if (outcome.complaint.ends_with('\n')) {
      outcome.complaint.pop_back();
    }
  }
  return outcome;
}

}  // namespace aftershock::sim::cli
