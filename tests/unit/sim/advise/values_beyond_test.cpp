#include "sim/advise/values_beyond.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"

namespace aftershock::sim::advise {
namespace {

using ::testing::ElementsAreArray;

TEST(ValuesBeyond, AreCountsAndTimesThatTheScenarioAccepts) {
  constexpr const char* kTrains = "scenarios/reference_54_days.json";
  constexpr const char* kRetried = "scenarios/modelarts/npu_4096_sample_budgets.json";
  constexpr const char* kEvery = "/jobs/0/checkpoint/every";
  constexpr const char* kSpares = "/cluster/pools/0/spares";
  constexpr const char* kRetries = "/jobs/0/policy/config/fault-tolerance~1job-retry-num";
  const struct {
    const char* scenario;
    std::vector<std::string> sets;
    const char* place;
    std::vector<std::string> grid;
    bool up;
    std::vector<std::string> beyond;
  } cases[] = {
      {kTrains, {}, kEvery, {"10min", "20min"}, true, {"28min", "40min", "56min"}},
      {kTrains, {}, kEvery, {"10min", "20min"}, false, {"426s", "5min", "216s"}},
      {kTrains, {}, kSpares, {"0", "10"}, true, {"14", "20", "28"}},
      {kTrains, {}, kSpares, {"0", "10"}, false, {}},
      {kTrains, {}, kSpares, {"0"}, true, {"1"}},
      {kTrains, {"/cluster/pools/0/max_nodes=2063"}, kSpares, {"0", "10"}, true, {"14"}},
      // 128 is the most that the annotation may say.
      {kRetried, {}, kRetries, {"\"8\"", "\"64\""}, true, {"\"90\"", "\"128\""}},
      {kRetried, {}, kRetries, {"\"8\"", "\"64\""}, false, {"\"6\"", "\"4\"", "\"3\""}},
      {kRetried, {}, kRetries, {"-1", "8"}, false, {}},
      {kTrains, {}, "/jobs/0/policy/name", {"ray_train", "volcano"}, true, {}},
  };
  for (const auto& row : cases) {
    scenario::ReadOptions options;
    options.sets = row.sets;
    const auto read = scenario::read_scenario_file(row.scenario, options);
    ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read)) << row.place;
    sweep::Dimension dimension{{row.place}, {}};
    for (const std::string& value : row.grid) {
      dimension.points.push_back({value});
    }
    EXPECT_THAT(values_beyond(std::get<scenario::ReadScenario>(read).scenario, dimension, row.up),
                ElementsAreArray(row.beyond))
        << row.place << (row.up ? " up from " : " down from ") << row.grid.front();
  }
}

}  // namespace
}  // namespace aftershock::sim::advise
