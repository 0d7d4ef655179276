#include "sim/chaos/fault_family.h"

#include <array>

namespace aftershock::sim::chaos {

std::span<const FaultFamily> fault_families() {
  using enum Aim;
  using enum scenario::FaultKind;
  static constexpr std::array kFamilies{
      FaultFamily{"F01", "application exit", kProcess, kWorkerCrash,
                  R"("how":"exit","exit_code":1)", R"("how":"exit","exit_code":1)"},
      FaultFamily{"F02", "process crash", kProcess, kWorkerCrash, R"("how":"oom")",
                  R"("how":"oom")"},
      FaultFamily{"F03", "node loss", kNode, kNodeCrash, "", ""},
      FaultFamily{"F04", "preemption with notice", kNode, kPreemption, R"("notice":"2min")",
                  R"("notice":"2min")"},
      FaultFamily{"F05", "preemption without notice", kNode, kPreemption, "", ""},
      FaultFamily{"F06", "uncorrected ECC error", kProcess, kAcceleratorFault, R"("code":"xid:94")",
                  R"("code":"80E01801")"},
      FaultFamily{"F07", "storm of corrected ECC errors", kProcess, kCorrectedEccStorm,
                  R"("every":"5s","times":3,"then":"xid:94")",
                  R"("every":"5s","times":3,"then":"80E01801")"},
      FaultFamily{"F08", "hang", kProcess, kHang, "", "", true},
      FaultFamily{"F09", "straggler", kNode, kStraggler, R"("slowdown":2)", R"("slowdown":2)"},
      FaultFamily{"F10", "link flap", kNode, kLinkFlap, R"("times":3,"down":"20s","up":"10s")",
                  R"("times":3,"down":"20s","up":"10s")"},
      FaultFamily{"F11", "partition", kNode, kPartition, R"("lasts":"45s")", R"("lasts":"45s")"},
      FaultFamily{"F12a", "partition outwards", kNode, kOneWayPartition,
                  R"("direction":"outwards","lasts":"45s")",
                  R"("direction":"outwards","lasts":"45s")"},
      FaultFamily{"F12b", "partition inwards", kNode, kOneWayPartition,
                  R"("direction":"inwards","lasts":"45s")",
                  R"("direction":"inwards","lasts":"45s")"},
      FaultFamily{"F13", "failed save", kSaves, kUploadError, "", ""},
      FaultFamily{"F13b", "torn checkpoint", kSaves, kTornCheckpoint, "", ""},
      FaultFamily{"F13c", "corrupt checkpoint", kCommitted, kCorruptCheckpoint, "", ""},
      FaultFamily{"F14a", "storage outage", Aim::kStorage, kStorageOutage, R"("lasts":"2min")",
                  R"("lasts":"2min")"},
      FaultFamily{"F14b", "slow storage", Aim::kStorage, kSlowStorage,
                  R"("factor":4,"lasts":"10min")", R"("factor":4,"lasts":"10min")"},
      FaultFamily{"F15", "head crash", kHead, kHeadCrash, "", ""},
      FaultFamily{"F16", "rack loss", Aim::kRack, kNodeCrash, "", ""},
      FaultFamily{"F17", "replacement bad too", kReplacement, kBadReplacement, "", ""},
      FaultFamily{"F18a", "false alarm of a device", kProcess, kFalseAlarm, R"("code":"xid:94")",
                  R"("code":"80E01801")", false, true},
      FaultFamily{"F18b", "false alarm of a hang", kProcess, kFalseAlarm, R"("alarm":"hang")",
                  R"("alarm":"hang")", false, false, true},
      FaultFamily{"F19a", "stale message", kMessages, kStaleMessage, R"("message":"running")",
                  R"("message":"running")"},
      FaultFamily{"F19b", "duplicate message", kMessages, kDuplicateMessage,
                  R"("message":"running")", R"("message":"running")"},
      FaultFamily{"F20", "capacity denial", kReplacement, kCapacityDenial,
                  R"("lasts":"10min","spares":true)", R"("lasts":"10min","spares":true)"},
  };
  return kFamilies;
}

}  // namespace aftershock::sim::chaos
