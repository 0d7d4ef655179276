#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::sim::workload {

/// Files that workers of Train V1 write into their working directories, by the time at which they
/// wrote it, and how much of it storage has. While an attempt trains it is copied once a period
/// (ray.md 3.4); between two copies it is on its node and nowhere else.
struct Artifacts {
  std::optional<std::int64_t> anchor_us;  ///< periods count from here; none: nobody writes
  std::optional<std::int64_t> synced_us;  ///< the last copy; none: there was none yet
  std::int64_t on_nodes_us = 0;           ///< writing of earlier attempts that waits for a copy
  std::int64_t lost_us = 0;               ///< writing that went with its node
};

/// An attempt trains from now on.
void begin_writing(Artifacts& artifacts, std::int64_t now_us);

/// It no longer does; its nodes keep what was not copied yet, and the next attempt copies it.
void stop_writing(Artifacts& artifacts, std::int64_t period_us, std::int64_t now_us);

/// A node is gone, or the session is: what was not copied yet is lost.
void lose_artifacts(Artifacts& artifacts, std::int64_t period_us, std::int64_t now_us);

/// The run ends by itself, with a last copy.
void copy_artifacts(Artifacts& artifacts, std::int64_t now_us);

}  // namespace aftershock::sim::workload
