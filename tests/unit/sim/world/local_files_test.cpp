// Files that stay on the disk of the machine of a job's workers, and go with it.

#include <string>

#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

// Job a runs on one node, stores a checkpoint every 100 s, and loses the node at 251 s.
Outcomes after_loss(const std::string& kind, const std::string& lasts = {}) {
  return simulated(
      R"({"cluster":{"storage":[{"name":"d","kind":")" + kind +
      R"(","read":"1GB/s","write":"1GB/s"}]},"job":{"workers":2,"checkpoint":{"every":"100s",)"
      R"("bytes":"1MB"},"run":{"storage_path":")" +
      (kind == "object" ? "s3://b/r" : "/r") +
      R"(","name":"a"},"policy":{"config":{"max_failures":3}}},)"
      R"("faults":[{"kind":"node_crash","target":"node:p-0","at":"251s")" +
      lasts + "}]}");
}

TEST(LocalFiles, AnotherMachineDoesNotHaveThem) {
  const Outcomes run = after_loss("local");
  // The crash, and every attempt that asks for the checkpoint.
  EXPECT_EQ(run.job()["reason"], "exhausted(max_failures)");
  EXPECT_EQ(run.used("max_failures"), 4);
  // Nor does it help that the old one comes back.
  EXPECT_EQ(after_loss("local", R"(,"lasts":"1min")").used("max_failures"), 4);
}

TEST(LocalFiles, SharedOnesAreFoundFromAnyMachine) {
  for (const char* kind : {"nfs", "object"}) {
    const Outcomes run = after_loss(kind);
    EXPECT_EQ(run.job()["outcome"], "completed") << kind;
    EXPECT_EQ(run.used("max_failures"), 1) << kind;
  }
}

// Both nodes are needed by nobody else, and the process alone dies: the place stays.
TEST(LocalFiles, AreFoundAgainWhereTheyWereWritten) {
  const Outcomes run = simulated(
      R"({"cluster":{"storage":[{"name":"d","kind":"local","read":"1GB/s","write":"1GB/s"}]},)"
      R"("job":{"workers":2,"checkpoint":{"every":"100s","bytes":"1MB"},)"
      R"("run":{"storage_path":"/r","name":"a"}},)"
      R"("faults":[{"kind":"worker_crash","target":"job:a/rank:0","at":"251s"}]})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.used("max_failures"), 1);
}

}  // namespace
}  // namespace aftershock::sim::world
