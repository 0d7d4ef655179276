#pragma once

#include <cstdint>
#include <optional>

#include "sim/scenario/shape/shape.h"
#include "sim/scenario/text/error_list.h"
#include "sim/scenario/text/located_json.h"

namespace aftershock::sim::scenario {

/// Holds a value against its description: unknown and missing keys, wrong types, numbers out of
/// range, texts of the wrong form. Rules over several places of the file (does that pool exist?)
/// are for the readers, which run only on trees without such errors.
void check_shape(const Shape& shape, const LocatedValue& value, ErrorList& errors);
void check_object(const ObjectShape& shape, const LocatedValue& value, ErrorList& errors);

/// The value as a whole number: also 3.0, which JSON does not tell from 3.
std::optional<std::int64_t> whole_number(const LocatedValue& value);
/// The value as a number of any kind.
std::optional<double> any_number(const LocatedValue& value);

}  // namespace aftershock::sim::scenario
