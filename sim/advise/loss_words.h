#pragma once

#include <string>

#include "sim/advise/advice.h"

namespace aftershock::sim::advise {

/// "detecting takes 12.3 % of the time": the bucket beside productive time that takes most, in the
/// runs of a choice. Empty where it takes next to nothing.
std::string loss_words(const ChoiceResult& result);

/// A sentence where that is half of the time or more, else empty: a choice may keep its goal and
/// bring little, since a job that waits for nodes is alive.
std::string great_loss_words(const ChoiceResult& result);

}  // namespace aftershock::sim::advise
