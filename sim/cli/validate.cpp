#include <memory>

#include <fmt/format.h>

#include "sim/cli/command.h"
#include "sim/cli/scenario_options.h"
#include "sim/scenario/schema.h"

namespace aftershock::sim::cli {

void add_validate(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("validate", "check scenario files without running them");
  struct Arguments {
    std::vector<std::string> paths;
    ScenarioOptions scenario;
  };
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("scenarios", arguments->paths, "scenario files")->required();
  add_scenario_options(*command, arguments->scenario);
  command->callback([arguments, &exit_code] {
    const auto options = read_options(arguments->scenario);
    if (!options) {
      exit_code = kUnusable;
      return;
    }
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    for (const std::string& path : arguments->paths) {
      const auto read = read_scenario_file(path, *options);
      nlohmann::ordered_json result{{"file", path}};
      if (const auto* errors = std::get_if<std::vector<ScenarioError>>(&read)) {
        complain(*errors);
        exit_code = kUnusable;
        result["ok"] = false;
        for (const ScenarioError& error : *errors) {
          result["errors"].push_back({{"file", error.file},
                                      {"line", error.line},
                                      {"column", error.column},
                                      {"pointer", error.pointer},
                                      {"message", error.message},
                                      {"expected", error.expected},
                                      {"nearest", error.nearest}});
        }
      } else {
        const auto& warnings = std::get<ReadScenario>(read).warnings;
        for (const std::string& warning : warnings) {
          complain("warning: " + warning);
        }
        result["ok"] = true;
        result["warnings"] = warnings;
        if (!arguments->scenario.json && !arguments->scenario.quiet) {
          print(fmt::format("{}: ok\n", path));
        }
      }
      results.push_back(std::move(result));
    }
    if (arguments->scenario.json) {
      print(results.dump(1) + "\n");
    }
  });
}

void add_schema(CLI::App& app, int&) {
  app.add_subcommand("schema", "print the JSON Schema of scenario files")->callback([] {
    print(scenario_schema_text());
  });
}

}  // namespace aftershock::sim::cli
