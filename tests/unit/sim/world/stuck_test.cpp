// Runs that can only go on as they do: when that is told, and in which words.

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

using testing::HasSubstr;

std::string reason(const Outcomes& run) {
  return run.summary["verdict"].get<std::string>() + ": " +
         run.summary.value("verdict_reason", std::string());
}

// Step 5 raises, 50 s into every attempt, and nothing limits the retries.
std::string poisoned(const std::string& rest, const std::string& job = {},
                     const std::string& limit = "-1") {
  return R"({"job":{"policy":{"config":{"max_failures":)" + limit + "}}" + job +
         R"(},"faults":[{"kind":"worker_crash","target":"job:a/rank:1","at_step":5,)"
         R"("every_attempt":true})" +
         rest;
}

TEST(Stuck, NamesTheJobThatWaitsAndWhatKeepsItsNodes) {
  const Outcomes run =
      simulated(R"({"faults":[{"kind":"node_crash","target":"node:p-1","at":"151s"}]})");
  EXPECT_EQ(reason(run),
            "stuck: job a waits since 00:02:45 for 2 nodes (4 accelerators) of pool p: of its 2 "
            "nodes 1 free, 1 down by node_crash node:p-1, and nothing that is still to come can "
            "change that; past recovery: job a needs 2 nodes of its pool, and 1 works");
}

// Ray looks for nodes every few seconds, over and over, and its node is in repair meanwhile.
TEST(Stuck, ANodeThatComesBackIsNotPastRecovery) {
  const std::string crash =
      R"({"until":"20h","faults":[{"kind":"node_crash","target":"node:p-1","at":"151s")";
  const auto told = [](const std::string& patch) {
    return simulated(patch).job()["reason"].get<std::string>();
  };
  EXPECT_THAT(told(crash + R"(,"lasts":"30h"}]})"),
              HasSubstr("; short of nodes for now: job a needs 2 nodes of its pool, and 1 works"));
  EXPECT_EQ(told(crash + R"(,"lasts":"10h"}]})"), "completed");
}

// Its name is taken by a pod that is deleted, on a node that nobody takes out of the cluster.
TEST(Stuck, NamesObjectsOfPodsThatNobodyRemoves) {
  for (const char* policy : {R"({"name":"volcano","config":{"max_failures":null}})",
                             R"({"name":"jobset","config":{"max_failures":null}})"}) {
    const Outcomes run = simulated(fmt::format(
        R"({{"pool":{{"spares":1}},"cluster":{{"node_object":{{"removed_by":"nobody"}}}},
            "job":{{"policy":{}}},
            "faults":[{{"kind":"node_crash","target":"node:p-1","at":"151s"}}]}})",
        policy));
    EXPECT_THAT(reason(run), HasSubstr("the objects of its pods on node p-1 stay, and nobody "
                                       "removes them (/cluster/node_object)"));
  }
}

// It still watches the pool for nodes to go on with, and its own do not tell it that they are gone.
TEST(Stuck, WhoWatchesForNodesWaitsForThem) {
  const Outcomes run = simulated(
      R"({"job":{"policy":{"profile":"2026-09","config":{"num_workers":[4,4]}}},)"
      R"("faults":[{"kind":"preemption","target":"node:p-0","notice":"2min","at":"151s"},)"
      R"({"kind":"node_crash","target":"rack:p/0","at":"270s"}]})");
  EXPECT_THAT(reason(run), HasSubstr("stands still since node_crash rack:p/0, at 00:04:30, and "
                                     "nobody sees it"));
  EXPECT_THAT(reason(run), HasSubstr("; past recovery: job a needs 2 nodes of its pool, and 0 "
                                     "work"));
}

