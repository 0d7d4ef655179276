#pragma once

#include "sim/scenario/faults/fault_catalogue.h"

// Entries of the catalogue: what befalls controllers, runs and their storage, and what befalls
// machines beside ending.
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
FaultEntry policy_crash();

/// And those of the network, of storage and of messages.
FaultEntry one_way_partition();
FaultEntry head_worker_partition();
FaultEntry worker_storage_partition();
FaultEntry link_flap();
FaultEntry storage_outage();
FaultEntry slow_storage();
FaultEntry torn_checkpoint();
FaultEntry corrupt_checkpoint();
FaultEntry stale_message();
FaultEntry duplicate_message();

/// The same of what befalls machines, and the pools that give them out.
FaultEntry straggler();
FaultEntry cluster_outage();
FaultEntry bad_replacement();
FaultEntry capacity_denial();
FaultEntry lemon_node();
FaultEntry false_alarm();

}  // namespace aftershock::sim
