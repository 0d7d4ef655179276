// Pods on a node that the cluster has taken for dead, and that is back before they are evicted
// (Kubernetes documentation, Taints and Tolerations: after 300 s). The job works from 0 to 1,000 s.

#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

using testing::HasSubstr;

struct Platform {
  const char* name;
  const char* policy;
  std::int64_t looks_us = 0;  ///< so long after the last pod its job is complete
};

constexpr Platform kPlatforms[] = {
    {"job", R"("job", "config": {"max_failures": null, "spec": {"backoffLimit": 9}})", 1'000'000},
    {"jobset",
     R"("jobset", "config": {"max_failures": null, "spec": {"failurePolicy": {"maxRestarts": 9}, "replicatedJobs": [
          {"name": "w", "template": {"spec": {"backoffLimit": 0}}}]}})",
     1'000'000},
    {"kubeflow",
     R"("kubeflow", "config": {"max_failures": null, "runPolicy": {"backoffLimit": 9}})"},
    {"volcano",
     R"("volcano", "config": {"max_failures": null, "maxRetry": 9,
          "policies": [{"events": ["PodFailed", "PodEvicted"], "action": "RestartJob"}]})"},
};

Outcomes run(const Platform& platform, const std::string& fault, const char* pool = "{}") {
  return simulated(fmt::format(
      R"({{"pool": {}, "until": "3000s",
           "job": {{"collective_timeout": "60s", "checkpoint": {{"every": "100s", "at_end": false}},
                    "policy": {{"name": {}}}}}, "faults": [{{{}}}]}})",
      pool, platform.policy, fault));
}

// Declared dead at 165 s, and reached again at 196.
TEST(Evictions, PodsOfANodeThatIsReachedAgainGoOn) {
  for (const Platform& platform : kPlatforms) {
    const Outcomes outcomes =
        run(platform, R"("kind": "head_worker_partition", "target": "node:p-1", "at": "151s",
                         "lasts": "45s")");
    EXPECT_EQ(outcomes.job()["attempts"], 1) << platform.name;
    EXPECT_EQ(outcomes.wall(), 1031_s + platform.looks_us) << platform.name;
  }
}

// Cut off from its peers as well, it stands still for as long.
TEST(Evictions, ACutThatStopsTheGangCostsItsLength) {
  for (const Platform& platform : kPlatforms) {
    const Outcomes outcomes =
        run(platform, R"("kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "45s")");
    EXPECT_EQ(outcomes.job()["attempts"], 1) << platform.name;
    EXPECT_EQ(outcomes.wall(), 1045_s + platform.looks_us) << platform.name;
  }
}

// The kubelet is up again at 196, and says that its containers have ended; the peers give up at
// 211, and all start again, under a Job 80 s after the fourth pod has failed. An eviction at 465
// would have come far later.
TEST(Evictions, ContainersThatEndedWithTheirNodeFailWhenItIsBack) {
  for (const Platform& platform : kPlatforms) {
    const Outcomes outcomes = run(
        platform, R"("kind": "node_crash", "target": "node:p-1", "at": "151s", "lasts": "45s")");
    EXPECT_EQ(outcomes.job()["attempts"], 2) << platform.name;
    EXPECT_EQ(outcomes.job()["outcome"], "completed") << platform.name;
    EXPECT_LE(outcomes.wall(), 1000_s + 51_s + 60_s + 80_s + platform.looks_us) << platform.name;
  }
}

// From the head to one node nothing arrives, for longer than the run: its heartbeats come, and the
// next start waits there for an answer. Nobody can find that out, and the run does not pass.
TEST(Evictions, ACutForGoodThatNobodySeesIsToldAsStuck) {
  const Outcomes outcomes = simulated(
      R"({"pool": {"spares": 1}, "until": "1d", "job": {"collective_timeout": "60s"},
          "faults": [{"kind": "one_way_partition", "direction": "inwards", "target": "node:p-1",
                      "at": "151s", "lasts": "30d"}]})");
  EXPECT_EQ(outcomes.summary["verdict"], "stuck");
  EXPECT_THAT(outcomes.summary["verdict_reason"].get<std::string>(),
              HasSubstr("one_way_partition node:p-1"));
}

}  // namespace
}  // namespace aftershock::sim::world
