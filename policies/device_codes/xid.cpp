#include "policies/device_codes/xid.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace aftershock::policies {
namespace {

struct Row {
  std::uint16_t xid;
  std::string_view immediate;
  std::string_view investigatory;
  std::string_view name = {};  ///< empty: what it means does not tell it from others
  std::string_view meaning = {};
  std::string_view note = {};
};

// The catalogue's words; of workflows and of single Xids they stand where they are used.
constexpr std::string_view kNone;
constexpr std::string_view kIgnore = "IGNORE";
constexpr std::string_view kSympathetic = "IGNORE (sympathetic)";
constexpr std::string_view kRestartApp = "RESTART_APP";
constexpr std::string_view kResetGpu = "RESET_GPU";
constexpr std::string_view kNvlink5 = "WORKFLOW_NVLINK5_ERR";
constexpr std::string_view kSupport = "CONTACT_SUPPORT";
constexpr std::string_view kInvestigateSoftware = "INVESTIGATE_SW";
constexpr std::string_view kCheckApp = "CHECK_APP/CUDA";

constexpr std::array<Row, 109> kRows{{
    {8, kRestartApp, kSupport, "", "stuck or corrupt push buffer"},
    {11, kRestartApp, kCheckApp, "", "stuck or corrupt push buffer"},
    {13, kRestartApp, "WORKFLOW_XID_13", "graphics_exception", "exception in graphics or SM",
     "coming again on the same GPU from other applications, it points to the hardware"},
    {25, kRestartApp, kCheckApp, "", "stuck or corrupt push buffer"},
    {31, kRestartApp, "WORKFLOW_XID_31", "mmu_page_fault", "MMU page fault",
     "mostly a bug of the application"},
    {32, kRestartApp, kCheckApp, "", "stuck or corrupt push buffer"},
    {37, kIgnore, kCheckApp},
    {38, kIgnore, kSupport},
    {39, kRestartApp, kSupport},
    {40, kRestartApp, kSupport},
    {41, kRestartApp, kSupport},
    {43, kIgnore, kSupport, "channel_reset", "channel reset", "the application is dead already"},
    {44, kIgnore, kSupport, "context_switch_fault", "fault in a context switch",
     "the application is dead already"},
    {45, "WORKFLOW_XID_45", "Solo: RESTART_FM; not solo: IGNORE (follow other Xid)",
     "preemptive_cleanup", "pre-emptive cleanup",
     "follows another Xid, whose action counts; alone the fabric manager is restarted"},
    {46, kResetGpu, kSupport, "gpu_timeout", "GPU time-out"},
    {48, "WORKFLOW_XID_48", "WORKFLOW_XID_48", "double_bit_ecc", "double-bit ECC",
     "followed by 63 or 64: drain and reset; alone: field diagnostic; 171 and 172 tell DRAM from "
     "SRAM"},
    {54, "CHECK_MECHANICALS", kSupport},
    {60, kRestartApp, kInvestigateSoftware},
    {62, kResetGpu, kSupport, "microcontroller_halt", "halt of a micro-controller"},
    {63, kIgnore, kIgnore, "row_remap_recorded", "row remap recorded, or page retired",
     "reset when convenient; with 94 that application is restarted"},
    {64, kResetGpu, kSupport, "row_remap_failure", "row remap or page retirement failed",
     "the GPU is replaced if its failure flag stays"},
    {66, kIgnore, kInvestigateSoftware},
    {67, kIgnore, kSupport},
    {68, kRestartApp, kSupport},
    {69, kRestartApp, kCheckApp},
    {70, kRestartApp, kSupport},
    {71, kRestartApp, kSupport},
    {72, kRestartApp, kSupport},
    {74, "WORKFLOW_NVLINK_ERR", kSupport, "nvlink_error", "NVLink error",
     "usually all GPUs of the fabric are reset"},
    {75, kRestartApp, kSupport},
    {76, kRestartApp, kSupport},
    {77, kRestartApp, kSupport},
    {78, "UPDATE_SWFW", "UPDATE_SWFW"},
    {79, "RESTART_BM", kSupport, "gpu_fell_off_bus", "the GPU fell off the bus",
     "replaced when it does so again"},
    {80, kRestartApp, kCheckApp, "", "stuck or corrupt push buffer"},
    {82, kRestartApp, kSupport},
    {83, kRestartApp, kSupport},
    {84, kRestartApp, kSupport},
    {85, kRestartApp, kSupport},
    {86, kRestartApp, kSupport},
    {88, kRestartApp, kSupport},
    {89, kRestartApp, kSupport},
    {92, kIgnore, kSupport, "high_single_bit_ecc_rate", "high rate of single-bit errors",
     "replaced at some time"},
    {93, kIgnore, kSupport},
    {94, kRestartApp, kSympathetic, "contained_ecc", "contained ECC error",
     "other processes are not affected"},
    {95, kResetGpu, kSympathetic, "uncontained_ecc", "uncontained ECC error",
     "every application on the GPU dies; the node is rebooted where a GPU cannot be reset alone"},
    {96, kRestartApp, kSupport},
    {97, kRestartApp, kSupport},
    {98, kRestartApp, kSupport},
    {99, kRestartApp, kSupport},
    {100, kRestartApp, kSupport},
    {101, kRestartApp, kSupport},
    {102, kRestartApp, kSupport},
    {103, kRestartApp, kSupport},
    {104, kRestartApp, kSupport},
    {105, kRestartApp, kSupport},
    {106, kIgnore, kIgnore},
    {107, kIgnore, kIgnore},
    {109, kResetGpu, kSupport, "context_switch_timeout", "time-out of a context switch"},
    {110, kResetGpu, kInvestigateSoftware, "security_fault", "security fault"},
    {119, kResetGpu, kInvestigateSoftware, "gsp_timeout", "time-out of a call to the GSP",
     "the node is rebooted if the reset fails"},
    {120, kResetGpu, kInvestigateSoftware, "gsp_error", "error of the GSP",
     "the node is rebooted if the reset fails"},
    {121, kIgnore, kSupport, "c2c_error", "chip-to-chip link error"},
    {126, kRestartApp, kSupport},
    {127, kRestartApp, kSupport},
    {128, kRestartApp, kSupport},
    {129, kRestartApp, kSupport},
    {130, kRestartApp, kSupport},
    {131, kRestartApp, kSupport},
    {132, kRestartApp, kSupport},
    {133, kRestartApp, kSupport},
    {134, kRestartApp, kSupport},
    {135, kRestartApp, kSupport},
    {136, kResetGpu, "INVESTIGATE_LINK_SI", "link_training_error", "link training failed"},
    {137, kIgnore, "XID_137_FLOW", "nvlink_privilege_error", "NVLink privilege error"},
    {139, kRestartApp, kSupport},
    {140, kResetGpu, kSupport, "unrecovered_ecc", "unrecovered ECC error"},
    {141, kIgnore, kSupport},
    {142, kSupport, kNone},
    {143, kResetGpu, kSupport, "gpu_init_error", "initialisation error"},
    {144, kNvlink5, kNvlink5, "", "error of an NVLink5 unit", "its sub-code and status say more"},
    {145, kNvlink5, kNvlink5, "", "error of an NVLink5 unit", "its sub-code and status say more"},
    {146, kNvlink5, kNvlink5, "", "error of an NVLink5 unit", "its sub-code and status say more"},
    {147, kNvlink5, kNvlink5, "", "error of an NVLink5 unit", "its sub-code and status say more"},
    {148, kNvlink5, kNvlink5, "", "error of an NVLink5 unit", "its sub-code and status say more"},
    {149, kNvlink5, kNvlink5, "", "error of an NVLink5 unit", "its sub-code and status say more"},
    {150, kNvlink5, kNvlink5, "", "error of an NVLink5 unit", "its sub-code and status say more"},
    {151, "RESTART_VM", kSupport, "key_rotation_error", "key rotation error"},
    {152, kIgnore, kSupport},
    {153, kIgnore, kSupport},
    {154, "XID_154", "N/A Informational only regarding another Xid", "recovery_action_changed",
     "the recovery action of the GPU has changed",
     "it names the action: none, reset, reboot, drain peer-to-peer, or drain and reset"},
    {155, kResetGpu, "INVESTIGATE_SW_USER", "nvlink_software_error", "NVLink software error"},
    {156, kResetGpu, kIgnore, "retirement_event", "retirement event"},
    {157, kIgnore, kSupport, "retirement_failure", "retirement failure"},
    {158, kResetGpu, kSupport, "fatal_timeout", "fatal time-out"},
    {159, "CHECK_UVM", "SYMPATHETIC_REPORT_SOLO"},
    {160, kIgnore, kInvestigateSoftware, "", "channel retirement"},
    {161, kIgnore, kInvestigateSoftware, "", "channel retirement"},
    {162, kNone, kNone},
    {163, kNone, kNone},
    {164, kNone, kNone},
    {165, kNone, kNone},
    {166, kNone, kNone},
    {167, kNone, kNone},
    {168, kNone, kNone},
    {169, kNone, kNone},
    {170, kNone, kNone},
    {171, kNone, kNone},
    {172, kNone, kNone},
}};

struct Action {
  std::string_view immediate;
  GpuAction action;
  std::string_view source;
};

constexpr std::array<Action, 15> kActions{{
    {kNone, GpuAction::kNone, "the catalogue names no action"},
    {kIgnore, GpuAction::kNone, "the immediate action"},
    {kRestartApp, GpuAction::kRestartApp, "the immediate action"},
    {kResetGpu, GpuAction::kGpuReset, "the immediate action"},
    {"RESTART_VM", GpuAction::kVmRestart, "the immediate action"},
    {"RESTART_BM", GpuAction::kNodeReboot, "the immediate action"},
    {"XID_154", GpuAction::kNone, "informational: the action is that of another Xid"},
    {"WORKFLOW_XID_45", GpuAction::kNone, "the workflow, where it follows another Xid"},
    {"WORKFLOW_XID_48", GpuAction::kGpuReset, "the workflow, where 63 or 64 follows"},
    {"WORKFLOW_NVLINK_ERR", GpuAction::kGpuReset, "where the workflow usually ends"},
    {kNvlink5, GpuAction::kGpuReset, "assumed, as of 74: the workflow goes by sub-codes"},
    {"CHECK_UVM", GpuAction::kNone, "assumed: it accompanies another Xid"},
    {"UPDATE_SWFW", GpuAction::kNodeReboot, "assumed: updates are made on a drained node"},
    {"CHECK_MECHANICALS", GpuAction::kReplace, "assumed: somebody has to go there"},
    {kSupport, GpuAction::kReplace, "assumed: nothing is left to do on the node"},
}};

XidFacts facts_of(const Row& row) {
  XidFacts facts{row.immediate, row.investigatory, GpuAction::kNone, {}};
  for (const Action& each : kActions) {
    if (each.immediate == row.immediate) {
      facts.action = each.action;
      facts.action_source = each.source;
    }
  }
  return facts;
}

DeviceCode describe(const Row& row) {
  DeviceCode made;
  made.family = DeviceFamily::kXid;
  made.subject = DeviceSubject::kGpu;
  made.code = std::to_string(row.xid);
  made.name = row.name;
  made.kind = row.meaning;
  made.note = row.note;
  made.xid = facts_of(row);
  made.severity = severity_of(made.xid->action);
  // The only ones whose devices our sources name.
  constexpr std::uint16_t kContained = 94;
  constexpr std::uint16_t kUncontained = 95;
  if (row.xid == kContained || row.xid == kUncontained) {
    made.product = "GA100, GH100, GB10x";
  }
  return made;
}

std::vector<DeviceCode> make_xid_codes() {
  std::vector<DeviceCode> codes;
  codes.reserve(kRows.size());
  for (const Row& row : kRows) codes.push_back(describe(row));
  return codes;
}

}  // namespace

std::span<const DeviceCode> xid_codes() {
  static const std::vector<DeviceCode> kCodes = make_xid_codes();
  return kCodes;
}

}  // namespace aftershock::policies
