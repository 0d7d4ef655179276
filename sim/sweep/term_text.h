#pragma once

#include <optional>
#include <string>

#include "reports/statistics/estimate.h"
#include "sim/scenario/expression.h"

namespace aftershock::sim {

/// A share in percent, also where it is small: "7.0 %", "0.03 %".
std::string share_text(double share);

/// A value of a term in its unit: "01:32:51", "0.8527", "7.0 %", "1,059,629"; "nothing" where there
/// is none.
std::string value_text(const Term& term, const std::optional<double>& value);

/// The same with its interval, where it has one: "01:32:51 (01:28:20 to 01:38:04)"; "-" where there
/// is no value.
std::string estimate_text(const Term& term, const std::optional<reports::Estimate>& estimate);

}  // namespace aftershock::sim
