#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "gui/lanes/lane_key.h"
#include "gui/trace/trace.h"

namespace aftershock::gui {

/// Something is cut off from the rest of the network over [begin_us, end_us); kOpen: to the end.
struct CutRange {
  std::int64_t begin_us = 0;
  std::int64_t end_us = kOpen;

  friend bool operator==(const CutRange&, const CutRange&) = default;
};

/// When what was cut off, as it was recorded: of a rack that is cut off it says nothing of the
/// nodes in it.
class CutIndex {
 public:
  /// A lane of states has grown, or is new, or stands under another key.
  void update(const Trace& trace, std::uint32_t lane, const LaneKey& key);
  /// Stands for lanes with other keys from now on.
  void clear() { *this = {}; }
  /// Brings `any` up to date, after all updates.
  void join();

  /// Of a node, a rack or a pool: in order, and none meets another.
  [[nodiscard]] std::span<const CutRange> of(const LaneKey& key) const;
  /// When anything was.
  [[nodiscard]] std::span<const CutRange> any() const { return any_; }
  [[nodiscard]] bool empty() const { return of_.empty(); }

 private:
  struct Cuts {
    std::vector<CutRange> ranges;
    std::size_t first_open = 0;     ///< spans before it have ended, ...
    std::size_t final_ranges = 0;   ///< ... and made these of the ranges, ...
    std::int64_t final_end_us = 0;  ///< ... the last of which ended then
  };

  std::map<LaneKey, Cuts> of_;
  std::vector<CutRange> any_;
};

/// Those of the ranges that meet [from_us, to_us).
std::span<const CutRange> meeting(std::span<const CutRange> ranges, std::int64_t from_us,
                                  std::int64_t to_us);

}  // namespace aftershock::gui
