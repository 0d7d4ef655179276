#include "sim/chaos/matrix.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "sim/simulate/simulate.h"

namespace aftershock::sim::chaos {
namespace {

MatrixPlan matrix_of(const char* path, const std::vector<std::string>& sets = {}) {
  scenario::ReadOptions options;
  options.sets = sets;
  auto read = scenario::read_scenario_file(path, options);
  auto* checked = std::get_if<scenario::ReadScenario>(&read);
  EXPECT_NE(checked, nullptr);
  return std::get<MatrixPlan>(make_matrix(checked->scenario, 0, path));
}

constexpr const char* kRing = "scenarios/ring16.json";

/// It takes as long as half of a room's tests, sanitized, so that it is made once.
const MatrixPlan& ring_matrix() {
  static const MatrixPlan matrix = matrix_of(kRing);
  return matrix;
}

/// Why that cell cannot be; empty: it is run.
std::string why_not_of(const MatrixPlan& matrix, const std::string& id) {
  const auto found = std::ranges::find(matrix.cells, id, id_of);
  return found == matrix.cells.end() ? "no such cell" : std::string(found->excluded);
}

TEST(Matrix, EveryCellOfTheGridIsThereOnce) {
  const MatrixPlan& matrix = ring_matrix();
  EXPECT_EQ(matrix.cells.size(),
            recovery_phases().size() * fault_families().size() * kMatrixTargets * kMatrixOffsets);
  std::set<std::string> ids;
  for (const MatrixCell& cell : matrix.cells) {
    ids.insert(id_of(cell));
  }
  EXPECT_EQ(ids.size(), matrix.cells.size());
}

TEST(Matrix, ACellIsRunOrSaysWhyNot) {
  const MatrixPlan& matrix = ring_matrix();
  const auto run = std::ranges::count_if(
      matrix.cells, [](const MatrixCell& cell) { return cell.excluded.empty(); });
  EXPECT_EQ(static_cast<std::size_t>(run), matrix.plan.cells.size());
  EXPECT_EQ(matrix.runs.size(), matrix.plan.cells.size());
}

/// The target of the fault, and why it cannot be; empty: it is run.
struct WhyCase {
  const char* cell;
  const char* why;
};

TEST(Matrix, CellsThatCannotBeSayWhy) {
  const WhyCase cases[] = {
      {"training/F03/victim/entry", "nothing has failed yet"},
      {"training/F03/other-rank/entry", ""},
      {"training/F15/other-rank/entry", "it strikes heads alone"},
      {"training/F15/head/middle", ""},
      {"training/F03/head/entry", "it does not strike a head"},
      {"training/F03/storage/entry", "it does not strike storage"},
      {"uploading/F13/storage/exit", ""},
      {"rendezvous/F13/storage/exit", "nothing is saved then"},
      {"tearing_down/F01/other-rank/entry", "the job's processes are being stopped"},
      {"launching/F08/other-rank/entry", "no rank waits for another yet"},
      {"backing_off/F03/other-rank/entry", "the job does not go through this phase"},
      {"rendezvous/F03/replacement/entry", ""},
      {"tearing_down/F03/replacement/entry", "nothing is replaced yet"},
      {"training/F09/other-rank/entry", ""},
      {"training/F12b/other-rank/exit", ""},
      {"training/F13c/storage/entry", ""},
      {"training/F14a/storage/middle", ""},
      {"training/F14a/other-rank/middle", "it strikes storage alone"},
      {"training/F16/victim/entry", "nothing has failed yet"},
      {"training/F16/other-rank/entry", ""},
      {"training/F17/replacement/entry", "nothing has failed yet"},
      {"tearing_down/F17/replacement/entry", ""},
      {"launching/F20/replacement/entry", "its replacement is in place already"},
      {"training/F18a/other-rank/entry", "the policy does not hear what devices report"},
      {"training/F18b/other-rank/entry", ""},
      {"restoring/F18b/other-rank/entry", "nobody looks for hangs then"},
      {"waiting_for_capacity/F03/other-rank/entry", ""},
      {"waiting_for_capacity/F17/replacement/entry", ""},
      {"waiting_for_capacity/F20/replacement/entry", "nobody has machines already"},
      {"provisioning/F20/replacement/middle", ""},
      {"training/F19a/head/entry", "no attempt came before, or nobody is there to hear of it"},
      {"rendezvous/F19a/head/entry", ""},
      {"training/F19b/head/entry", ""},
  };
  const MatrixPlan& matrix = ring_matrix();
  for (const WhyCase& each : cases) {
    const auto found = std::ranges::find(matrix.cells, each.cell, id_of);
    ASSERT_NE(found, matrix.cells.end()) << each.cell;
    EXPECT_EQ(found->excluded, each.why) << each.cell;
  }
}

// A head that does not come back takes its job with it.
TEST(Matrix, WhereNobodyIsLeftItSaysSo) {
  EXPECT_EQ(
      why_not_of(matrix_of("scenarios/quickstart.json"), "controller_down/F03/other-rank/entry"),
      "the job has ended by then: its head does not come back");
  // The ring's comes back.
  EXPECT_EQ(why_not_of(ring_matrix(), "controller_down/F03/other-rank/entry"), "");
}

// While a controller learns that all ranks have returned, none of them can hang; a script that
// cannot run twice exits as soon as it is started again.
TEST(Matrix, WhatOnlyItsRunCanTellItsRunTells) {
  const struct {
    const char* scenario;
    const char* cell;
    const char* why;
  } cases[] = {
      {"scenarios/quickstart.json", "finalizing/F08/rank-0/exit",
       "every rank has returned by then"},
      {"scenarios/modelarts/hang_not_reentrant.json", "launching/F01/victim/entry",
       "the phase is over as soon as it begins, and nothing was left to strike"},
      {"scenarios/quickstart.json", "training/F03/other-rank/middle", nullptr},
  };
  for (const auto& each : cases) {
    const MatrixPlan matrix = matrix_of(each.scenario);
    const auto cell = std::ranges::find(matrix.cells, each.cell, id_of);
    ASSERT_TRUE(cell != matrix.cells.end() && cell->excluded.empty()) << each.cell;
    const auto number = static_cast<std::size_t>(cell - matrix.cells.begin());
    auto read = scenario::read_scenario_text(
        cell_scenario(matrix.bare, matrix.setting, matrix.opened_us, *cell), each.scenario);
    const auto scenario = std::make_shared<const scenario::Scenario>(
        std::move(std::get<scenario::ReadScenario>(read).scenario));
    EXPECT_EQ(simulate::simulate(scenario, {}).verdict == reports::Verdict::kInvalid,
              each.why != nullptr)
        << each.cell;
    // That it is so is excused here, and nowhere else.
    std::vector<reports::RunRow> rows(matrix.plan.cells.size());
    for (reports::RunRow& row : rows) {
      row.verdict = reports::Verdict::kInvalid;
    }
    const reports::CellOutcome told = matrix_report(matrix, rows).cells[number];
    EXPECT_EQ(told.state,
              each.why != nullptr ? reports::CellState::kExcluded : reports::CellState::kUnbitten)
        << each.cell;
    EXPECT_TRUE(each.why == nullptr || told.why == each.why) << each.cell << ": " << told.why;
  }
}

TEST(Matrix, WithoutASpareNothingIsReplacedByOne) {
  const MatrixPlan matrix = matrix_of(kRing, {"/cluster/pools/0/spares=0"});
  const auto found =
      std::ranges::find(matrix.cells, std::string("rendezvous/F03/replacement/entry"), id_of);
  ASSERT_NE(found, matrix.cells.end());
  EXPECT_EQ(found->excluded, "there is no spare");
}

TEST(Matrix, OfARackThereIsOneTarget) {
  const MatrixPlan matrix = matrix_of(kRing, {"/cluster/pools/0/racks=1"});
  for (const char* id : {"training/F16/other-rank/entry", "undetected/F16/rank-0/entry"}) {
    EXPECT_EQ(why_not_of(matrix, id), "it is in the victim's rack") << id;
  }
  EXPECT_EQ(why_not_of(matrix, "training/F16/rank-0/entry"), "");
}

// Where all ranks share a node, rank 0 is the victim's neighbour only once something has failed:
// what strikes a healthy job is run nevertheless, whatever it is.
TEST(Matrix, OnOneNodeAHealthyJobIsStruckToo) {
  const MatrixPlan matrix =
      matrix_of(kRing, {"/cluster/pools/0/nodes=1", "/cluster/pools/0/racks=1",
                        "/cluster/pools/0/accelerators/per_node=16"});
  for (const char* fault : {"F01", "F02", "F03", "F04", "F05", "F06", "F07", "F08", "F09", "F10",
                            "F11", "F12a", "F12b", "F16"}) {
    const std::string cell = "training/" + std::string(fault);
    EXPECT_EQ(why_not_of(matrix, cell + "/rank-0/entry"), "") << fault;
    EXPECT_EQ(why_not_of(matrix, cell + "/victim/entry"), "nothing has failed yet") << fault;
  }
  EXPECT_EQ(why_not_of(matrix, "rendezvous/F03/rank-0/entry"), "rank 0 is the victim");
}

// Pods that have all failed are made anew when their backoff is over, and until then nothing of the
// job runs.
TEST(Matrix, ABackoffIsAPhaseThatIsStruck) {
  const MatrixPlan matrix =
      matrix_of(kRing, {R"(/jobs/0/policy={"name": "job", "config": {"completionMode": "Indexed",)"
                        R"( "completions": 16, "parallelism": 16, "backoffLimit": 1000}})"});
  for (const char* offset : {"entry", "middle", "exit"}) {
    EXPECT_EQ(why_not_of(matrix, std::string("backing_off/F03/other-rank/") + offset), "");
  }
  EXPECT_EQ(why_not_of(matrix, "backing_off/F15/head/middle"), "");
  EXPECT_EQ(why_not_of(matrix, "backing_off/F01/other-rank/entry"),
            "the job holds no process then");
}

// The survey's moments are those that runs come to: what strikes in one is inside its phase.
TEST(Matrix, AFaultStrikesInTheMomentThatItsCellNames) {
  const MatrixPlan& matrix = ring_matrix();
  for (const char* id : {"restoring/F03/other-rank/middle", "launching/F03/victim/exit",
                         "checkpointing/F01/rank-0/middle"}) {
    const auto found = std::ranges::find(matrix.cells, id, id_of);
    ASSERT_TRUE(found != matrix.cells.end() && found->excluded.empty()) << id;
    auto read = scenario::read_scenario_text(
        cell_scenario(matrix.bare, matrix.setting, matrix.opened_us, *found), id);
    ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read)) << id;
    const auto scenario = std::make_shared<const scenario::Scenario>(
        std::move(std::get<scenario::ReadScenario>(read).scenario));
    EXPECT_EQ(simulate::simulate(scenario, {}).verdict, reports::Verdict::kPassed) << id;
  }
}

TEST(Matrix, ACellOfARowWithoutARunIsBroken) {
  const MatrixPlan& matrix = ring_matrix();
  std::vector<reports::RunRow> rows(matrix.plan.cells.size());
  for (reports::RunRow& row : rows) {
    row.outcome = "completed";
  }
  rows[0].verdict = reports::Verdict::kInternalError;
  rows[1].verdict = reports::Verdict::kInvalid;
  rows[2].outcome = "running";
  rows[3].outcome = "failed";
  rows[3].reason = "exhausted(max_failures)";
  rows[4].verdict = reports::Verdict::kStuck;
  rows[4].reason = "of its 17 nodes 16 left reserved by job ring";
  const reports::MatrixReport report = matrix_report(matrix, rows);
  using enum reports::CellState;
  const reports::CellState expected[] = {kBroken, kUnbitten, kUnfinished,
                                         kEnded,  kExpected, kRecovered};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(report.cells[matrix.runs[i]].state, expected[i]) << i;
  }
  EXPECT_EQ(reports::verdict_of(report), reports::Verdict::kInternalError);
}

}  // namespace
}  // namespace aftershock::sim::chaos
