#pragma once

#include "sim/scenario/scenario.h"
#include "sim/scenario/shape/fields.h"
#include "sim/scenario/text/error_list.h"

namespace aftershock::sim::scenario {

/// The library of the job's collectives, the laws by which its ranks learn there of others, and the
/// time after which a collective gives up, as `fields` of the job and its environment say. The
/// job's pool, workers and collective_timeout are read already. Mistakes go to `errors`.
void read_collectives(const Fields& fields, const ClusterSpec& cluster, JobSpec& job,
                      ErrorList& errors);

}  // namespace aftershock::sim::scenario
