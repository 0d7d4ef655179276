#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::imports {

/// A site's names of its machines, and the scenario's nodes that stand for them.
struct SiteNames {
  std::string by;                  ///< the file that says so; empty: in the order of appearance
  std::vector<std::string> names;  ///< the site's, each once
  std::map<std::string, std::string, std::less<>> node_of;  ///< by the site's name
  std::vector<std::string> unused;                          ///< said by the file for nothing
};
/// The names, or why there are none.
using SiteNamesResult = std::variant<SiteNames, std::vector<scenario::ScenarioError>>;

/// No machine has a longer name.
inline constexpr std::size_t kLongestMachineName = 256;

/// Help about the columns of the file of --map.
inline constexpr const char* kMapHelp =
    "Two columns: the site's name of a machine, and its node: the name of one of the scenario, or "
    "its number in the pool, from 0. A first row site,node may stand above.";

/// The scenario's nodes by a file of --map. `pool` is that of --pool; empty: the only one, of which
/// nodes may go by their numbers. Up to twenty errors, with line and column.
SiteNamesResult read_site_names(const std::string& text, const std::string& file,
                                const scenario::Scenario& scenario, const std::string& pool);

/// Those of `map` that are among `names`, in the order of these; an error where it lacks some.
SiteNamesResult sites_in(SiteNames map, const std::vector<std::string>& names);

/// Sorted as people count: "cn-9" before "cn-10". By the times of a trace the machine that fails
/// first would be node 0, which may hold what the others do without: a job's store, its head.
std::vector<std::string> in_order_of_names(std::vector<std::string> names);

/// The nodes of a pool in their order for `names` in that of in_order_of_names; an error where
/// there are too few.
SiteNamesResult sites_in_order(const std::vector<std::string>& names,
                               const scenario::PoolSpec& pool);

/// The machines that an incident names as the nodes of its targets, in the order of appearance; of
/// the ends of links those that `map` has. Mistakes in rows are left to the reader of the incident.
std::vector<std::string> machines_of_incident(const std::string& text, const std::string& file,
                                              const SiteNames& map);

/// Whether it is neither a node of the scenario nor nearly the name of one.
bool is_foreign(const scenario::Scenario& scenario, const std::string& name);

/// A target of an incident with the scenario's nodes in place of the site's machines.
std::string with_nodes(const SiteNames& sites, const std::string& target);

/// "by names.csv", or that it is the order.
std::string how_known(const SiteNames& sites);

/// Notes for the scenario, of which each says that it is about the faults of `file`, and which
/// machine is which node; none where nothing has another name.
std::vector<std::string> site_notes(const SiteNames& sites, const std::string& file);

/// The first few of them as "cn-17 is gpu-0", and how many there are beside.
std::string sites_text(const SiteNames& sites);

/// "a, b, c and 12 more"
std::string first_of(const std::vector<std::string>& names);

}  // namespace aftershock::sim::imports
