#include "policies/device_codes/xid.h"

#include <array>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "policies/device_codes/catalogue.h"

namespace aftershock::policies {
namespace {

struct KnownXid {
  int xid;
  std::string_view name;
  std::string_view immediate;
  std::string_view investigatory;
  GpuAction action;
  Severity severity;
};

constexpr std::array<KnownXid, 28> kKnownXid{{
    {8, "", "RESTART_APP", "CONTACT_SUPPORT", GpuAction::kRestartApp, Severity::kMinor},
    {13, "graphics_exception", "RESTART_APP", "WORKFLOW_XID_13", GpuAction::kRestartApp,
     Severity::kMinor},
    {31, "mmu_page_fault", "RESTART_APP", "WORKFLOW_XID_31", GpuAction::kRestartApp,
     Severity::kMinor},
    {43, "channel_reset", "IGNORE", "CONTACT_SUPPORT", GpuAction::kNone, Severity::kHint},
    {45, "preemptive_cleanup", "WORKFLOW_XID_45",
     "Solo: RESTART_FM; not solo: IGNORE (follow other Xid)", GpuAction::kNone, Severity::kHint},
    {46, "gpu_timeout", "RESET_GPU", "CONTACT_SUPPORT", GpuAction::kGpuReset, Severity::kMajor},
    {48, "double_bit_ecc", "WORKFLOW_XID_48", "WORKFLOW_XID_48", GpuAction::kGpuReset,
     Severity::kMajor},
    {54, "", "CHECK_MECHANICALS", "CONTACT_SUPPORT", GpuAction::kReplace, Severity::kCritical},
    {62, "microcontroller_halt", "RESET_GPU", "CONTACT_SUPPORT", GpuAction::kGpuReset,
     Severity::kMajor},
    {63, "row_remap_recorded", "IGNORE", "IGNORE", GpuAction::kNone, Severity::kHint},
    {64, "row_remap_failure", "RESET_GPU", "CONTACT_SUPPORT", GpuAction::kGpuReset,
     Severity::kMajor},
    {74, "nvlink_error", "WORKFLOW_NVLINK_ERR", "CONTACT_SUPPORT", GpuAction::kGpuReset,
     Severity::kMajor},
    {78, "", "UPDATE_SWFW", "UPDATE_SWFW", GpuAction::kNodeReboot, Severity::kCritical},
    {79, "gpu_fell_off_bus", "RESTART_BM", "CONTACT_SUPPORT", GpuAction::kNodeReboot,
     Severity::kCritical},
    {92, "high_single_bit_ecc_rate", "IGNORE", "CONTACT_SUPPORT", GpuAction::kNone,
     Severity::kHint},
    {94, "contained_ecc", "RESTART_APP", "IGNORE (sympathetic)", GpuAction::kRestartApp,
     Severity::kMinor},
    {95, "uncontained_ecc", "RESET_GPU", "IGNORE (sympathetic)", GpuAction::kGpuReset,
     Severity::kMajor},
    {119, "gsp_timeout", "RESET_GPU", "INVESTIGATE_SW", GpuAction::kGpuReset, Severity::kMajor},
    {120, "gsp_error", "RESET_GPU", "INVESTIGATE_SW", GpuAction::kGpuReset, Severity::kMajor},
    {136, "link_training_error", "RESET_GPU", "INVESTIGATE_LINK_SI", GpuAction::kGpuReset,
     Severity::kMajor},
    {137, "nvlink_privilege_error", "IGNORE", "XID_137_FLOW", GpuAction::kNone, Severity::kHint},
    {142, "", "CONTACT_SUPPORT", "", GpuAction::kReplace, Severity::kCritical},
    {147, "", "WORKFLOW_NVLINK5_ERR", "WORKFLOW_NVLINK5_ERR", GpuAction::kGpuReset,
     Severity::kMajor},
    {151, "key_rotation_error", "RESTART_VM", "CONTACT_SUPPORT", GpuAction::kVmRestart,
     Severity::kCritical},
    {154, "recovery_action_changed", "XID_154", "N/A Informational only regarding another Xid",
     GpuAction::kNone, Severity::kHint},
    {156, "retirement_event", "RESET_GPU", "IGNORE", GpuAction::kGpuReset, Severity::kMajor},
    {159, "", "CHECK_UVM", "SYMPATHETIC_REPORT_SOLO", GpuAction::kNone, Severity::kHint},
    {171, "", "", "", GpuAction::kNone, Severity::kHint},
}};

TEST(XidCodes, SayWhatIsKnown) {
  for (const KnownXid& each : kKnownXid) {
    const std::string code = "xid:" + std::to_string(each.xid);
    SCOPED_TRACE(code);
    const DeviceCode* found = find_device_code(code);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(canonical(*found), code);
    EXPECT_EQ(found->family, DeviceFamily::kXid);
    EXPECT_EQ(found->subject, DeviceSubject::kGpu);
    EXPECT_EQ(found->name, each.name);
    EXPECT_EQ(found->severity, each.severity);
    EXPECT_FALSE(found->level);
    ASSERT_TRUE(found->xid);
    EXPECT_EQ(found->xid->immediate, each.immediate);
    EXPECT_EQ(found->xid->investigatory, each.investigatory);
    EXPECT_EQ(found->xid->action, each.action);
    EXPECT_EQ(find_device_code(each.name), each.name.empty() ? nullptr : found);
  }
}

// 39 + 11 + 11 + 7 + 7 + 5 + 3 + 3 + 3 in the catalogue's groups of several, and 20 alone.
TEST(XidCodes, AreThoseOfTheCatalogue) {
  std::map<std::string, int> groups;
  int before = 0;
  for (const DeviceCode& code : xid_codes()) {
    EXPECT_LT(before, std::stoi(code.code));
    before = std::stoi(code.code);
    ++groups[std::string(code.xid->immediate)];
    EXPECT_NE(code.xid->action_source, "") << code.code;
  }
  EXPECT_EQ(xid_codes().size(), 109U);
  // Over the investigatory actions: 39 + 5 + 13, 31, 60 and 94; 11 + 3 + 3 + 37 and 137; 7 + 3 +
  // 95, 136, 155 and 156.
  EXPECT_EQ(groups["RESTART_APP"], 48);
  EXPECT_EQ(groups["IGNORE"], 19);
  EXPECT_EQ(groups["RESET_GPU"], 14);
  EXPECT_EQ(groups["WORKFLOW_NVLINK5_ERR"], 7);
  EXPECT_EQ(groups[""], 11);
}

TEST(GpuActions, OrderAndSeverity) {
  constexpr std::array<std::pair<std::string_view, Severity>, kGpuActions> kOrder{{
      {"none", Severity::kHint},
      {"restart_app", Severity::kMinor},
      {"gpu_reset", Severity::kMajor},
      {"vm_restart", Severity::kCritical},
      {"node_reboot", Severity::kCritical},
      {"replace", Severity::kCritical},
  }};
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    const auto action = static_cast<GpuAction>(i);
    EXPECT_EQ(name_of(action), kOrder[i].first);
    EXPECT_EQ(severity_of(action), kOrder[i].second);
  }
}

}  // namespace
}  // namespace aftershock::policies
