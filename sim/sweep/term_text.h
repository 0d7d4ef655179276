#pragma once

#include <optional>
#include <string>

#include "reports/statistics/estimate.h"
#include "sim/scenario/expression.h"

namespace aftershock::sim::sweep {

/// How a table or a sentence calls a term: "wall time" for wall_us, "p90 of lost time" for
/// lost_us.p90, as metric_title has times; any other as it is written.
std::string term_title(const scenario::Term& term);

/// A value of a term in its unit: "01:32:51", "0.8527", "7.0 %", "1,059,629"; "nothing" where there
/// is none.
std::string value_text(const scenario::Term& term, const std::optional<double>& value);

/// The same with its interval, where it has one: "01:32:51 (01:28:20 to 01:38:04)"; "-" where there
/// is no value.
std::string estimate_text(const scenario::Term& term,
                          const std::optional<reports::Estimate>& estimate);

}  // namespace aftershock::sim::sweep
