#include "sim/chaos/fault_family.h"

#include <array>

namespace aftershock::sim {

std::span<const FaultFamily> fault_families() {
  using enum Aim;
  using enum FaultKind;
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
      FaultFamily{"F11", "partition", kNode, kPartition, R"("lasts":"45s")", R"("lasts":"45s")"},
      FaultFamily{"F13", "failed save", kSaves, kUploadError, "", ""},
      FaultFamily{"F15", "head crash", kHead, kHeadCrash, "", ""},
  };
  return kFamilies;
}

}  // namespace aftershock::sim
