#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/check/files.h"
#include "sim/cli/command.h"
#include "sim/scenario/read.h"

namespace aftershock::sim::cli {

namespace {

namespace fs = std::filesystem;

// Beside the caller, or where an installation puts them.
fs::path default_folder() {
  if (fs::is_directory("scenarios")) {
    return "scenarios";
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path() / "../share/aftershock/scenarios";
  return fs::is_directory(installed, error) ? installed.lexically_normal() : "scenarios";
}

}  // namespace

void add_scenarios(Command app, int& exit_code) {
  Command command = app.add_command("scenarios", "list scenario files, a question each");
  struct Arguments {
    std::string folder;
    bool json = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("folder", arguments->folder,
                     "where to look (default: scenarios, else the installed ones)");
  command.add_flag("--json", arguments->json, "print one JSON array, for programs");
  command.callback([arguments, &exit_code] {
    const fs::path folder =
        arguments->folder.empty() ? default_folder() : fs::path(arguments->folder);
    std::error_code error;
    const std::vector<fs::path> files = scenario_files(folder, error);
    if (error) {
      complain(fmt::format("{}: {}", folder.string(), error.message()));
      exit_code = kUnusable;
      return;
    }
    std::size_t width = 0;
    for (const fs::path& file : files) {
      width = std::max(width, file.string().size());
    }
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const fs::path& file : files) {
      const auto read = read_scenario_file(file);
      const auto* checked = std::get_if<ReadScenario>(&read);
      const std::string question =
          checked != nullptr ? checked->scenario.question : "(cannot be used: see `validate`)";
      list.push_back({{"file", file.string()}, {"question", question}, {"ok", checked != nullptr}});
      if (!arguments->json) {
        print(fmt::format("{:<{}}  {}\n", file.string(), width, printable(question)));
      }
    }
    if (arguments->json) {
      print_json(list);
    }
  });
}

}  // namespace aftershock::sim::cli
