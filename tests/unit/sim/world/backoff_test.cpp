#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

// A policy that says that its wait is a backoff (chaos.md 5.6, P08). The pod of rank 0
// fails at 104 s, the other one 60 s later as its collective gives up: two pods, so that the Job
// waits 20 s (modelarts.md 8.3), from 164 to 184 s, which the controller knows at 165 s, when it
// looks at its pods. Nothing is saved.
namespace aftershock::sim::world {
namespace {

Outcomes backs_off(const std::string& more = "", const std::string& limit = "6") {
  return simulated(fmt::format(
      R"({{"pool":{{"spares":1}},"job":{{"collective_timeout":"60s","policy":{{"name":"job",)"
      R"("config":{{"completionMode":"Indexed","completions":2,"parallelism":2,)"
      R"("backoffLimit":{},"max_failures":null}}}}}},"faults":[{{"id":"first",)"
      R"("kind":"worker_crash","target":"job:a/rank:0","at":"104s"}}{}]}})",
      limit, more));
}

TEST(Backoff, IsAPhaseOfItsOwn) {
  const Outcomes run = backs_off();
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.ledger(), (Buckets{{"deciding", 61_s},
                                   {"backing_off", 19_s},
                                   {"rolled_back", 104_s},
                                   {"finalizing", 1_s},
                                   {"productive", 1000_s}}));
}

// Node p-1 is declared dead at 180 s: a spare takes its place, and nothing else changes.
TEST(Backoff, AFailureWhileItLastsDoesNotBeginItAnew) {
  const Outcomes run =
      backs_off(R"(,{"id":"second","kind":"node_crash","target":"node:p-1","at":"165s"})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.ledger()["backing_off"], 19_s);
  EXPECT_EQ(run.used("backoffLimit"), 2);
}

TEST(Backoff, AStopDoesNotWaitForIt) {
  const Outcomes run =
      backs_off(R"(,{"id":"stop","kind":"user_interrupt","target":"job:a","at":"170s"})");
  EXPECT_EQ(run.job()["reason"], "stopped_by_user");
  EXPECT_EQ(run.wall(), 170_s);
  EXPECT_EQ(run.ledger()["backing_off"], 5_s);
}

// Triggers find it, and what they put there strikes.
TEST(Backoff, IsEntered) {
  const Outcomes run =
      backs_off(R"(,{"id":"second","kind":"node_crash","target":"node:p-1","require":"fired",)"
                R"("when":{"enter":"backing_off","job":"a","offset":"1s"}})");
  EXPECT_EQ(run.summary["verdict"], "passed");
  EXPECT_EQ(run.ledger()["backing_off"], 19_s);
}

// Where the budget is used up nobody waits for anything, but for the pod that was made anew alone.
TEST(Backoff, IsNotBegunByWhoGivesUp) {
  const Outcomes run = backs_off("", "1");
  EXPECT_EQ(run.job()["reason"], "exhausted(backoffLimit)");
  EXPECT_EQ(run.wall(), 166_s);
  EXPECT_EQ(run.ledger().count("backing_off"), 0U);
}

}  // namespace
}  // namespace aftershock::sim::world
