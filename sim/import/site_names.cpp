#include "sim/import/site_names.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/import/rows.h"
#include "sim/scenario/faults/target.h"
#include "sim/scenario/text/node_names.h"

namespace aftershock::sim::imports {

namespace {

constexpr std::size_t kNamesShown = 5;

constexpr std::string_view kNode = "node:";
constexpr std::string_view kAccelerator = "accelerator:";
constexpr std::string_view kLink = "link:";

/// The part of a target that names a machine; empty: it names none, or two.
std::string_view machine_in(std::string_view target) {
  if (target.starts_with(kNode)) {
    return target.substr(kNode.size());
  }
  if (target.starts_with(kAccelerator)) {
    const std::string_view rest = target.substr(kAccelerator.size());
    return rest.substr(0, rest.rfind('/'));
  }
  return {};
}

/// Both ends of a link; empty: it is none. Others than machines are places as scenarios have them.
std::array<std::string_view, 2> ends_of_link(std::string_view target) {
  const std::string_view ends =
      target.starts_with(kLink) ? target.substr(kLink.size()) : std::string_view();
  const std::size_t slash = ends.find('/');
  return slash == std::string_view::npos
             ? std::array<std::string_view, 2>{}
             : std::array{ends.substr(0, slash), ends.substr(slash + 1)};
}

/// The order that people count in: "cn-9" before "cn-10".
bool is_before(std::string_view left, std::string_view right) {
  const auto digits = [](std::string_view text) {
    return std::min(text.find_first_not_of("0123456789"), text.size());
  };
  const std::string_view all[] = {left, right};
  while (!left.empty() && !right.empty()) {
    const std::size_t here = digits(left);
    const std::size_t there = digits(right);
    if (here > 0 && there > 0) {
      const auto number = [](std::string_view text, std::size_t length) {
        const std::size_t zeros = std::min(text.find_first_not_of('0'), length - 1);
        return text.substr(zeros, length - zeros);
      };
      const std::string_view one = number(left, here);
      const std::string_view other = number(right, there);
      if (one != other) {
        return one.size() != other.size() ? one.size() < other.size() : one < other;
      }
      left.remove_prefix(here);
      right.remove_prefix(there);
    } else if (left.front() != right.front()) {
      // Of char alone a processor decides whether letters beyond ASCII come first or last.
      return static_cast<unsigned char>(left.front()) < static_cast<unsigned char>(right.front());
    } else {
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
  }
  return left.empty() == right.empty() ? all[0] < all[1] : left.empty();
}

std::string short_name(std::string_view name) {
  return fmt::format("{}{}", name.substr(0, kLongestMachineName),
                     name.size() > kLongestMachineName ? "..." : "");
}

}  // namespace

std::string how_known(const SiteNames& sites) {
  return sites.by.empty() ? "in the order of their names"
                          : "by " + std::filesystem::path(sites.by).filename().string();
}

SiteNamesResult sites_in(SiteNames map, const std::vector<std::string>& names) {
  std::vector<std::string> missing;
  std::ranges::copy_if(names, std::back_inserter(missing),
                       [&](const std::string& name) { return !map.node_of.contains(name); });
  if (!missing.empty()) {
    scenario::ScenarioError error;
    error.file = map.by;
    error.message = fmt::format("has no row for {} of {} machines: {}", missing.size(),
                                names.size(), first_of(missing));
    error.expected = "a row for each";
    return std::vector{std::move(error)};
  }
  const std::set<std::string, std::less<>> used(names.begin(), names.end());
  std::ranges::copy_if(map.names, std::back_inserter(map.unused),
                       [&](const std::string& name) { return !used.contains(name); });
  map.names = names;
  return map;
}

std::vector<std::string> in_order_of_names(std::vector<std::string> names) {
  std::ranges::sort(names, is_before);
  return names;
}

SiteNamesResult sites_in_order(const std::vector<std::string>& names,
                               const scenario::PoolSpec& pool) {
  if (names.size() > pool.max_nodes) {
    scenario::ScenarioError error;
    error.file = "--into";
    error.message = fmt::format("{} machines are named, and pool {} has {} nodes", names.size(),
                                scenario::in_quotes(pool.name), pool.max_nodes);
    error.expected = fmt::format("a pool of as many, as `aftershock init --gpu {}` makes it",
                                 std::uint64_t{pool.accelerators_per_node} * names.size());
    error.kind = scenario::ErrorKind::kArgument;
    return std::vector{std::move(error)};
  }
  SiteNames sites;
  sites.names = names;
  const std::vector<std::string> sorted = in_order_of_names(names);
  for (std::uint32_t i = 0; i < sorted.size(); ++i) {
    sites.node_of.emplace(sorted[i], scenario::node_name(pool, i));
  }
  return sites;
}

std::vector<std::string> machines_of_incident(const std::string& text, const std::string& file,
                                              const SiteNames& map) {
  std::vector<std::string> names;
  std::set<std::string, std::less<>> seen;
  const auto add = [&](std::string_view name) {
    if (!name.empty() && seen.emplace(name).second) {
      names.emplace_back(name);
    }
  };
  for_rows(text, file, [&](const Row& row) {
    constexpr std::size_t kTarget = 2;
    if (row.cells.size() > kTarget) {
      const std::string_view target = row.cells[kTarget].text;
      add(machine_in(target));
      for (const std::string_view end : ends_of_link(target)) {
        add(map.node_of.contains(end) ? end : std::string_view());
      }
    }
    return true;
  });
  return names;
}

bool is_foreign(const scenario::Scenario& scenario, const std::string& name) {
  if (name.empty() || name.size() > kLongestMachineName) {
    return false;
  }
  const auto target = scenario::resolve_target(scenario, std::string(kNode) + name);
  const auto* problem = std::get_if<scenario::TextProblem>(&target);
  return problem != nullptr && problem->nearest.empty() &&
         std::ranges::none_of(scenario.cluster.pools, [&](const scenario::PoolSpec& pool) {
           return name.starts_with(pool.name + "-");
         });
}

std::string with_nodes(const SiteNames& sites, const std::string& target) {
  const auto named = [&](std::string_view name) {
    const auto found = sites.node_of.find(name);
    return found == sites.node_of.end() ? std::string(name) : found->second;
  };
  if (const auto [one, other] = ends_of_link(target); !one.empty()) {
    return fmt::format("{}{}/{}", kLink, named(one), named(other));
  }
  const std::string_view name = machine_in(target);
  if (name.empty()) {
    return target;
  }
  const auto at = static_cast<std::size_t>(name.data() - target.data());
  return target.substr(0, at) + named(name) + target.substr(at + name.size());
}

std::vector<std::string> site_notes(const SiteNames& sites, const std::string& file) {
  constexpr std::size_t kPerNote = 16;
  std::vector<std::string> notes;
  for (std::size_t from = 0; from < sites.names.size(); from += kPerNote) {
    std::string pairs;
    for (std::size_t i = from; i < std::min(from + kPerNote, sites.names.size()); ++i) {
      const auto found = sites.node_of.find(sites.names[i]);
      pairs += fmt::format("{}{} is {}", i == from ? "" : ", ", short_name(sites.names[i]),
                           found->second);
    }
    notes.push_back(fmt::format("Machines of {} ({}): {}", file, how_known(sites), pairs));
  }
  return notes;
}

std::string sites_text(const SiteNames& sites) {
  std::vector<std::string> pairs;
  for (const std::string& name : sites.names) {
    pairs.push_back(fmt::format("{} is {}", short_name(name), sites.node_of.find(name)->second));
  }
  return first_of(pairs);
}

std::string first_of(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(kNamesShown, names.size());
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return names.size() > shown ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

}  // namespace aftershock::sim::imports
