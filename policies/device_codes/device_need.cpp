#include "policies/device_codes/device_need.h"

#include "policies/device_codes/ascend.h"
#include "policies/device_codes/ascend_anatomy.h"
#include "policies/device_codes/catalogue.h"

namespace aftershock::policies {

DeviceNeed need_of(HandlingLevel level) {
  switch (level) {
    case HandlingLevel::kPreSeparateNpu:
      return DeviceNeed::kReboot;
    case HandlingLevel::kSeparateNpu:
    case HandlingLevel::kManuallySeparateNpu:
      return DeviceNeed::kReplacement;
    case HandlingLevel::kNotHandleFault:
    case HandlingLevel::kSubHealthFault:
    case HandlingLevel::kRestartRequest:
    case HandlingLevel::kRestartBusiness:
    case HandlingLevel::kFreeRestartNpu:
    case HandlingLevel::kRestartNpu:
      break;
  }
  return DeviceNeed::kReset;
}

DeviceNeed need_of(GpuAction action) {
  switch (action) {
    case GpuAction::kVmRestart:
    case GpuAction::kNodeReboot:
      return DeviceNeed::kReboot;
    case GpuAction::kReplace:
      return DeviceNeed::kReplacement;
    case GpuAction::kNone:
    case GpuAction::kRestartApp:
    case GpuAction::kGpuReset:
      break;
  }
  return DeviceNeed::kReset;
}

DeviceNeed need_of_code(std::string_view code, std::optional<Severity> severity) {
  if (const DeviceCode* listed = find_device_code(code)) {
    return listed->xid ? need_of(listed->xid->action)
                       : need_of(listed->level.value_or(HandlingLevel::kNotHandleFault));
  }
  const auto text = parse_device_code(code);
  if (!text || text->family == DeviceFamily::kXid) return DeviceNeed::kReset;
  return need_of(judge_unknown(ascend_subject(text->code), severity));
}

}  // namespace aftershock::policies
