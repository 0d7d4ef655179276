#pragma once

#include <cstddef>
#include <vector>

#include "sim/scenario/expression.h"

namespace aftershock::sim::advise {

/// The goal's terms, each once, that tables of choices have no column for by themselves: they have
/// the shares of runs that live and that exhaust a budget, and the means of useful work, ETTR, lost
/// time and cost.
std::vector<std::size_t> goal_columns(const scenario::Expression& goal);

/// The terms of the goal's condition, each once, that sentences about survival and useful work do
/// not tell.
std::vector<std::size_t> condition_terms(const scenario::Expression& goal);

}  // namespace aftershock::sim::advise
