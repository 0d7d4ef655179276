#include "gui/why/range_answer.h"

#include <gtest/gtest.h>

#include "tests/unit/gui/why/sample_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

/// Two jobs that lose the same three nodes, each of its own pool, after 2, 5 and 8 hours.
class RangeAnswers : public ::testing::Test {
 protected:
  RangeAnswers() {
    record_scenario(trace_, "scenarios/incidents/three_preemptions.json",
                    ::testing::TempDir() + "range-answer.aftershock");
  }

  [[nodiscard]] RangeAnswer of(const char* entity, std::int64_t from_us, std::int64_t to_us) const {
    const auto found = trace_.entities.find(entity);
    return range_answer(trace_, accounts_of(trace_), found.value_or(kNone), from_us, to_us);
  }
  [[nodiscard]] std::string fault(const FaultInRange& of) const {
    return std::string(trace_.texts[trace_.faults[of.fault].id]);
  }

 private:
  Trace trace_;
};

TEST_F(RangeAnswers, AreAboutOneJobOrAllOfThem) {
  const RangeAnswer one = of("job:limit-2", kHour, 6 * kHour);
  ASSERT_EQ(one.jobs.size(), 1U);
  EXPECT_EQ(one.jobs[0].us[0].first, "productive");
  EXPECT_EQ(one.jobs[0].us[0].second, one.jobs[0].useful_us);
  EXPECT_GT(one.jobs[0].lost_us, 0);
  // Four preemptions of both pools, two of them its own.
  ASSERT_EQ(one.faults.size(), 4U);
  ASSERT_EQ(one.kinds.size(), 1U);
  EXPECT_EQ(one.kinds[0].fired, 4);
  for (const std::size_t i : {0U, 1U, 2U, 3U}) {
    EXPECT_EQ(one.faults[i].cost_us > 0, i < 2) << i;
    EXPECT_EQ(fault(one.faults[i]).starts_with("a-"), i < 2) << fault(one.faults[i]);
  }
  const RangeAnswer all = of("", kHour, 6 * kHour);
  EXPECT_EQ(all.jobs.size(), 2U);
  EXPECT_GT(all.faults.back().cost_us, 0);
  EXPECT_GT(all.decisions.size(), one.decisions.size());
  EXPECT_FALSE(one.decisions.empty());
}

TEST_F(RangeAnswers, CountWhatBeginsInTheRange) {
  // The third preemption of the job that dies of it, and work that nobody saved.
  const RangeAnswer third = of("job:limit-2", 8 * kHour, 8 * kHour + 1);
  ASSERT_EQ(third.faults.size(), 2U);
  EXPECT_EQ(fault(third.faults[0]), "a-third");
  EXPECT_TRUE(of("job:limit-2", 8 * kHour + 1, 8 * kHour + 2).faults.empty());
  // Nothing is left of the job an hour after its end.
  const RangeAnswer after = of("job:limit-2", 10 * kHour, 11 * kHour);
  EXPECT_TRUE(after.jobs.empty());
  EXPECT_TRUE(after.faults.empty());
  EXPECT_TRUE(after.decisions.empty());
}

// Eight trials for eight minutes, one of which fails for good at 8 min, and loses four of its own.
TEST(RangeAnswer, OfAnExperimentIsThatOfItsTrials) {
  Trace trace;
  record_scenario(trace, "scenarios/tune/deterministic_bug.json",
                  ::testing::TempDir() + "range-trials.aftershock");
  const RangeAnswer answer = range_answer(trace, accounts_of(trace), kNone, kMinute, 9 * kMinute);
  ASSERT_EQ(answer.jobs.size(), 1U);
  EXPECT_EQ(answer.jobs[0].lost_us, 4 * kMinute);
  EXPECT_EQ(answer.jobs[0].useful_us, (7 * 8 + 7 - 4) * kMinute);
}

TEST(RangeAnswer, OfARunThatIsCutOffKnowsNoCosts) {
  const SampleRun run(
      R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training","epoch":1}
{"t":4,"r":"fault","on":"node:a","number":0,"id":"f","kind":"node_crash","outcome":"fired"}
{"t":9,"r":"end","id":1}
)");
  const RangeAnswer answer = range_answer(run.trace(), accounts_so_far(run.trace()), kNone, 2, 7);
  ASSERT_EQ(answer.jobs.size(), 1U);
  EXPECT_EQ(answer.jobs[0].useful_us, 5);
  EXPECT_EQ(answer.faults.size(), 1U);
  EXPECT_FALSE(answer.knows_costs);
}

}  // namespace
}  // namespace aftershock::gui
