#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/assert.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::drivers {

/// The CPU nodes on which drivers run, by their place in the scenario: which are up, and which will
/// be again.
class Heads {
 public:
  /// So many, all of them up.
  explicit Heads(std::size_t count) : heads_(count) {}

  /// How many the scenario has.
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(heads_.size()); }

  /// Whether drivers run on it, or may.
  [[nodiscard]] bool up(std::uint32_t head) const { return at(head).up; }

  /// Whether the head is up or will be: somebody runs its controllers, or will.
  [[nodiscard]] bool returns(std::uint32_t head) const { return at(head).up || at(head).returns; }

  /// The head, which is up, goes down. The number of the restart that brings it back, counted from
  /// 1; none where it stays down: there are no restarts, or as many as their limit have been.
  std::optional<std::uint32_t> lose(std::uint32_t head,
                                    const std::optional<scenario::HeadRestart>& restart);

  /// The head, which is down and returns, is up again.
  void restore(std::uint32_t head);

 private:
  struct Head {
    bool up = true;
    bool returns = false;  ///< while it is down: a restart will come
    std::uint32_t restarts = 0;
  };

  [[nodiscard]] const Head& at(std::uint32_t head) const {
    AFTERSHOCK_ASSERT(head < heads_.size());
    return heads_[head];
  }

  std::vector<Head> heads_;
};

}  // namespace aftershock::sim::drivers
