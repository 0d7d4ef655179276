#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "sim/cli/arguments/arguments.h"
#include "sim/scenario/text/error.h"

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
          return text.empty() ? fmt::format("must not be empty: {}", what) : std::string();
        },
        "", "not_empty");
  }
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    refuse_empty_values(*command);
  }
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  // A group of options is a subcommand, too, without a name.
  return app.get_subcommands([](const CLI::App* each) { return !each->get_name().empty(); });
}

/// "; did you mean list?" behind what is not among those known; empty where nothing is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view found = aftershock::policies::nearest_name(word, names);
  return found.empty() ? std::string() : fmt::format("did you mean {}?", found);
}

/// The first word that stands where a command must and is none, in a sentence; empty if none does.
/// Of all that CLI11 misses then, this alone is the mistake.
std::string unknown_command(const CLI::App& app, int count, char** words) {
  const CLI::App* command = &app;
  for (int i = 1; i < count && !std::string_view(words[i]).starts_with('-'); ++i) {
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* each : commands_of(*command)) {
      names.push_back(each->get_name());
      next = each->get_name() == words[i] ? each : next;
    }
    if (names.empty()) {
      break;
    }
    if (next == nullptr) {
      const std::string meant = nearest(words[i], names);
      const std::string of =
          command == &app ? std::string() : fmt::format(" of {}", command->get_name());
      return fmt::format(
          "unknown command {}{}; {}", scenario::in_quotes(words[i]), of,
          meant.empty() ? fmt::format("the commands are: {}", fmt::join(names, ", ")) : meant);
    }
    command = next;
  }
  return {};
}

/// The option that was probably meant by the first one that is unknown.
std::string suggestion(const CLI::App& app, int count, char** words) {
  const CLI::App* command = &app;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (!word.starts_with("--")) {
      for (const CLI::App* each : commands_of(*command)) {
        command = each->get_name() == word ? each : command;
      }
      continue;
    }
    std::vector<std::string> known;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        known.push_back("--" + name);
      }
    }
    const std::string flag(word.substr(0, word.find('=')));
    const auto has = [&known](const std::string& name) {
      return std::ranges::find(known, name) != known.end();
    };
    if (known.empty() || has(flag)) {
      continue;
    }
    if (flag == "--format") {
      return fmt::format("{} prints no table, and has no --format{}\n", command->get_display_name(),
                         has("--json") ? "; --json prints one JSON object" : "");
    }
    if (const std::string meant = nearest(flag, known); !meant.empty()) {
      return meant + "\n";
    }
  }
  return {};
}

/// CLI11's complaint about the words, which it would list from the last to the first.
std::string complaint_about(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(true);
  const bool extras = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) ||
                      app.get_subcommands().empty();
  if (unknown.empty() || !extras) {
    std::ostringstream ignored;
    std::ostringstream text;
    app.exit(error, ignored, text);
    return text.str();
  }
  return fmt::format(
      "The following argument{} not expected: {}\nRun with --help for more "
      "information.\n",
      unknown.size() == 1 ? " was" : "s were", fmt::join(unknown, " "));
}

/// A text as CLI11 lays it out, with lines that are not too wide: the rest of a description stands
/// below its beginning.
std::string narrow(std::string_view text) {
  constexpr std::size_t kWidth = 100;
  constexpr std::size_t kDescriptions = 30;
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    const std::size_t indent =
        line.size() > kDescriptions && line[kDescriptions - 1] == ' ' ? kDescriptions : 2;
    while (line.size() > kWidth) {
      std::size_t space = line.rfind(' ', kWidth);
      if (space == line.npos || space < line.find_first_not_of(' ')) {
        space = line.find(' ', kWidth);
      }
      if (space == line.npos) {
        break;
      }
      out += line.substr(0, space) + '\n';
      line = std::string(indent, ' ') + line.substr(space + 1);
    }
    out += line + '\n';
  }
  return out;
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
    if (!outcome.refused) {
      std::ostringstream out;
      app_->exit(error, out, out);
      outcome.output = narrow(out.str());
    } else if (count == 1) {
      outcome.complaint = narrow(app_->help()) + '\n';  // nothing was asked: this is what can be
    } else if (outcome.complaint = unknown_command(*app_, count, words);
               outcome.complaint.empty()) {
      outcome.complaint = complaint_about(*app_, error) + suggestion(*app_, count, words);
    }
    if (outcome.complaint.ends_with('\n')) {
      outcome.complaint.pop_back();
    }
  }
  return outcome;
}

}  // namespace aftershock::sim::cli
