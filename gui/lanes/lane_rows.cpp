#include "gui/lanes/lane_rows.h"

#include <algorithm>
#include <string_view>

#include "base/assert.h"

namespace aftershock::gui {
namespace {

void put(std::vector<LaneKey>& keys, const LaneKey& key, bool in) {
  const auto at = std::lower_bound(keys.begin(), keys.end(), key);
  const bool is_in = at != keys.end() && *at == key;
  if (in && !is_in) {
    keys.insert(at, key);
  } else if (!in && is_in) {
    keys.erase(at);
  }
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A byte for each node: whether it is among the keys. Both are in order.
std::vector<std::uint8_t> marks(const LaneTree& tree, const std::vector<LaneKey>& keys) {
  std::vector<std::uint8_t> found(tree.nodes.size());
  for (const LaneKey& key : keys) {
    if (const auto node = find(tree, key)) {
      found[*node] = 1;
    }
  }
  return found;
}

// Nodes that have the text in their names, and those above them.
std::vector<std::uint8_t> matches(const Directory& directory, const LaneTree& tree,
                                  std::string_view text) {
  std::string wanted(text);
  std::transform(wanted.begin(), wanted.end(), wanted.begin(), lower);
  std::vector<std::uint8_t> found(tree.nodes.size());
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    std::string name = text_of(directory, tree.nodes[i].key);
    std::transform(name.begin(), name.end(), name.begin(), lower);
    if (found[i] != 0 || name.find(wanted) != std::string::npos) {
      found[i] = 1;
      if (tree.nodes[i].parent != kNowhere) {
        found[tree.nodes[i].parent] = 1;
      }
    }
  }
  return found;
}

}  // namespace

LaneState first_state(const LaneTree& tree) {
  LaneState state;
  for (const LaneTree::Node& node : tree.nodes) {
    const bool is_work =
        node.key.section == Section::kJobs || node.key.section == Section::kExperiments;
    // Numbers of a job are few, and say how it went.
    const bool is_numbers =
        node.key.node < 0 && node.key.item < 0 &&
        (node.key.facet == Facet::kBudgets || node.key.facet == Facet::kCounters);
    if (is_work && (node.depth == 0 || is_numbers)) {
      state.exceptions.push_back(node.key);
    }
  }
  return state;
}

void set_open(LaneState& state, const LaneKey& group, bool open) {
  put(state.exceptions, group, open != state.all_open);
  if (group.run > 1) {
    put(state.open_runs, group, open);
  }
}

void set_all_open(LaneState& state, bool open) {
  state.all_open = open;
  state.exceptions.clear();
  // Runs hold what nothing is recorded of; that is asked for one by one.
  if (!open) {
    state.open_runs.clear();
  }
}

bool is_open(const LaneState& state, const LaneKey& group) {
  return std::binary_search(state.exceptions.begin(), state.exceptions.end(), group) !=
         state.all_open;
}

void reveal(LaneState& state, const LaneTree& tree, const LaneKey& lane) {
  if (const auto node = find(tree, lane)) {
    for (std::uint32_t above = tree.nodes[*node].parent; above != kNowhere;
         above = tree.nodes[above].parent) {
      set_open(state, tree.nodes[above].key, true);
    }
  }
}

void toggle_pinned(LaneState& state, const LaneKey& lane) {
  const auto found = std::find(state.pinned.begin(), state.pinned.end(), lane);
  if (found == state.pinned.end()) {
    state.pinned.push_back(lane);
  } else {
    state.pinned.erase(found);
  }
}

void toggle_hidden(LaneState& state, const LaneKey& lane) {
  put(state.hidden, lane, !std::binary_search(state.hidden.begin(), state.hidden.end(), lane));
}

LaneRows make_rows(const Directory& directory, const LaneTree& tree, const LaneState& state) {
  LaneRows rows;
  rows.row_of.assign(tree.nodes.size(), kNowhere);
  const std::vector<std::uint8_t> exceptions = marks(tree, state.exceptions);
  const std::vector<std::uint8_t> hidden =
      marks(tree, state.show_hidden ? std::vector<LaneKey>{} : state.hidden);
  const bool is_filtered = !state.filter.empty();
  const std::vector<std::uint8_t> matching =
      is_filtered ? matches(directory, tree, state.filter) : std::vector<std::uint8_t>{};
  for (std::uint32_t i = 0; i < tree.nodes.size();) {
    if (hidden[i] != 0 || (is_filtered && matching[i] == 0)) {
      i = tree.nodes[i].end;
      continue;
    }
    rows.row_of[i] = static_cast<std::uint32_t>(rows.nodes.size());
    rows.nodes.push_back(i);
    // A match is not left in a closed group.
    const bool open = is_filtered || (exceptions[i] != 0) != state.all_open;
    i = open ? i + 1 : tree.nodes[i].end;
  }
  for (const LaneKey& lane : state.pinned) {
    if (const auto node = find(tree, lane)) {
      rows.pinned.push_back(*node);
    }
  }
  return rows;
}

std::uint32_t row_near(const LaneTree& tree, const LaneRows& rows, const LaneKey& lane) {
  AFTERSHOCK_ASSERT(rows.row_of.size() == tree.nodes.size());
  // The tree may no longer have it, but something that it is in.
  auto at = std::upper_bound(
      tree.nodes.begin(), tree.nodes.end(), lane,
      [](const LaneKey& wanted, const LaneTree::Node& node) { return wanted < node.key; });
  if (at == tree.nodes.begin()) {
    return kNowhere;
  }
  auto node = static_cast<std::uint32_t>(at - tree.nodes.begin()) - 1;
  while (node != kNowhere &&
         (rows.row_of[node] == kNowhere ||
          !(tree.nodes[node].key == lane || is_above(tree.nodes[node].key, lane)))) {
    node = tree.nodes[node].parent;
  }
  return node == kNowhere ? kNowhere : rows.row_of[node];
}

std::uint32_t first_row_for(const LaneTree& tree, const LaneRows& rows, const LaneKey& lane,
                            std::uint32_t below, std::uint32_t visible) {
  const std::uint32_t row = row_near(tree, rows, lane);
  const auto count = static_cast<std::uint32_t>(rows.nodes.size());
  const std::uint32_t last = count > visible ? count - visible : 0;
  return row == kNowhere ? 0 : std::min(row > below ? row - below : 0, last);
}

std::vector<std::uint32_t> sticky_groups(const LaneTree& tree, const LaneRows& rows,
                                         std::uint32_t first_row) {
  std::vector<std::uint32_t> groups;
  if (first_row < rows.nodes.size()) {
    for (std::uint32_t above = tree.nodes[rows.nodes[first_row]].parent; above != kNowhere;
         above = tree.nodes[above].parent) {
      groups.push_back(above);
    }
  }
  std::reverse(groups.begin(), groups.end());
  return groups;
}

}  // namespace aftershock::gui
