#include "gui/why/span_ends.h"

#include <gtest/gtest.h>

#include "tests/unit/gui/why/sample_run.h"

namespace aftershock::gui {
namespace {

std::vector<std::string> ends_of(const Trace& trace, std::string_view job,
                                 SubLane sub = SubLane::kAttempts) {
  std::vector<std::string> names;
  const Lane* lane = lane_of(trace, job, sub);
  if (lane == nullptr) {
    return names;
  }
  const SpanEnds ends = span_ends(trace);
  for (const std::uint32_t fault : ends.at(static_cast<std::uint32_t>(lane - trace.lanes.data()))) {
    names.emplace_back(fault == kNone ? "" : trace.texts[trace.faults[fault].id]);
  }
  return names;
}

TEST(SpanEnds, NameTheFaultsThatEndedThem) {
  Trace trace;
  record_scenario(trace, "scenarios/incidents/three_preemptions.json",
                  ::testing::TempDir() + "attempt-ends.aftershock");
  // The first job dies of its third preemption; the other completes.
  EXPECT_EQ(ends_of(trace, "job:limit-2"),
            (std::vector<std::string>{"a-first", "a-second", "a-third"}));
  EXPECT_EQ(ends_of(trace, "job:limit-3"),
            (std::vector<std::string>{"b-first", "b-second", "b-third", ""}));
}

TEST(SpanEnds, OfAnAttemptThatGoesOnAreNotKnown) {
  const SampleRun run(
      R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"attempt","epoch":1,"from":0}
{"t":0,"r":"begin","on":"job:llm","id":2,"what":"training","epoch":1}
{"t":5,"r":"end","id":2}
)");
  EXPECT_EQ(ends_of(run.trace(), "job:llm"), std::vector<std::string>{""});
}

// The second fault strikes while the first one's restart is still launching.
TEST(SpanEnds, OfTwoFaultsNameTheLastOne) {
  const std::string fault = R"(,"r":"fault","on":"node:a","kind":"node_crash","outcome":"fired",)";
  const SampleRun run(
      R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"attempt","epoch":1,"from":0}
{"t":10)" +
      fault + R"("number":0,"id":"first"}
{"t":10,"r":"begin","on":"job:llm","id":2,"what":"launching","epoch":1,"cause":0}
{"t":20)" +
      fault + R"("number":1,"id":"second"}
{"t":20,"r":"end","id":2}
{"t":20,"r":"end","id":1}
{"t":20,"r":"begin","on":"job:llm","id":3,"what":"launching","epoch":2,"cause":1}
{"t":30,"r":"end","id":3}
)");
  EXPECT_EQ(ends_of(run.trace(), "job:llm"), std::vector<std::string>{"second"});
}

// As work ends a save begins, which the fault ends before it takes any time.
TEST(SpanEnds, OfPhasesPassOverThoseWithoutLength) {
  const SampleRun run(
      R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training","epoch":1,"cause":-5}
{"t":10,"r":"end","id":1}
{"t":10,"r":"begin","on":"job:llm","id":2,"what":"checkpointing","epoch":1,"cause":-2}
{"t":10,"r":"fault","on":"node:a","kind":"node_crash","outcome":"fired","number":0,"id":"first"}
{"t":10,"r":"end","id":2}
{"t":10,"r":"begin","on":"job:llm","id":3,"what":"undetected","epoch":1,"cause":0}
{"t":20,"r":"end","id":3}
)");
  EXPECT_EQ(ends_of(run.trace(), "job:llm", SubLane::kPhases),
            (std::vector<std::string>{"first", "", ""}));
}

// Work is ended by what struck; the phases of the restart follow from each other.
TEST(SpanEnds, OfPhasesNameWhatEndedTheWorkAndNotTheRestart) {
  const SampleRun run(
      R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training","epoch":1,"cause":-5}
{"t":10,"r":"fault","on":"node:a","kind":"node_crash","outcome":"fired","number":0,"id":"first"}
{"t":10,"r":"end","id":1}
{"t":10,"r":"begin","on":"job:llm","id":2,"what":"undetected","epoch":1,"cause":0}
{"t":20,"r":"end","id":2}
{"t":20,"r":"begin","on":"job:llm","id":3,"what":"launching","epoch":2,"cause":0}
{"t":25,"r":"fault","on":"node:a","kind":"node_crash","outcome":"fired","number":1,"id":"second"}
{"t":25,"r":"end","id":3}
{"t":25,"r":"begin","on":"job:llm","id":4,"what":"tearing_down","epoch":2,"cause":1}
{"t":30,"r":"end","id":4}
{"t":30,"r":"begin","on":"job:llm","id":5,"what":"training","epoch":3,"cause":-5}
{"t":40,"r":"end","id":5}
)");
  EXPECT_EQ(ends_of(run.trace(), "job:llm", SubLane::kPhases),
            (std::vector<std::string>{"first", "", "second", "", ""}));
}

}  // namespace
}  // namespace aftershock::gui
