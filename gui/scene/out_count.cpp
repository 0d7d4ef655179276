#include "gui/scene/out_count.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace aftershock::gui {

namespace {

using Change = std::pair<std::int64_t, std::int64_t>;  // when, and by how much

// The stretches in which one node is out, without overlaps: spans are in the order of their begin.
void add_changes(const LaneSpans& node, std::vector<Change>& changes) {
  std::int64_t until_us = 0;
  bool is_out = false;
  for (std::size_t i = 0; i < node.size(); ++i) {
    if ((mask_of(node.kind[i]) & kOutKinds) == 0 || node.end_us[i] <= node.begin_us[i]) {
      continue;
    }
    if (is_out && node.begin_us[i] <= until_us) {
      until_us = std::max(until_us, node.end_us[i]);
      continue;
    }
    if (is_out) {
      changes.emplace_back(until_us, -1);
    }
    changes.emplace_back(node.begin_us[i], 1);
    until_us = node.end_us[i];
    is_out = true;
  }
  if (is_out) {
    changes.emplace_back(until_us, -1);
  }
}

}  // namespace

std::optional<OutCount> count_out(std::span<const LaneSpans> nodes, std::int64_t of,
                                  std::size_t most_spans) {
  std::size_t spans = 0;
  for (const LaneSpans& node : nodes) {
    spans += node.size();
  }
  if (spans > most_spans) {
    return std::nullopt;
  }
  std::vector<Change> changes;
  for (const LaneSpans& node : nodes) {
    add_changes(node, changes);
  }
  std::ranges::sort(changes);
  OutCount count;
  count.of = of;
  count.samples.t_us.push_back(0);
  count.samples.value.push_back(0);
  std::int64_t now = 0;
  for (std::size_t i = 0; i < changes.size();) {
    const std::int64_t t_us = changes[i].first;
    for (; i < changes.size() && changes[i].first == t_us; ++i) {
      now += changes[i].second;
    }
    if (t_us == count.samples.t_us.back()) {
      count.samples.value.back() = now;
    } else if (now != count.samples.value.back()) {
      count.samples.t_us.push_back(t_us);
      count.samples.value.push_back(now);
    }
  }
  count.levels.extend(count.samples.value);
  return count;
}

std::optional<std::int64_t> nodes_of(const Directory& directory, const LaneKey& group) {
  if (group.section != Section::kPools || group.node >= 0 || group.facet != Facet::kWhole ||
      group.group < 0 || group.group >= std::ssize(directory.pools)) {
    return std::nullopt;
  }
  const PoolNames& pool = directory.pools[static_cast<std::size_t>(group.group)];
  if (group.rack < 0) {
    return pool.slots;
  }
  if (pool.racks <= 0) {
    return std::nullopt;
  }
  __extension__ using Wide = __int128;
  const auto first = [&](std::int64_t rack) {
    return static_cast<std::int64_t>((Wide{rack} * pool.slots + pool.racks - 1) / pool.racks);
  };
  return first(group.rack + 1) - first(group.rack);
}

}  // namespace aftershock::gui
