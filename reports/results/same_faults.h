#pragma once

#include <string_view>

#include "reports/results/run_store.h"

// Whether cells of one sweep are paired run by run.
namespace aftershock::reports {

/// The value that a cell has at a place that is varied; empty: it varies nothing there.
std::string_view value_in(const Cell& cell, std::string_view place);

/// Whether runs of one seed meet the same random faults in all cells. Those of a pool are drawn for
/// its machines together, so that another number of machines has every fault come at another time;
/// so have other rates.
bool meet_the_same_faults(const StoreHeader& header);

}  // namespace aftershock::reports
