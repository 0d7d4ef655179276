#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "tests/unit/sim/scenario/smallest.h"

namespace aftershock::sim::scenario {
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

// Without a word an operator removes objects as soon as pods are evicted; the cloud's controller
// looks every 5 s.
TEST(ReadCluster, ObjectsOfALostNodeGoByTheirRule) {
  struct ObjectRow {
    const char* object;
    NodeObjectRemover by;
    std::optional<std::int64_t> after_us;
    bool outlive_eviction;
    std::size_t warnings;
  };
  using enum NodeObjectRemover;
  const ObjectRow rows[] = {
      {"{}", kOperator, {}, false, 0},
      {R"({"removed_by": "operator"})", kOperator, {}, false, 0},
      {R"({"removed_after": "0s"})", kOperator, 0, true, 0},
      {R"({"removed_by": "operator", "removed_after": "30min"})", kOperator, 1'800'000'000, true,
       0},
      {R"({"removed_by": "cloud"})", kCloud, 5'000'000, true, 0},
      {R"({"removed_by": "cloud", "removed_after": "1min"})", kCloud, 60'000'000, true, 0},
      {R"({"removed_by": "nobody"})", kNobody, {}, true, 0},
      {R"({"removed_by": "nobody", "removed_after": "1min"})", kNobody, {}, true, 1},
  };
  for (const ObjectRow& row : rows) {
    ReadOptions options;
    options.sets = {fmt::format("/cluster/node_object={}", row.object),
                    R"(/jobs/0/policy={"name": "job"})"};
    auto result = read_scenario_text(kSmallest, "smallest.json", options);
    ASSERT_TRUE(std::holds_alternative<ReadScenario>(result)) << row.object;
    const auto& read = std::get<ReadScenario>(result);
    EXPECT_EQ(read.scenario.cluster.node_object.by, row.by) << row.object;
    EXPECT_EQ(read.scenario.cluster.node_object.after_us, row.after_us) << row.object;
    EXPECT_EQ(read.scenario.cluster.node_object.outlive_eviction(), row.outlive_eviction)
        << row.object;
    EXPECT_EQ(read.warnings.size(), row.warnings) << row.object;
  }
}

TEST(ReadCluster, AnotherRemoverIsRefused) {
  ReadOptions options;
  options.sets = {R"(/cluster/node_object={"removed_by": "kubelet"})"};
  EXPECT_FALSE(std::holds_alternative<ReadScenario>(
      read_scenario_text(kSmallest, "smallest.json", options)));
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
}  // namespace aftershock::sim::scenario
