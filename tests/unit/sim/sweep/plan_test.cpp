#include "sim/sweep/plan.h"

#include <gmock/gmock.h>

namespace aftershock::sim::sweep {
namespace {

constexpr const char* kConfig = "/jobs/0/policy/config";

std::vector<std::string> labels(const std::vector<Point>& points) {
  std::vector<std::string> all;
  for (const PlannedCell& cell : make_plan("scenarios/ring16.json", {}, points).plan.cells) {
    all.push_back(cell.about.label);
  }
  return all;
}

TEST(Plan, LeavesConfigurationsOutOfLabelsThatPoliciesTellApart) {
  EXPECT_THAT(labels({{{"policy", "torchrun"}, {kConfig, R"({"max_restarts": 3})"}},
                      {{"policy", "ray_train"}, {kConfig, R"({"max_failures": 3})"}}}),
              testing::ElementsAre("policy=torchrun", "policy=ray_train"));
  EXPECT_THAT(labels({{{"policy", "torchrun"}, {kConfig, R"({"max_restarts": 3})"}},
                      {{"policy", "torchrun"}, {kConfig, R"({"max_restarts": 4})"}}}),
              testing::ElementsAre(R"(policy=torchrun, config={"max_restarts": 3})",
                                   R"(policy=torchrun, config={"max_restarts": 4})"));
  EXPECT_THAT(labels({{{kConfig, R"({"max_failures": 3})"}}}),
              testing::ElementsAre(R"(config={"max_failures": 3})"));
}

}  // namespace
}  // namespace aftershock::sim::sweep
