#pragma once

#include <cstdint>

#include "policies/api/fields.h"
#include "policies/api/ids.h"
#include "policies/api/rank_set.h"
#include "policies/pods/pod_objects.h"

// A Volcano job as the API server has it: its status, its PodGroup, and what is written on its
// pods.
namespace aftershock::policies::volcano {

/// status.state.phase; those from kCompleted on are final.
enum class Phase : std::uint16_t {
  kPending,
  kRunning,
  kRestarting,
  kAborting,
  kCompleting,
  kTerminating,
  kCompleted,
  kFailed,
  kAborted,
  kTerminated,
};

/// Phases that nothing leads out of.
constexpr bool is_final(Phase phase) { return phase >= Phase::kCompleted; }

/// The PodGroup, without which no pod is made. The scheduler lets it in a moment after it was made.
enum class Group : std::uint8_t { kNone, kNew, kInqueue };

/// Pods as the status counts them. A look that kills pods counts no others.
struct Counts {
  std::uint64_t pending = 0;
  std::uint64_t running = 0;
  std::uint64_t succeeded = 0;
  std::uint64_t failed = 0;
  std::uint64_t terminating = 0;
  static constexpr auto fields(auto list) {
    return list(field("pending", &Counts::pending), field("running", &Counts::running),
                field("succeeded", &Counts::succeeded), field("failed", &Counts::failed),
                field("terminating", &Counts::terminating));
  }
};

/// All that is stored beside the pods.
struct Status {
  Epoch epoch = 0;
  std::uint32_t workers = 0;
  std::uint32_t phase = 0;       ///< a Phase
  std::int64_t retry_count = 0;  ///< RetryCount
  std::int64_t version = 0;      ///< grows as the job is killed; pods have that of their creation
  std::uint32_t group = 0;       ///< a Group
  bool cut_short = false;        ///< a policy completes it before its pods have
  bool by_user = false;          ///< a user aborts it
  std::uint32_t last_cause = 0;  ///< a ChargeCause: why the last pod failed
  Counts counts{};
  RankSet pending{};      ///< pods that have not run yet
  RankSet failed{};       ///< pods that failed, and whose objects are there
  RankSet outdated{};     ///< pods of a version before this one
  RankSet out_of_sync{};  ///< pods that the controller killed: nobody is asked about their ends
};

/// The status as it is stored, with the pods.
struct Stored : Status, pods::PodObjects {
  static constexpr auto fields(auto list) {
    return list(
        field("epoch", &Stored::epoch), field("workers", &Stored::workers),
        field("phase", &Stored::phase), field("retryCount", &Stored::retry_count),
        field("version", &Stored::version), field("group", &Stored::group),
        field("cut_short", &Stored::cut_short), field("by_user", &Stored::by_user),
        field("last_cause", &Stored::last_cause), field("counts", &Stored::counts),
        sparse_field("pods_pending", &Stored::pending),
        sparse_field("pods_failed", &Stored::failed), sparse_field("outdated", &Stored::outdated),
        sparse_field("out_of_sync", &Stored::out_of_sync),
        sparse_field("succeeded", &Stored::succeeded), sparse_field("fresh", &Stored::fresh),
        sparse_field("ended", &Stored::ended), sparse_field("deleted", &Stored::deleted),
        sparse_field("unfailed", &Stored::unfailed), sparse_field("staying", &Stored::staying),
        sparse_field("old", &Stored::old), field("lost", &Stored::lost),
        field("killed", &Stored::killed), field("live", &Stored::live),
        field("unmet", &Stored::unmet));
  }
};

}  // namespace aftershock::policies::volcano
