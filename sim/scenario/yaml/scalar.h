#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "sim/scenario/text/units.h"

namespace aftershock::sim::scenario {

/// The value of a scalar.
using YamlScalar =
    std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string>;

/// The value of plain text, as sigs.k8s.io/yaml has it: YAML 1.1, so that yes, on and y are true
/// and 010 is eight; whole numbers with a point or an exponent are whole, and dates are text.
UnitResult<YamlScalar> plain_scalar(std::string_view text);

}  // namespace aftershock::sim::scenario
