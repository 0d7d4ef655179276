#pragma once

#include "sim/scenario/expression.h"

namespace aftershock::sim {

/// Whether tables of choices have a column of this term besides: its mean of ETTR, lost time and
/// cost, and the probability of exhaustion.
bool has_own_column(const Term& term);

}  // namespace aftershock::sim
