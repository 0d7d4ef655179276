// Groups that may be of several sizes, and lose a node while they start.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

struct ElasticRow {
  const char* name;
  const char* policy;
  const char* at;  ///< when node 1 of 2 is lost for good
};

// One node suffices. It is known at 35 or 175 that the other is lost; the last call takes 30 s, and
// the group meets without it. Half of it does the work in twice the time.
TEST(ElasticGroups, GoOnWithTheNodesThatTheyHave) {
  const ElasticRow rows[] = {
      {"torchrun, in launching",
       R"("torchrun", "config": {"max_failures": null, "max_restarts": 2, "nnodes": "1:2", "nproc_per_node": 2})",
       "20s"},
      {"torchrun, in the rendezvous of a restart",
       R"("torchrun", "config": {"max_failures": null, "max_restarts": 2, "nnodes": "1:2", "nproc_per_node": 2})",
       "165s"},
      {"kubeflow, in launching",
       R"("kubeflow", "config": {"max_failures": null, "elasticPolicy": {"minReplicas": 1, "maxReplicas": 2,
                                                   "maxRestarts": 3, "nProcPerNode": 2}})",
       "20s"},
      {"ray_train, whose placement times out twice before it looks at what there is",
       R"("ray_train", "profile": "2026-11", "config": {"max_failures": 2, "num_workers": [2, 4],
                                                       "worker_group_start_timeout_s": 5})",
       "165s"},
  };
  for (const ElasticRow& row : rows) {
    const Outcomes outcomes = simulated(fmt::format(
        R"({{"job": {{"phases": {{"launching": "40s", "rendezvous": "20s"}},
                      "collective_timeout": "60s",
                      "checkpoint": {{"every": "100s", "at_end": false}},
                      "policy": {{"name": {}}}}},
             "until": "1h",
             "faults": [{{"kind": "worker_crash", "target": "job:a/rank:0", "at": "151s"}},
                        {{"kind": "node_crash", "target": "node:p-1", "at": "{}"}}]}})",
        row.policy, row.at));
    EXPECT_EQ(outcomes.job()["outcome"], "completed") << row.name;
    EXPECT_LE(outcomes.wall(), 2600_s) << row.name;
  }
}

}  // namespace
}  // namespace aftershock::sim::world
