// Messages that come late or twice (S19, S20): whoever looks at the attempt that a message is about
// does as if it had not come. Work of 290 s, a checkpoint every 100 s; rank 0 crashes at 151.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

// `policy`: what replaces that of the base job.
Outcomes with_message(const std::string& policy, const std::string& fault) {
  return simulated(fmt::format(
      R"({{"pool": {{"spares": 1}},
           "cluster": {{"storage": [{{"name": "s", "read": "1GB/s", "write": "1GB/s"}}]}},
           "job": {{"steps": 29, "checkpoint": {{"every": "100s", "bytes": "1GB"}},
                    "policy": {}}},
           "faults": [{{"kind": "worker_crash", "target": "job:a/rank:0", "at": "151s"}}{}]}})",
      policy, fault));
}

constexpr const char* kWorkers = R"({"name": "ray_train", "config": {"max_failures": 9}})";
constexpr const char* kPods = R"({"name": "modelarts", "config": {"max_failures": null,
  "metadata": {"annotations": {"fault-tolerance/job-retry-num": "3",
    "fault-tolerance/job-unconditional-retry": "true", "fault-tolerance/hang-retry": "true"}}}})";

// Everything that is the same whether the message comes or not.
void expect_same(const Outcomes& run, const Outcomes& without, const std::string& what) {
  for (const char* key : {"outcome", "attempts", "ledger_us", "budgets", "lost", "wall_us"}) {
    EXPECT_EQ(run.job()[key], without.job()[key]) << what << ": " << key;
  }
}

TEST(Messages, OfAnEarlierAttemptChangeNothing) {
  for (const char* policy : {kWorkers, kPods}) {
    const Outcomes without = with_message(policy, "");
    ASSERT_EQ(without.job()["attempts"], 2) << policy;
    for (const char* message : {"exit", "stopped", "running"}) {
      const Outcomes run = with_message(
          policy, fmt::format(R"(, {{"kind": "stale_message", "message": "{}", "target": "job:a",
                                     "at": "230s"}})",
                              message));
      EXPECT_EQ(run.faults("stale_message"), "fired 1 masked 0 detected 1") << message;
      expect_same(run, without, message);
    }
  }
}

// Only controllers that take reports have them.
TEST(Messages, AReportOfAnEarlierAttemptChangesNothing) {
  const Outcomes run = with_message(
      kWorkers,
      R"(, {"kind": "stale_message", "message": "report", "target": "job:a", "at": "180s"})");
  EXPECT_EQ(run.faults("stale_message"), "fired 1 masked 0 detected 1");
  expect_same(run, with_message(kWorkers, ""), "report");
}

// Before there was an earlier attempt nothing of one can come.
TEST(Messages, OfNoEarlierAttemptAreMasked) {
  const Outcomes run = with_message(
      kWorkers,
      R"(, {"kind": "stale_message", "message": "exit", "target": "job:a", "at": "100s"})");
  EXPECT_EQ(run.faults("stale_message"), "fired 0 masked 1 detected 0");
}

TEST(Messages, ThatComeTwiceChangeNothing) {
  for (const char* policy : {kWorkers, kPods}) {
    const Outcomes without = with_message(policy, "");
    for (const char* message : {"exit", "stopped", "running", "report"}) {
      if (policy == kPods && message == std::string("report")) {
        continue;
      }
      for (const char* delay : {"0s", "1us", "500ms", "7s"}) {
        const Outcomes run = with_message(
            policy,
            fmt::format(R"(, {{"kind": "duplicate_message", "message": "{}", "target": "job:a",
                               "at": "90s", "delay": "{}"}})",
                        message, delay));
        EXPECT_EQ(run.faults("duplicate_message"), "fired 1 masked 0 detected 1")
            << message << ' ' << delay;
        expect_same(run, without, fmt::format("{} after {}", message, delay));
      }
    }
  }
}

}  // namespace
}  // namespace aftershock::sim::world
