#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/scenario/text/error.h"

// The content of a fault trace, whatever form it was written in.
namespace aftershock::sim::imports {

/// One time that a node was away. Times are since the clock zero of its trace.
struct Outage {
  std::uint32_t node = 0;  ///< index into Trace::nodes
  scenario::FaultKind kind = scenario::FaultKind::kNodeCrash;
  std::int64_t down_us = 0;
  std::optional<std::int64_t> up_us;      ///< none: it did not come back
  std::optional<std::int64_t> notice_us;  ///< of a preemption
  std::string cause;                      ///< as the trace calls it
  std::uint64_t line = 0;                 ///< of the file, where it begins
};

/// Rows that say nothing to us, all for one reason.
struct Dropped {
  std::string why;
  std::vector<std::uint64_t> lines;
};

/// A trace as it was read: outages in the order of their beginnings.
struct Trace {
  std::string format;              ///< infinitehbd, bamboo, csv
  std::vector<std::string> nodes;  ///< as the trace names them
  std::vector<Outage> outages;     ///< of one node they may overlap
  std::int64_t first_us = 0;       ///< first and last moment that it tells of
  std::int64_t last_us = 0;
  std::optional<std::int64_t> until_us;  ///< how long it observed, where that is known
  std::optional<std::int64_t> zero_us;   ///< its clock zero since 1970 UTC, where it has dates
  std::uint64_t rows = 0;
  std::vector<std::pair<std::string, std::int64_t>> counts;  ///< rows by what they say
  std::vector<Dropped> dropped;
};

/// The trace, or why it is none.
using TraceResult = std::variant<Trace, std::vector<scenario::ScenarioError>>;

/// Notes that a row says nothing to us, and why.
void drop(std::vector<Dropped>& dropped, const std::string& why, std::uint64_t line);

/// A JSON list of {node_id, event_time in days, event_type fault_start or fault_end, fault_type}:
/// 400 servers over the 348 days that their publishers speak of. A start and the next end of the
/// same node and type are one outage.
TraceResult read_infinitehbd(const std::string& text, const std::string& name);

/// Spot instances. CSV without a header: milliseconds, add or remove, node; or lines of date, time
/// and how many nodes are up, in any order, of which the longest up is taken to go first. Nodes of
/// the trace are the places that its instances take in turn: of each, the times without one.
TraceResult read_bamboo(const std::string& text, const std::string& name);

/// Our own CSV (kOutagesCsvHelp).
TraceResult read_outages_csv(const std::string& text, const std::string& name);

/// The columns of our own CSV.
inline constexpr const char* kOutagesCsvHelp =
    "A first row names the columns, in any order. node: its name. down: when it went away, a date "
    "and time (2026-11-20T18:00:00+08:00), a number of seconds or a duration (3.9d). up: when it "
    "was back, in the same way; empty or no such column: it stayed away. Optional: kind: "
    "node_crash (default) or preemption. notice: of a preemption, a duration. cause: in words.";

/// Outages of one node that overlap or touch become one: from the first beginning to the last end,
/// under the causes of both.
std::vector<Outage> merged(const std::vector<Outage>& outages);

}  // namespace aftershock::sim::imports
