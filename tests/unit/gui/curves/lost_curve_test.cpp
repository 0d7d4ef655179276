#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gui/curves/curves.h"
#include "tests/unit/gui/why/sample_run.h"

namespace aftershock::gui {
namespace {

using ::testing::ElementsAre;

constexpr std::int64_t kDay_us = 86'400'000'000;

// An hour and a half are lost on the first day, nothing on the second, two hours on the third and
// three on the fourth; another job loses an hour.
TEST(LostCurve, HasTheHoursThatWereLostOnEachDay) {
  const SampleRun run(
      R"({"t":0,"r":"instant","on":"job:llm","what":"submitted"}
{"t":3600000000,"r":"instant","on":"job:llm","what":"rolled_back","from_us":3600000000,"to_us":0,"lost_us":3600000000}
{"t":86399999999,"r":"instant","on":"job:llm","what":"rolled_back","from_us":9000000000,"to_us":7200000000,"lost_us":1800000000}
{"t":90000000000,"r":"instant","on":"job:other","what":"rolled_back","from_us":3600000000,"to_us":0,"lost_us":3600000000}
{"t":172800000000,"r":"instant","on":"job:llm","what":"rolled_back","from_us":9000000000,"to_us":1800000000,"lost_us":7200000000}
{"t":259200000000,"r":"instant","on":"job:llm","what":"rolled_back","from_us":10800000000,"to_us":0,"lost_us":10800000000}
)");
  const auto job = run.trace().entities.find("job:llm");
  ASSERT_TRUE(job);
  const auto curve = lost_curve(run.trace(), *job);
  ASSERT_TRUE(curve);
  EXPECT_THAT(curve->samples.t_us, ElementsAre(0, kDay_us, 2 * kDay_us, 3 * kDay_us, 4 * kDay_us));
  EXPECT_THAT(curve->samples.value, ElementsAre(150, 0, 200, 300, 0));
  EXPECT_EQ(value_text(*curve, 150), "1.50 h");
}

TEST(LostCurve, IsNoneOfAJobThatLostNothing) {
  const SampleRun run(
      R"({"t":0,"r":"instant","on":"job:llm","what":"submitted"}
{"t":3600000000,"r":"instant","on":"job:other","what":"rolled_back","from_us":3600000000,"to_us":0,"lost_us":3600000000}
)");
  const auto job = run.trace().entities.find("job:llm");
  ASSERT_TRUE(job);
  EXPECT_FALSE(lost_curve(run.trace(), *job));
}

}  // namespace
}  // namespace aftershock::gui
