#include "sim/advise/assumed.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"

namespace aftershock::sim::advise {
namespace {

TEST(Assumed, IsTheLookBeforePlacementWhereAcceleratorsStayBroken) {
  const struct {
    const char* path;
    std::vector<std::string> sets;
    std::size_t count;
  } rows[] = {
      {"scenarios/llama3_54_days.json", {}, 1},
      {"scenarios/llama3_54_days.json", {R"(/cluster/health_check={"when":"none"})"}, 0},
      {"scenarios/llama3_54_days.json", {R"(/cluster/health_check={"when":"periodic"})"}, 0},
      {"scenarios/reference_54_days.json", {}, 0},
  };
  for (const auto& row : rows) {
    scenario::ReadOptions options;
    options.sets = row.sets;
    const auto read = scenario::read_scenario_file(row.path, options);
    const auto* found = std::get_if<scenario::ReadScenario>(&read);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(assumed_words(found->scenario).size(), row.count) << row.path;
  }
}

}  // namespace
}  // namespace aftershock::sim::advise
