#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace aftershock::sim::machines {

/// The thing that a repair mends: a node that is down, a node that works and is isolated, or an
/// accelerator of a node that goes on.
enum class RepairOf : std::uint8_t { kNode, kIsolation, kDevice };

/// A repair that somebody has to do.
struct Repair {
  RepairOf of = RepairOf::kNode;
  std::uint32_t pool = 0;
  std::uint32_t node = 0;     ///< of the pool
  std::uint32_t fault = 0;    ///< of a device: the fault that broke it
  std::int64_t takes_us = 0;  ///< from its beginning
  std::int64_t asked_us = 0;
};

/// The people who repair machines, so many repairs at a time: who asks first is served first, and
/// of those who ask in the same microsecond the lowest node, in the order of the pools. Its machine
/// keeps a member busy until it is well, or leaves.
class RepairCrew {
 public:
  /// none: there are enough for all.
  explicit RepairCrew(std::optional<std::uint32_t> members) : members_(members) {}

  /// Whether a repair may have to wait. Where not, nobody need ask.
  [[nodiscard]] bool limited() const { return members_.has_value(); }
  void ask(const Repair& repair);
  /// The next repair begins, where one waits and a member of the crew is free.
  std::optional<Repair> begin();
  /// The node is well, or gone: neither it nor its devices are repaired any more. Whether a member
  /// of the crew is free for others by that.
  bool leave(std::uint32_t pool, std::uint32_t node);
  /// The same, of one device.
  bool leave_device(std::uint32_t fault);
  /// Whether a member of the crew is at work on the device.
  [[nodiscard]] bool mends_device(std::uint32_t fault) const;

 private:
  std::optional<std::uint32_t> members_;
  std::vector<Repair> waiting_;  ///< in the order in which they are served
  std::vector<Repair> under_way_;
};

}  // namespace aftershock::sim::machines
