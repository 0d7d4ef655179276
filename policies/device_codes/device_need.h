#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "policies/device_codes/device_code.h"

namespace aftershock::policies {

/// The repair of a device once its node was taken out of use, the mildest first.
enum class DeviceNeed : std::uint8_t { kReset, kReboot, kReplacement };
inline constexpr std::size_t kDeviceNeeds = 3;
/// Their words, in that order.
inline constexpr std::array<std::string_view, kDeviceNeeds> kDeviceNeedNames{"reset", "reboot",
                                                                             "replacement"};
constexpr std::string_view name_of(DeviceNeed need) {
  return kDeviceNeedNames[static_cast<std::size_t>(need)];
}

/// The repair that a handling level needs, by our reading. No source says it outright. MindCluster
/// resets a chip at the levels FreeRestartNPU and RestartNPU, and what is milder needs no more.
/// ModelArts' node conditions reboot a node for an alarm of a device before it is repaired
/// (modelarts.md 5.4): that is pre-separation. A separated device stays so until somebody repairs
/// it: it is replaced.
DeviceNeed need_of(HandlingLevel level);

/// The need behind an Xid's action: a restart of the virtual machine or the node is a reboot, a
/// replacement is one, and everything milder a reset (NVIDIA's catalogue, modelarts.md 7.1).
DeviceNeed need_of(GpuAction action);

/// The repair that a code needs by these two. One that no list has is judged as MindCluster judges
/// it, by what the device says of its severity; an Xid of which the catalogue says nothing needs a
/// reset.
DeviceNeed need_of_code(std::string_view code, std::optional<Severity> severity);

}  // namespace aftershock::policies
