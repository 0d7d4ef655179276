#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::sim::scenario {

/// Which new machines a bad replacement may be.
enum class NewMachines : std::uint8_t { kAny, kProvisioned, kSpares };
/// The detector that is wrong in a false alarm: a device's health report, or a watch for hangs.
enum class Alarm : std::uint8_t { kDeviceFault, kHang };

/// The effects of a fault on machines beside ending them, and on the pools that give them out.
struct MachineEffect {
  std::int64_t slowdown_ppm = 1'000'000;     ///< straggler: how many times as long a step takes
  NewMachines machines = NewMachines::kAny;  ///< bad replacement
  bool for_ever = false;                     ///< lemon: `times` says nothing
  std::int64_t cured_ppm = 0;                ///< lemon: by how many of a million repairs
  bool spares_too = false;                   ///< capacity denial: nor are spares given out
  Alarm alarm = Alarm::kDeviceFault;         ///< false alarm
  /// Accelerator fault: the node of its pool that the health report names; none: its own.
  std::optional<std::uint32_t> blamed_node;
};

}  // namespace aftershock::sim::scenario
