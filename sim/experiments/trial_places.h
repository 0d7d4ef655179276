#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace aftershock::sim::machines {
class Pool;
}  // namespace aftershock::sim::machines

namespace aftershock::sim::experiments {

struct TrialShape;

/// The place of a trial: nodes that its experiment holds, by their numbers there, and a slot of
/// the one where several trials share it.
struct TrialPlace {
  std::vector<std::uint32_t> held;
  std::uint32_t slot = 0;

  [[nodiscard]] bool empty() const { return held.empty(); }
};

/// The nodes that an experiment holds for its trials, and which trial is where. It owns the slots;
/// whose a node is, the pool knows, and the two agree. Ray packs: a trial goes to a node that the
/// experiment holds already, and only where none has room to a new one. A number of a held node
/// stays as long as a trial is there.
class TrialPlaces {
 public:
  static constexpr std::uint32_t kFree = 0xffffffffU;

  TrialPlaces() = default;
  explicit TrialPlaces(const TrialShape& shape);

  /// The trial gets all of its nodes or a slot of one, in `place`, which is empty. False: not
  /// enough of the pool is free, and it has nothing. `holder` is the experiment's number there.
  [[nodiscard]] bool take(machines::Pool& pool, std::uint32_t holder, std::uint32_t trial,
                          std::int64_t now_us, TrialPlace& place);
  /// The place is given back, and is empty; a node without a trial goes back to the pool.
  void give_back(machines::Pool& pool, std::int64_t now_us, TrialPlace& place);

  /// The pool's number of a held node.
  [[nodiscard]] std::uint32_t node(std::uint32_t held) const;
  /// Its trials by slot; kFree where there is none.
  [[nodiscard]] std::span<const std::uint32_t> trials_on(std::uint32_t held) const;
  /// The nodes that so many trials would take if none shared one with others.
  [[nodiscard]] std::uint64_t nodes_for(std::uint64_t trials) const;

 private:
  struct Held {
    std::uint32_t node = 0;
    std::uint32_t used = 0;
    std::vector<std::uint32_t> trials;  ///< by slot; kFree: nobody
  };

  std::uint32_t hold_node(machines::Pool& pool, std::uint32_t holder, std::int64_t now_us);

  std::uint32_t nodes_per_trial_ = 0;
  std::uint32_t trials_per_node_ = 1;
  std::vector<Held> held_;
  std::vector<std::uint32_t> free_;                         ///< unused elements of it
  std::set<std::pair<std::uint32_t, std::uint32_t>> room_;  ///< (node, element) with a free slot
};

}  // namespace aftershock::sim::experiments
