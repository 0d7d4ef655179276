#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/boxed.h"
#include "sim/scenario/expression.h"

namespace aftershock::sim::scenario {

/// The condition that a value of the summary must keep.
struct Expectation {
  std::string at;  ///< JSON Pointer into the summary, or the text of `that`
  /// The condition; its metrics' names are pointers into the summary, or of reports::metrics().
  /// None: the value at `at` must be as follows.
  std::optional<Expression> that;
  std::optional<policies::Boxed<nlohmann::json>> is;
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> near;
  double within = 0;
};

}  // namespace aftershock::sim::scenario
