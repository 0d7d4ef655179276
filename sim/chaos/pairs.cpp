#include "sim/chaos/pairs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/recording/hash.h"
#include "sim/chaos/coverage.h"
#include "sim/chaos/judged_run.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::chaos {
namespace {

constexpr std::int64_t kMostEntriesOfAPair = 200'000;  // one that goes on for ever ends there

/// The things that the first two faults of a run have taken, as rules about first faults ask for
/// it.
FirstFault taken_by(const MatrixCell& first) {
  using enum scenario::FaultKind;
  FirstFault taken = first_faults()[first.first_fault];
  const FaultFamily& family = fault_families()[first.column];
  taken.kind = scenario::name_of(family.kind);
  taken.takes_process |= family.aim == Aim::kProcess || family.aim == Aim::kNode;
  taken.takes_node |= family.kind == kNodeCrash || family.kind == kPreemption ||
                      family.kind == kPartition || family.kind == kOneWayPartition;
  taken.denied |= family.kind == kCapacityDenial;
  return taken;
}

/// The field's cell that stands for it: the first of its targets that can be, in the middle.
std::vector<MatrixCell> first_cells(const std::vector<MatrixCell>& cells) {
  std::vector<MatrixCell> firsts;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> last;
  for (const MatrixCell& cell : cells) {
    const std::pair field{cell.row, cell.column};
    if (cell.excluded.empty() && cell.offset == MatrixOffset::kMiddle && last != field) {
      firsts.push_back(cell);
      last = field;
    }
  }
  return firsts;
}

// Targets that the first fault left alone come first, as one that it struck may be gone.
constexpr std::array kSecondTargets{MatrixTarget::kRankZero, MatrixTarget::kOther,
                                    MatrixTarget::kVictim,   MatrixTarget::kHead,
                                    MatrixTarget::kStorage,  MatrixTarget::kReplacement};

std::optional<MatrixCell> second_cell(const PairPlan& plan, const MatrixCell& first,
                                      std::uint32_t row, std::uint32_t column,
                                      const PhaseInstance& instance) {
  const RecoveryPhase& phase = recovery_phases()[row];
  const FaultFamily& family = fault_families()[column];
  const FirstFault taken = taken_by(first);
  if (!why_not_then(phase, family, instance).empty()) {
    return std::nullopt;
  }
  for (const MatrixTarget target : kSecondTargets) {
    if (why_not(phase, family, target, taken, plan.setting).empty()) {
      MatrixCell second{row, column, target, MatrixOffset::kMiddle};
      second.nth = instance.nth;
      second.offset_us = instance.length_us / 2;
      second.strikes_us = instance.began_us + second.offset_us;
      return second;
    }
  }
  return std::nullopt;
}

void add_pairs_of(PairPlan& plan, std::uint32_t first, const std::string& path) {
  const MatrixCell& cell = plan.firsts[first];
  auto faults = first_fault_list(first_faults()[cell.first_fault], plan.setting, plan.opened_us);
  faults.push_back(fault_of(plan.setting, cell, "second"));
  const auto found = survey_after(plan.bare, faults, plan.setting, path, cell.strikes_us);
  for (std::uint32_t row = 0; row < found.size(); ++row) {
    for (std::uint32_t column = 0; found[row] && column < fault_families().size(); ++column) {
      if (const auto second = second_cell(plan, cell, row, column, *found[row])) {
        plan.pairs.push_back({first, *second});
      }
    }
  }
}

std::string field_id(const MatrixCell& cell) {
  return fmt::format("{}/{}", scenario::name_of(recovery_phases()[cell.row].phase),
                     fault_families()[cell.column].id);
}

/// Where in pair_marks() the phases of a pair are.
std::size_t phases_mark(const MatrixCell& first, const MatrixCell& second) {
  return reports::kCellStates + first.row * recovery_phases().size() + second.row;
}

}  // namespace

std::vector<std::string> pair_marks() {
  std::vector<std::string> names;
  for (std::size_t state = 0; state < reports::kCellStates; ++state) {
    names.emplace_back(name_of(static_cast<reports::CellState>(state)));
  }
  for (const RecoveryPhase& first : recovery_phases()) {
    for (const RecoveryPhase& second : recovery_phases()) {
      names.push_back(fmt::format("{} {}, {} {}", first.id, scenario::name_of(first.phase),
                                  second.id, scenario::name_of(second.phase)));
    }
  }
  return names;
}

