#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aftershock::gui {

/// An interval tree: the items that change at a time, of those that each stay as they are over some
/// interval. A step of a replay finds the few that change in time for those few, forwards and
/// backwards, and takes no more memory than the things.
class IntervalTree {
 public:
  explicit IntervalTree(std::size_t count = 0);

  /// Thing i stays as it is over [since_us, until_us).
  void set(std::size_t i, std::int64_t since_us, std::int64_t until_us);
  /// Nothing is known of any of them.
  void forget();
  /// Those that need not be as they were, in order.
  void changed_at(std::int64_t t_us, std::vector<std::uint32_t>& changed) const;

 private:
  struct Stay {
    std::int64_t since_us;
    std::int64_t until_us;
  };

  std::size_t count_;
  std::size_t leaves_ = 1;   ///< a power of two
  std::vector<Stay> stays_;  ///< a heap: what is below 1 from 2 and 3 on, things from `leaves_` on
};

}  // namespace aftershock::gui
