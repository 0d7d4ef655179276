#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/import/figures.h"
#include "sim/import/site_names.h"
#include "sim/import/to_scenario.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::imports {

/// The request of an import: a file and its destination.
struct ImportRequest {
  std::string path{};    ///< how errors call it
  std::string text{};    ///< its content
  std::string format{};  ///< empty: by what is in it
  std::string into{};    ///< a scenario that gets the faults; empty: one around them
  std::string pool{};    ///< of `into`; empty: its only one
  std::string map{};     ///< how errors call the file of --map; empty: there is none
  std::string map_text{};
  std::optional<std::uint32_t> nodes{};  ///< of the cluster; none: what the format is known for
  /// The random faults of `into` stay beside what happened; else they are taken out.
  bool keep_random = false;
};

/// A scenario with the faults in it, which has been read without errors.
struct Imported {
  std::string format;
  std::optional<Trace> trace;  ///< none: an incident
  TraceFigures figures;        ///< of the trace
  ScriptedFaults faults;
  SiteNames sites;  ///< machines that have another name in the scenario, and which
  nlohmann::ordered_json scenario;
  scenario::Scenario read;
  std::vector<std::string> warnings;
  std::vector<std::string> random_off;   ///< ids of the random faults that were taken out
  std::vector<std::string> random_kept;  ///< and of those that stay, by --keep-random
};

/// The formats, for people.
inline constexpr const char* kImportFormats = "infinitehbd, bamboo, csv or incident";

/// The import, or all that is wrong.
std::variant<Imported, std::vector<scenario::ScenarioError>> import_faults(
    const ImportRequest& request);

/// Reads a trace of any format but an incident.
TraceResult read_trace(const std::string& format, const std::string& text, const std::string& name);

}  // namespace aftershock::sim::imports
