#include "policies/parts/kubelet_backoff.h"

#include <vector>

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

struct BackoffRow {
  const char* name;
  DurationUs runs_us;  ///< for how long the container runs each time
  std::vector<DurationUs> waits_us;
};

// Kubernetes documentation, Pod Lifecycle: 10 s, 20 s, 40 s, ... up to 300 s, begun anew after
// 10 minutes; the first restart does not wait.
TEST(KubeletBackoff, EachWaitIsTwiceTheLastUntilAContainerHasLasted) {
  const BackoffRow rows[] = {
      {"fails at once", 0, {0, 10, 20, 40, 80, 160, 300, 300}},
      {"runs for 10 min", 600 * kSecondUs, {0, 10, 20, 40, 80, 160, 300, 300}},
      {"runs for longer", 600 * kSecondUs + 1, {0, 0, 0}},
  };
  for (const BackoffRow& row : rows) {
    KubeletBackoff kubelets;
    TimeUs now_us = 5 * kSecondUs;
    for (const DurationUs wait_s : row.waits_us) {
      now_us += row.runs_us;
      const TimeUs restart_us = kubelets.restart_us(3, now_us);
      EXPECT_EQ(restart_us - now_us, wait_s * kSecondUs) << row.name;
      now_us = restart_us;
    }
  }
}

TEST(KubeletBackoff, EachPodWaitsForItself) {
  KubeletBackoff kubelets;
  EXPECT_EQ(kubelets.restart_us(0, kSecondUs), kSecondUs);
  EXPECT_EQ(kubelets.restart_us(1, kSecondUs), kSecondUs);
  EXPECT_EQ(kubelets.restart_us(0, kSecondUs), 11 * kSecondUs);
}

}  // namespace
}  // namespace aftershock::policies
