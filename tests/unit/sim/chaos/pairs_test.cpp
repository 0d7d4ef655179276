#include "sim/chaos/pairs.h"

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"

namespace aftershock::sim::chaos {
namespace {

// Pairs in the store are told one by one; missing ones do not count as trouble.
TEST(Pairs, AreReportedByThePhasesOfTheirFaults) {
  constexpr const char* kSmall = R"({"schema": 1, "name": "small", "until": "1h",
      "cluster": {"pools": [{"name": "p", "nodes": 2}]},
      "jobs": [{"name": "a", "workers": 2, "steps": 100, "step": "10s", "phases": {"launching": "30s"},
                "policy": {"name": "ray_train", "config": {"max_failures": 2}}}]})";
  auto read = scenario::read_scenario_text(kSmall, "small.json");
  auto made = make_pairs(std::get<scenario::ReadScenario>(read).scenario, 0, "small.json", "test");
  const auto plan = std::get<std::shared_ptr<const PairPlan>>(std::move(made));
  ASSERT_GT(plan->pairs.size(), 5U);
  const std::string path = ::testing::TempDir() + "pairs_report.sqlite";
  for (const char* end : {"", "-wal", "-shm"}) {
    std::filesystem::remove(path + end);
  }
  auto store = std::get<ExploreStore>(ExploreStore::open(path, plan->digest, pair_marks()));
  using enum reports::CellState;
  const auto state = [](reports::CellState one) { return static_cast<std::uint8_t>(one); };
  store.add(0, {.marks = {}, .failure = {}, .state = state(kRecovered)});
  store.add(1, {.marks = {}, .failure = {}, .state = state(kEnded), .why = "exhausted(a)"});
  store.add(2, {.marks = {}, .failure = {}, .state = state(kUnbitten), .why = "invalid"});
  store.add(4, {.marks = {}, .failure = {}, .state = state(kFinding), .why = "S07"});
  store.commit();
  const reports::MatrixReport report = pairs_report(*plan, store);
  ASSERT_EQ(report.cells.size(), plan->pairs.size());
  struct Row {
    reports::CellState state;
    const char* why;
  };
  const Row rows[] = {{kRecovered, ""},
                      {kEnded, "exhausted(a)"},
                      {kExcluded, "the second fault found nothing left to break"},
                      {kExcluded, "it was not run yet"},
                      {kFinding, "S07"}};
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const reports::CellOutcome& cell = report.cells[i];
    EXPECT_EQ(cell.state, rows[i].state) << i;
    EXPECT_EQ(cell.why, rows[i].why) << i;
    EXPECT_EQ(cell.id, pair_id(*plan, plan->pairs[i]));
    EXPECT_EQ(cell.row, plan->firsts[plan->pairs[i].first].row);
    EXPECT_EQ(cell.column, plan->pairs[i].second.row);
  }
  EXPECT_EQ(report.rows.size(), report.columns.size());
  EXPECT_EQ(counts_of(report)[state(kRecovered)], 1);
}

}  // namespace
}  // namespace aftershock::sim::chaos
