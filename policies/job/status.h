#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/fields.h"
#include "policies/api/rank_set.h"
#include "policies/job/spec.h"
#include "policies/pods/pod_objects.h"

// A Job's reaction to pods that fail. Pods are numbered by their completion index.
namespace aftershock::policies::job {

/// How a pod ended.
using pods::PodEnd;
/// The second in which that was.
using pods::whole_second;

/// How often the pod of an index failed. Its pods carry it from one to the next.
struct IndexFailures {
  std::uint32_t index = 0;
  std::uint32_t failures = 0;  ///< those that count
  std::uint32_t ignored = 0;
  TimeUs failed_us = 0;  ///< the last of both
  static constexpr auto fields(auto list) {
    return list(field("index", &IndexFailures::index), field("failures", &IndexFailures::failures),
                field("ignored", &IndexFailures::ignored),
                field("failed_us", &IndexFailures::failed_us));
  }
};

/// The failures that a Job's status, and its pods, keep.
struct Status {
  std::int64_t failed = 0;                ///< pods that count against backoffLimit
  std::vector<IndexFailures> by_index{};  ///< by index; with backoffLimitPerIndex alone
  RankSet failed_indexes{};
  static constexpr auto fields(auto list) {
    return list(field("failed", &Status::failed), field("by_index", &Status::by_index),
                field("failed_indexes", &Status::failed_indexes));
  }
};

/// How podFailurePolicy answers pods that ended so.
struct Answer {
  PodAction action = PodAction::kCount;
  std::size_t rule = 0;  ///< the one that matched, where it says FailJob
};

/// Takes in that the pods of these indexes ended so, all in one moment; but for the count of all.
Answer take_failure(const Spec& spec, Status& status, const RankSet& indexes, const PodEnd& end,
                    TimeUs at_us);

/// The message of a Job that is to be Failed, as `answer` to a pod of that name.
std::string fail_message(const Spec& spec, const Answer& answer, const PodEnd& end,
                         std::string_view pod);

/// The failure that a Job's counts and its age come to.
struct Failure {
  std::string_view reason{};  ///< empty: none
  std::string_view message{};
};

/// The state of a Job beside its status, as the controller sees it.
struct Sight {
  std::int64_t failed = 0;  ///< pods that count, in its status or not
  std::uint64_t succeeded = 0;
  std::uint64_t pods = 0;
  bool past_deadline = false;
};
/// The failure of a Job that has this status, and looks like this.
Failure failure_of(const Spec& spec, const Status& status, const Sight& sight);

/// The reason of a Job that podFailurePolicy fails.
inline constexpr std::string_view kByPodFailurePolicy = "PodFailurePolicy";
/// The reason of one whose activeDeadlineSeconds are over.
inline constexpr std::string_view kDeadlineExceeded = "DeadlineExceeded";

/// The cap on a delay (MaxJobPodFailureBackOff, job_controller.go:79).
inline constexpr DurationUs kLongestBackoffUs = 600 * kSecondUs;

/// How long after the last failure a pod is made anew: 10 s, doubled with every pod that failed, 10
/// min at most (getRemainingTimeForFailuresCount, backoff_utils.go:257). None has failed: at once.
DurationUs backoff_us(std::uint32_t failures);

}  // namespace aftershock::policies::job
