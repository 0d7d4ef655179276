#include "sim/import/placing.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/scenario/text/lookup.h"
#include "sim/scenario/text/node_names.h"

namespace aftershock::sim {

namespace {

using PoolResult = std::variant<const PoolSpec*, std::vector<ScenarioError>>;

PoolResult pool_for(const Scenario& base, const std::string& name) {
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

}  // namespace

std::vector<ScenarioError> argument_error(const std::string& argument, std::string message,
                                          std::string expected, std::string nearest) {
  ScenarioError error;
  error.file = argument;
  error.message = std::move(message);
  error.expected = std::move(expected);
  error.nearest = std::move(nearest);
  error.kind = ErrorKind::kArgument;
  return {std::move(error)};
}

SiteNamesResult sites_of_trace(const ImportRequest& request, const Scenario& base,
                               const Trace& trace) {
  if (!request.map.empty()) {
    auto map = read_site_names(request.map_text, request.map, base, request.pool);
    auto* sites = std::get_if<SiteNames>(&map);
    return sites == nullptr ? map : sites_in(std::move(*sites), trace.nodes);
  }
  const auto found = pool_for(base, request.pool);
  if (const auto* errors = std::get_if<std::vector<ScenarioError>>(&found)) {
    return *errors;
  }
  const PoolSpec& pool = *std::get<const PoolSpec*>(found);
  const auto known = [&](const std::string& name) { return node_slot(pool, name).has_value(); };
  if (std::ranges::all_of(trace.nodes, known)) {
    return SiteNames{};
  }
  if (std::ranges::any_of(trace.nodes, known)) {
    const auto stranger = std::ranges::find_if_not(trace.nodes, known);
    return argument_error("--into",
                          fmt::format("pool {} has some nodes of the trace, and no {}",
                                      in_quotes(pool.name), in_quotes(*stranger)),
                          "all of them, none, or --map with a row for each");
  }
  return sites_in_order(trace.nodes, pool);
}

SiteNamesResult sites_of_incident(const ImportRequest& request, const Scenario& base) {
  if (!request.map.empty()) {
    auto map = read_site_names(request.map_text, request.map, base, request.pool);
    auto* sites = std::get_if<SiteNames>(&map);
    if (sites == nullptr) {
      return map;
    }
    const auto names = machines_of_incident(request.text, request.path, *sites);
    return sites_in(std::move(*sites), names);
  }
  const auto names = machines_of_incident(request.text, request.path, {});
  const auto foreign = [&](const std::string& name) { return is_foreign(base, name); };
  if (names.empty() || !std::ranges::all_of(names, foreign)) {
    return SiteNames{};
  }
  const auto pool = pool_for(base, request.pool);
  if (const auto* errors = std::get_if<std::vector<ScenarioError>>(&pool)) {
    return *errors;
  }
  return sites_in_order(names, *std::get<const PoolSpec*>(pool));
}

}  // namespace aftershock::sim
