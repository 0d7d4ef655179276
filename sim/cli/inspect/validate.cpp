#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/cli/files.h"
#include "sim/cli/scenario_options.h"
#include "sim/scenario/keys/schema.h"

namespace aftershock::sim::cli {

void add_validate(Command app, int& exit_code) {
  Command command = app.add_command("validate", "check scenario files without running them");
  struct Arguments {
    std::vector<std::string> paths;
    ScenarioOptions scenario;
    bool composed = false;
    bool strict = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("scenarios", arguments->paths, "scenario files; - is standard input")
      .required();
  command.add_flag("--composed", arguments->composed,
                   "print each scenario as it is run: after `extends` and the options above");
  command.add_flag("--strict", arguments->strict, "take warnings for errors");
  add_scenario_options(command, arguments->scenario);
  command.callback([arguments, &exit_code] {
    const auto options = read_options(arguments->scenario);
    if (!options || !standard_input_once(arguments->paths)) {
      exit_code = kUnusable;
      return;
    }
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    for (const std::string& path : arguments->paths) {
      const auto read = scenario::read_scenario_file(path, *options);
      nlohmann::ordered_json result{{"file", scenario::file_title(path)}};
      if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
        complain(*errors);
        exit_code = kUnusable;
        result["ok"] = false;
        for (const scenario::ScenarioError& error : *errors) {
          result["errors"].push_back({{"kind", scenario::name_of(error.kind)},
                                      {"file", error.file},
                                      {"line", error.line},
                                      {"column", error.column},
                                      {"pointer", error.pointer},
                                      {"message", error.message},
                                      {"expected", error.expected},
                                      {"nearest", error.nearest}});
        }
      } else {
        const auto& [scenario, warnings, check] = std::get<scenario::ReadScenario>(read);
        for (const std::string& warning : warnings) {
          complain((arguments->strict ? "error, by --strict: " : "warning: ") + warning);
        }
        const bool ok = !arguments->strict || warnings.empty();
        if (!ok) {
          exit_code = kUnusable;
        }
        result["ok"] = ok;
        result["warnings"] = warnings;
        if (arguments->scenario.format.is_json()) {
          if (arguments->composed) {
            result["scenario"] = *scenario.resolved;
          }
        } else if (arguments->composed) {
          print_json(*scenario.resolved);
        } else if (ok && !arguments->scenario.quiet) {
          print(fmt::format("{}: ok\n", scenario::file_title(path)));
        }
      }
      results.push_back(std::move(result));
    }
    if (arguments->scenario.format.is_json()) {
      print_json(results);
    }
  });
}

void add_schema(Command app, int&) {
  app.add_command("schema", "print the JSON Schema of scenario files").callback([] {
    print(scenario::scenario_schema_text());
  });
}

}  // namespace aftershock::sim::cli
