#include "sim/import/placing.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/scenario/text/lookup.h"
#include "sim/scenario/text/node_names.h"

namespace aftershock::sim::imports {

namespace {

using PoolResult = std::variant<const scenario::PoolSpec*, std::vector<scenario::ScenarioError>>;

PoolResult pool_for(const scenario::Scenario& base, const std::string& name) {
  const auto& pools = base.cluster.pools;
  if (name.empty() && pools.size() == 1) {
    return &pools.front();
  }
  const auto index = scenario::index_by_name(pools, name);
  if (!index) {
    const scenario::TextProblem problem = scenario::no_such("pool", pools, name);
    return argument_error("--pool",
                          name.empty() ? "the scenario has several pools" : problem.message,
                          problem.expected, problem.nearest);
  }
  return &pools[*index];
}

}  // namespace

std::vector<scenario::ScenarioError> argument_error(const std::string& argument,
                                                    std::string message, std::string expected,
                                                    std::string nearest) {
  scenario::ScenarioError error;
  error.file = argument;
  error.message = std::move(message);
  error.expected = std::move(expected);
  error.nearest = std::move(nearest);
  error.kind = scenario::ErrorKind::kArgument;
  return {std::move(error)};
}

SiteNamesResult sites_of_trace(const ImportRequest& request, const scenario::Scenario& base,
                               const Trace& trace) {
  if (!request.map.empty()) {
    auto map = read_site_names(request.map_text, request.map, base, request.pool);
    auto* sites = std::get_if<SiteNames>(&map);
    return sites == nullptr ? map : sites_in(std::move(*sites), trace.nodes);
  }
  const auto found = pool_for(base, request.pool);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&found)) {
    return *errors;
  }
  const scenario::PoolSpec& pool = *std::get<const scenario::PoolSpec*>(found);
  const auto known = [&](const std::string& name) {
    return scenario::node_slot(pool, name).has_value();
  };
  if (std::ranges::all_of(trace.nodes, known)) {
    return SiteNames{};
  }
  if (std::ranges::any_of(trace.nodes, known)) {
    const auto stranger = std::ranges::find_if_not(trace.nodes, known);
    return argument_error(
        "--into",
        fmt::format("pool {} has some nodes of the trace, and no {}",
                    scenario::in_quotes(pool.name), scenario::in_quotes(*stranger)),
        "all of them, none, or --map with a row for each");
  }
  return sites_in_order(trace.nodes, pool);
}

SiteNamesResult sites_of_incident(const ImportRequest& request, const scenario::Scenario& base) {
  if (!request.map.empty()) {
    auto map = read_site_names(request.map_text, request.map, base, request.pool);
    auto* sites = std::get_if<SiteNames>(&map);
    if (sites == nullptr) {
      return map;
    }
    auto names = machines_of_incident(request.text, request.path, *sites);
    std::erase_if(names, [&](const std::string& name) {
      return !sites->node_of.contains(name) && !is_foreign(base, name);
    });
    return sites_in(std::move(*sites), names);
  }
  const auto names = machines_of_incident(request.text, request.path, {});
  const auto foreign = [&](const std::string& name) { return is_foreign(base, name); };
  const auto stranger = std::ranges::find_if(names, foreign);
  if (stranger == names.end()) {
    return SiteNames{};
  }
  if (!std::ranges::all_of(names, foreign)) {
    return argument_error("--into",
                          fmt::format("the scenario has some machines of the incident, and no {}",
                                      scenario::in_quotes(*stranger)),
                          "all of them, none, or --map with a row for each of the others");
  }
  const auto pool = pool_for(base, request.pool);
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&pool)) {
    return *errors;
  }
  return sites_in_order(names, *std::get<const scenario::PoolSpec*>(pool));
}

}  // namespace aftershock::sim::imports
