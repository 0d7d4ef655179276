#pragma once

#include <cstdint>

#include "gui/trace/trace.h"
#include "gui/why/accounts.h"

namespace aftershock::gui {

/// Where the time of a job, or of the trials of an experiment together, went between two moments,
/// from their phases: what was done and lost again, at once or with the job's end, counts as rolled
/// back. Of the whole of a run it is what the
/// ledger says, but for time that is told in other words than phases (straggling).
BucketTimes range_times(const Trace& trace, const Account& account, std::int64_t from_us,
                        std::int64_t to_us);

/// When the work began that a job never saved, and that its ledger counts as rolled back though no
/// record does; kOpen where there is none. Takes a look at all phases of a job that lost work.
std::int64_t unsaved_from_us(const Trace& trace, const Account& account);

}  // namespace aftershock::gui
