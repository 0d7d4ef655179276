#pragma once

#include <string>

#include "reports/results/run_row.h"

namespace aftershock::reports {

/// How a run ended whose job failed, "ray_train.failure.exhausted", or, where it is stuck, what it
/// waits for in words that are the same whatever its numbers, times and names, "stuck: nodes that
/// are down". Empty where the job lives or has completed.
std::string ending_of(const RunRow& row);

}  // namespace aftershock::reports
