#pragma once

#include <string>
#include <string_view>

#include "reports/ledger/ledger.h"
#include "reports/render/style.h"

namespace aftershock::reports {

/// A heading, then a line for every bucket that is not zero: time, share, bar. Nothing where all
/// are zero.
std::string bucket_table(std::string_view heading, const BucketTotals& totals_us,
                         const Style& style);

}  // namespace aftershock::reports
