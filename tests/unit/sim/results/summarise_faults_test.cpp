#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

// The job starts for 10 s and works for 1,000 s.
namespace aftershock::sim::results {
namespace {

TEST(ScriptedFaults, ThatNeverStrikeAreToldWithTheReason) {
  const struct {
    const char* of;
    const char* fault;
    const char* why;  ///< empty: it struck, or came and met nothing
  } cases[] = {
      {"after the end", R"("at":"2000s")",
       "the run ended at 00:16:50, and it was to come at 00:33:20"},
      {"within the run", R"("at":"500s")", ""},
      {"a step past the last", R"("at_step":200)", "job a never ended step 200"},
      {"a step that is done", R"("at_step":50)", ""},
      {"a phase that it has not", R"("when":{"enter":"provisioning","nth":1,"offset":"0s"})",
       "job a never entered provisioning"},
      {"a phase once more", R"("when":{"enter":"training","nth":2,"offset":"1s"})",
       "job a entered training 1 time only, and it was to come time 2"},
      {"an offset past the phase", R"("when":{"enter":"training","nth":1,"offset":"2000s"})",
       "training of job a was over before the offset"},
      {"an offset past a phase of the start",
       R"("when":{"enter":"launching","nth":1,"offset":"60s"})",
       "launching of job a was over before the offset"},
      {"training", R"("when":{"enter":"training","nth":1,"offset":"100s"})", ""},
  };
  for (const auto& each : cases) {
    const world::Outcomes run = world::simulated(fmt::format(
        R"({{"job":{{"phases":{{"launching":"10s"}}}},"faults":[{{"id":"x","kind":"worker_crash","target":"job:a/rank:1",{}}}]}})",
        each.fault));
    const auto& never = run.summary.at("never_struck");
    if (*each.why == '\0') {
      EXPECT_TRUE(never.empty()) << each.of;
      EXPECT_EQ(run.faults("worker_crash"), "fired 1 masked 0 detected 1") << each.of;
      continue;
    }
    ASSERT_EQ(never.size(), 1U) << each.of;
    EXPECT_EQ(never[0]["fault"], "x") << each.of;
    EXPECT_EQ(never[0]["why"], each.why) << each.of;
    EXPECT_EQ(run.summary["faults"]["worker_crash"]["injected"], 1) << each.of;
    EXPECT_EQ(run.summary["faults"]["worker_crash"]["fired"], 0) << each.of;
  }
}

// The node is lost for good and the job is stuck: its other fault is not played, and still told.
TEST(ScriptedFaults, ThatWereToComeToAStuckRunAreTold) {
  const world::Outcomes run = world::simulated(
      R"({"until":"1d","faults":[{"kind":"node_crash","target":"node:p-1","at":"50s"},)"
      R"({"id":"x","kind":"hang","target":"job:a/rank:1","at":"2h"}]})");
  EXPECT_EQ(run.summary["verdict"], "stuck");
  const auto& never = run.summary.at("never_struck");
  ASSERT_EQ(never.size(), 1U);
  EXPECT_EQ(never[0]["fault"], "x");
  EXPECT_EQ(never[0]["why"], "the run was stuck before it was to come at 02:00:00");
}

}  // namespace
}  // namespace aftershock::sim::results
