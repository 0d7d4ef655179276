#pragma once

#include <span>
#include <string>

#include "reports/ledger/ledger.h"

namespace aftershock::reports {

/// The members of a recording's ledger record: wall time, both accounts with every bucket, and what
/// each cause that has time put down to it paid in which bucket. `fault_ids` by fault number.
std::string ledger_record_members(const Ledger& ledger, std::span<const std::string> fault_ids);

}  // namespace aftershock::reports
