#pragma once

#include <string>

#include "sim/advise/advice_text.h"

namespace aftershock::sim::advise {

/// The advice as a page for a browser: what it says, at each rate the simulated curve beside that
/// of the formulas and all choices, where the formulas do not hold, and the change to paste. Curves
/// are along the first place that changes; the other places have what is advised.
std::string advice_page(const Advice& advice, const AdviceContext& context);

}  // namespace aftershock::sim::advise
