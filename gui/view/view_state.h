#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gui/lanes/lane_key.h"
#include "gui/lanes/lane_rows.h"
#include "gui/view/time_range.h"

namespace aftershock::gui {

/// The selection: a span of a lane, or a time in a lane or in all of them.
struct Selection {
  std::optional<LaneKey> lane;
  std::uint32_t content = kNowhere;  ///< id of the lane's content that the span is in
  std::uint32_t span = kNowhere;     ///< its number there; kNowhere: the time alone is selected
  TimeRange time;

  friend bool operator==(const Selection&, const Selection&) = default;
};

/// All that a user has changed of how a run is looked at: a value, to be kept, compared and undone.
struct ViewState {
  TimeRange shown;
  std::int64_t cursor_us = 0;
  std::optional<LaneKey> lane;  ///< that the keyboard is on
  std::optional<Selection> selection;
  LaneState lanes;

  friend bool operator==(const ViewState&, const ViewState&) = default;
};

/// The range of time that is selected in all lanes; none where a span is, or nothing.
inline std::optional<TimeRange> selected_range(const ViewState& state) {
  return state.selection && !state.selection->lane && state.selection->span == kNowhere
             ? std::optional(state.selection->time)
             : std::nullopt;
}

/// Values that one can go back to, and forward again: views for undo and redo, ranges for the
/// history of zooming.
template <class Value>
class History {
 public:
  explicit History(Value first, std::size_t limit = 200)
      : values_{std::move(first)}, limit_(limit) {}

  /// The value that one is at.
  [[nodiscard]] const Value& now() const { return values_[at_]; }
  /// Another value, unless it is this one; what one has gone back from is gone. With `joined` it
  /// takes the place of the value before: of a drag only the end is kept.
  void go(Value value, bool joined = false) {
    if (value == values_[at_]) {
      return;
    }
    values_.resize(at_ + 1, value);
    if (joined && at_ > 0) {
      values_[at_] = std::move(value);
      return;
    }
    values_.push_back(std::move(value));
    if (values_.size() > limit_) {
      values_.erase(values_.begin());
    }
    at_ = values_.size() - 1;
  }
  /// Whether there is something to go back to.
  [[nodiscard]] bool can_back() const { return at_ > 0; }
  /// Whether one has gone back.
  [[nodiscard]] bool can_forward() const { return at_ + 1 < values_.size(); }
  /// One back, as far as there is; the value there.
  const Value& back() {
    at_ -= can_back() ? 1U : 0U;
    return now();
  }
  /// One forward, as far as there is; the value there.
  const Value& forward() {
    at_ += can_forward() ? 1U : 0U;
    return now();
  }

 private:
  std::vector<Value> values_;
  std::size_t at_ = 0;
  std::size_t limit_;
};

}  // namespace aftershock::gui
