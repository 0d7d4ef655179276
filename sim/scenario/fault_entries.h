#pragma once

#include "sim/scenario/fault_catalogue.h"

// Entries of the catalogue for what befalls controllers, runs and their storage rather than nodes.
namespace aftershock::sim {

/// The entry of each kind, in the order of FaultKind.
FaultEntry head_crash();
FaultEntry host_oom();
FaultEntry full_disk();
FaultEntry user_interrupt();
FaultEntry torn_snapshot();
FaultEntry upload_error();
FaultEntry divergent_report();
FaultEntry hook_error();
FaultEntry unshared_storage();
FaultEntry object_store_full();
FaultEntry deleted_checkpoint();
FaultEntry unwritable_snapshot();

}  // namespace aftershock::sim
