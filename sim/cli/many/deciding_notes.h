#pragma once

#include <string>
#include <vector>

#include "reports/results/comparison.h"
#include "sim/sweep/plan.h"

namespace aftershock::sim::cli {

/// The things beside those that were varied on which the answer of a comparison hangs, a sentence
/// each: a retry budget that ends a fifth of a cell's runs or more, with the flag by which it ends
/// fewer.
std::vector<std::string> deciding_notes(const reports::Comparison& comparison,
                                        const sweep::Plan& plan);

}  // namespace aftershock::sim::cli
