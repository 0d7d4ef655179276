#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

// Processes that outlive what befell others of their attempt. Of two nodes one goes at 101 s, is
// missed at 115 s and is back at 601 s; nothing is ever saved.
namespace aftershock::sim::world {
namespace {

// Recovery of its processes is waited for until 385 s, 270 s.
TEST(Survivors, EndWhenTheirAttemptIsStoppedAsItWaitsForANode) {
  const Outcomes run = simulated(
      R"({"job":{"phases":{"tearing_down":"5s"},"policy":{"name":"mindcluster","config":{)"
      R"("max_failures":null,"fault-scheduling":"grace","recover-strategy":"recover"}}},"faults":[)"
      R"({"kind":"node_crash","target":"node:p-1","at":"101s","lasts":"500s"}]})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.ledger(), (Buckets{{"undetected", 14_s},
                                   {"tearing_down", 5_s},
                                   {"waiting_for_capacity", 486_s - 5_s},
                                   {"rolled_back", 101_s},
                                   {"productive", 1000_s}}));
}

Outcomes restarted(const char* how) {
  return simulated(fmt::format(
      R"({{"job":{{"phases":{{"launching":"20s","rendezvous":"10s"}},"policy":{{"name":"nvrx",)"
      R"("config":{{"max_failures":null,"max_restarts":1,"in_process":{{}}}}}}}},"faults":[)"
      R"({{"kind":"worker_crash","how":"{}","target":"job:a/rank:1","at":"130s"}}]}})",
      how));
}

TEST(Survivors, MeetAgainInTheirProcessesWithoutALaunch) {
  EXPECT_EQ(restarted("exception").ledger(), (Buckets{{"launching", 20_s},
                                                      {"rendezvous", 20_s},
                                                      {"rolled_back", 100_s},
                                                      {"productive", 1000_s}}));
  EXPECT_EQ(restarted("exit").ledger(), (Buckets{{"launching", 40_s},
                                                 {"rendezvous", 20_s},
                                                 {"rolled_back", 100_s},
                                                 {"productive", 1000_s}}));
}

struct GivesUpRow {
  const char* why;
  const char* kind;
  const char* at;
  const char* lasts;
  std::int64_t goes_on_us;  ///< all of them are seen to have ended, and all nodes hear again
};

// Where pods are left to their collective, those behind a cut give up with the others, 60 s after
// rank 0 ended at 104 s: that is seen at once when their node can still speak, else when it can
// again. Before, they were taken for well when the cut was over, and waited for ever. A node that
// does not hear yet is where the next attempt stands still.
TEST(Survivors, BehindACutGiveUpAsTheOthersDo) {
  const GivesUpRow rows[] = {
      {"cut a microsecond before", R"("one_way_partition","direction":"inwards")", "163999999us",
       "45s", 208'999'999},
      {"cut all the while", R"("one_way_partition","direction":"inwards")", "110s", "100s", 210_s},
      {"silent as they give up", R"("partition")", "158s", "10s", 168_s},
      {"back before that", R"("partition")", "150s", "10s", 164_s},
  };
  for (const GivesUpRow& row : rows) {
    SCOPED_TRACE(row.why);
    const Outcomes run = simulated(
        fmt::format(R"({{"job":{{"collective_timeout":"60s","policy":{{"name":"kubeflow",)"
                    R"("config":{{"max_failures":null}}}}}},)"
                    R"("faults":[{{"kind":"worker_crash","target":"job:a/rank:0","at":"104s"}},)"
                    R"({{"kind":{},"target":"node:p-1","at":"{}","lasts":"{}"}}]}})",
                    row.kind, row.at, row.lasts));
    EXPECT_EQ(run.job()["outcome"], "completed");
    EXPECT_EQ(run.wall(), row.goes_on_us + 1000_s);
  }
}

}  // namespace
}  // namespace aftershock::sim::world
