#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "policies/api/fields.h"
#include "policies/api/ids.h"

namespace aftershock::policies {

/// The waits of the kubelets before they start a container of a pod again (Kubernetes
/// documentation, Pod Lifecycle: how Pods handle problems with containers; client-go,
/// util/flowcontrol/backoff.go). The first restart comes at once, those that follow after 10, 20,
/// 40, 80, 160 and 300 s. 10 min after a restart it is forgotten, also while the next one waits:
/// the kubelet's housekeeping, every 2 s, clears it 1 s later on average
/// (pkg/kubelet/kubelet_pods.go).
struct KubeletBackoff {
  static constexpr DurationUs kFirstUs = 10 * kSecondUs;
  static constexpr DurationUs kLongestUs = 300 * kSecondUs;
  static constexpr DurationUs kRememberedUs = 600 * kSecondUs;
  static constexpr DurationUs kClearedUs = kRememberedUs + kSecondUs;

  /// The restarts of one pod's container.
  struct Pod {
    DurationUs wait_us = 0;  ///< before its next restart; 0: it has had none
    TimeUs since_us = 0;     ///< of its last restart
    static constexpr auto fields(auto list) {
      return list(field("wait_us", &Pod::wait_us), field("since_us", &Pod::since_us));
    }
  };

  /// When the container of the pod, which ended at `ended_us`, starts again.
  TimeUs restart_us(std::size_t pod, TimeUs ended_us) {
    pods.resize(std::max(pods.size(), pod + 1));
    Pod& one = pods[pod];
    if (one.wait_us == 0 || ended_us - one.since_us > kRememberedUs) {
      one = {.wait_us = kFirstUs, .since_us = ended_us};
    } else if (const TimeUs cleared_us = one.since_us + kClearedUs;
               cleared_us <= ended_us + one.wait_us) {
      one = {.wait_us = kFirstUs, .since_us = cleared_us};
    } else {
      one = {.wait_us = std::min(2 * one.wait_us, kLongestUs), .since_us = ended_us + one.wait_us};
    }
    return one.since_us;
  }

  std::vector<Pod> pods{};  ///< by pod; those that never restarted may be missing
  static constexpr auto fields(auto list) { return list(field("pods", &KubeletBackoff::pods)); }
};

}  // namespace aftershock::policies
