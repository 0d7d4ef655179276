#include "gui/export/choice.h"

#include <algorithm>

namespace aftershock::gui {

namespace {

/// The lane's node, or that of the innermost group around it that the tree has.
std::optional<std::uint32_t> node_of(const LaneTree& tree, const LaneKey& lane) {
  if (const auto node = find(tree, lane)) {
    return node;
  }
  std::vector<LaneKey> groups = groups_of(lane);
  for (; !groups.empty(); groups.pop_back()) {
    if (const auto node = find(tree, groups.back())) {
      return node;
    }
  }
  return std::nullopt;
}

}  // namespace

bool Choice::takes(const LaneSpans& spans, std::size_t span) const {
  const std::int64_t begin_us = spans.begin_us[span];
  const std::int64_t end_us = spans.end_us[span];
  return begin_us < range.end_us &&
         (end_us <= begin_us ? begin_us >= range.begin_us : end_us > range.begin_us);
}

Choice choice_of(const Scene& scene, const ViewState& state) {
  Choice choice{.lanes = {}, .counters = {}, .range = state.shown};
  std::optional<std::uint32_t> node;
  if (state.selection) {
    choice.range = state.selection->time;
    choice.range.end_us = std::max(choice.range.end_us, choice.range.begin_us + 1);
    if (state.selection->lane) {
      node = node_of(scene.tree(), *state.selection->lane);
    }
  }
  if (!node) {
    // Also what the header does not have and is listed nowhere.
    for (std::uint32_t lane = 0; lane < scene.trace().lanes.size(); ++lane) {
      choice.lanes.push_back(lane);
    }
  }
  const std::span<const LaneContent> chosen =
      node ? content_of(scene.tree(), *node) : std::span(scene.tree().content);
  for (const LaneContent& each : chosen) {
    const Content content = content_from(each.id);
    if (content.is_counter) {
      choice.counters.push_back(content.index);
    } else if (node) {
      choice.lanes.push_back(content.index);
    }
  }
  std::ranges::sort(choice.lanes);
  return choice;
}

}  // namespace aftershock::gui
