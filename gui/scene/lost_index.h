#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "gui/lanes/directory.h"
#include "gui/lanes/lane_key.h"
#include "gui/trace/lost_work.h"
#include "gui/trace/trace.h"

namespace aftershock::gui {

/// When the jobs, experiments and trials of the list did work that they lost later on.
class LostIndex {
 public:
  /// The trace may have grown.
  void update(const Trace& trace, const Directory& directory);
  /// Of a job, an experiment with all its trials, or a trial: what meets [from_us, to_us), in order
  /// and without overlaps; good until the next update.
  [[nodiscard]] std::span<const Stretch> between(const LaneKey& whole, std::int64_t from_us,
                                                 std::int64_t to_us) const;

 private:
  std::size_t known_ = 0;  ///< of the trace's rollbacks
  std::map<LaneKey, std::uint32_t> numbers_;
  LostWork work_;  ///< by those
};

}  // namespace aftershock::gui
