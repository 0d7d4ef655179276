#include "sim/cli/inspect/conform_cells.h"

#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/baseline/baseline.h"
#include "sim/chaos/explore.h"
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

/// Sequences of faults for the first job of a scenario; none, with a word on standard error.
std::optional<chaos::GeneratorBase> sequences_of(const scenario::Scenario& scenario,
                                                 const std::string& path) {
  if (scenario.jobs.empty() || !scenario.jobs.front().steps) {
    complain(
        fmt::format("{}: sequences of faults are drawn for a job that ends; expected a first "
                    "job with steps",
                    path));
    return std::nullopt;
  }
  auto made = chaos::make_exploration(scenario, 0, path, program_version());
  if (const auto* problem = std::get_if<std::string>(&made)) {
    complain(fmt::format("{}: {}", path, *problem));
    return std::nullopt;
  }
  return std::move(std::get<chaos::ExplorePlan>(made).base);
}

/// Sequences are drawn by runs of the port; only then the policy is that of the cell.
void draw_sequences(sweep::PlannedCell& cell, const chaos::GeneratorBase& base,
                    const nlohmann::ordered_json& scenario) {
  const auto& policy = scenario.at("jobs").at(0).at("policy");
  cell.text_of = [base, name = policy.at("name"),
                  profile = policy.value("profile", "")](std::uint64_t seed) {
    nlohmann::ordered_json drawn = chaos::explored_scenario(base, seed);
    nlohmann::ordered_json& decides = drawn["jobs"][0]["policy"];
    decides["name"] = name;
    decides["profile"] = profile;
    return policies::text_from_json(drawn);
  };
}

}  // namespace

std::optional<CaseCells> CaseCells::read(const conform::Case& one, const std::string& path,
                                         const scenario::ReadOptions& port) {
  const auto read = scenario::read_scenario_file(path, port);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    complain(*errors);
    return std::nullopt;
  }
  const scenario::Scenario& scenario = std::get<scenario::ReadScenario>(read).scenario;
  CaseCells cells;
  cells.case_ = one;
  cells.path_ = path;
  cells.port_ = cell_in(one, scenario);
  if (one.sequences > 0) {
    cells.base_ = sequences_of(scenario, path);
    if (!cells.base_) {
      return std::nullopt;
    }
    draw_sequences(cells.port_, *cells.base_, *scenario.resolved);
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
  if (base_) {
    draw_sequences(cell, *base_, *checked->scenario.resolved);
  }
  return cell;
}

std::string CaseCells::digest(std::uint64_t seed) const {
  auto scenario = policies::json_from_text<nlohmann::ordered_json>(base_ ? port_.text_of(seed)
                                                                         : std::string(port_.text));
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
