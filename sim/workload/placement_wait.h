#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace aftershock::sim::workload {

/// How a job waits for nodes, and how its last waits ended.
struct PlacementWait {
  bool first_in_queue = false;
  bool waiting = false;  ///< in the queue, and was not served at once
  std::optional<std::int64_t> placement_wait_us;
  std::optional<std::int64_t> waits_since_us;  ///< for nodes, in one start after the other
  bool unplaced = false;                       ///< the last start found no nodes in time
  std::string unplaced_words;   ///< nodes of its pool, where it ended for want of nodes
  bool hopeless_start = false;  ///< the last start failed and nothing pending can help the next
};

}  // namespace aftershock::sim::workload
