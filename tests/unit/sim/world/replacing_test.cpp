#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

// Replica groups (ray.md 1.6) that are hit again while one of them is being replaced. A
// start takes 30 s, so the job works from 30 s on; rank 2 dies at 104 s, with 74 s of work done.
namespace aftershock::sim::world {
namespace {

Outcomes hit_again(const char* second) {
  return simulated(fmt::format(
      R"({{"pool":{{"spares":1}},"job":{{"phases":{{"launching":"20s","rendezvous":"10s"}},)"
      R"("policy":{{"config":{{"max_failures":1,"replica_groups":true}}}}}},"faults":[)"
      R"({{"kind":"worker_crash","how":"exit","target":"job:a/rank:2","at":"104s"}},{}]}})",
      second));
}

// The replacement would have run at 134 s. It fails at 110 s as a start that failed, and then the
// whole group is started: it works from 140 s on, from zero.
TEST(Replacing, ThatFailsIsAFailedStartAndTheWholeGroupRestarts) {
  for (const char* second :
       {R"({"kind":"worker_crash","how":"exit","target":"job:a/rank:2","at":"110s"})",
        R"({"kind":"host_oom","target":"node:p-1","at":"110s"})"}) {
    const Outcomes run = hit_again(second);
    EXPECT_EQ(run.job()["outcome"], "completed") << second;
    EXPECT_EQ(run.wall(), 1140_s) << second;
    EXPECT_EQ(run.ledger(), (Buckets{{"productive", 1000_s},
                                     {"rolled_back", 74_s},
                                     {"launching", 20_s + 6_s + 20_s},
                                     {"rendezvous", 10_s + 10_s}}))
        << second;
    EXPECT_EQ(run.used("max_failures"), 1) << second;
    EXPECT_EQ(run.used("controller_failure_limit"), 1) << second;
    EXPECT_EQ(run.job()["attempts"], 3) << second;
  }
}

// Rank 0 is not a part of the replacement, and nobody asks it meanwhile: its end shows when the
// group goes on at 134 s, as a failure of its own.
TEST(Replacing, ASurvivorThatDiesMeanwhileShowsWhenTheGroupGoesOn) {
  const Outcomes run =
      hit_again(R"({"kind":"worker_crash","how":"exit","target":"job:a/rank:0","at":"110s"})");
  EXPECT_EQ(run.job()["outcome"], "failed");
  EXPECT_EQ(run.wall(), 134_s);
  EXPECT_EQ(run.ledger(),
            (Buckets{{"rolled_back", 74_s}, {"launching", 40_s}, {"rendezvous", 20_s}}));
  EXPECT_EQ(run.used("max_failures"), 2);
  EXPECT_EQ(run.job()["attempts"], 2);
}

// A node that dies at 111 s is known to be dead at the third heartbeat that stays away, 125 s.
TEST(Replacing, ThatLosesANodeRestartsTheWholeGroupOnASpare) {
  const Outcomes run = hit_again(R"({"kind":"node_crash","target":"node:p-0","at":"111s"})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.wall(), 1155_s);
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 1000_s},
                                   {"rolled_back", 74_s},
                                   {"launching", 20_s + 7_s + 20_s},
                                   {"rendezvous", 10_s + 10_s},
                                   {"undetected", 14_s}}));
  EXPECT_EQ(run.used("max_failures"), 1);
  EXPECT_EQ(run.used("controller_failure_limit"), 1);
}

// After the replacement, at 134 s, another failure is one of workers again, and there was one
// retry.
TEST(Replacing, IsOverWhenItRuns) {
  const Outcomes run =
      hit_again(R"({"kind":"worker_crash","how":"exit","target":"job:a/rank:2","at":"150s"})");
  EXPECT_EQ(run.job()["reason"], "exhausted(max_failures)");
  EXPECT_EQ(run.wall(), 150_s);
  EXPECT_EQ(run.used("max_failures"), 2);
  EXPECT_EQ(run.used("controller_failure_limit"), 0);
}

}  // namespace
}  // namespace aftershock::sim::world
