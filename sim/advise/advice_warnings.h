#pragma once

#include <string>
#include <vector>

#include "sim/advise/advice.h"

namespace aftershock::sim::advise {

/// The sentences without which an advice would be misread: runs of any choice that are stuck,
/// invalid or did not end; and a choice that is told although its runs fail or are stuck, by a goal
/// that does not ask that they live.
std::vector<std::string> advice_warnings(const Advice& advice);

}  // namespace aftershock::sim::advise
