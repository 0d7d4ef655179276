#pragma once

#include <string>

#include "sim/advise/advice.h"
#include "sim/advise/advice_text.h"

namespace aftershock::sim::advise {

/// Beside a choice by useful work: the cheapest by the cost of a useful accelerator-hour, a
/// hundredth or more below the chosen one, of those that keep the goal as surely and do a hundredth
/// less at most. In one sentence; empty: there is none, or nothing has a price. The goal does not
/// ask for it, but the bill may.
std::string cheaper_words(const Advice& advice, const AdviceContext& context);

}  // namespace aftershock::sim::advise
