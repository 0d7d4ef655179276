#include "sim/import/import.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/import/incident.h"
#include "sim/import/moment.h"
#include "sim/import/placing.h"
#include "sim/import/scenario_text.h"
#include "sim/import/sniff.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::imports {

namespace {

using Json = nlohmann::ordered_json;
using Errors = std::vector<scenario::ScenarioError>;

constexpr std::uint32_t kInfinitehbdNodes = 400;

std::string stem_of(const std::string& path) {
  return as_name(std::filesystem::path(path).stem().string());
}

/// An error about an imported fault is one of the line that it comes from; all else is of no line:
/// nobody has the text that was read.
void put_at_origin(scenario::ScenarioError& error, const ScriptedFaults& faults, std::size_t before,
                   const ImportRequest& request) {
  constexpr std::string_view kFaults = "/faults/";
  error.file = request.into.empty() ? request.path : scenario::file_title(request.into);
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
  scenario::ScenarioError error;
  error.pointer = warning.substr(pointer + 2, message - pointer - 2);
  error.message = warning.substr(message + 2);
  put_at_origin(error, faults, before, request);
  return scenario::format(error);
}

/// So that whoever reads the scenario finds a machine of the site again.
void add_site_notes(const ImportRequest& request, Imported& imported) {
  const std::string file = std::filesystem::path(request.path).filename().string();
  const std::vector<std::string> added = site_notes(imported.sites, file);
  if (added.empty()) {
    return;
  }
  Json& notes = imported.scenario["notes"];
  if (notes.is_string()) {
    notes = Json::array({notes});
  }
  for (const std::string& note : added) {
    notes.push_back(note);
  }
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
  if (imported.faults.faults.empty()) {
    imported.warnings.push_back(fmt::format(
        "{} has nothing that happens to the scenario: no fault is in it", request.path));
  }
  add_site_notes(request, imported);
  auto read = scenario::read_scenario_text(scenario_file_text(imported.scenario), request.path);
  if (auto* errors = std::get_if<Errors>(&read)) {
    for (scenario::ScenarioError& error : *errors) {
      put_at_origin(error, imported.faults, before, request);
    }
    return std::move(*errors);
  }
  auto& checked = std::get<scenario::ReadScenario>(read);
  imported.read = std::move(checked.scenario);
  for (const std::string& warning : checked.warnings) {
    imported.warnings.push_back(put_at_origin(warning, imported.faults, before, request));
  }
  return std::nullopt;
}

/// An import holds the events that happened and no others: takes the random faults out, unless they
/// are asked for.
void take_out_random(const ImportRequest& request, const scenario::Scenario& base,
                     Imported& imported) {
  for (const scenario::FaultSpec& fault : base.faults) {
    if (fault.source) {
      (request.keep_random ? imported.random_kept : imported.random_off).push_back(fault.id);
    }
  }
  if (request.keep_random) {
    return;
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

std::variant<scenario::ReadScenario, Errors> base_of(const ImportRequest& request) {
  auto read = scenario::read_scenario_file(request.into);
  if (auto* errors = std::get_if<Errors>(&read)) {
    return std::move(*errors);
  }
  return std::get<scenario::ReadScenario>(std::move(read));
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
  const scenario::Scenario& scenario = std::get<scenario::ReadScenario>(base).scenario;
  auto sites = sites_of_incident(request, scenario);
  if (auto* errors = std::get_if<Errors>(&sites)) {
    return std::move(*errors);
  }
  imported.sites = std::get<SiteNames>(std::move(sites));
  auto read =
      read_incident(request.text, request.path, scenario, stem_of(request.path), imported.sites);
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
  const scenario::Scenario& scenario = std::get<scenario::ReadScenario>(base).scenario;
  const Trace& trace = *imported.trace;
  auto sites = sites_of_trace(request, scenario, trace);
  if (auto* errors = std::get_if<Errors>(&sites)) {
    return std::move(*errors);
  }
  const auto& node_of = std::get<SiteNames>(sites).node_of;
  PlacingOptions options{
      .node_names = {}, .prefix = stem_of(request.path), .until_us = scenario.until_us};
  for (const std::string& name : trace.nodes) {
    const auto found = node_of.find(name);
    options.node_names.push_back(found == node_of.end() ? name : found->second);
  }
  // A spot market names places, not machines.
  if (trace.format != "bamboo") {
    imported.sites = std::get<SiteNames>(std::move(sites));
  }
  if (trace.zero_us) {
    if (scenario.start.empty()) {
      return argument_error("--into", "the trace has dates, and the scenario no start",
                            "\"start\" in the scenario");
    }
    options.shift_us = *trace.zero_us - std::get<Moment>(parse_moment(scenario.start)).us;
  }
  imported.faults = scripted(trace, options);
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
  if (trace.format != "bamboo" && !std::ranges::equal(options.node_names, trace.nodes)) {
    imported.sites.names = trace.nodes;
    const std::vector<std::string> sorted = in_order_of_names(trace.nodes);
    for (std::uint32_t i = 0; i < named; ++i) {
      imported.sites.node_of.emplace(sorted[i], options.node_names[i]);
    }
    std::ranges::transform(trace.nodes, options.node_names.begin(),
                           [&](const std::string& name) { return imported.sites.node_of[name]; });
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
  if (!request.map.empty() && request.into.empty()) {
    return argument_error("--map", "names nodes of a scenario", "--into SCENARIO beside it");
  }
  Imported imported;
  imported.format =
      request.format.empty() ? std::string(sniff_format(request.text)) : request.format;
  if (imported.format.empty()) {
    return argument_error(request.path, "is none of the formats by what is in it",
                          fmt::format("--from {}", kImportFormats));
  }
  if (!request.map.empty() && imported.format == "bamboo") {
    return argument_error("--map", "the instances of this trace take places in turn",
                          "a trace that names machines");
  }
  auto errors = imported.format == "incident" ? import_incident(request, imported)
                                              : import_trace(request, imported);
  if (errors) {
    return std::move(*errors);
  }
  return imported;
}

}  // namespace aftershock::sim::imports
