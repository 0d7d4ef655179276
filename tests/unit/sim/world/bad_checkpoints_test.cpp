// Checkpoints that are torn or cannot be read. Work of 290 s from 0 on, a save of 10 s after every
// 100 s of it: 100..110, 210..220. Restoring takes 10 s. Rank 0 crashes at 251, which 252 shows.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

struct BadRow {
  const char* name;
  const char* faults;
  const char* job;  ///< its difference from the others
  Buckets ledger;
  const char* counts;  ///< of the kind of the first fault
};

void PrintTo(const BadRow& row, std::ostream* out) { *out << row.name; }

class BadCheckpoints : public testing::TestWithParam<BadRow> {};

Outcomes with_faults(const char* job, const char* faults) {
  return simulated(fmt::format(
      R"({{"cluster": {{"storage": [{{"name": "s", "read": "100MB/s", "write": "100MB/s"}}]}},
           "job": {{"steps": 29, "checkpoint": {{"every": "100s", "bytes": "1GB", "at_end": false}}
                    {}}},
           "faults": [{}]}})",
      job, faults));
}

TEST_P(BadCheckpoints, CostWhatTheyCost) {
  const BadRow& row = GetParam();
  const Outcomes run = with_faults(row.job, row.faults);
  EXPECT_EQ(run.ledger(), row.ledger);
  const std::string kind = std::string(row.faults).find("torn") != std::string::npos
                               ? "torn_checkpoint"
                               : "corrupt_checkpoint";
  EXPECT_EQ(run.faults(kind), row.counts);
}

#define TORN(at, found) \
  R"({"kind": "torn_checkpoint", "target": "job:a", "found": ")" found R"(", "at": ")" at R"("})"
#define CORRUPT(at) R"({"kind": "corrupt_checkpoint", "target": "job:a", "at": ")" at R"("})"
#define BUG(at) R"({"kind": "worker_crash", "target": "job:a/rank:0", "at": ")" at R"("})"
#define FALLS_BACK R"(, "script": {"falls_back": true})"

INSTANTIATE_TEST_SUITE_P(
    ByHand, BadCheckpoints,
    testing::Values(
        // Nobody needs it.
        BadRow{"TornAndNotNeeded", TORN("50s", "at_commit"), "",
               Buckets{{"productive", 290_s}, {"checkpoint_blocking", 20_s}},
               "fired 1 masked 0 detected 1"},
        // Back to the first one: 131 s lost. From 262 on 100 s, a save, 90 s.
        BadRow{"TornNeverCounts", TORN("150s", "at_commit") "," BUG("251s"), "",
               Buckets{{"productive", 290_s},
                       {"rolled_back", 131_s},
                       {"undetected", 1_s},
                       {"restoring", 10_s},
                       {"checkpoint_blocking", 30_s}},
               "fired 1 masked 0 detected 1"},
        // It counts, and the load at 262 finds it out; the one before it is, at 272.
        BadRow{"TornFoundAtRestore", TORN("150s", "at_restore") "," BUG("251s"), FALLS_BACK,
               Buckets{{"productive", 290_s},
                       {"rolled_back", 131_s},
                       {"undetected", 1_s},
                       {"restoring", 20_s},
                       {"checkpoint_blocking", 30_s}},
               "fired 1 masked 0 detected 1"},
        BadRow{"CorruptFallsBack", CORRUPT("230s") "," BUG("251s"), FALLS_BACK,
               Buckets{{"productive", 290_s},
                       {"rolled_back", 131_s},
                       {"undetected", 1_s},
                       {"restoring", 20_s},
                       {"checkpoint_blocking", 30_s}},
               "fired 1 masked 0 detected 1"},
        // There is none before it: from zero, at 162.
        BadRow{"CorruptAndTheOnlyOne", CORRUPT("120s") "," BUG("151s"), FALLS_BACK,
               Buckets{{"productive", 290_s},
                       {"rolled_back", 141_s},
                       {"undetected", 1_s},
                       {"restoring", 10_s},
                       {"checkpoint_blocking", 30_s}},
               "fired 1 masked 0 detected 1"},
        // Nobody restores from it.
        BadRow{"CorruptAndNotNeeded", CORRUPT("230s"), "",
               Buckets{{"productive", 290_s}, {"checkpoint_blocking", 20_s}},
               "fired 1 masked 0 detected 0"},
        // There is none to spoil yet.
        BadRow{"CorruptBeforeAnyIsCommitted", CORRUPT("50s"), "",
               Buckets{{"productive", 290_s}, {"checkpoint_blocking", 20_s}},
               "fired 0 masked 1 detected 0"}),
    [](const testing::TestParamInfo<BadRow>& row) { return row.param.name; });

// Ray hands out the newest one again and again: 252, 262, 272, and so on, every 10 s, and each time
// the script's error is one more failure of the workers.
TEST(BadCheckpoint, ThatIsHandedOutAgainAndAgainEndsTheJob) {
  const Outcomes run = with_faults(R"(, "policy": {"config": {"max_failures": 2}})",
                                   CORRUPT("230s") "," BUG("251s"));
  EXPECT_EQ(run.job()["outcome"], "failed");
  EXPECT_EQ(run.job()["reason"], "exhausted(max_failures)");
  EXPECT_EQ(run.ledger()["restoring"], 20_s);
  EXPECT_EQ(run.wall(), 272_s);
}

// Work that only the unreadable one held is put down to it: 31 s to the crash, 100 s to the other.
TEST(BadCheckpoint, PaysForWhatOnlyItHeld) {
  const Outcomes run = with_faults(FALLS_BACK, CORRUPT("230s") "," BUG("251s"));
  EXPECT_EQ(run.job()["lost"]["us"], 131_s);
  EXPECT_EQ(run.job()["recoveries"][0]["lost_us"], 31_s);
  EXPECT_EQ(run.used("max_failures"), 1);
  EXPECT_EQ(run.job()["attempts"], 2);
}

}  // namespace
}  // namespace aftershock::sim::world
