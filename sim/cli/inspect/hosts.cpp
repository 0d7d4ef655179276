// The command `hosts`: the installed code of other projects as policies.

#include "sim/hosts/hosts.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/render/format.h"
#include "reports/render/table.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/host_places.h"
#include "sim/cli/output_format.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::cli {
namespace {

using nlohmann::ordered_json;

ordered_json host_rows(const std::string& python) {
  const hosts::Places places = host_places(python);
  ordered_json rows = ordered_json::array();
  for (const hosts::Family& family : hosts::families()) {
    ordered_json row{{"name", family.name},
                     {"there", false},
                     {"version", nullptr},
                     {"held_to", nullptr},
                     {"why", nullptr}};
    if (family.package.empty()) {
      row["why"] = family.without;
    } else {
      const auto found = hosts::find(family, places);
      if (!family.profile.empty()) {
        row["held_to"] = fmt::format("{}@{}", family.name, family.profile);
      }
      if (const auto* there = std::get_if<hosts::Found>(&found)) {
        row["there"] = true;
        row["version"] = fmt::format("{} {}", family.package, there->version);
      } else {
        row["why"] = std::get<std::string>(found);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string text_of(const ordered_json& row, const char* key) {
  return row[key].is_null() ? std::string() : row[key].get<std::string>();
}

std::string host_lines(const ordered_json& rows) {
  std::string text;
  for (const ordered_json& row : rows) {
    const std::string held =
        row["held_to"].is_null() ? "without a port" : "held to " + text_of(row, "held_to");
    const std::string told = row["there"].get<bool>()
                                 ? fmt::format("{}, {}", text_of(row, "version"), held)
                                 : "not here: " + text_of(row, "why");
    text +=
        reports::wrapped(fmt::format("{}  {}", printable(text_of(row, "name")), printable(told)), 0,
                         output_style().width);
  }
  return text;
}

std::string host_table(const ordered_json& rows) {
  reports::Table table({{}, {}, {}, {}});
  table.row({"host", "version", "held to", "why it is not here"});
  for (const ordered_json& row : rows) {
    table.row({printable(text_of(row, "name")), printable(text_of(row, "version")),
               printable(text_of(row, "held_to")), printable(text_of(row, "why"))});
  }
  return table.markdown();
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "" : " ") + reports::shell_word(word);
  }
  return line + "\n";
}

int set_up(const std::string& name, bool yes) {
  const hosts::Family* host = hosts::find_host(name);
  if (host == nullptr) {
    complain(no_host(name));
    return kUnusable;
  }
  const hosts::Places places = host_places({});
  const std::vector<std::string> missing = hosts::missing_tools(*host, places);
  for (const std::string& tool : missing) {
    complain(fmt::format("{} is missing", tool));
  }
  if (hosts::environment_of(*host, places).empty()) {
    complain(places.programs.empty()
                 ? "the programs of hosts are not beside this program"
                 : "HOME and XDG_CACHE_HOME name no folder for the environment");
    return kUnusable;
  }
  for (const std::vector<std::string>& words : hosts::setup_commands(*host, places)) {
    print(shell_line(words));
    if (!yes || !missing.empty()) {
      continue;
    }
    flush_output();
    if (!hosts::run_command(words)) {
      complain(fmt::format("the setup of {} stops: this command failed", host->name));
      return kFailed;
    }
  }
  if (!yes) {
    complain("nothing was run; --yes runs these commands");
  }
  return missing.empty() ? kOk : kUnusable;
}

}  // namespace

void add_hosts(Command app, int& exit_code) {
  struct Arguments {
    OutputFormat format;
    std::string python;
    std::string name;
    bool yes = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  Command command =
      app.add_command("hosts", "the installed code of other projects, run as policies");
  command.requires_command();
  Command list = command.add_command("list", "every family: its host and what it is held to");
  add_format(list, arguments->format, "one JSON array");
  list.add_option("--python", arguments->python,
                  "the Python whose packages are hosted, instead of the host's own");
  list.callback([arguments, &exit_code] {
    const ordered_json rows = host_rows(arguments->python);
    print_as(arguments->format, {.text = [&] { return host_lines(rows); },
                                 .markdown = [&] { return host_table(rows); },
                                 .rows = [&] { return rows; },
                                 .json = {}});
    exit_code = kOk;
  });
  Command setup = command.add_command("setup", "print the commands that make a host's environment");
  setup.add_option("name", arguments->name, "the host, e.g. ray_train").required();
  setup.add_flag("--yes", arguments->yes, "run them");
  setup.callback([arguments, &exit_code] { exit_code = set_up(arguments->name, arguments->yes); });
}

}  // namespace aftershock::sim::cli
