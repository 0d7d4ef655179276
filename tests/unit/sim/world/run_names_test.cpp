// Several jobs that run under one storage path and name, one after the other.

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

std::string job(const char* rest) {
  return std::string(R"({"checkpoint":{"every":"100s"},"run":{"name":"r"},)") + rest + "}";
}

const std::string kV1Policy = R"("policy":{"name":"ray_train_v1","config":)";

// Job a is done at 300 s and leaves step 30. Job b resumes it at 400 s and has saved step 80 at
// 900 s when its head is lost: its next driver goes on from there and not from what a left.
TEST(RunNames, ANewDriverGoesOnWithWhatWasWrittenLast) {
  const Outcomes run = simulated(
      R"({"cluster":{"heads":[{"name":"h"},{"name":"g","restart":{"after":"50s"}}]},"jobs":[)" +
      job(R"("steps":30,"head":"h")") + "," +
      job(R"("name":"b","submit":"400s","steps":100,"head":"g")") +
      R"(],"faults":[{"kind":"head_crash","target":"head:g","at":"950s"}],)"
      R"("cluster":{"workers_die_with_head":false,)"
      R"("heads":[{"name":"h"},{"name":"g","restart":{"after":"50s"}}]}})");
  const nlohmann::json& drivers = run.summary["driver_runs"];
  ASSERT_EQ(drivers.size(), 3U);
  EXPECT_EQ(drivers[1]["found"], "step 30 of job a");
  EXPECT_EQ(drivers[2]["found"], "step 80 of job b");
  EXPECT_EQ(run.job(1)["lost"]["steps"], 5);
}

// A trainer of V1 that is not restored starts its trial anew in the directory of the old one, whose
// checkpoints are further on than its own first ones. A wait for futures that has taken the last
// report begins again, and sees the end a microsecond later.
TEST(RunNames, V1StartsAnewOverAnOldRun) {
  const Outcomes run =
      simulated(R"({"jobs":[)" + job(("\"steps\":30," + kV1Policy + "{}}").c_str()) + "," +
                job((R"("name":"b","submit":"400s",)" + kV1Policy + "{}}").c_str()) + "]}");
  EXPECT_EQ(run.job(1)["outcome"], "completed");
  EXPECT_EQ(run.ledger(1), (Buckets{{"productive", 1000_s}, {"finalizing", 1}}));
  EXPECT_EQ(run.job(1)["attempts"], 1);
  EXPECT_EQ(run.summary["warnings"], nlohmann::json::array());
}

// Restored, it goes on behind the 30 steps of the old run, although that was finished.
TEST(RunNames, V1GoesOnWithAnOldRunWhenRestored) {
  const Outcomes run = simulated(
      R"({"jobs":[)" + job(("\"steps\":30," + kV1Policy + "{}}").c_str()) + "," +
      job((R"("name":"b","submit":"400s",)" + kV1Policy + R"({"restore":true}})").c_str()) + "]}");
  EXPECT_EQ(run.job(1)["outcome"], "completed");
  EXPECT_EQ(run.ledger(1), (Buckets{{"productive", 700_s}, {"finalizing", 1}}));
}

}  // namespace
}  // namespace aftershock::sim::world
