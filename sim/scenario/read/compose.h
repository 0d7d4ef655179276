#pragma once

#include <optional>
#include <string>

#include "sim/scenario/read/read.h"
#include "sim/scenario/text/located_json.h"
#include "sim/scenario/text/sources.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::scenario {

/// The tree of a scenario after `extends` and the command line, each value with the place that it
/// came from. `sources` gets every text involved; `main` is the index of the scenario's own.
std::variant<LocatedValue, ScenarioError> compose(Sources& sources, std::uint32_t main,
                                                  const ReadOptions& options);

/// RFC 7396: `patch` over `target`, values keeping their places.
void merge_patch(LocatedValue& target, LocatedValue patch);

/// Applies "/json/pointer=value". The value is JSON, else taken for a string; null removes. Missing
/// members of objects are made, `-` appends to a list.
std::optional<ScenarioError> apply_set(LocatedValue& root, const std::string& argument,
                                       Sources& sources);

}  // namespace aftershock::sim::scenario
