#include "gui/why/verdict.h"

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

/// Two jobs, of which the second fails; the recording ends with a summary.
Trace two_jobs() {
  Trace trace;
  trace.reading = false;
  for (const char* name : {"a", "b"}) {
    reports::HeaderJob job;
    job.name = name;
    trace.header.jobs.push_back(job);
    trace.ledgers.push_back(
        {trace.entities.add(std::string("job:") + name),
         R"({"wall_us":100,"us":{"productive":60},"faults":[{"fault":"x","us":{"restoring":5}},)"
         R"({"fault":"y","us":{"restoring":9,"launching":3}}]})"});
  }
  for (const char* id : {"x", "y"}) {
    trace.faults.push_back({.t_us = 40, .id = trace.texts.add(id), .fired = true});
  }
  trace.summary_json =
      R"({"cluster":{"cost":12.5},"jobs":[{"name":"a","outcome":"completed","reason":"completed"},)"
      R"({"name":"b","outcome":"failed","reason":"max_failures ran out","useful_share":0.3,)"
      R"("ettr":0.905,"steps":3600,"steps_done":2610,"lost":{"accelerator_us":7200},)"
      R"("budgets":{"max_failures":{"used":3,"limit":2},"other":{"used":0,"limit":null}}}]})";
  return trace;
}

TEST(Verdict, TheFailedComeFirst) {
  const Trace trace = two_jobs();
  const auto verdicts = verdicts_of(trace, accounts_of(trace));
  ASSERT_EQ(verdicts.size(), 2U);
  const Verdict& failed = verdicts[0];
  EXPECT_EQ(failed.name, "b");
  EXPECT_TRUE(failed.failed());
  EXPECT_EQ(failed.reason, "max_failures ran out");
  EXPECT_EQ(failed.end_us, 100);
  EXPECT_EQ(failed.ettr, 0.905);
  EXPECT_EQ(failed.steps_done, 2610);
  EXPECT_EQ(failed.lost_accelerator_us, 7200);
  ASSERT_EQ(failed.budgets.size(), 1U) << "the other neither has a limit nor was used";
  EXPECT_EQ(failed.budgets[0].used, 3);
  EXPECT_EQ(failed.worst, 1U) << "12 us and not 5";
  EXPECT_EQ(failed.worst_us, 12);
  EXPECT_EQ(verdicts[1].name, "a");
  EXPECT_FALSE(verdicts[1].failed());
  EXPECT_EQ(verdicts[1].reason, "") << "said by the outcome";
  EXPECT_EQ(cost_of_run(trace), 12.5);
}

// Cut off behind the end of a job, which its own record tells.
TEST(Verdict, OfACutRecordingIsThatOfTheJobsOwnRecord) {
  Trace trace = two_jobs();
  trace.summary_json.clear();
  trace.ledgers.clear();
  trace.ends = {{70, *trace.entities.find("job:b"), trace.texts.add("exhausted(max_failures)")}};
  const auto verdicts = verdicts_of(trace, {});
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0].name, "b");
  EXPECT_EQ(verdicts[0].outcome, "failed");
  EXPECT_EQ(verdicts[0].reason, "exhausted(max_failures)");
  EXPECT_EQ(verdicts[0].end_us, 70);
  EXPECT_EQ(verdicts[1].outcome, "");
  trace.ends[0].reason = trace.texts.add("completed");
  EXPECT_EQ(verdicts_of(trace, {})[1].outcome, "completed");
}

TEST(Verdict, OfARunThatGoesOnIsNone) {
  Trace trace = two_jobs();
  trace.summary_json.clear();
  for (const bool reading : {true, false}) {
    trace.reading = reading;
    for (const Verdict& verdict : verdicts_of(trace, accounts_of(trace))) {
      EXPECT_EQ(verdict.outcome, reading ? "running" : "");
      EXPECT_EQ(verdict.end_us, std::nullopt);
      EXPECT_FALSE(verdict.failed());
    }
  }
  EXPECT_EQ(cost_of_run(trace), std::nullopt);
}

}  // namespace
}  // namespace aftershock::gui
