#pragma once

#include <cstdint>

#include "policies/api/events.h"

namespace aftershock::policies {

/// The exit code of a container that ended with its node, as the kubelet shows it when it is back:
/// the runtime knows no other (containerd, unknownExitCode).
inline constexpr std::int32_t kEndedWithNode = 255;

/// The exit code of a container that SIGKILL ended.
inline constexpr std::int32_t kKilled = 137;

/// The exit code of a container whose process failed so, as Kubernetes shows it. Where a watchdog
/// ends the process it is abort()'s, where memory runs out SIGKILL's, and an exception's is 1.
inline std::int32_t exit_code_of(const WorkersFailed& failed) {
  if (failed.exit_code != 0) {
    return failed.exit_code;
  }
  switch (failed.kind) {
    case WorkerFailure::kOutOfMemory:
      return kKilled;
    case WorkerFailure::kCollectiveTimeout:
      return 134;
    default:
      return 1;
  }
}

}  // namespace aftershock::policies
