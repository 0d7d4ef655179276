#include "gui/why/trials.h"

#include <gtest/gtest.h>

#include "tests/unit/gui/why/sample_run.h"

namespace aftershock::gui {
namespace {

TEST(TrialEnds, AreThoseOfTheSummary) {
  Trace trace;
  trace.header.experiments.resize(3);
  trace.summary_json =
      R"({"experiments":[{"name":"a","trials":[{"id":"x","status":"TERMINATED","iterations":10,)"
      R"("failures":2,"restores":1,"lost":{"steps":3,"us":70}},{"id":"y","status":"ERROR"}]},)"
      R"({"name":"b","trials":[{"id":"z"}]},{"name":"none"}]})";
  const std::vector<TrialEnd> trials = trial_ends(trace);
  ASSERT_EQ(trials.size(), 3U);
  EXPECT_EQ(trials[0].failures, 2);
  EXPECT_EQ(trials[0].restores, 1);
  EXPECT_EQ(trials[0].lost_us, 70);
  EXPECT_EQ(trials[0].iterations, 10);
  EXPECT_EQ(trials[1].number, 1);
  EXPECT_EQ(trials[1].status, "ERROR");
  EXPECT_EQ(trials[2].number, 0);
  EXPECT_EQ(trials[2].experiment, "b");
  EXPECT_TRUE(trial_ends(Trace()).empty());
}

TEST(TrialEnds, AreThereInARecording) {
  Trace trace;
  record_scenario(trace, "scenarios/tune/cut_from_storage.json",
                  ::testing::TempDir() + "trials.aftershock");
  EXPECT_EQ(trial_ends(trace).size(), 4U);
}

}  // namespace
}  // namespace aftershock::gui
