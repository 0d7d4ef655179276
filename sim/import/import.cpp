#include "sim/import/import.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/import/incident.h"
#include "sim/import/moment.h"
#include "sim/import/scenario_text.h"
#include "sim/import/sniff.h"
#include "sim/scenario/lookup.h"
#include "sim/scenario/node_names.h"
#include "sim/scenario/read.h"

namespace aftershock::sim {

namespace {

using Json = nlohmann::ordered_json;
using Errors = std::vector<ScenarioError>;

constexpr std::uint32_t kInfinitehbdNodes = 400;

Errors argument_error(const std::string& argument, std::string message, std::string expected,
                      std::string nearest = {}) {
  ScenarioError error;
  error.file = argument;
  error.message = std::move(message);
  error.expected = std::move(expected);
  error.nearest = std::move(nearest);
  error.kind = ErrorKind::kArgument;
  return {std::move(error)};
}

std::string stem_of(const std::string& path) {
  return as_name(std::filesystem::path(path).stem().string());
}

/// An error about an imported fault is one of the line that it comes from; all else is of no line:
/// nobody has the text that was read.
void put_at_origin(ScenarioError& error, const ScriptedFaults& faults, std::size_t before,
                   const ImportRequest& request) {
  constexpr std::string_view kFaults = "/faults/";
  error.file = request.into.empty() ? request.path : request.into;
  error.line = error.column = 0;
  if (!error.pointer.starts_with(kFaults)) {
    return;
  }
  std::size_t index = 0;
  const char* from = error.pointer.data() + kFaults.size();
  const auto [end, problem] =
      std::from_chars(from, error.pointer.data() + error.pointer.size(), index);
  if (problem != std::errc{} || index < before || index - before >= faults.origins.size()) {
    return;
  }
  const FaultOrigin& origin = faults.origins[index - before];
  const std::string_view key(end);
  error.file = request.path;
  error.line = origin.line;
  error.column = key == "/kind"     ? origin.kind_column
                 : key == "/target" ? origin.target_column
                                    : origin.detail_column;
  error.pointer.clear();
}

/// The same of a warning, which begins with a place as errors do.
std::string put_at_origin(const std::string& warning, const ScriptedFaults& faults,
                          std::size_t before, const ImportRequest& request) {
  const auto pointer = warning.find(": /", std::min(request.path.size(), warning.size()));
  const auto message = warning.find(": ", pointer == warning.npos ? pointer : pointer + 2);
  if (!warning.starts_with(request.path + ":") || message == warning.npos) {
    return warning;
  }
  ScenarioError error;
  error.pointer = warning.substr(pointer + 2, message - pointer - 2);
  error.message = warning.substr(message + 2);
  put_at_origin(error, faults, before, request);
  return format(error);
}

/// The scenario with the faults in it, read and checked.
std::optional<Errors> finish(const ImportRequest& request, Imported& imported) {
  Json& list = imported.scenario["faults"];
  const std::size_t before = list.is_array() ? list.size() : 0;
  if (!list.is_array()) {
    list = Json::array();
  }
  for (const Json& fault : imported.faults.faults) {
    list.push_back(fault);
  }
  auto read = read_scenario_text(scenario_file_text(imported.scenario), request.path);
  if (auto* errors = std::get_if<Errors>(&read)) {
    for (ScenarioError& error : *errors) {
      put_at_origin(error, imported.faults, before, request);
    }
    return std::move(*errors);
  }
  auto& checked = std::get<ReadScenario>(read);
  imported.read = std::move(checked.scenario);
  for (const std::string& warning : checked.warnings) {
    imported.warnings.push_back(put_at_origin(warning, imported.faults, before, request));
  }
  return std::nullopt;
}

/// Names in the pool of the trace's nodes: its own where the pool has all of them, else the pool's
/// in their order.
std::variant<std::vector<std::string>, Errors> placed_in(const PoolSpec& pool, const Trace& trace) {
  const auto known = [&](const std::string& name) { return node_slot(pool, name).has_value(); };
  if (std::ranges::all_of(trace.nodes, known)) {
    return trace.nodes;
  }
  if (std::ranges::any_of(trace.nodes, known)) {
    const auto stranger = std::ranges::find_if_not(trace.nodes, known);
    return argument_error("--into",
                          fmt::format("pool {} has some nodes of the trace, and no {}",
                                      in_quotes(pool.name), in_quotes(*stranger)),
                          "all of them, or none");
  }
  if (trace.nodes.size() > pool.max_nodes) {
    return argument_error("--into",
                          fmt::format("the trace has {} nodes, and pool {} has {}",
                                      trace.nodes.size(), in_quotes(pool.name), pool.max_nodes),
                          "a pool that is large enough");
  }
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < trace.nodes.size(); ++i) {
    names.push_back(node_name(pool, i));
  }
  return names;
}

std::variant<const PoolSpec*, Errors> pool_for(const Scenario& base, const std::string& name) {
  const auto& pools = base.cluster.pools;
  if (name.empty() && pools.size() == 1) {
    return &pools.front();
  }
  const auto index = index_by_name(pools, name);
  if (!index) {
    const TextProblem problem = no_such("pool", pools, name);
    return argument_error("--pool",
                          name.empty() ? "the scenario has several pools" : problem.message,
                          problem.expected, problem.nearest);
  }
  return &pools[*index];
}

/// What is imported is what happened, and nothing else: takes the random faults out.
void take_out_random(const ImportRequest& request, const Scenario& base, Imported& imported) {
  if (request.keep_random) {
    return;
  }
  for (const FaultSpec& fault : base.faults) {
    if (fault.source) {
      imported.random_off.push_back(fault.id);
    }
  }
  Json& faults = imported.scenario["faults"];
  if (faults.is_array()) {
    Json kept = Json::array();
    for (Json& fault : faults) {
      if (!fault.contains("source")) {
        kept.push_back(std::move(fault));
      }
    }
    faults = std::move(kept);
  }
}

std::variant<ReadScenario, Errors> base_of(const ImportRequest& request) {
  auto read = read_scenario_file(request.into);
  if (auto* errors = std::get_if<Errors>(&read)) {
    return std::move(*errors);
  }
  return std::get<ReadScenario>(std::move(read));
}

std::optional<Errors> import_incident(const ImportRequest& request, Imported& imported) {
  if (request.into.empty()) {
    return argument_error("--into", "an incident says nothing of the cluster that it befell",
                          "--into SCENARIO, which does");
  }
  auto base = base_of(request);
  if (auto* errors = std::get_if<Errors>(&base)) {
    return std::move(*errors);
  }
  const Scenario& scenario = std::get<ReadScenario>(base).scenario;
  auto read = read_incident(request.text, request.path, scenario, stem_of(request.path));
  if (auto* errors = std::get_if<Errors>(&read)) {
    return std::move(*errors);
  }
  imported.faults = std::get<ScriptedFaults>(std::move(read));
  imported.scenario = *scenario.resolved;
  take_out_random(request, scenario, imported);
  return finish(request, imported);
}

std::optional<Errors> into_base(const ImportRequest& request, Imported& imported) {
  auto base = base_of(request);
  if (auto* errors = std::get_if<Errors>(&base)) {
    return std::move(*errors);
  }
  const Scenario& scenario = std::get<ReadScenario>(base).scenario;
  auto pool = pool_for(scenario, request.pool);
  if (auto* errors = std::get_if<Errors>(&pool)) {
    return std::move(*errors);
  }
  auto names = placed_in(*std::get<const PoolSpec*>(pool), *imported.trace);
  if (auto* errors = std::get_if<Errors>(&names)) {
    return std::move(*errors);
  }
  PlacingOptions options{.node_names = std::get<std::vector<std::string>>(std::move(names)),
                         .prefix = stem_of(request.path),
                         .until_us = scenario.until_us};
  if (imported.trace->zero_us) {
    if (scenario.start.empty()) {
      return argument_error("--into", "the trace has dates, and the scenario no start",
                            "\"start\" in the scenario");
    }
    options.shift_us = *imported.trace->zero_us - std::get<Moment>(parse_moment(scenario.start)).us;
  }
  imported.faults = scripted(*imported.trace, options);
  imported.scenario = *scenario.resolved;
  take_out_random(request, scenario, imported);
  return finish(request, imported);
}

std::optional<Errors> import_trace(const ImportRequest& request, Imported& imported) {
  auto read = read_trace(imported.format, request.text, request.path);
  if (auto* errors = std::get_if<Errors>(&read)) {
    return std::move(*errors);
  }
  imported.trace = std::get<Trace>(std::move(read));
  const Trace& trace = *imported.trace;
  if (trace.outages.empty()) {
    return argument_error(request.path, "tells of no outage", "some");
  }
  const auto named = static_cast<std::uint32_t>(trace.nodes.size());
  const std::uint32_t known =
      imported.format == "infinitehbd" ? std::max(named, kInfinitehbdNodes) : named;
  const std::uint32_t nodes = request.nodes.value_or(known);
  if (nodes < named || nodes == 0) {
    return argument_error(request.nodes ? "--nodes" : request.path,
                          fmt::format("the trace names {} nodes", named),
                          named == 0 ? "some" : fmt::format("at least {}", named));
  }
  imported.figures = figures_of(trace, nodes);
  if (!request.into.empty()) {
    return into_base(request, imported);
  }
  imported.scenario =
      scenario_around(trace, {.name = stem_of(request.path),
                              .file = std::filesystem::path(request.path).filename().string(),
                              .nodes = nodes});
  PlacingOptions options{.node_names = {}, .prefix = stem_of(request.path), .until_us = {}};
  options.until_us = trace.until_us;
  for (std::uint32_t i = 0; i < named; ++i) {
    options.node_names.push_back(fmt::format("node-{}", i));
  }
  imported.faults = scripted(trace, options);
  return finish(request, imported);
}

}  // namespace

TraceResult read_trace(const std::string& format, const std::string& text,
                       const std::string& name) {
  return format == "infinitehbd" ? read_infinitehbd(text, name)
         : format == "bamboo"    ? read_bamboo(text, name)
                                 : read_outages_csv(text, name);
}

std::variant<Imported, Errors> import_faults(const ImportRequest& request) {
  Imported imported;
  imported.format =
      request.format.empty() ? std::string(sniff_format(request.text)) : request.format;
  if (imported.format.empty()) {
    return argument_error(request.path, "is none of the formats by what is in it",
                          fmt::format("--format {}", kImportFormats));
  }
  auto errors = imported.format == "incident" ? import_incident(request, imported)
                                              : import_trace(request, imported);
  if (errors) {
    return std::move(*errors);
  }
  return imported;
}

}  // namespace aftershock::sim
