#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/fields.h"
#include "policies/api/rank_set.h"
#include "policies/job/spec.h"

// A Job's reaction to pods that fail. Pods are numbered by their completion index.
namespace aftershock::policies::job {

/// How often the pod of an index failed, as far as that counts.
struct IndexFailures {
  std::uint32_t index = 0;
  std::uint32_t failures = 0;
  static constexpr auto fields(auto list) {
    return list(field("index", &IndexFailures::index), field("failures", &IndexFailures::failures));
  }
};

/// The failures that a Job's status, and its pods, keep.
struct Status {
  std::int64_t failed = 0;                ///< pods that count against backoffLimit
  std::uint32_t in_a_row = 0;             ///< pods that failed, counted or not: none has succeeded
  std::vector<IndexFailures> by_index{};  ///< by index
  RankSet failed_indexes{};
  static constexpr auto fields(auto list) {
    return list(field("failed", &Status::failed), field("in_a_row", &Status::in_a_row),
                field("by_index", &Status::by_index),
                field("failed_indexes", &Status::failed_indexes));
  }
};

/// How a pod ended: with an exit code, or by a disruption, which sets its condition
/// DisruptionTarget and leaves no code to look at.
struct PodEnd {
  std::optional<std::int32_t> exit_code{};
  bool disrupted = false;
};

/// The verdict on a Job when pods have failed.
enum class Verdict : std::uint8_t {
  kCounted,           ///< the pods are made anew
  kIgnored,           ///< likewise, and nothing was counted
  kIndexFailed,       ///< an index failed, and the others go on
  kFailJob,           ///< PodFailurePolicy
  kBackoffLimit,      ///< BackoffLimitExceeded
  kMaxFailedIndexes,  ///< MaxFailedIndexesExceeded
  kFailedIndexes,     ///< FailedIndexes: none is left that goes on
};

/// Whether the Job is Failed.
constexpr bool is_failed(Verdict verdict) { return verdict >= Verdict::kFailJob; }

/// The reason of the condition of a Job that is Failed, and its message.
std::string_view reason_of(Verdict verdict);
std::string message_of(Verdict verdict, const PodEnd& end);

/// Takes in that the pods of these indexes ended so, all in one moment.
Verdict take_failure(const Spec& spec, Status& status, const RankSet& indexes, const PodEnd& end,
                     std::uint32_t pods);

/// The cap on that.
inline constexpr DurationUs kLongestBackoffUs = 360 * kSecondUs;

/// How long after the last failure pods are made anew: 10 s, doubled with every pod that failed,
/// 6 min at most; with backoffLimitPerIndex each index has its own, and the longest is what a gang
/// waits for.
DurationUs backoff_us(const Spec& spec, const Status& status);

}  // namespace aftershock::policies::job
