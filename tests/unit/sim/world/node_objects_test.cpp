// Pods of a node that is lost, by policy and by the rule for what Kubernetes keeps of it (findings
// of the controllers: a pod that is evicted stays until its kubelet is back or somebody removes
// it). The job works from 0 to 1,000 s and saves every 100 s; one of two nodes goes at 151 s and is
// missed at 165 s, so that its pod is evicted at 465 s, and a spare is there. The other pod waits
// in its collective until 751 s.

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

constexpr const char* kJob =
    R"("job", "config": {"max_failures": null, "spec": {"completionMode": "Indexed", "completions": 2,
                                  "parallelism": 2, "backoffLimit": 9}})";
constexpr const char* kJobWithPolicy =
    R"("job", "config": {"max_failures": null, "spec": {"completionMode": "Indexed", "completions": 2,
          "parallelism": 2, "backoffLimit": 9, "podFailurePolicy": {"rules": [
            {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}}})";
constexpr const char* kJobSet =
    R"("jobset", "config": {"max_failures": null, "spec": {"failurePolicy": {"maxRestarts": 9}, "replicatedJobs": [
          {"name": "w", "template": {"spec": {"completionMode": "Indexed", "completions": 2,
             "parallelism": 2, "backoffLimit": 0}}}]}})";
constexpr const char* kKubeflow =
    R"("kubeflow", "config": {"max_failures": null, "runPolicy": {"backoffLimit": 9}})";
constexpr const char* kVolcano =
    R"("volcano", "config": {"max_failures": null, "maxRetry": 9,
          "policies": [{"event": "PodEvicted", "action": "RestartJob"}]})";

constexpr const char* kDefault = "{}";
constexpr const char* kCloud = R"({"removed_by": "cloud"})";
constexpr const char* kOperator = R"({"removed_by": "operator", "removed_after": "1000s"})";
constexpr const char* kNobody = R"({"removed_by": "nobody"})";

struct ObjectsCase {
  const char* policy;
  const char* rule;
  const char* lasts;      ///< none: the machine is gone for good
  std::int64_t again_us;  ///< the next attempt begins, with work of 100 s; 0: none does
};

// When the last of two pods has failed, a Job waits 10 s, doubled with each: 20 s.
constexpr std::int64_t kDelayUs = 20'000'000;

// The Job controller looks at pods so long after something has happened to them, also when they
// have succeeded.
constexpr std::int64_t kLookUs = 1'000'000;

// The other pod gives up at 751 s. By default, and under a Job without podFailurePolicy, the pod
// of the lost node has failed by its eviction at 465 s.
constexpr std::int64_t kOtherUs = 751'000'000;
// The machine is gone: 5 s after 165 s its Node object goes, and its pod 40 s after that.
constexpr std::int64_t kCloudUs = 210'000'000;
constexpr std::int64_t kOperatorUs = 1'165'000'000;
// A node that is off for 1,349 s is back at 1,500 s, and its kubelet ends what was deleted.
constexpr const char* kLasts = "1349s";
constexpr std::int64_t kBackUs = 1'500'000'000;

