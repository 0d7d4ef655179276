#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "reports/render/style.h"
#include "sim/sweep/splitting.h"

namespace aftershock::sim::sweep {

/// The estimate for people: the probability with its interval, the levels as a table (of very many
/// some), and what it took beside plain sampling. No host time, so it is the same wherever it runs.
std::string splitting_text(const SplittingEstimate& estimate, const reports::Style& style);

/// The same for machines: {scenario, job, seed, method, effort, repetitions, confidence,
/// probability, standard_error or null, lo, hi, levels[{name, reached, crossing, worlds, copies,
/// entries, simulated_us}], worlds, entries, simulated_us, entries_per_run, work_in_runs,
/// plain_runs or null}.
nlohmann::ordered_json splitting_json(const SplittingEstimate& estimate);

}  // namespace aftershock::sim::sweep
