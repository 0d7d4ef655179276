#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gui/lanes/lane_rows.h"

namespace aftershock::gui::testing {

/// Two racks of four nodes with two accelerators, the last of eight slots a spare; a pool without
/// racks; two jobs, one with a slash in its name; an experiment.
inline reports::RecordingHeader sample_header() {
  reports::RecordingHeader header;
  header.entities = {{"head", "", 0, 1, "head-a", 0, 0, ""},
                     {"node", "gpu", 0, 6, "gpu-%d", 2, 2, "gpu"},
                     {"spare", "gpu", 0, 1, "gpu-spare-%d", 2, 2, "gpu"},
                     {"provisionable", "gpu", 6, 1, "gpu-%d", 2, 2, "gpu"},
                     {"node", "cpu", 0, 3, "cpu-%d", 0, 0, ""},
                     {"storage", "", 0, 1, "nfs", 0, 0, ""}};
  header.policies = {{"ray@1", {}, {}, {"max_failures", "retries"}}};
  header.jobs = {{"llm", "ray@1", 8, 8, "gpu", {}, 0}, {"a/b", "ray@1", 8, 8, "gpu", {}, 0}};
  header.experiments = {{"tune", "ray@1", "gpu", 20, 10'000, {}}};
  return header;
}

inline std::vector<LaneContent> content_of(const Directory& directory,
                                           const std::vector<std::string>& texts) {
  std::vector<LaneContent> content;
  for (const std::string& text : texts) {
    content.push_back(
        {key_of(directory, text).value(), static_cast<std::uint32_t>(content.size())});
  }
  return content;
}

/// The rows as they are read: two spaces for each group that a lane is in, its name, and "+" behind
/// a group that is closed.
inline std::vector<std::string> listed(const Directory& directory, const LaneTree& tree,
                                       const LaneState& state) {
  std::vector<std::string> lines;
  for (const std::uint32_t node : make_rows(directory, tree, state).nodes) {
    const LaneTree::Node& lane = tree.nodes[node];
    lines.push_back(std::string(std::size_t{2} * lane.depth, ' ') + label_of(directory, lane.key) +
                    (lane.end > node + 1 && !is_open(state, lane.key) ? " +" : ""));
  }
  return lines;
}

}  // namespace aftershock::gui::testing
