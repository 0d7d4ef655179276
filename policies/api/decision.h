#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "policies/api/commands.h"
#include "policies/api/fields.h"
#include "policies/api/ids.h"

namespace aftershock::policies {

/// The cause of a budget move.
enum class ChargeCause : std::uint8_t {
  kApplication,
  kNode,
  kPreemption,
  kController,
  kStorage,
  kUserStop,
  kDevice,
  kHang,
};
template <>
struct EnumNames<ChargeCause> {
  static constexpr std::array<std::string_view, 8> kNames{
      "application", "node", "preemption", "controller", "storage", "user_stop", "device", "hang"};
};

/// One move of one retry budget, charged or deliberately not.
struct BudgetMove {
  std::uint16_t budget = 0;  ///< index into PolicyInfo::budgets
  ChargeCause cause = ChargeCause::kApplication;
  std::int64_t used = 0;                ///< after the move
  std::optional<std::int64_t> limit{};  ///< none: unlimited
  bool exempt = false;                  ///< the cause does not count; `used` did not move
  bool exhausted = false;               ///< this move went over the limit
};

/// Something the policy could have done and did not. The texts stay until the policy is asked
/// again.
struct Rejected {
  std::string_view what;
  std::string_view why;
};

/// One rule applied. Indices are into the tables of the policy's PolicyInfo.
struct Step {
  std::uint16_t rule = 0;
  std::uint16_t from_state = 0;
  std::uint16_t to_state = 0;
  std::vector<std::uint16_t> saw{};  ///< indices into the batch's events
  std::vector<BudgetMove> budgets{};
  std::vector<Command> commands{};
  std::vector<Rejected> rejected{};
  /// The vendor's word for what its failure policy decided, e.g. "RETRY"; "" where it decided
  /// nothing. Lives as long as the program.
  std::string_view decision{};
};

/// Ask every worker at anchor, anchor + period, ...; an answer may take `answer_wait_us` at most.
/// While a rank stays silent a round takes answer wait and period together, its first question
/// stays open, and the host reports poll_unanswered at the end of the first round at which it has
/// been open for strictly more than `unanswered_limit_us` (Ray Train V2, worker_group/poll.py).
struct PollWatch {
  Epoch epoch = 0;
  TimeUs anchor_us = 0;
  DurationUs period_us = 0;
  DurationUs answer_wait_us = 0;
  DurationUs unanswered_limit_us = 0;
  /// The policy has more to do at the next poll even if that shows nothing new: the host answers
  /// with a batch at the next tick, without events when there are none.
  bool again = false;
  static constexpr auto fields(auto list) {
    return list(field("epoch", &PollWatch::epoch), field("anchor_us", &PollWatch::anchor_us),
                field("period_us", &PollWatch::period_us),
                field("answer_wait_us", &PollWatch::answer_wait_us),
                field("unanswered_limit_us", &PollWatch::unanswered_limit_us),
                field("again", &PollWatch::again));
  }
  friend bool operator==(const PollWatch&, const PollWatch&) = default;
};

/// Wait on every worker at once: what one of them shows is known at that moment, and a worker that
/// stays silent is never given up (Ray Train V1, which waits on the futures of its actors).
struct FuturesWatch {
  Epoch epoch = 0;
  static constexpr auto fields(auto list) { return list(field("epoch", &FuturesWatch::epoch)); }
  friend bool operator==(const FuturesWatch&, const FuturesWatch&) = default;
};

/// Ask how many workers the cluster could run, at multiples of `query_period_us` from `anchor_us`
/// on, and let the autoscaler know at multiples of `request_period_us` that `workers` are wanted
/// (Ray Train V2, scaling_policy/elastic.py). The host answers with capacity_changed.
struct CapacityWatch {
  TimeUs anchor_us = 0;
  std::uint32_t workers = 0;
  DurationUs query_period_us = 0;
  DurationUs request_period_us = 0;
  static constexpr auto fields(auto list) {
    return list(field("anchor_us", &CapacityWatch::anchor_us),
                field("workers", &CapacityWatch::workers),
                field("query_period_us", &CapacityWatch::query_period_us),
                field("request_period_us", &CapacityWatch::request_period_us));
  }
  friend bool operator==(const CapacityWatch&, const CapacityWatch&) = default;
};

/// Look for nodes that are to be taken away at anchor, anchor + period, ... Where workers are
/// polled the host tells of them at the first poll at or after that look. Without such a watch a
/// preemption_notice comes at once.
struct DrainWatch {
  TimeUs anchor_us = 0;
  DurationUs period_us = 0;
  static constexpr auto fields(auto list) {
    return list(field("anchor_us", &DrainWatch::anchor_us),
                field("period_us", &DrainWatch::period_us));
  }
  friend bool operator==(const DrainWatch&, const DrainWatch&) = default;
};

/// Look for a hang at anchor, anchor + period, ... The host answers with hang_suspected at the
/// first look by which nothing has moved for `after_us`, counted from the first look that showed
/// it; once, until something moves again. The watch looks at the collectives of the attempt or, by
/// activity, at how busy its accelerators are (ModelArts, training-job hang detection), which a
/// long compile or save leaves as still as a hang does.
struct HangWatch {
  TimeUs anchor_us = 0;
  DurationUs period_us = 0;
  DurationUs after_us = 0;
  bool by_activity = false;
  static constexpr auto fields(auto list) {
    return list(field("anchor_us", &HangWatch::anchor_us),
                field("period_us", &HangWatch::period_us), field("after_us", &HangWatch::after_us),
                sparse_field("by_activity", &HangWatch::by_activity));
  }
  friend bool operator==(const HangWatch&, const HangWatch&) = default;
};

/// Tell of the first checkpoint of this attempt that becomes durable; the host answers with
/// checkpoint_durable.
struct ProgressWatch {
  Epoch epoch = 0;
  static constexpr auto fields(auto list) { return list(field("epoch", &ProgressWatch::epoch)); }
  friend bool operator==(const ProgressWatch&, const ProgressWatch&) = default;
};

/// Tell with each poll of this attempt which steps its ranks have reported since the last one; the
/// host answers with metrics_reported. Needs a PollWatch; since protocol 1.1.
struct MetricsWatch {
  Epoch epoch = 0;
  static constexpr auto fields(auto list) { return list(field("epoch", &MetricsWatch::epoch)); }
  friend bool operator==(const MetricsWatch&, const MetricsWatch&) = default;
};

/// The wait of the policy is a backoff: because of what failed at `since_us` it asks for no other
/// attempt before `until_us`. It says so with each decision until then, and beside it what wakes
/// it; the job is backing_off for as long as nothing else goes on. A step that charges a budget, or
/// says that it does not, is about something new, and ends it. `longest_us` is what such a wait is
/// capped at; none: nothing. Held to by S12 (chaos.md 5.3).
struct Backoff {
  TimeUs since_us = 0;
  TimeUs until_us = 0;
  std::optional<DurationUs> longest_us{};
  /// It is as long as it may be.
  [[nodiscard]] bool capped() const { return longest_us && until_us - since_us >= *longest_us; }
  static constexpr auto fields(auto list) {
    return list(field("since_us", &Backoff::since_us), field("until_us", &Backoff::until_us),
                sparse_field("longest_us", &Backoff::longest_us));
  }
  friend bool operator==(const Backoff&, const Backoff&) = default;
};

/// The watches that the world keeps from now on, until the next decision.
struct Watch {
  std::optional<PollWatch> poll{};
  std::optional<FuturesWatch> futures{};
  std::optional<CapacityWatch> capacity{};
  std::optional<DrainWatch> drain{};
  std::optional<HangWatch> hang{};
  std::optional<ProgressWatch> progress{};
  std::optional<MetricsWatch> metrics{};
  /// Answer with a timer event at this time. Where workers are polled it shows nothing of them
  /// unless a poll is due at that moment, too: what a poll is to show waits for that poll.
  std::optional<TimeUs> wake_us{};
  std::optional<Backoff> backoff{};
  static constexpr auto fields(auto list) {
    return list(sparse_field("poll", &Watch::poll), sparse_field("futures", &Watch::futures),
                sparse_field("capacity", &Watch::capacity), sparse_field("drain", &Watch::drain),
                sparse_field("hang", &Watch::hang), sparse_field("progress", &Watch::progress),
                sparse_field("metrics", &Watch::metrics), sparse_field("wake_us", &Watch::wake_us),
                sparse_field("backoff", &Watch::backoff));
  }
};

/// A policy's answer to one batch: steps in the order in which they were taken.
struct Decision {
  std::vector<Step> steps{};
  Watch watch;
};

}  // namespace aftershock::policies
