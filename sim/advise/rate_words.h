#pragma once

#include <cstddef>
#include <string>

#include "sim/advise/advice.h"

namespace aftershock::sim::advise {

/// "failures as they are", "half as many failures": a rate at which choices were tried.
std::string rate_words(double rate);

/// The same, with the runs of its choices where they are others than at the present rate: "twice as
/// many failures (100 to 400 runs each)". `rate`: its place among those of the question.
std::string rate_title(const Advice& advice, const AdviceQuestion& question, std::size_t rate);

/// Whether a choice has fewer runs at another rate.
bool fewer_at_others(const Advice& advice);

}  // namespace aftershock::sim::advise
