#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "sim/scenario/text/located_json.h"

// YAML as Kubernetes reads it: documents become JSON, before anybody asks for types.
namespace aftershock::sim::scenario {

/// The longest text, in bytes, and the most values of it, those that aliases repeat included. A
/// long text counts for several.
inline constexpr std::size_t kLongestYaml = std::size_t{4} << 20U;
inline constexpr std::size_t kMostYamlValues = 100'000;

/// The documents of a YAML text, empty ones left out. Beyond YAML's own rules these are errors:
/// duplicate keys, keys that are not text, merge keys, tags of others, infinity, and more levels,
/// bytes or values than the limits.
std::variant<std::vector<LocatedValue>, ScenarioError> parse_yaml(const Sources& sources,
                                                                  std::uint32_t source);

}  // namespace aftershock::sim::scenario
