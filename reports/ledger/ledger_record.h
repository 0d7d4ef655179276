#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "reports/ledger/ledger.h"
#include "reports/ledger/trial_ledger.h"

namespace aftershock::reports {

/// The members of a recording's ledger record: wall time, both accounts with every bucket, and what
/// each cause that has time put down to it paid in which bucket. `fault_ids` by fault number.
std::string ledger_record_members(const Ledger& ledger, std::span<const std::string> fault_ids);
/// The same of an experiment, whose buckets hold the time of all its trials; `wall_us` is its own.
std::string ledger_record_members(const TrialLedger& ledger, std::int64_t wall_us,
                                  std::span<const std::string> fault_ids);

}  // namespace aftershock::reports