// A crash in the rendezvous leaves the other node reserved, and new nodes serve the job: from
// 15 s on, when three heartbeats of 5 s are missing.
TEST(Stuck, NodesThatAFailedStartLeftReservedAreTold) {
  struct Left {
    std::string what;
    std::string more;
    std::string told;
  };
  const std::string stay =
      "; they stay so until the job ends, as without /cluster/reclaim_leaked nobody takes them "
      "back";
  const std::vector<Left> rows{
      {"it trains on with two others", "",
       "1 node by 1 start that failed, the first at 15s" + stay},
      {"given back after 10 min", R"(,"cluster":{"reclaim_leaked":"10min"})", ""},
      {"given back after the run", R"(,"cluster":{"reclaim_leaked":"10h"})",
       "1 node by 1 start that failed, the first at 15s"},
  };
  for (const Left& row : rows) {
    SCOPED_TRACE(row.what);
    const Outcomes run = simulated(
        R"({"until":"1h","pool":{"nodes":4},"job":{"steps":1000,"phases":{"rendezvous":"30s"},)"
        R"("policy":{"config":{"max_failures":3}}},"faults":[{"kind":"node_crash",)"
        R"("target":"node:p-1","when":{"job":"a","enter":"rendezvous","offset":"1s"}}])" +
        row.more + "}");
    EXPECT_EQ(run.job()["at_end"], "training");
    EXPECT_EQ(run.job().value("left_reserved", ""), row.told);
  }
}

// The node of job a will never show that it hangs, and job b asks for it every minute from 10 s on.
TEST(Stuck, NamesWhoHoldsTheNodes) {
  const Outcomes run =
      simulated(R"({"jobs":[{"collective_timeout":"none"},{"name":"b","submit":"10s"}],)"
                R"("faults":[{"kind":"hang","target":"job:a/rank:1","at":"151s"}]})");
  EXPECT_EQ(reason(run),
            "stuck: job a stands still since hang job:a/rank:1, at 00:02:31, and nobody sees it; "
            "job b waits since 10s for 2 nodes (4 accelerators) of pool p: of its 2 nodes 2 held "
            "by job a; it got none in its last 100 attempts, since 00:01:10, and nothing that is "
            "still to come can change that");
}

TEST(Stuck, AttemptsThatGetNoFurtherEndARunWithoutAnEnd) {
  const Outcomes run = simulated(poisoned("]}"));
  EXPECT_EQ(reason(run),
            "stuck: job a got no further in its last 100 attempts, since 50s: worker_crash "
            "job:a/rank:1 ended each of them (without limit: max_failures, "
            "controller_failure_limit), and nothing that is still to come can change that");
  EXPECT_EQ(run.job()["outcome"], "running");
  EXPECT_EQ(run.job()["attempts"], 100);
  EXPECT_EQ(run.summary["simulated_us"], 5000_s);
}

TEST(Stuck, AnEndOfItsOwnIsWaitedFor) {
  const Outcomes run = simulated(poisoned(R"(],"until":"7190s"})"));
  EXPECT_EQ(reason(run), "passed: ");
  EXPECT_EQ(run.job()["reason"],
            "job a got no further in its last 143 attempts, since 50s: worker_crash job:a/rank:1 "
            "ended each of them (without limit: max_failures, controller_failure_limit)");
  EXPECT_EQ(run.summary["simulated_us"], 7190_s);
  EXPECT_EQ(run.job()["attempts"], 144);
}

// Every attempt fails in loading the checkpoint of 100 s.
TEST(Stuck, AttemptsThatNeverTrainForHalfOfAJobsLifeAreStuckAtAnEndOfItsOwn) {
  const auto until = [](const std::string& end) {
    return simulated(
        R"({"job":{"steps":2000,"checkpoint":{"every":"100s"},"phases":{"launching":"30s"},)"
        R"("policy":{"config":{"max_failures":-1}}},"faults":[)"
        R"({"kind":"corrupt_checkpoint","target":"job:a","at":"145s"},)"
        R"({"kind":"worker_crash","target":"job:a/rank:1","at":"151s"}],"until":")" +
        end + R"("})");
  };
  const Outcomes run = until("4h");
  EXPECT_THAT(reason(run), HasSubstr("stuck: job a got no further in its last "));
  EXPECT_THAT(reason(run), HasSubstr("corrupt_checkpoint job:a ended each of them (without "));
  EXPECT_EQ(run.job()["at_end"], "stuck");
  const Outcomes shorter = until("55min");
  EXPECT_EQ(reason(shorter), "passed: ") << "not for an hour";
  EXPECT_EQ(shorter.job()["at_end"], "recovering");
}

