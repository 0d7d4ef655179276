#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "policies/api/severity.h"

// The vendors' codes of device faults: facts, and our assumptions beside them.
namespace aftershock::policies {

/// The vendor of the codes: event ids of Huawei's Ascend NPUs, or Xids of NVIDIA's GPUs.
enum class DeviceFamily : std::uint8_t { kAscend, kXid };

/// The part of a node that a code is about. MindCluster keeps a list of codes for each, and judges
/// each apart.
enum class DeviceSubject : std::uint8_t {
  kChip,
  kNetworkPort,
  kDpu,
  kSwitch,
  kNode,
  kPublic,
  kGpu
};
/// "chip", "network port", ...
std::string_view name_of(DeviceSubject subject);

/// MindCluster's handling levels, the least serious first. Pre-separation outranks a reset.
enum class HandlingLevel : std::uint8_t {
  kNotHandleFault,
  kSubHealthFault,
  kRestartRequest,
  kRestartBusiness,
  kFreeRestartNpu,
  kRestartNpu,
  kPreSeparateNpu,
  kSeparateNpu,
  kManuallySeparateNpu,
};
inline constexpr std::size_t kHandlingLevels = 9;
/// "NotHandleFault", "RestartNPU", ...: the words of MindCluster's lists of chip codes.
std::string_view name_of(HandlingLevel level);
/// The action of MindCluster's mode of rescheduling at a level.
std::string_view meaning_of(HandlingLevel level);
/// The word of the list that a code of this subject stands in: "SeparateFault" of a switch or node,
/// "SeparateDPU", else that of the chips.
std::string_view listed_as(DeviceSubject subject, HandlingLevel level);

/// The party to blame, as Ascend's fault diagnosis has it.
enum class RootCause : std::uint8_t {
  kUnknown,
  kUser,
  kSoftware,
  kHardware,
  kUserOrHardware,
  kSoftwareOrHardware
};
inline constexpr std::size_t kRootCauses = 6;
/// "unknown", "user", "software", "hardware", "user_or_hardware", "software_or_hardware"
std::string_view name_of(RootCause cause);

/// The severity that we take a level to have; what codes really have stands in Huawei's
/// health-management books, which are not public. Sub-health and pre-separation are hints: neither
/// touches the job that runs, and every other severity would.
Severity severity_of(HandlingLevel level);

/// The action that an Xid asks for, the mildest first.
enum class GpuAction : std::uint8_t {
  kNone,
  kRestartApp,
  kGpuReset,  ///< all jobs on the GPU, or on its fabric
  kVmRestart,
  kNodeReboot,
  kReplace
};
inline constexpr std::size_t kGpuActions = 6;
/// "none", "restart_app", "gpu_reset", "vm_restart", "node_reboot", "replace"
std::string_view name_of(GpuAction action);
/// An action in words, as the operators of a cluster take it.
std::string_view meaning_of(GpuAction action);
/// The severity that we take an action to have: what takes the node away is critical.
Severity severity_of(GpuAction action);

/// So many within a window come to a higher level (MindCluster's device plugin).
struct FrequencyRule {
  std::uint32_t times = 0;
  std::int64_t window_s = 0;
  std::int64_t release_s = 0;  ///< released after so long without it; 0: by hand only
  HandlingLevel level = HandlingLevel::kManuallySeparateNpu;
};

/// One that lasts comes to a higher level (MindCluster's device plugin).
struct DurationRule {
  std::int64_t longer_than_s = 0;
  std::int64_t recovered_after_s = 0;  ///< healthy for so long takes the level back
  HandlingLevel level = HandlingLevel::kPreSeparateNpu;
};

/// The facts of NVIDIA's catalogue about an Xid, and the class that we read out of them.
struct XidFacts {
  std::string_view immediate;      ///< the catalogue's words; empty: it names no action
  std::string_view investigatory;  ///< likewise
  GpuAction action = GpuAction::kNone;
  std::string_view action_source;  ///< the source of the class
};

/// A code and all that is known of it. An empty text means that our sources do not say.
struct DeviceCode {
  DeviceFamily family = DeviceFamily::kAscend;
  DeviceSubject subject = DeviceSubject::kChip;
  std::string code;  ///< as its vendor prints it: "80E01801", "[0x08520003,na,L2,na]", "94"
  std::string name;  ///< "hbm_multi_bit_ecc"; unique
  std::string_view module;
  std::string_view kind;
  std::optional<HandlingLevel> level;  ///< Ascend: that of the list it stands in
  RootCause root_cause = RootCause::kUnknown;
  Severity severity = Severity::kHint;
  std::optional<FrequencyRule> frequency;
  std::optional<DurationRule> duration;
  std::optional<XidFacts> xid;
  std::string_view product;  ///< which devices have it
  std::string_view note;     ///< other words of the sources on it
};

/// "ascend:80E01801", "xid:94": how scenarios, events and recordings call a code.
std::string canonical(const DeviceCode& code);

}  // namespace aftershock::policies
