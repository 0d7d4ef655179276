#include "sim/cli/inspect/conform_cells.h"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/baseline/baseline.h"
#include "sim/chaos/explore.h"
#include "sim/chaos/matrix.h"
#include "sim/chaos/scenario_generator.h"
#include "sim/cli/command.h"
#include "sim/cli/many_runs.h"

namespace aftershock::sim::cli {
namespace {

sweep::PlannedCell cell_in(const conform::Case& one, const scenario::Scenario& scenario) {
  sweep::PlannedCell cell;
  cell.text = policies::text_from_json(*scenario.resolved);
  cell.name = one.scenario;
  cell.first_seed = conform::first_seed(one).value_or(scenario.seed);
  cell.policies = scenario.policies;
  return cell;
}

using Drawn = std::function<nlohmann::ordered_json(std::uint64_t)>;

/// Sequences of faults for the first job of a scenario; none, with a word on standard error.
Drawn sequences_of(const scenario::Scenario& scenario, const std::string& path) {
  if (scenario.jobs.empty() || !scenario.jobs.front().steps) {
    complain(
        fmt::format("{}: sequences of faults are drawn for a job that ends; expected a first "
                    "job with steps",
                    path));
    return {};
  }
  auto made = chaos::make_exploration(scenario, 0, path, program_version());
  if (const auto* problem = std::get_if<std::string>(&made)) {
    complain(fmt::format("{}: {}", path, *problem));
    return {};
  }
  return [base = std::move(std::get<chaos::ExplorePlan>(made).base)](std::uint64_t seed) {
    return chaos::explored_scenario(base, seed);
  };
}

/// The matrix of a scenario's first job; none, with a word on standard error.
std::optional<chaos::MatrixPlan> matrix_of(const scenario::Scenario& scenario,
                                           const std::string& path) {
  auto made = scenario.jobs.empty() ? std::variant<chaos::MatrixPlan, std::string>("it has no job")
                                    : chaos::make_matrix(scenario, 0, path);
  if (const auto* problem = std::get_if<std::string>(&made)) {
    complain(fmt::format("{}: {}", path, *problem));
    return std::nullopt;
  }
  return std::move(std::get<chaos::MatrixPlan>(made));
}

Drawn cells_of(const scenario::Scenario& scenario, const std::string& path) {
  auto matrix = matrix_of(scenario, path);
  if (!matrix) {
    return {};
  }
  return
      [matrix = std::make_shared<const chaos::MatrixPlan>(*std::move(matrix))](std::uint64_t seed) {
        const chaos::MatrixCell& cell = matrix->cells[matrix->runs.at(seed)];
        return policies::json_from_text<nlohmann::ordered_json>(
            chaos::cell_scenario(matrix->bare, matrix->setting, matrix->opened_us, cell));
      };
}

/// Runs of the port draw the scenarios; only then the policy is that of the cell.
void draw(sweep::PlannedCell& cell, const Drawn& drawn, const nlohmann::ordered_json& scenario) {
  const auto& policy = scenario.at("jobs").at(0).at("policy");
  cell.text_of = [drawn, name = policy.at("name"),
                  profile = policy.value("profile", "")](std::uint64_t seed) {
    nlohmann::ordered_json made = drawn(seed);
    nlohmann::ordered_json& decides = made["jobs"][0]["policy"];
    decides["name"] = name;
    decides["profile"] = profile;
    return policies::text_from_json(made);
  };
}

/// The scenario as the port decides it; none, with its errors on standard error.
std::optional<scenario::Scenario> read_or_complain(const std::string& path,
                                                   const scenario::ReadOptions& port) {
  auto read = scenario::read_scenario_file(path, port);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    complain(*errors);
    return std::nullopt;
  }
  return std::move(std::get<scenario::ReadScenario>(read).scenario);
}

}  // namespace

std::optional<std::vector<std::string>> cells_of_matrix(const std::string& path,
                                                        const scenario::ReadOptions& port) {
  const auto scenario = read_or_complain(path, port);
  const auto matrix = scenario ? matrix_of(*scenario, path) : std::nullopt;
  if (!matrix) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const std::uint32_t cell : matrix->runs) {
    names.push_back(chaos::id_of(matrix->cells[cell]));
  }
  return names;
}

std::optional<CaseCells> CaseCells::read(const conform::Case& one, const std::string& path,
                                         const scenario::ReadOptions& port) {
  const auto scenario = read_or_complain(path, port);
  if (!scenario) {
    return std::nullopt;
  }
  CaseCells cells;
  cells.case_ = one;
  cells.path_ = path;
  cells.port_ = cell_in(one, *scenario);
  if (one.sequences > 0 || !one.cells.empty()) {
    cells.drawn_ = one.sequences > 0 ? sequences_of(*scenario, path) : cells_of(*scenario, path);
    if (!cells.drawn_) {
      return std::nullopt;
    }
    draw(cells.port_, cells.drawn_, *scenario->resolved);
  }
  return cells;
}

std::optional<sweep::PlannedCell> CaseCells::decided_by(const scenario::ReadOptions& other,
                                                        bool says) const {
  const auto read = scenario::read_scenario_file(path_, other);
  const auto* checked = std::get_if<scenario::ReadScenario>(&read);
  if (checked == nullptr) {
    if (says) {
      complain(std::get<std::vector<scenario::ScenarioError>>(read));
    }
    return std::nullopt;
  }
  sweep::PlannedCell cell = cell_in(case_, checked->scenario);
  if (drawn_) {
    draw(cell, drawn_, *checked->scenario.resolved);
  }
  return cell;
}

std::string CaseCells::digest(std::uint64_t seed) const {
  auto scenario = policies::json_from_text<nlohmann::ordered_json>(
      drawn_ ? port_.text_of(seed) : std::string(port_.text));
  for (const char* list : {"jobs", "experiments"}) {
    if (const auto subjects = scenario.find(list); subjects != scenario.end()) {
      for (nlohmann::ordered_json& subject : *subjects) {
        subject["policy"].erase("profile");
      }
    }
  }
  return reports::scenario_digest(policies::text_from_json(scenario));
}

}  // namespace aftershock::sim::cli
