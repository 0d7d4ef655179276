#pragma once

#include <string>
#include <vector>

#include "sim/advise/advice.h"

namespace aftershock::sim::advise {

/// The sentences without which an advice would be misread: runs of any choice that are stuck,
/// invalid or did not end; a choice that is told although its runs fail or are stuck, by a goal
/// that does not ask that they live; and an objective of the goal that is the same in every run.
std::vector<std::string> advice_warnings(const Advice& advice, const scenario::Expression& goal);

}  // namespace aftershock::sim::advise
