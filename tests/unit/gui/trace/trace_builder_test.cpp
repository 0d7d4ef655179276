#include "gui/trace/trace_builder.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "gui/trace/find.h"
#include "gui/trace/loader.h"

namespace aftershock::gui {
namespace {

/// A trace of these lines behind a header with one job, whose steps last 10 us.
void load_lines(Trace& trace, const std::vector<std::string>& lines) {
  reports::RecordingHeader header;
  header.jobs.push_back({.name = "llm",
                         .policy = "p",
                         .workers = 1,
                         .accelerators = 1,
                         .pool = "gpu",
                         .steps = std::nullopt,
                         .step_us = 10});
  std::string text = reports::header_line(header) + "\n";
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  Loader loader(trace, std::make_unique<reports::MemoryBytes>(text), "x.aftershock");
  while (loader.wait()) {
    loader.take();
  }
  EXPECT_EQ(trace.end.state, reports::ReadState::kPartial) << trace.end.message;
}

std::vector<std::string> spans_of(const Trace& trace, std::string_view entity, SubLane sub) {
  std::vector<std::string> told;
  if (const Lane* lane = lane_of(trace, entity, sub)) {
    const LaneSpans spans = lane->columns.spans();
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const std::string end = spans.end_us[i] == kOpen ? "..." : std::to_string(spans.end_us[i]);
      told.push_back(std::string(name_of(spans.kind[i])) + " " + std::to_string(spans.begin_us[i]) +
                     " " + end);
    }
  }
  return told;
}

TEST(TraceBuilder, MakesStatesOfInstants) {
  Trace trace;
  load_lines(trace, {
                        R"({"t":1,"r":"instant","on":"head:h","what":"down","fault":0})",
                        R"({"t":2,"r":"instant","on":"head:h","what":"down","fault":1})",
                        R"({"t":3,"r":"instant","on":"head:h","what":"up"})",
                        R"({"t":4,"r":"instant","on":"head:h","what":"up"})",
                        R"({"t":5,"r":"instant","on":"node:a","what":"isolated"})",
                        R"({"t":5,"r":"instant","on":"node:b","what":"isolated"})",
                        R"({"t":5,"r":"instant","on":"node:c","what":"isolated"})",
                        R"({"t":6,"r":"instant","on":"node:a","what":"repaired"})",
                        R"({"t":7,"r":"begin","on":"node:b","id":1,"what":"down","fault":0})",
                        R"({"t":9,"r":"end","id":1})",
                    });
  EXPECT_THAT(spans_of(trace, "head:h", SubLane::kStates), ::testing::ElementsAre("down 1 3"));
  EXPECT_THAT(spans_of(trace, "node:a", SubLane::kStates), ::testing::ElementsAre("isolated 5 6"));
  EXPECT_THAT(spans_of(trace, "node:b", SubLane::kStates),
              ::testing::ElementsAre("isolated 5 9", "down 7 9"));
  EXPECT_THAT(spans_of(trace, "node:c", SubLane::kStates),
              ::testing::ElementsAre("isolated 5 ..."));
  EXPECT_THAT(spans_of(trace, "head:h", SubLane::kMarks),
              ::testing::ElementsAre("mark 1 1", "mark 2 2", "mark 3 3", "mark 4 4"));
}

TEST(TraceBuilder, APartitionCutsItsTargetUntilTheLastHeals) {
  const auto fault = [](int t, int number, std::string_view target) {
    return R"({"t":)" + std::to_string(t) + R"(,"r":"fault","on":"node:a","number":)" +
           std::to_string(number) + R"(,"id":"cut#)" + std::to_string(number) +
           R"(","kind":"partition","what":"w","target":")" + std::string(target) +
           R"(","outcome":"fired"})";
  };
  Trace trace;
  load_lines(trace, {fault(1, 0, "rack:gpu/2"), fault(3, 1, "rack:gpu/2"), fault(4, 2, "node:a"),
                     R"({"t":5,"r":"instant","on":"run","what":"partition_healed","fault":0})",
                     R"({"t":7,"r":"instant","on":"run","what":"partition_healed","fault":1})",
                     R"({"t":8,"r":"instant","on":"run","what":"partition_healed","fault":1})"});
  EXPECT_THAT(spans_of(trace, "rack:gpu/2", SubLane::kStates), ::testing::ElementsAre("cut 1 7"));
  EXPECT_THAT(spans_of(trace, "node:a", SubLane::kStates), ::testing::ElementsAre("cut 4 ..."));
  ASSERT_EQ(trace.faults.size(), 3U);
  EXPECT_EQ(trace.faults[0].healed_us, 5);
  EXPECT_EQ(trace.faults[1].healed_us, 7);
  EXPECT_EQ(trace.faults[2].healed_us, kOpen);
}

