#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reports/ledger/phase_list.h"

namespace aftershock::reports {

/// Where a job's time goes (design.md 5); every instant of a job is in exactly one.
enum class Bucket : std::uint8_t { AFTERSHOCK_BUCKETS(AFTERSHOCK_ENUMERATOR) };

inline constexpr auto kBucketNames =
    std::to_array<std::string_view>({AFTERSHOCK_BUCKETS(AFTERSHOCK_WORD)});
inline constexpr std::size_t kBucketCount = kBucketNames.size();

/// Its place in whatever is kept by bucket.
constexpr std::size_t index_of(Bucket bucket) { return static_cast<std::size_t>(bucket); }
constexpr std::string_view name_of(Bucket bucket) { return kBucketNames[index_of(bucket)]; }

/// The bucket that the time of a span goes to, by the span's `what`; none: no phase of a job.
constexpr std::optional<Bucket> bucket_of_span(std::string_view what) {
  if (what == "training") {
    return Bucket::kProductive;
  }
  if (what == "checkpointing") {
    return Bucket::kCheckpointBlocking;
  }
  const auto found = std::ranges::find(kBucketNames, what);
  return found == kBucketNames.end()
             ? std::nullopt
             : std::optional(static_cast<Bucket>(found - kBucketNames.begin()));
}

}  // namespace aftershock::reports
