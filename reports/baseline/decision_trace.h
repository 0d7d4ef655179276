#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/compare/decisions.h"
#include "reports/recording/hash.h"
#include "reports/recording/sink.h"

// The trace of a run's decisions, small enough for a file that people review: the first ones in
// words, of all the others hashes that tell between which of them two runs part. Two decisions act
// the same where rule, commands (by type), fault and budget moves are the same; the limit of a
// budget does not count as an act until it ends something.
namespace aftershock::reports {

/// Decisions that are kept in words; one that is repeated at once counts as one.
inline constexpr std::size_t kDecisionsKept = 40;
/// The first hash is taken after so many steps, the next ones after twice as many each.
inline constexpr std::int64_t kFirstMark = 64;

/// One decision in words, and how often it was taken in a row.
struct KeptDecision {
  std::string text;
  std::int64_t times = 1;

  bool operator==(const KeptDecision&) const = default;
};

/// The decisions of a run, times apart: what a baseline keeps.
struct DecisionTrace {
  std::int64_t count = 0;            ///< of all steps
  std::vector<KeptDecision> first;   ///< at most kDecisionsKept
  std::vector<std::uint64_t> marks;  ///< rolling hash of the acts after 64, 128, 256, ... steps
  std::uint64_t hash = 0;            ///< after all

  bool operator==(const DecisionTrace&) const = default;
};

/// The same with what is known of a run that was just made.
struct TimedTrace {
  DecisionTrace trace;
  std::vector<std::int64_t> at_us;    ///< of each step of `first`, up to some thousand
  std::vector<std::int64_t> mark_us;  ///< when each mark was passed

  bool operator==(const TimedTrace&) const = default;
};

/// A step as it is kept: "ray_train.failure.retry, max_failures 0 to 1 of 3 (preemption), for
/// spot-1, orders start_attempt", and "job:b: " before it of an owner that is not the run's first.
std::string decision_text(const DecisionStep& step, std::string_view first_owner);
/// The acts in such a text: all but the limits of budgets.
std::string act_of(std::string_view decision);

/// Takes in a run while it is recorded, and keeps nothing but its trace.
class TraceSink final : public LineSink {
 public:
  void boundary() override {}

  /// Of all that came so far.
  [[nodiscard]] TimedTrace trace() const;

 private:
  void take(std::string_view line) override;
  void add(const DecisionStep& step);

  TimedTrace made_;
  RollingHash hash_;
  std::optional<std::string> first_owner_;
  bool full_ = false;
};

/// A trace as bytes, for another process of the same program on the same kind of machine.
std::string to_bytes(const TimedTrace& trace);
/// The trace again; none where the bytes are not those of one.
std::optional<TimedTrace> trace_from_bytes(std::string_view bytes);

/// The decision of one of two runs at the place where they part.
struct ToldDecision {
  /// Whether it can be said.
  enum class Known : std::uint8_t { kText, kEnded, kNotKept };
  Known known = Known::kText;
  std::string text;  ///< kText

  bool operator==(const ToldDecision&) const = default;
};

/// The first decision that two runs do not share.
struct TraceDifference {
  std::int64_t number = 1;       ///< from 1
  std::int64_t last_number = 1;  ///< greater: it is one from `number` on up to this one
  ToldDecision before;
  ToldDecision now;
  std::optional<std::int64_t> at_us;  ///< of the step now, or from when on it may be

  bool operator==(const TraceDifference&) const = default;
};

/// How a run differs from what was kept of another one.
struct TraceDifferences {
  std::optional<TraceDifference> acts;   ///< the first that acts otherwise; none: all act the same
  std::optional<TraceDifference> limit;  ///< the first before it with another limit of a budget

  bool operator==(const TraceDifferences&) const = default;
};

/// Where a run parts from what was kept of another one.
TraceDifferences trace_difference(const DecisionTrace& before, const TimedTrace& now);

}  // namespace aftershock::reports
