#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::world {

/// A line `holds` of a recording.
struct HoldsLine {
  std::int64_t t_us = 0;
  std::string on;
  std::string nodes;  ///< "0-3,9"

  friend bool operator==(const HoldsLine&, const HoldsLine&) = default;
};

/// All of them, in their order.
inline std::vector<HoldsLine> holds_lines(std::string_view recording) {
  const auto between = [](std::string_view line, std::string_view open, char close) {
    const std::size_t at = line.find(open) + open.size();
    return std::string(line.substr(at, line.find(close, at) - at));
  };
  std::vector<HoldsLine> lines;
  while (!recording.empty()) {
    const std::size_t end = recording.find('\n');
    const std::string_view line = recording.substr(0, end);
    recording.remove_prefix(end == std::string_view::npos ? recording.size() : end + 1);
    if (line.find(R"("r":"holds")") != std::string_view::npos) {
      lines.push_back({.t_us = std::stoll(between(line, R"({"t":)", ',')),
                       .on = between(line, R"("on":")", '"'),
                       .nodes = between(line, R"("nodes":")", '"')});
    }
  }
  return lines;
}

/// The nodes of "0-3,9".
inline std::set<std::int64_t> nodes_from(std::string_view text) {
  std::set<std::int64_t> nodes;
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    const std::string range(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t dash = range.find('-');
    const std::int64_t first = std::stoll(range);
    const std::int64_t last =
        dash == std::string::npos ? first : std::stoll(range.substr(dash + 1));
    for (std::int64_t node = first; node <= last; ++node) {
      nodes.insert(node);
    }
  }
  return nodes;
}

/// In words, every node of a pool that a recording has two jobs or experiments hold at once; trials
/// of one experiment may share theirs.
inline std::vector<std::string> held_twice(const scenario::Scenario& scenario,
                                           std::string_view recording) {
  std::map<std::string, std::uint32_t> pools;
  for (const scenario::JobSpec& job : scenario.jobs) {
    pools["job:" + job.name] = job.pool;
  }
  for (const scenario::ExperimentSpec& experiment : scenario.experiments) {
    pools["experiment:" + experiment.name] = experiment.pool;
  }
  std::map<std::string, std::set<std::int64_t>> held;
  std::vector<std::string> problems;
  for (const HoldsLine& line : holds_lines(recording)) {
    held[line.on] = nodes_from(line.nodes);
    const std::string owner = line.on.substr(0, line.on.find("/trial:"));
    for (const auto& [on, nodes] : held) {
      const std::string other = on.substr(0, on.find("/trial:"));
      for (const std::int64_t node : held[line.on]) {
        if (other != owner && pools[other] == pools[owner] && nodes.contains(node)) {
          problems.push_back(
              fmt::format("at {} both {} and {} hold node {}", line.t_us, line.on, on, node));
        }
      }
    }
  }
  return problems;
}

}  // namespace aftershock::sim::world
