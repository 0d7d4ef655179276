#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "tests/unit/sim/scenario/smallest.h"

namespace aftershock::sim {
namespace {

TEST(ReadCluster, OnlyASubmitterHasALimit) {
  struct HeadRow {
    const char* restart;
    RestartBy by;
    std::optional<std::uint32_t> limit;
    std::size_t warnings;
  };
  const HeadRow rows[] = {
      {R"({"after": "1s"})", RestartBy::kOperator, {}, 0},
      {R"({"after": "1s", "limit": 2})", RestartBy::kSubmitter, 2, 0},
      {R"({"after": "1s", "by": "submitter"})", RestartBy::kSubmitter, {}, 0},
      {R"({"after": "1s", "by": "operator", "limit": 2})", RestartBy::kOperator, {}, 1},
  };
  for (const HeadRow& row : rows) {
    ReadOptions options;
    options.sets = {fmt::format(R"(/cluster/heads=[{{"name": "h", "restart": {}}}])", row.restart)};
    auto result = read_scenario_text(kSmallest, "smallest.json", options);
    ASSERT_TRUE(std::holds_alternative<ReadScenario>(result)) << row.restart;
    const auto& read = std::get<ReadScenario>(result);
    EXPECT_EQ(read.scenario.cluster.heads[0].restart->by, row.by) << row.restart;
    EXPECT_EQ(read.scenario.cluster.heads[0].restart->limit, row.limit) << row.restart;
    EXPECT_EQ(read.warnings.size(), row.warnings) << row.restart;
  }
}

TEST(ReadCluster, ARepairCrewNeedsSomethingToRepair) {
  struct CrewRow {
    std::vector<std::string> sets;
    std::optional<std::uint32_t> crew;
    std::size_t warnings;
  };
  const CrewRow rows[] = {
      {{"/cluster/pools/0/repair=1h"}, {}, 0},
      {{"/cluster/repair_crew=2", "/cluster/pools/0/repair=1h"}, 2, 0},
      {{"/cluster/repair_crew=1", R"(/cluster/pools/0/repairs={"reset": "3min"})"}, 1, 0},
      {{"/cluster/repair_crew=2"}, 2, 1},
  };
  for (const CrewRow& row : rows) {
    ReadOptions options;
    options.sets = row.sets;
    auto result = read_scenario_text(kSmallest, "smallest.json", options);
    ASSERT_TRUE(std::holds_alternative<ReadScenario>(result)) << row.sets.front();
    const auto& read = std::get<ReadScenario>(result);
    EXPECT_EQ(read.scenario.cluster.repair_crew, row.crew) << row.sets.front();
    EXPECT_EQ(read.warnings.size(), row.warnings) << row.sets.front();
  }
}

}  // namespace
}  // namespace aftershock::sim