TEST(TraceBuilder, EveryCutHasASpanInTheLaneThatItStruck) {
  const auto fault = [](int number, std::string_view kind, std::string_view target) {
    return R"({"t":1,"r":"fault","on":"node:a","number":)" + std::to_string(number) +
           R"(,"id":"f","kind":")" + std::string(kind) + R"(","what":"w","target":")" +
           std::string(target) + R"(","outcome":"fired"})";
  };
  const auto heal = [](int t) {
    return R"({"t":)" + std::to_string(t) +
           R"(,"r":"instant","on":"run","what":"partition_healed","fault":0})";
  };
  for (const char* kind :
       {"head_worker_partition", "worker_storage_partition", "one_way_partition"}) {
    Trace trace;
    load_lines(trace, {fault(0, kind, "node:a"), heal(5)});
    EXPECT_THAT(spans_of(trace, "node:a", SubLane::kStates), ::testing::ElementsAre("cut 1 5"))
        << kind;
  }
  Trace flaps;
  load_lines(flaps, {fault(0, "link_flap", "link:a/gpu/0"), heal(5), heal(9)});
  EXPECT_THAT(spans_of(flaps, "node:a", SubLane::kStates),
              ::testing::ElementsAre("cut 1 5", "cut 9 9"));
  Trace other;
  load_lines(other, {fault(0, "hang", "node:a"), heal(5)});
  EXPECT_EQ(lane_of(other, "node:a", SubLane::kStates), nullptr);
}

TEST(TraceBuilder, KnowsWhatAFaultLedTo) {
  Trace trace;
  load_lines(
      trace,
      {R"({"t":1,"r":"begin","on":"node:a","id":1,"what":"down","fault":0})",
       R"({"t":1,"r":"fault","on":"node:a","number":0,"id":"f","kind":"k","outcome":"fired"})",
       R"({"t":2,"r":"fault","on":"node:a","number":1,"id":"m","kind":"k","outcome":"masked"})",
       R"({"t":3,"r":"fault","on":"node:a","number":1,"id":"g","kind":"k","outcome":"fired"})",
       R"({"t":4,"r":"begin","on":"job:llm","id":2,"what":"undetected","cause":1})",
       R"({"t":5,"r":"begin","on":"job:llm","id":3,"what":"deciding","cause":0})",
       R"({"t":6,"r":"begin","on":"job:llm","id":4,"what":"training","cause":-5})",
       R"({"t":7,"r":"begin","on":"job:llm","id":5,"what":"undetected","cause":9})"});
  const auto told = [&trace](std::uint32_t fault) {
    std::vector<std::string> all;
    const auto [first, last] = effects_of(trace, fault);
    for (std::size_t i = first; i < last; ++i) {
      const Lane& lane = trace.lanes[trace.effects[i].lane];
      all.push_back(std::string(trace.entities[lane.entity]) + " " +
                    std::to_string(lane.columns.spans().begin_us[trace.effects[i].span]));
    }
    return all;
  };
  EXPECT_THAT(told(0), ::testing::UnorderedElementsAre("node:a 1", "job:llm 5"));
  EXPECT_THAT(told(1), ::testing::IsEmpty()) << "nothing comes of what was masked";
  EXPECT_THAT(told(2), ::testing::ElementsAre("job:llm 4"));
}

