#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gui/trace/spans.h"

namespace aftershock::gui {

/// The part of an entity that a lane shows.
enum class SubLane : std::uint8_t {
  kPhases,       ///< one after another, of a job or a trial
  kAttempts,     ///< number: the attempt's
  kCheckpoints,  ///< uploads and commits, which overlap; number: the checkpoint's
  kStates,       ///< of nodes, heads, and of what a partition cuts off
  kOthers,       ///< spans of words that this program does not know; number: the word's TextId
  kFaults,       ///< that struck here; number: index among the trace's faults
  kDecisions,    ///< number: index among the trace's decisions
  kMarks,        ///< other instants; number: the word's TextId
  kCount
};

/// How many there are.
inline constexpr std::size_t kSubLanes = static_cast<std::size_t>(SubLane::kCount);

/// Whether the spans of such a lane have numbers.
constexpr bool has_numbers(SubLane sub) {
  return sub != SubLane::kPhases && sub != SubLane::kStates;
}

/// The lane that a span of this kind goes to.
constexpr SubLane sub_lane_of(Kind kind) {
  switch (kind) {
    case Kind::kAttempt:
      return SubLane::kAttempts;
    case Kind::kUploading:
    case Kind::kCommitting:
      return SubLane::kCheckpoints;
    case Kind::kDown:
    case Kind::kCut:
    case Kind::kIsolated:
    case Kind::kRepairing:
    case Kind::kSlow:
      return SubLane::kStates;
    case Kind::kFault:
      return SubLane::kFaults;
    case Kind::kDecision:
      return SubLane::kDecisions;
    case Kind::kMark:
      return SubLane::kMarks;
    case Kind::kOther:
      return SubLane::kOthers;
    default:
      return SubLane::kPhases;
  }
}

/// A span, as it is put into a lane.
struct NewSpan {
  std::int64_t begin_us = 0;
  std::int64_t end_us = 0;
  Kind kind = Kind::kOther;
  std::uint32_t line = 0;    ///< of the record that begins it, from 1; 0: beyond 2^32
  std::uint32_t number = 0;  ///< see SubLane
};

/// The spans of one lane in columns, all in one block of memory: with 100,000 lanes an allocation a
/// column would be too many.
class LaneColumns {
 public:
  explicit LaneColumns(bool numbered) : numbered_(numbered) {}

  /// `span.begin_us` is not before that of the last one. Returns its index.
  std::uint32_t add(const NewSpan& span);
  void end(std::uint32_t index, std::int64_t end_us);
  /// Has the processor fetch what `add` will write to.
  void expect_add() const;
  /// Makes `first_after` fast, as long as nothing is added or ended.
  void seal();

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Good until the next change.
  [[nodiscard]] LaneSpans spans() const;
  /// The line of each span's first record in the recording, from 1; 0: unknown.
  [[nodiscard]] std::span<const std::uint32_t> lines() const;
  /// See SubLane; empty where it says nothing of a number.
  [[nodiscard]] std::span<const std::uint32_t> numbers() const;
  /// All spans that overlap [from_us, to_us), or are instants in it, lie in [first, second) of the
  /// result, which is empty or begins with one; behind it may be some that have ended before.
  [[nodiscard]] std::pair<std::size_t, std::size_t> overlapping(std::int64_t from_us,
                                                                std::int64_t to_us) const;
  /// The latest end among the first `count` spans, 0 < count <= size().
  [[nodiscard]] std::int64_t latest_end_us(std::size_t count) const;

 private:
  void grow();
  [[nodiscard]] std::int64_t* begins() const;
  [[nodiscard]] std::int64_t* ends() const;
  [[nodiscard]] std::uint32_t* line_column() const;
  [[nodiscard]] std::uint32_t* number_column() const;
  [[nodiscard]] Kind* kinds() const;

  std::unique_ptr<std::byte[]> block_;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
  bool numbered_;
  bool sealed_ = true;
  /// Of each span the latest end among it and those before; empty where the ends are in order.
  std::vector<std::int64_t> latest_end_;
};

}  // namespace aftershock::gui
