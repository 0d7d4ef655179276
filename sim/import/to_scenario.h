#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/import/trace.h"

namespace aftershock::sim::imports {

/// Where in the imported file a fault comes from, for errors about it.
struct FaultOrigin {
  std::uint64_t line = 0;
  std::uint64_t kind_column = 1;
  std::uint64_t target_column = 1;
  std::uint64_t detail_column = 1;
};

/// Scripted faults, in the form of a scenario's "faults".
struct ScriptedFaults {
  std::vector<nlohmann::ordered_json> faults;  ///< in the order of time
  std::vector<FaultOrigin> origins;            ///< of each
  std::uint64_t merged = 0;                    ///< overlapped an earlier one and is part of it
  std::vector<Dropped> dropped;
};

/// Where the nodes of a trace are, and how its faults are called.
struct PlacingOptions {
  std::vector<std::string> node_names;   ///< of the scenario, by node of the trace
  std::string prefix;                    ///< ids are it, and the line
  std::optional<std::int64_t> until_us;  ///< later outages are dropped
  std::int64_t shift_us = 0;             ///< trace's clock zero on the scenario's clock
};

/// The outages of a trace as scripted faults, overlaps merged.
ScriptedFaults scripted(const Trace& trace, const PlacingOptions& options);

/// The parameters of a scenario that is made around a trace.
struct AroundOptions {
  std::string name;
  std::string file;  ///< that the trace is from
  std::uint32_t nodes = 0;
};

/// A scenario around a trace: a pool of so many nodes, and a job on as many of them as are up for
/// 99 % of the time. Has no faults yet.
nlohmann::ordered_json scenario_around(const Trace& trace, const AroundOptions& options);

/// A text as a name in scenarios: what a name may not have becomes '-'; never empty.
std::string as_name(const std::string& text);

}  // namespace aftershock::sim::imports