/// One job with steps of 10 us that saves at step 2 and falls back to it twice.
TEST(TraceBuilder, FindsTheWorkThatWasLost) {
  Trace trace;
  load_lines(
      trace,
      {
          R"({"t":100,"r":"begin","on":"job:llm","id":1,"what":"training","cause":-5})",
          // Step 2: a save that blocks for 5.
          R"({"t":120,"r":"counter","on":"job:llm","name":"steps","value":2})",
          R"({"t":120,"r":"end","id":1})",
          R"({"t":120,"r":"begin","on":"job:llm","id":2,"what":"checkpointing","cause":-2})",
          R"({"t":125,"r":"end","id":2})",
          R"({"t":125,"r":"begin","on":"job:llm","id":3,"what":"training","cause":-5})",
          // A fault 9 later, in the middle of step 3: 9 are lost.
          R"({"t":134,"r":"fault","on":"node:a","number":0,"id":"f","kind":"k","outcome":"fired"})",
          R"({"t":134,"r":"counter","on":"job:llm","name":"steps","value":2})",
          R"({"t":134,"r":"end","id":3})",
          R"({"t":134,"r":"begin","on":"job:llm","id":4,"what":"undetected","cause":0})",
          R"({"t":150,"r":"end","id":4})",
          R"({"t":150,"r":"instant","on":"job:llm","what":"rolled_back","from_us":29,"to_us":20,"lost_us":9})",
          R"({"t":150,"r":"begin","on":"job:llm","id":5,"what":"training","cause":-5})",
          // 25 of work, then a save during which a fault strikes: 25 are lost.
          R"({"t":175,"r":"counter","on":"job:llm","name":"steps","value":4})",
          R"({"t":175,"r":"end","id":5})",
          R"({"t":175,"r":"begin","on":"job:llm","id":6,"what":"checkpointing","cause":-2})",
          R"({"t":178,"r":"fault","on":"node:a","number":1,"id":"g","kind":"k","outcome":"fired"})",
          R"({"t":178,"r":"end","id":6})",
          R"({"t":178,"r":"begin","on":"job:llm","id":7,"what":"undetected","cause":1})",
          R"({"t":200,"r":"instant","on":"job:llm","what":"rolled_back","from_us":45,"to_us":20,"lost_us":25})",
          // The save of step 2 is gone as well: back to the beginning, before any work.
          R"({"t":200,"r":"instant","on":"job:llm","what":"rolled_back","from_us":20,"to_us":0,"lost_us":20})",
      });
  ASSERT_EQ(trace.rolled_back.size(), 3U);
  const RolledBack& first = trace.rolled_back[0];
  EXPECT_EQ(first.begin_us, 125) << "after the save, though step 2 was also reached at 134";
  EXPECT_EQ(first.end_us, 134);
  EXPECT_EQ(first.at_us, 150);
  EXPECT_EQ(first.lost_us, 9);
  EXPECT_EQ(first.fault, 0U);
  const RolledBack& second = trace.rolled_back[1];
  EXPECT_EQ(second.begin_us, 150) << "it went on from there, having fallen back before";
  EXPECT_EQ(second.end_us, 178) << "up to the fault";
  EXPECT_EQ(second.fault, 1U);
  EXPECT_EQ(trace.rolled_back[2].begin_us, 100);
  EXPECT_EQ(trace.rolled_back[2].end_us, 178);
}

TEST(TraceBuilder, WithoutStepsTheLostWorkIsTheLast) {
  Trace trace;
  load_lines(
      trace,
      {R"({"t":100,"r":"begin","on":"experiment:e/trial:0","id":1,"what":"training","cause":-5})",
       R"({"t":160,"r":"end","id":1})",
       R"({"t":160,"r":"begin","on":"experiment:e/trial:0","id":2,"what":"undetected","cause":0})",
       R"({"t":190,"r":"instant","on":"experiment:e/trial:0","what":"rolled_back","from_steps":6,"to_steps":2,"lost_us":40})",
       // Nonsense, for which there is no work at all.
       R"({"t":190,"r":"instant","on":"job:other","what":"rolled_back","from_us":9,"to_us":-4611686018427387904,"lost_us":4611686018427387904})"});
  ASSERT_EQ(trace.rolled_back.size(), 2U);
  EXPECT_EQ(trace.rolled_back[0].begin_us, 120);
  EXPECT_EQ(trace.rolled_back[0].end_us, 160);
  EXPECT_EQ(trace.rolled_back[0].from, 6);
  EXPECT_EQ(trace.rolled_back[0].to, 2);
  EXPECT_EQ(trace.rolled_back[0].fault, kNone) << "there was no such fault";
  EXPECT_EQ(trace.rolled_back[1].begin_us, 0);
  EXPECT_EQ(trace.rolled_back[1].end_us, 190);
}

}  // namespace
}  // namespace aftershock::gui
