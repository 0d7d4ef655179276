#pragma once

#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/ledger/summary.h"
#include "reports/results/metrics.h"
#include "sim/scenario/expectation.h"

namespace aftershock::sim::results {

/// Looks every expectation up in the summary's JSON and in `metrics`, the values of
/// reports::metrics(). A pointer that leads nowhere fails, and so does a metric without a value.
std::vector<reports::ExpectResult> judge(const std::vector<scenario::Expectation>& expectations,
                                         const nlohmann::ordered_json& summary,
                                         std::span<const reports::MetricValue> metrics);

}  // namespace aftershock::sim::results
