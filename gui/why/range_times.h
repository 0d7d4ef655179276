#pragma once

#include <cstdint>

#include "gui/trace/trace.h"
#include "gui/why/accounts.h"

namespace aftershock::gui {

/// Where the time of a job between two moments went, from its phases: what was done and lost again
/// counts as rolled back. Of the whole of a run that was completed it is what the ledger says, but
/// for time that is told in other words than phases (straggling). The work that a failed job never
/// saved counts as productive here, since no record says when it was done.
BucketTimes range_times(const Trace& trace, std::uint32_t entity, std::int64_t from_us,
                        std::int64_t to_us);

}  // namespace aftershock::gui
