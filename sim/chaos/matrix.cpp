#include "sim/chaos/matrix.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/chaos/judged_run.h"
#include "sim/sweep/schedule.h"

namespace aftershock::sim::chaos {
namespace {

std::string slug(std::string_view words) {
  std::string text(words);
  std::ranges::replace(text, ' ', '-');
  return text;
}

std::string_view short_name(MatrixOffset offset) {
  switch (offset) {
    case MatrixOffset::kEntry:
      return "entry";
    case MatrixOffset::kMiddle:
      return "middle";
    case MatrixOffset::kExit:
      return "exit";
  }
  return {};
}

/// Why the fault of a cell may find nothing to strike, where nothing but its run can tell; empty:
/// it must bite.
std::string_view nothing_left(const Setting& setting, const MatrixCell& cell) {
  // A controller of pods decides once they have all ended, and hears of that a look later.
  if (recovery_phases()[cell.row].phase == scenario::Phase::kDeciding &&
      cell.offset == MatrixOffset::kExit && setting.leaves_peers) {
    return "the others have given up by then";
  }
  // Some of that phase is only its controller's, who looks now and then.
  if (recovery_phases()[cell.row].phase == scenario::Phase::kFinalizing &&
      fault_families()[cell.column].needs_waiters) {
    return "every rank has returned by then";
  }
  return cell.momentary ? "the phase is over as soon as it begins, and nothing was left to strike"
                        : std::string_view{};
}

}  // namespace

std::string id_of(const MatrixCell& cell) {
  return fmt::format("{}/{}/{}/{}", scenario::name_of(recovery_phases()[cell.row].phase),
                     fault_families()[cell.column].id, slug(name_of(cell.target)),
                     short_name(cell.offset));
}

std::variant<MatrixPlan, std::string> make_matrix(const scenario::Scenario& scenario,
                                                  std::uint32_t job, const std::string& path) {
  MatrixPlan matrix;
  matrix.setting = setting_of(scenario, job);
  matrix.bare = bare_scenario(scenario);
  auto surveyed = survey(matrix.bare, matrix.setting, path);
  if (auto* problem = std::get_if<std::string>(&surveyed)) {
    return std::move(*problem);
  }
  const auto& [phases, opened_us, healthy_us] = std::get<SurveyResult>(surveyed);
  give_time(matrix.bare, scenario, healthy_us);
  matrix.opened_us = opened_us;
  matrix.cells = matrix_cells(matrix.setting, phases);
  matrix.plan.scenario = scenario.name;
  matrix.plan.first_seed = scenario.seed;
  for (std::uint32_t i = 0; i < matrix.cells.size(); ++i) {
    const MatrixCell& cell = matrix.cells[i];
    if (!cell.excluded.empty()) {
      continue;
    }
    sweep::PlannedCell planned;
    planned.about.label = label_of(cell);
    planned.about.policy = sweep::policy_of(scenario);
    planned.text = cell_scenario(matrix.bare, matrix.setting, opened_us, cell);
    planned.name = path;
    planned.policies = scenario.policies;
    matrix.plan.cells.push_back(std::move(planned));
    matrix.runs.push_back(i);
  }
  return matrix;
}

MatrixRuns run_matrix(const MatrixPlan& matrix, sweep::WorkerPool& pool,
                      const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  MatrixRuns made;
  made.rows.resize(matrix.plan.cells.size());
  std::uint64_t done = 0;
  sweep::Schedule schedule(static_cast<std::uint32_t>(made.rows.size()), 1, 1,
                           [](std::uint32_t, std::uint32_t) { return true; });
  sweep::Work work;
  work.next = [&schedule] { return schedule.next(); };
  work.row = [&](reports::RunRow&& row) {
    ++done;
    made.rows[row.cell] = std::move(row);
    return true;
  };
  work.trouble = [&](const sweep::Task& run, const std::string& what) {
    made.troubles.push_back(
        fmt::format("a worker died over {}: {}", matrix.plan.cells[run.cell].about.label, what));
  };
  work.not_recorded = [](const std::string&) {};
  work.tick = [&] { progress(done, made.rows.size()); };
  auto dispatched = sweep::dispatch(pool, matrix.plan, work);
  made.ended = dispatched.ended;
  made.why = std::move(dispatched.why);
  std::ranges::sort(made.troubles);
  return made;
}

reports::MatrixReport matrix_report(const MatrixPlan& matrix,
                                    const std::vector<reports::RunRow>& rows) {
  reports::MatrixReport report;
  report.scenario = matrix.plan.scenario;
  report.seed = matrix.plan.first_seed;
  if (!matrix.plan.cells.empty()) {
    report.policy = matrix.plan.cells.front().about.policy;
  }
  for (const RecoveryPhase& phase : recovery_phases()) {
    report.rows.push_back({std::string(phase.id), std::string(scenario::name_of(phase.phase)),
                           std::string(phase.held)});
  }
  for (const FaultFamily& family : fault_families()) {
    report.columns.push_back({std::string(family.id), std::string(family.name), {}});
  }
  for (const MatrixCell& cell : matrix.cells) {
    reports::CellOutcome outcome;
    outcome.row = cell.row;
    outcome.column = cell.column;
    outcome.id = id_of(cell);
    outcome.label = label_of(cell);
    outcome.why = cell.excluded;
    report.cells.push_back(std::move(outcome));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    reports::CellOutcome& cell = report.cells[matrix.runs[i]];
    const std::string_view nothing = nothing_left(matrix.setting, matrix.cells[matrix.runs[i]]);
    if (rows[i].verdict == reports::Verdict::kInvalid && !nothing.empty()) {
      cell.why = nothing;
      continue;
    }
    JudgedRun judged = judge(rows[i], matrix.setting.family);
    const bool unfinished = judged.failure && judged.failure->failure.id == "running";
    cell.state = judged.state;
    cell.why = std::move(judged.why);
    cell.verdict = unfinished ? reports::Verdict::kStuck : rows[i].verdict;
    cell.hash = rows[i].hash;
  }
  return report;
}

}  // namespace aftershock::sim::chaos