// Node p-1 is away from 151 s on for 3 h, in which the job asks for it every minute, 180 times. At
// 2 h it still waits, at 4 h it trains.
TEST(Stuck, AReasonIsNoLongerGivenWhenNodesHaveCome) {
  const auto until = [](const std::string& end) {
    return simulated(
        R"({"job":{"steps":2000},"faults":[{"kind":"node_crash","target":"node:p-1","at":"151s",)"
        R"("lasts":"3h"}],"until":")" +
        end + R"("})");
  };
  const Outcomes waits = until("2h");
  EXPECT_THAT(waits.job()["reason"], HasSubstr("1 down by node_crash node:p-1; it got none in"));
  EXPECT_GE(waits.job()["attempts"], 100);
  const Outcomes trains = until("4h");
  EXPECT_EQ(trains.job()["outcome"], "running");
  EXPECT_EQ(trains.job()["reason"], "");
}

TEST(Stuck, WhatIsStillToComeIsWaitedFor) {
  const Outcomes lost =
      simulated(poisoned(R"(,{"kind":"head_crash","target":"head:head-0","at":"6010s"}]})"));
  EXPECT_EQ(lost.job()["reason"], "unrecoverable(driver lost: head_crash)");
  EXPECT_EQ(lost.wall(), 6010_s);
  const Outcomes stopped =
      simulated(poisoned(R"(,{"kind":"user_interrupt","target":"job:a",)"
                         R"("when":{"enter":"training","nth":121,"offset":"10s"}}]})"));
  EXPECT_EQ(stopped.job()["reason"], "stopped_by_user");
  EXPECT_EQ(stopped.wall(), 6010_s);
  const Outcomes limited = simulated(poisoned("]}", "", "150"));
  EXPECT_EQ(limited.job()["reason"], "exhausted(max_failures)");
  EXPECT_EQ(limited.wall(), 151 * 50_s);
}

// Experiment x gives its nodes back at 100 s and y at 160 s, in the very moments in which the
// starts of job a have waited long enough.
TEST(Stuck, NodesThatAreFreeInThisMomentAreNoDeadEnd) {
  const Outcomes run = simulated(
      R"({"job":{"submit":"40s"},"experiments":[{},{"name":"y","submit":"100s","steps":6}]})");
  EXPECT_EQ(reason(run), "passed: ");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.wall(), 1120_s);
}

// Node p-1 is gone for good at 151 s; neither policy hears of anything more before the fault.
std::string starved(const std::string& fault, const std::string& policy = "ray_train") {
  return R"({"job":{"policy":{"name":")" + policy +
         R"(","config":{"max_failures":1}}},"faults":[)"
         R"({"kind":"node_crash","target":"node:p-1","at":"151s"},)" +
         fault + "]}";
}

TEST(Stuck, WhoWaitsForNodesIsNotGivenUpWhileAFaultMayReachIt) {
  for (const char* policy : {"ray_train", "ray_train_v1"}) {
    const Outcomes stopped =
        simulated(starved(R"({"kind":"user_interrupt","target":"job:a","at":"1h"})", policy));
    EXPECT_EQ(reason(stopped), "passed: ") << policy;
    EXPECT_EQ(stopped.job()["outcome"], "aborted") << policy;
    EXPECT_EQ(stopped.wall(), 3600_s) << policy;
    const Outcomes lost =
        simulated(starved(R"({"kind":"head_crash","target":"head:head-0","at":"1h"})", policy));
    EXPECT_EQ(reason(lost), "passed: ") << policy;
    EXPECT_EQ(lost.job()["reason"], "unrecoverable(driver lost: head_crash)") << policy;
    EXPECT_EQ(lost.wall(), 3600_s) << policy;
  }
}

TEST(Stuck, AnExperimentIsNotGivenUpWhileAFaultMayReachIt) {
  const Outcomes run = simulated(
      R"({"jobs":[],"experiments":[{}],"faults":[{"kind":"node_crash","target":"node:p-0",)"
      R"("at":"15s"},{"kind":"node_crash","target":"node:p-1","at":"15s"},)"
      R"({"kind":"user_interrupt","target":"experiment:x","at":"1h"}]})");
  EXPECT_EQ(reason(run), "passed: ");
  EXPECT_EQ(run.summary["experiments"][0]["outcome"], "aborted");
  EXPECT_EQ(run.summary["simulated_us"], 3600_s);
}

