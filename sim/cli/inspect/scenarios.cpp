#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/render/format.h"
#include "reports/render/table.h"
#include "sim/check/files.h"
#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/output_format.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::cli {

namespace {

namespace fs = std::filesystem;

/// Beside the caller, or where an installation puts them, or in the checkout that the program was
/// built in.
fs::path default_folder() {
  std::error_code error;
  const fs::path programs = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {fs::path("scenarios"), programs / "../share/aftershock/scenarios",
                                 programs / "../../scenarios"}) {
    if (fs::is_directory(folder, error)) {
      return folder.lexically_normal();
    }
  }
  return {};
}

nlohmann::ordered_json scenario_rows(const std::vector<fs::path>& files) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const fs::path& file : files) {
    const auto read = scenario::read_scenario_file(file);
    const auto* checked = std::get_if<scenario::ReadScenario>(&read);
    const std::string question =
        checked != nullptr ? checked->scenario.question : "(cannot be used: see `validate`)";
    list.push_back({{"file", file.string()}, {"question", question}, {"ok", checked != nullptr}});
  }
  return list;
}

/// Not in columns: the longest of the names leaves no room for questions.
std::string scenario_lines(const nlohmann::ordered_json& list) {
  const std::size_t width = output_style().width;
  std::string lines;
  for (const nlohmann::ordered_json& row : list) {
    lines +=
        reports::wrapped(fmt::format("{}  {}", printable(row["file"].get_ref<const std::string&>()),
                                     printable(row["question"].get_ref<const std::string&>())),
                         0, width);
  }
  return lines;
}

reports::Table scenario_table(const nlohmann::ordered_json& list) {
  reports::Table table({{}, {}});
  table.row({"file", "question"});
  for (const nlohmann::ordered_json& row : list) {
    table.row({row["file"].get<std::string>(), row["question"].get<std::string>()});
  }
  return table;
}

}  // namespace

void add_scenarios(Command app, int& exit_code) {
  Command command = app.add_command("scenarios", "list scenario files, a question each");
  struct Arguments {
    std::string folder;
    OutputFormat format;
  };
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("folder", arguments->folder,
                     "where to look (default: scenarios, else those of the program)");
  add_format(command, arguments->format, "one JSON array");
  command.callback([arguments, &exit_code] {
    const fs::path folder =
        arguments->folder.empty() ? default_folder() : fs::path(arguments->folder);
    if (folder.empty()) {
      complain(
          "no folder of scenarios is here, installed, or beside the program; name one: "
          "aftershock scenarios FOLDER");
      exit_code = kUnusable;
      return;
    }
    std::error_code error;
    const std::vector<fs::path> files = check::scenario_files(folder, error);
    if (error) {
      complain(fmt::format("{}: {}", folder.string(), error.message()));
      exit_code = kUnusable;
      return;
    }
    const nlohmann::ordered_json list = scenario_rows(files);
    print_as(arguments->format, {.text = [&] { return scenario_lines(list); },
                                 .markdown = [&] { return scenario_table(list).markdown(); },
                                 .rows = [&] { return list; },
                                 .json = {}});
  });
}

}  // namespace aftershock::sim::cli
