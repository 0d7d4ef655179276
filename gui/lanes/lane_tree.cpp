#include "gui/lanes/lane_tree.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::gui {
namespace {

constexpr std::int64_t kListedAccelerators = 64;
__extension__ using Wide = __int128;

// The lanes that stand in the tree with their groups, none twice, in order.
void sort_keys(std::vector<LaneKey>& keys) {
  if (!std::is_sorted(keys.begin(), keys.end())) {
    std::sort(keys.begin(), keys.end());
  }
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

// Accelerators of one node: most of what there is.
bool is_sibling(const LaneKey& a, const LaneKey& b) {
  return a.accelerator >= 0 && b.accelerator >= 0 && a.section == b.section && a.group == b.group &&
         a.rack == b.rack && a.node == b.node;
}

// In order: neighbours share most of their groups.
std::vector<LaneKey> keys_of(std::span<const LaneContent> content) {
  std::vector<LaneKey> keys;
  keys.reserve(content.size() + content.size() / 4);
  const LaneKey* before = nullptr;
  for (const LaneContent& lane : content) {
    if (before != nullptr && *before == lane.key) {
      continue;
    }
    if (before == nullptr || !is_sibling(*before, lane.key)) {
      for (const LaneKey& group : groups_of(lane.key)) {
        if (before == nullptr || !(group == *before || is_above(group, *before))) {
          keys.push_back(group);
        }
      }
    }
    keys.push_back(lane.key);
    before = &lane.key;
  }
  return keys;
}

// The parts of a run; up to kRunParts nodes are parts themselves.
void divide(const LaneKey& run, std::vector<LaneKey>& keys) {
  const std::int64_t part = (run.run + kRunParts - 1) / kRunParts;
  for (std::int64_t done = 0; done < run.run; done += part) {
    LaneKey key = run;
    key.node += done;
    key.run = std::min(part, run.run - done);
    keys.push_back(key);
  }
}

// The nodes [from, to) of `parent` of which nothing is recorded; `present` has those that are
// there, in order.
class Filler {
 public:
  Filler(std::vector<LaneKey>& keys, const TreeOptions& options, bool one_by_one)
      : keys_(keys), options_(options), one_by_one_(one_by_one) {}

  void fill(const LaneKey& parent, std::int64_t from, std::int64_t to,
            std::span<const LaneKey> present) {
    for (const LaneKey& key : present) {
      if (key.node >= from) {
        gap(parent, from, std::min(key.node, to));
        from = key.node + 1;
      }
    }
    gap(parent, from, to);
  }

 private:
  void gap(const LaneKey& parent, std::int64_t from, std::int64_t to) {
    if (from >= to) {
      return;
    }
    LaneKey key = parent;
    key.node = from;
    if (one_by_one_) {
      for (; key.node < to; ++key.node) {
        keys_.push_back(key);
      }
      return;
    }
    key.run = to - from;
    open(key);
  }

  void open(const LaneKey& run) {
    keys_.push_back(run);
    if (run.run == 1 ||
        !std::binary_search(options_.open_runs.begin(), options_.open_runs.end(), run)) {
      return;
    }
    std::vector<LaneKey> parts;
    divide(run, parts);
    for (const LaneKey& part : parts) {
      open(part);
    }
  }

  std::vector<LaneKey>& keys_;
  const TreeOptions& options_;
  bool one_by_one_;
};

// The keys of nodes below `parent`, of which nothing deeper is asked.
std::vector<LaneKey> nodes_below(std::span<const LaneKey> keys, const LaneKey& parent) {
  std::vector<LaneKey> nodes;
  auto at = std::upper_bound(keys.begin(), keys.end(), parent);
  for (; at != keys.end() && is_above(parent, *at); ++at) {
    if (at->node >= 0 && at->accelerator < 0 && at->facet == Facet::kWhole &&
        at->rack == parent.rack) {
      nodes.push_back(*at);
    }
  }
  return nodes;
}

void add_accelerators(const Directory& directory, std::vector<LaneKey>& keys) {
  const std::size_t count = keys.size();
  for (std::size_t i = 0; i < count; ++i) {
    const LaneKey node = keys[i];
    if (node.section != Section::kPools || node.node < 0 || node.run != 1 ||
        node.accelerator >= 0) {
      continue;
    }
    const PoolNames& pool = directory.pools[static_cast<std::size_t>(node.group)];
    if (pool.accelerators <= kListedAccelerators) {
      for (std::int64_t a = 0; a < pool.accelerators; ++a) {
        keys.push_back(node);
        keys.back().accelerator = a;
      }
    }
  }
}

void add_all(const Directory& directory, const TreeOptions& options, std::vector<LaneKey>& keys) {
  sort_keys(keys);
  const std::vector<LaneKey> present = keys;
  Filler filler(keys, options, is_small(directory));
  const auto ends_at = [](const std::vector<NumberedNames>& ranges) {
    return ranges.empty() ? 0 : ranges.back().first + ranges.back().count;
  };
  const auto fill = [&](const LaneKey& parent, std::int64_t from, std::int64_t to) {
    if (from < to) {
      keys.push_back(parent);
      filler.fill(parent, from, to, nodes_below(present, parent));
    }
  };
  fill({.section = Section::kHeads}, 0, ends_at(directory.heads));
  fill({.section = Section::kStorages}, 0, ends_at(directory.storages));
  for (std::int64_t i = 0; i < std::ssize(directory.jobs); ++i) {
    keys.push_back({.section = Section::kJobs, .group = i});
  }
  for (std::int64_t i = 0; i < std::ssize(directory.experiments); ++i) {
    const LaneKey parent{.section = Section::kExperiments, .group = i};
    keys.push_back(parent);
    fill(parent, 0, directory.trials[static_cast<std::size_t>(i)]);
  }
  for (std::int64_t i = 0; i < std::ssize(directory.pools); ++i) {
    const PoolNames& pool = directory.pools[static_cast<std::size_t>(i)];
    LaneKey parent{.section = Section::kPools, .group = i};
    keys.push_back(parent);
    if (pool.racks == 0) {
      fill(parent, 0, pool.slots);
    } else if (pool.racks <= kSmallCluster) {
      for (parent.rack = 0; parent.rack < pool.racks; ++parent.rack) {
        const auto first = [&](std::int64_t rack) {
          return static_cast<std::int64_t>((Wide{rack} * pool.slots + pool.racks - 1) / pool.racks);
        };
        fill(parent, first(parent.rack), first(parent.rack + 1));
      }
    }
  }
  if (is_small(directory)) {
    add_accelerators(directory, keys);
  }
}

}  // namespace

bool is_small(const Directory& directory) {
  Wide lanes = 0;
  for (const PoolNames& pool : directory.pools) {
    lanes += Wide{pool.slots} * (1 + pool.accelerators) + pool.racks;
  }
  for (const std::int64_t trials : directory.trials) {
    lanes += trials;
  }
  for (const auto* ranges : {&directory.heads, &directory.storages}) {
    lanes += ranges->empty() ? 0 : ranges->back().first + ranges->back().count;
  }
  return lanes <= kSmallCluster;
}

LaneTree make_tree(const Directory& directory, std::vector<LaneContent> content,
                   const TreeOptions& options) {
  AFTERSHOCK_ASSERT(std::ranges::is_sorted(options.open_runs));
  LaneTree tree;
  tree.content = std::move(content);
  const auto by_key = [](const LaneContent& a, const LaneContent& b) { return a.key < b.key; };
  if (!std::is_sorted(tree.content.begin(), tree.content.end(), by_key)) {
    std::stable_sort(tree.content.begin(), tree.content.end(), by_key);
  }
  std::vector<LaneKey> keys = keys_of(tree.content);
  if (options.all) {
    add_all(directory, options, keys);
  }
  sort_keys(keys);
  tree.nodes.reserve(keys.size());
  std::vector<std::uint32_t> above;
  std::uint32_t next_content = 0;
  const auto close = [&](std::uint32_t end) {
    tree.nodes[above.back()].end = end;
    above.pop_back();
  };
  for (const LaneKey& key : keys) {
    const auto index = static_cast<std::uint32_t>(tree.nodes.size());
    while (!above.empty() && !is_above(tree.nodes[above.back()].key, key)) {
      close(index);
    }
    LaneTree::Node node{.key = key, .depth = static_cast<std::uint32_t>(above.size())};
    node.parent = above.empty() ? kNowhere : above.back();
    node.first_content = next_content;
    while (next_content < tree.content.size() && tree.content[next_content].key == key) {
      ++next_content;
    }
    node.contents = next_content - node.first_content;
    tree.nodes.push_back(node);
    above.push_back(index);
  }
  while (!above.empty()) {
    close(static_cast<std::uint32_t>(tree.nodes.size()));
  }
  return tree;
}

std::optional<std::uint32_t> find(const LaneTree& tree, const LaneKey& key) {
  const auto found = std::lower_bound(
      tree.nodes.begin(), tree.nodes.end(), key,
      [](const LaneTree::Node& node, const LaneKey& wanted) { return node.key < wanted; });
  if (found == tree.nodes.end() || !(found->key == key)) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(found - tree.nodes.begin());
}

std::span<const LaneContent> content_of(const LaneTree& tree, std::uint32_t node) {
  AFTERSHOCK_ASSERT(node < tree.nodes.size());
  const LaneTree::Node& of = tree.nodes[node];
  const std::size_t end =
      of.end < tree.nodes.size() ? tree.nodes[of.end].first_content : tree.content.size();
  return std::span(tree.content).subspan(of.first_content, end - of.first_content);
}

}  // namespace aftershock::gui