std::variant<std::shared_ptr<const PairPlan>, std::string> make_pairs(
    const scenario::Scenario& scenario, std::uint32_t job, const std::string& path,
    const std::string& version) {
  auto made = std::make_shared<PairPlan>();
  PairPlan& plan = *made;
  plan.setting = setting_of(scenario, job);
  plan.bare = bare_scenario(scenario);
  auto surveyed = survey(plan.bare, plan.setting, path);
  if (auto* problem = std::get_if<std::string>(&surveyed)) {
    return std::move(*problem);
  }
  plan.opened_us = std::get<SurveyResult>(surveyed).opened_us;
  give_time(plan.bare, scenario, std::get<SurveyResult>(surveyed).healthy_us);
  plan.firsts = first_cells(matrix_cells(plan.setting, std::get<SurveyResult>(surveyed).phases));
  for (std::uint32_t first = 0; first < plan.firsts.size(); ++first) {
    add_pairs_of(plan, first, path);
  }
  reports::RollingHash hash;
  hash.add("pairs");
  hash.add(policies::text_from_json(plan.bare));
  hash.add(version);
  hash.add(scenario.policies == nullptr ? std::string() : scenario.policies->title());
  hash.add(job);
  plan.digest = fmt::format("{:016x}", hash.value());
  plan.plan.scenario = scenario.name;
  plan.plan.first_seed = 0;
  plan.plan.max_entries = kMostEntriesOfAPair;
  sweep::PlannedCell cell;
  cell.about.policy = sweep::policy_of(scenario);
  cell.name = path;
  cell.policies = scenario.policies;
  // The plan holds what makes its texts, so that it may not hold itself.
  cell.text_of = [plan = made.get()](std::uint64_t number) {
    return policies::text_from_json(pair_scenario(*plan, number));
  };
  plan.plan.cells.push_back(std::move(cell));
  return made;
}

std::string pair_id(const PairPlan& plan, const FaultPair& pair) {
  return fmt::format("{},{}", field_id(plan.firsts[pair.first]), field_id(pair.second));
}

reports::MatrixReport pairs_report(const PairPlan& plan, ExploreStore& store) {
  reports::MatrixReport report;
  report.words = {.kind = "Pairs of faults",
                  .suite = "aftershock matrix --pairs",
                  .things = "Pairs",
                  .rows = "first fault in",
                  .excluded = "Not observed",
                  .empty = "an empty field has no pair that was run",
                  .option = "--pair"};
  report.scenario = plan.plan.scenario;
  report.policy = plan.plan.cells.front().about.policy;
  for (const RecoveryPhase& phase : recovery_phases()) {
    report.rows.push_back({std::string(phase.id), std::string(scenario::name_of(phase.phase)),
                           std::string(phase.held)});
    report.columns.push_back(
        {std::string(phase.id), std::string(scenario::name_of(phase.phase)), {}});
  }
  report.cells.reserve(plan.pairs.size());
  for (const FaultPair& pair : plan.pairs) {
    reports::CellOutcome& cell = report.cells.emplace_back();
    const MatrixCell& first = plan.firsts[pair.first];
    cell.row = first.row;
    cell.column = pair.second.row;
    cell.id = pair_id(plan, pair);
    cell.label = fmt::format("{}; then {}", label_of(first), label_of(pair.second));
    cell.why = "it was not run yet";
  }
  for (KeptRun& run : store.stored()) {
    if (run.seed >= report.cells.size()) {
      break;
    }
    reports::CellOutcome& cell = report.cells[run.seed];
    cell.state = static_cast<reports::CellState>(run.state);
    cell.why = std::move(run.why);
    if (cell.state == reports::CellState::kUnbitten) {
      cell.state = reports::CellState::kExcluded;
      cell.why = "the second fault found nothing left to break";
    }
  }
  return report;
}

nlohmann::ordered_json pair_scenario(const PairPlan& plan, std::uint64_t number) {
  const FaultPair& pair = plan.pairs[number];
  const MatrixCell& first = plan.firsts[pair.first];
  nlohmann::ordered_json scenario = plan.bare;
  scenario["faults"] =
      first_fault_list(first_faults()[first.first_fault], plan.setting, plan.opened_us);
  scenario["faults"].push_back(fault_of(plan.setting, first, "second"));
  scenario["faults"].push_back(fault_of(plan.setting, pair.second, "third"));
  return scenario;
}

ExploreResult run_pairs(const PairPlan& plan, ExploreStore& store, sweep::WorkerPool& pool,
                        std::function<bool(std::int64_t runs)> go_on) {
  const std::string& policy = plan.setting.family;
  const std::size_t names = pair_marks().size();
  const auto told = [&](const reports::RunRow& row) {
    JudgedRun judged = judge(row, policy);
    std::string marks = no_marks(names);
    set_mark(marks, static_cast<std::size_t>(judged.state));
    if (judged.state != reports::CellState::kUnbitten) {
      const FaultPair& pair = plan.pairs[row.seed];
      set_mark(marks, phases_mark(plan.firsts[pair.first], pair.second));
    }
    return FoundRun{std::move(marks), std::move(judged.failure),
                    static_cast<std::uint8_t>(judged.state), std::move(judged.why)};
  };
  return search(plan.plan, store, pool,
                {static_cast<std::uint32_t>(plan.pairs.size()), std::move(go_on)}, told);
}

}  // namespace aftershock::sim::chaos
