#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/ledger/summary.h"
#include "reports/results/metrics.h"
#include "sim/results/useful_work.h"
#include "sim/world/world.h"

namespace aftershock::sim {

/// The result of a finished run, with its expectations and requirements judged. Without `words`
/// recoveries and charges may lack what they are called, which is most of the work of a summary.
reports::RunSummary summarise(World& world, const FaultFreeRun& fault_free,
                              const std::vector<std::string>& warnings, bool words);

/// Looks every expectation up in the summary's JSON and in `metrics`, the values of
/// reports::metrics(). A pointer that leads nowhere fails, and so does a metric without a value.
std::vector<reports::ExpectResult> judge(const std::vector<Expectation>& expectations,
                                         const nlohmann::ordered_json& summary,
                                         std::span<const reports::MetricValue> metrics);

}  // namespace aftershock::sim
