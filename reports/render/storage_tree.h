#pragma once

#include <string>
#include <vector>

#include "reports/ledger/summary.h"
#include "reports/render/style.h"

namespace aftershock::reports {

/// The folders as trees, a line a file, with what is to be said of it beside its name.
std::string storage_tree(const std::vector<StoredFolder>& folders, const Style& style);

}  // namespace aftershock::reports
