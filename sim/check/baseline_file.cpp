#include "sim/check/baseline_file.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "reports/recording/open_file.h"
#include "sim/check/files.h"

namespace aftershock::sim::check {

namespace fs = std::filesystem;

std::variant<reports::Baseline, std::string> read_baseline_file(const std::string& path) {
  auto text = reports::read_text(path);
  if (const auto* problem = std::get_if<reports::FileProblem>(&text)) {
    return fmt::format("{}: {}; expected a baseline", path, problem->message);
  }
  auto read = reports::read_baseline(std::get<std::string>(text), path);
  if (auto* baseline = std::get_if<reports::Baseline>(&read)) {
    const fs::path folder = whole_path(path).parent_path();
    for (reports::BaselineRun& run : baseline->runs) {
      run.key.scenario = plain_path(folder / run.key.scenario);
    }
    std::ranges::sort(baseline->runs, {}, &reports::BaselineRun::key);
    const auto twice = std::ranges::adjacent_find(baseline->runs, {}, &reports::BaselineRun::key);
    if (twice != baseline->runs.end()) {
      return fmt::format("{}: {}, seed {} is there twice, under two paths; expected a line a run",
                         path, twice->key.scenario, twice->key.seed);
    }
  }
  return read;
}

std::optional<std::string> write_baseline_file(const std::string& path,
                                               std::vector<reports::BaselineRun> runs) {
  const fs::path folder = whole_path(path).parent_path();
  for (reports::BaselineRun& run : runs) {
    run.key.scenario = whole_path(run.key.scenario).lexically_relative(folder).generic_string();
  }
  return reports::write_whole(path, reports::baseline_text(std::move(runs)));
}

UpdatedBaseline updated(const CheckPlan& plan, const CheckRuns& runs,
                        const reports::Baseline* old) {
  UpdatedBaseline made;
  std::set<reports::RunKey> there;
  for (const reports::RunRow& row : runs.rows) {
    if (row.replica < plan.plan.cells[row.cell].traced) {
      made.runs.push_back(baseline_run_of(plan.scenarios[row.cell], row));
      there.insert(made.runs.back().key);
    }
  }
  if (old == nullptr) {
    return made;
  }
  std::set<std::pair<std::string_view, std::string_view>> asked;
  for (const CheckedScenario& scenario : plan.scenarios) {
    asked.emplace(scenario.path, scenario.variant);
  }
  for (const reports::BaselineRun& run : old->runs) {
    std::error_code ignored;
    if (there.contains(run.key)) {
      continue;
    }
    if (asked.contains({run.key.scenario, run.key.variant})) {
      ++made.taken_out;
    } else if (!fs::exists(run.key.scenario, ignored)) {
      if (std::ranges::find(made.gone, run.key.scenario) == made.gone.end()) {
        made.gone.push_back(run.key.scenario);
      }
    } else {
      ++made.kept;
      made.runs.push_back(run);
    }
  }
  return made;
}

}  // namespace aftershock::sim::check
