#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace aftershock::sim {

/// What has to come by a time once something has begun (reference chaos.md 5.4).
enum class Due : std::uint8_t {
  kHangAnswered,  ///< L2
  kMeetingEnds,   ///< L6
  kDecides,       ///< L8
  kStops,         ///< L9
  kGrows,         ///< L11
};
/// How many there are.
inline constexpr std::size_t kDues = 5;

/// That it comes by then.
struct Promise {
  std::int64_t since_us = 0;
  std::int64_t by_us = 0;
};

/// One that was not kept.
struct Overdue {
  std::string_view id;    ///< of the invariant
  std::string_view what;  ///< did not come
  Promise promise;
};

/// What is due of one job: at most one of each.
class Promises {
 public:
  /// Whether there is one at all.
  [[nodiscard]] bool any() const { return made_ != 0; }
  /// Whether that one is there.
  [[nodiscard]] bool made(Due due) const { return (made_ & bit(due)) != 0; }
  /// The last one that was made of it.
  [[nodiscard]] const Promise& of(Due due) const { return all_[static_cast<std::size_t>(due)]; }

  /// Begins one anew.
  void make(Due due, Promise promise) {
    made_ |= bit(due);
    all_[static_cast<std::size_t>(due)] = promise;
  }
  /// Ends one; none where there was none.
  std::optional<Promise> take(Due due) {
    const bool was_made = made(due);
    made_ &= ~bit(due);
    return was_made ? std::optional(of(due)) : std::nullopt;
  }
  /// Gives `due` more time, where it is made.
  void extend(Due due, std::int64_t by_us) {
    if (made(due)) {
      all_[static_cast<std::size_t>(due)].by_us += by_us;
    }
  }

 private:
  static constexpr std::uint32_t bit(Due due) { return 1U << static_cast<std::uint32_t>(due); }

  std::uint32_t made_ = 0;
  std::array<Promise, kDues> all_{};
};

}  // namespace aftershock::sim