// The last of them breaks the node that is left; then nothing more can reach the job.
TEST(Stuck, WhenTheLastFaultHasStruckItIsGivenUp) {
  for (const char* policy : {"ray_train", "ray_train_v1"}) {
    const Outcomes run =
        simulated(starved(R"({"kind":"node_crash","target":"node:p-0","at":"1h"})", policy));
    EXPECT_THAT(reason(run), HasSubstr("stuck: job a waits since 00:02:45 for 2 nodes")) << policy;
    EXPECT_GE(run.summary["simulated_us"], 3600_s) << policy;
    EXPECT_LE(run.summary["simulated_us"], 3720_s) << policy;
  }
}

// Job a is given up at 00:04:45 and job b comes later, so its end is not that of the run.
TEST(Stuck, WhoEndedIsNotStuckAndLaterJobsAreSubmitted) {
  const Outcomes run = simulated(
      R"({"jobs":[{"policy":{"config":{"max_failures":1}}},{"name":"b","submit":"2h"}],"faults":[)"
      R"({"kind":"node_crash","target":"node:p-1","at":"151s"},)"
      R"({"kind":"head_crash","target":"head:head-0","at":"1h"}]})");
  EXPECT_EQ(reason(run), "passed: ");
  EXPECT_EQ(run.summary["jobs"][0]["reason"], "unrecoverable(driver lost: head_crash)");
  EXPECT_EQ(run.summary["jobs"][1]["reason"], "unrecoverable(no head to run its driver)");
  EXPECT_EQ(run.summary["simulated_us"], 7200_s);
}

// Lengths that are drawn anew might let an attempt get further: the run ends at its most entries.
TEST(Stuck, ARunThatIsCutShortSaysWhoStartedAgainAndAgain) {
  scenario::ReadResult read = scenario::read_scenario_text(
      scenario_text(poisoned("]}", R"(,"phases":{"launching":{"uniform":["1s","2s"]}})")),
      "test.json");
  ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read));
  simulate::SimulateOptions options;
  options.max_entries = 20'000;
  const reports::RunSummary run =
      simulate::simulate(std::make_shared<const scenario::Scenario>(
                             std::move(std::get<scenario::ReadScenario>(read).scenario)),
                         options);
  EXPECT_EQ(run.verdict, reports::Verdict::kInconclusive);
  EXPECT_THAT(run.verdict_reason,
              HasSubstr("stopped after 20000 calendar entries (--max-events); job a got no further "
                        "in its last "));
  EXPECT_THAT(run.verdict_reason, HasSubstr(": worker_crash job:a/rank:1 ended each of them"));
}

// A fault of another pool's switch is nothing to wait for; one of its own is, until the switch is
// whole again. The job waits since 165 s for a node that does not come back.
TEST(Stuck, ASwitchIsOfThePoolThatItStandsIn) {
  struct Row {
    const char* pool;
    const char* where;
    std::int64_t ends_us;
  };
  for (const Row& row : {Row{"p", "switch:p", 3610_s}, Row{"p", "switch:q", 165_s},
                         Row{"q", "switch:q", 3610_s}, Row{"q", "switch:p", 165_s}}) {
    SCOPED_TRACE(std::string(row.pool) + " " + row.where);
    const std::string pool = row.pool;
    const Outcomes run = simulated(
        R"({"cluster":{"pools":[{"name":"p","nodes":2,"accelerators":{"per_node":2}},)"
        R"({"name":"q","nodes":2,"accelerators":{"per_node":2}}]},)"
        R"("job":{"pool":")" +
        pool + R"(","policy":{"name":"mindcluster","config":{"max_failures":null,)" +
        R"("fault-scheduling":"grace"}}},"faults":[)" + R"({"kind":"node_crash","target":"node:)" +
        pool + R"(-1","at":"151s"},)" + R"({"kind":"partition","target":")" + row.where +
        R"(","at":"1h","lasts":"10s"}]})");
    EXPECT_EQ(run.summary["verdict"], "stuck");
    EXPECT_EQ(run.summary["simulated_us"], row.ends_us);
  }
}

}  // namespace
}  // namespace aftershock::sim::world