constexpr ObjectsCase kCases[] = {
    {kJob, kDefault, "", kOtherUs + kDelayUs},
    {kJob, kCloud, "", kOtherUs + kDelayUs},
    {kJob, kOperator, "", kOtherUs + kDelayUs},
    {kJob, kNobody, "", kOtherUs + kDelayUs},
    {kJobWithPolicy, kDefault, "", kOtherUs + kDelayUs},
    {kJobWithPolicy, kCloud, "", kOtherUs + kDelayUs},
    {kJobWithPolicy, kOperator, "", kOperatorUs + kDelayUs},
    {kJobWithPolicy, kNobody, "", 0},
    {kJobWithPolicy, kCloud, kLasts, kBackUs + kDelayUs},
    {kJobWithPolicy, kNobody, kLasts, kBackUs + kDelayUs},
    // The eviction fails the Job by itself, and so does its pod's being collected: a look later its
    // other pod is deleted, and another look later it is Failed.
    {kJobSet, kDefault, "", 465'000'000 + 2 * kLookUs},
    {kJobSet, kCloud, "", kCloudUs + 2 * kLookUs},
    {kJobSet, kOperator, "", kOperatorUs + kLookUs},
    {kJobSet, kNobody, "", 0},
    {kJobSet, kCloud, kLasts, kBackUs + kLookUs},
    {kJobSet, kNobody, kLasts, kBackUs + kLookUs},
    // Containers start anew when the last of the pods is down.
    {kKubeflow, kDefault, "", kOtherUs},
    {kKubeflow, kCloud, "", kOtherUs},
    {kKubeflow, kOperator, "", kOperatorUs},
    {kKubeflow, kNobody, "", 0},
    {kKubeflow, kCloud, kLasts, kBackUs},
    {kKubeflow, kNobody, kLasts, kBackUs},
    {kVolcano, kDefault, "", 465'000'000},
    {kVolcano, kCloud, "", kCloudUs},
    {kVolcano, kOperator, "", kOperatorUs},
    {kVolcano, kNobody, "", 0},
    {kVolcano, kCloud, kLasts, kBackUs},
    {kVolcano, kNobody, kLasts, kBackUs},
};

TEST(NodeObjects, PodsOfALostNodeAreMadeAnewWhenTheirObjectsAreGone) {
  for (const ObjectsCase& one : kCases) {
    const std::string what = fmt::format("{} under {} {}", one.policy, one.rule, one.lasts);
    const std::string lasts =
        *one.lasts == '\0' ? std::string() : fmt::format(R"(, "lasts": "{}")", one.lasts);
    const Outcomes outcomes = simulated(fmt::format(
        R"({{"pool": {{"spares": 1}}, "cluster": {{"node_object": {}}}, "until": "6000s",
             "job": {{"collective_timeout": "600s",
                      "checkpoint": {{"every": "100s", "at_end": false}},
                      "policy": {{"name": {}}}}},
             "faults": [{{"kind": "node_crash", "target": "node:p-1", "at": "151s"{}}}]}})",
        one.rule, one.policy, lasts));
    if (one.again_us == 0) {
      EXPECT_EQ(outcomes.summary.value("verdict", ""), "stuck") << what;
      EXPECT_EQ(outcomes.job().value("attempts", 0), 1) << what;
    } else {
      EXPECT_EQ(outcomes.job().value("outcome", ""), "completed") << what;
      EXPECT_EQ(outcomes.job().value("attempts", 0), 2) << what;
      const bool looks = std::string_view(one.policy).starts_with(R"("job)");
      EXPECT_EQ(outcomes.wall(), one.again_us + 900'000'000 + (looks ? kLookUs : 0)) << what;
    }
  }
}

// The node works behind a cut from its head, at 151 s, and its pod is evicted at 465 s. It is
// reached again at 500 s: the kubelet ends the pod, and the peer's collective fails with it. Work
// of 100 s is saved, so that 900 s are left.
TEST(NodeObjects, AKubeletEndsAPodThatWasEvictedBehindACut) {
  for (const char* rule : {kDefault, kCloud, kNobody}) {
    const Outcomes outcomes = simulated(fmt::format(
        R"({{"cluster": {{"node_object": {}}}, "until": "6000s",
             "job": {{"collective_timeout": "600s",
                      "checkpoint": {{"every": "100s", "at_end": false}},
                      "policy": {{"name": {}}}}},
             "faults": [{{"kind": "head_worker_partition", "target": "node:p-1", "at": "151s",
                          "lasts": "349s"}}]}})",
        rule, kKubeflow));
    EXPECT_EQ(outcomes.job().value("outcome", ""), "completed") << rule;
    EXPECT_EQ(outcomes.job().value("attempts", 0), 2) << rule;
    EXPECT_EQ(outcomes.used("backoffLimit"), 1) << rule;
    EXPECT_EQ(outcomes.wall(), 1400_s) << rule;
  }
}

}  // namespace
}  // namespace aftershock::sim::world
