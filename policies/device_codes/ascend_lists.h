#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "policies/device_codes/device_code.h"

// The codes that MindCluster ships a verdict for, as numbers; ascend.h makes codes of them.
namespace aftershock::policies {

/// Codes of one subject and level. `numbers` and `halves` are sorted.
struct AscendList {
  DeviceSubject subject;
  HandlingLevel level;
  std::uint32_t digits = 8;                   ///< how wide the numbers are printed
  std::span<const std::uint64_t> numbers{};   ///< whole codes
  std::uint32_t upper = 0;                    ///< of the halves
  std::span<const std::uint16_t> halves{};    ///< lower halves of codes of one module
  std::span<const std::string_view> words{};  ///< codes that are words, not numbers
};

/// Chips and their network ports: faultCode.json of MindCluster 22bb3d9.
std::span<const AscendList> ascend_chip_lists();

/// Switches, nodes, RDMA adapters, and what other monitors report: MindCluster 22bb3d9.
std::span<const AscendList> ascend_other_lists();

}  // namespace aftershock::policies
