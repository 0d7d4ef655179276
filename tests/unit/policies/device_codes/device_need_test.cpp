#include "policies/device_codes/device_need.h"

#include <array>
#include <optional>

#include <gtest/gtest.h>

namespace aftershock::policies {
namespace {

struct NeedRow {
  std::string_view code;
  std::optional<Severity> severity;
  DeviceNeed need;
};

constexpr std::array<NeedRow, 14> kNeedRows{{
    {"ascend:80C98002", {}, DeviceNeed::kReset},        // RestartRequest
    {"ascend:80E01801", {}, DeviceNeed::kReset},        // RestartBusiness
    {"ascend:80AD8009", {}, DeviceNeed::kReset},        // FreeRestartNPU
    {"ascend:80E18404", {}, DeviceNeed::kReset},        // RestartNPU
    {"ascend:8F180220", {}, DeviceNeed::kReboot},       // PreSeparateNPU
    {"ascend:80E18402", {}, DeviceNeed::kReplacement},  // SeparateNPU
    {"ascend:80E1FFFF", {}, DeviceNeed::kReplacement},  // unlisted: SeparateNPU
    {"ascend:80E1FFFF", Severity::kMinor, DeviceNeed::kReset},
    {"ascend:8107FFFF", Severity::kMinor, DeviceNeed::kReboot},  // of a port: PreSeparateNPU
    {"xid:94", {}, DeviceNeed::kReset},
    {"xid:95", {}, DeviceNeed::kReset},
    {"xid:79", {}, DeviceNeed::kReboot},
    {"xid:54", {}, DeviceNeed::kReplacement},
    {"xid:999", {}, DeviceNeed::kReset},
}};

TEST(DeviceNeed, FollowsLevelAndAction) {
  for (const NeedRow& row : kNeedRows) {
    EXPECT_EQ(name_of(need_of_code(row.code, row.severity)), name_of(row.need)) << row.code;
  }
}

}  // namespace
}  // namespace aftershock::policies
