#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace aftershock::sim::invariants {

/// Events that must follow within a time once something has begun (chaos.md 5.4).
enum class DeadlineKind : std::uint8_t {
  kHangAnswered,  ///< L2
  kMeetingEnds,   ///< L6
  kDecides,       ///< L8
  kStops,         ///< L9
  kGrows,         ///< L11
};
/// How many there are.
inline constexpr std::size_t kDeadlineKinds = 5;

/// That it comes by then.
struct Deadline {
  std::int64_t since_us = 0;
  std::int64_t by_us = 0;
};

/// One that was not kept.
struct MissedDeadline {
  std::string_view id;    ///< of the invariant
  std::string_view what;  ///< did not come
  Deadline deadline;
};

/// The deadlines of one job: at most one of each kind.
class Deadlines {
 public:
  /// Whether there is one at all.
  [[nodiscard]] bool any() const { return made_ != 0; }
  /// Whether that one is there.
  [[nodiscard]] bool made(DeadlineKind due) const { return (made_ & bit(due)) != 0; }
  /// The last one that was made of it.
  [[nodiscard]] const Deadline& of(DeadlineKind due) const {
    return all_[static_cast<std::size_t>(due)];
  }

  /// Begins one anew.
  void make(DeadlineKind due, Deadline deadline) {
    made_ |= bit(due);
    all_[static_cast<std::size_t>(due)] = deadline;
  }
  /// Ends one; none where there was none.
  std::optional<Deadline> take(DeadlineKind due) {
    const bool was_made = made(due);
    made_ &= ~bit(due);
    return was_made ? std::optional(of(due)) : std::nullopt;
  }
  /// Gives `due` more time, where it is made.
  void extend(DeadlineKind due, std::int64_t by_us) {
    if (made(due)) {
      all_[static_cast<std::size_t>(due)].by_us += by_us;
    }
  }

 private:
  static constexpr std::uint32_t bit(DeadlineKind due) {
    return 1U << static_cast<std::uint32_t>(due);
  }

  std::uint32_t made_ = 0;
  std::array<Deadline, kDeadlineKinds> all_{};
};

}  // namespace aftershock::sim::invariants
