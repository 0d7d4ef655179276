#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reports/ledger/bucket.h"
#include "reports/ledger/phase_list.h"

namespace aftershock::gui {

/// The kind of a span, and so its look. At most 32: they are bits of a KindMask.
enum class Kind : std::uint8_t {
  // Phases of a job, by the bucket of the ledger that each goes to.
  AFTERSHOCK_BUCKETS(AFTERSHOCK_ENUMERATOR)
  // Kinds that last beside the phase.
  kAttempt,
  kUploading,
  kCommitting,
  // States of a node or a head, other than well.
  kDown,
  kCut,
  kIsolated,
  kRepairing,
  kSlow,
  // Kinds that take no time.
  kFault,
  kDecision,
  kMark,  ///< any other instant

  kOther,  ///< a span of a word that this program does not know
  kCount
};

/// How many there are.
inline constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::kCount);

/// A set of kinds, a bit each.
using KindMask = std::uint32_t;
static_assert(kKinds <= 32);

/// The set of this one.
constexpr KindMask mask_of(Kind kind) { return KindMask{1} << static_cast<unsigned>(kind); }

/// Their names, in the order of Kind: what a user reads, here, in the ledger and in a recording.
inline constexpr std::array<std::string_view, kKinds> kKindNames{
    AFTERSHOCK_BUCKETS(AFTERSHOCK_WORD) "attempt",
    "uploading",
    "committing",
    "down",
    "cut",
    "isolated",
    "repairing",
    "slow",
    "fault",
    "decision",
    "mark",
    "other"};

constexpr std::string_view name_of(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

/// The kind of the time in a bucket.
constexpr Kind kind_of(reports::Bucket bucket) {
  return static_cast<Kind>(reports::index_of(bucket));
}
static_assert(kind_of(reports::Bucket::kPaused) == Kind::kPaused);

/// The kind of a span from its `what` in a recording.
constexpr Kind kind_of_span(std::string_view what) {
  if (const auto bucket = reports::bucket_of_span(what)) {
    return kind_of(*bucket);
  }
  constexpr auto kInstants = static_cast<std::size_t>(Kind::kFault);
  for (std::size_t i = reports::kBucketCount; i < kInstants; ++i) {
    if (kKindNames[i] == what) {
      return static_cast<Kind>(i);
    }
  }
  return Kind::kOther;
}

/// All of them, what must be seen first: a fault above what is broken, that above what stops work,
/// that above what goes on beside it; work, and the attempt that holds it, last.
inline constexpr std::array<Kind, kKinds> kBySeverity{Kind::kFault,
                                                      Kind::kDown,
                                                      Kind::kControllerDown,
                                                      Kind::kCut,
                                                      Kind::kUndetected,
                                                      Kind::kRolledBack,
                                                      Kind::kDecision,
                                                      Kind::kMark,
                                                      Kind::kIsolated,
                                                      Kind::kRepairing,
                                                      Kind::kWaitingForCapacity,
                                                      Kind::kBackingOff,
                                                      Kind::kTearingDown,
                                                      Kind::kDraining,
                                                      Kind::kDeciding,
                                                      Kind::kSelfHealing,
                                                      Kind::kProvisioning,
                                                      Kind::kLaunching,
                                                      Kind::kRendezvous,
                                                      Kind::kRestoring,
                                                      Kind::kWarmingUp,
                                                      Kind::kFinalizing,
                                                      Kind::kPaused,
                                                      Kind::kCheckpointBlocking,
                                                      Kind::kSlow,
                                                      Kind::kStraggling,
                                                      Kind::kOther,
                                                      Kind::kCommitting,
                                                      Kind::kUploading,
                                                      Kind::kProductive,
                                                      Kind::kAttempt};

/// Which of two kinds wins a pixel when there is no room for both: the greater one. No two are
/// equal; from 0 to kKinds - 1.
constexpr int severity(Kind kind) {
  constexpr auto kOf = [] {
    std::array<std::uint8_t, kKinds> of{};
    for (std::size_t i = 0; i < kKinds; ++i) {
      of[static_cast<std::size_t>(kBySeverity[i])] = static_cast<std::uint8_t>(kKinds - 1 - i);
    }
    return of;
  }();
  return kOf[static_cast<std::size_t>(kind)];
}

}  // namespace aftershock::gui
