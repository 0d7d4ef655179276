#include "policies/device_codes/device_code.h"

#include <array>

namespace aftershock::policies {
namespace {

/// The entry of a table in the order of an enumeration.
template <class Entries, class Word>
typename Entries::value_type entry_of(const Entries& entries, Word word) {
  return entries[static_cast<std::size_t>(word)];
}

}  // namespace

std::string_view name_of(DeviceSubject subject) {
  constexpr std::array<std::string_view, 7> kNames{"chip", "network port", "dpu", "switch",
                                                   "node", "public",       "gpu"};
  return entry_of(kNames, subject);
}

std::string_view name_of(HandlingLevel level) {
  constexpr std::array<std::string_view, kHandlingLevels> kNames{
      "NotHandleFault", "SubHealthFault", "RestartRequest", "RestartBusiness",    "FreeRestartNPU",
      "RestartNPU",     "PreSeparateNPU", "SeparateNPU",    "ManuallySeparateNPU"};
  return entry_of(kNames, level);
}

std::string_view meaning_of(HandlingLevel level) {
  constexpr std::array<std::string_view, kHandlingLevels> kMeanings{
      "nothing is done",
      "the device is degraded; what to do is the job's choice, by default nothing",
      "the job is rescheduled without the device, or does its last request again",
      "the job is rescheduled without the device, or executes again",
      "the job is rescheduled without the device, or goes on; the device is reset once it is idle",
      "the job is rescheduled without the device, which is reset now",
      "the running job is left alone, and nothing new is placed on the device",
      "the job is rescheduled, and the device isolated",
      "the job is rescheduled, and the device isolated until it is released by hand or by time"};
  return entry_of(kMeanings, level);
}

std::string_view listed_as(DeviceSubject subject, HandlingLevel level) {
  const bool faults = subject == DeviceSubject::kSwitch || subject == DeviceSubject::kNode;
  if (level == HandlingLevel::kSeparateNpu) {
    if (faults) return "SeparateFault";
    if (subject == DeviceSubject::kDpu) return "SeparateDPU";
  }
  if (level == HandlingLevel::kPreSeparateNpu && faults) return "PreSeparateFault";
  if (level == HandlingLevel::kRestartRequest && faults) return "RestartRequestFault";
  return name_of(level);
}

std::string_view name_of(RootCause cause) {
  constexpr std::array<std::string_view, kRootCauses> kNames{
      "unknown", "user", "software", "hardware", "user_or_hardware", "software_or_hardware"};
  return entry_of(kNames, cause);
}

Severity severity_of(HandlingLevel level) {
  switch (level) {
    case HandlingLevel::kRestartRequest:
    case HandlingLevel::kRestartBusiness:
      return Severity::kMinor;
    case HandlingLevel::kFreeRestartNpu:
    case HandlingLevel::kRestartNpu:
      return Severity::kMajor;
    case HandlingLevel::kSeparateNpu:
    case HandlingLevel::kManuallySeparateNpu:
      return Severity::kCritical;
    case HandlingLevel::kNotHandleFault:
    case HandlingLevel::kSubHealthFault:
    case HandlingLevel::kPreSeparateNpu:
      break;  // the running job is left alone
  }
  return Severity::kHint;
}

std::string_view name_of(GpuAction action) {
  constexpr std::array<std::string_view, kGpuActions> kNames{
      "none", "restart_app", "gpu_reset", "vm_restart", "node_reboot", "replace"};
  return entry_of(kNames, action);
}

std::string_view meaning_of(GpuAction action) {
  constexpr std::array<std::string_view, kGpuActions> kMeanings{
      "nothing is done",
      "the program starts again",
      "the GPU is reset, for which all jobs on it or on its fabric end",
      "the virtual machine is restarted",
      "the node is rebooted",
      "the GPU is replaced"};
  return entry_of(kMeanings, action);
}

Severity severity_of(GpuAction action) {
  constexpr std::array<Severity, kGpuActions> kSeverities{Severity::kHint,     Severity::kMinor,
                                                          Severity::kMajor,    Severity::kCritical,
                                                          Severity::kCritical, Severity::kCritical};
  return entry_of(kSeverities, action);
}

std::string canonical(const DeviceCode& code) {
  return (code.family == DeviceFamily::kXid ? "xid:" : "ascend:") + code.code;
}

}  // namespace aftershock::policies
