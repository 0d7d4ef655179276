#include "gui/lanes/lane_key.h"

namespace aftershock::gui {

bool is_above(const LaneKey& above, const LaneKey& lane) {
  if (above == lane || above.section != lane.section) {
    return false;
  }
  if (above.item >= 0) {
    return false;
  }
  const auto upto_node = [](const LaneKey& key) {
    return std::tuple(key.group, key.rack, key.node);
  };
  if (above.facet != Facet::kWhole) {
    return upto_node(above) == upto_node(lane) && above.facet == lane.facet;
  }
  if (above.accelerator >= 0) {
    return upto_node(above) == upto_node(lane) && above.accelerator == lane.accelerator;
  }
  if (above.node >= 0) {
    return above.group == lane.group && above.rack == lane.rack && lane.run <= above.run &&
           lane.node >= above.node && lane.node - above.node < above.run &&
           (above.run == 1 || lane.run < above.run);
  }
  if (above.rack >= 0) {
    return above.group == lane.group && above.rack == lane.rack;
  }
  return above.group < 0 || above.group == lane.group;
}

std::vector<LaneKey> groups_of(const LaneKey& lane) {
  std::vector<LaneKey> groups;
  LaneKey group{.section = lane.section};
  const auto add = [&] {
    if (!(group == lane)) {
      groups.push_back(group);
    }
  };
  // Heads and storages are each a group, jobs, experiments and pools stand by themselves.
  if (lane.section == Section::kHeads || lane.section == Section::kStorages) {
    add();
  }
  if (lane.group >= 0) {
    group.group = lane.group;
    add();
  }
  if (lane.rack >= 0) {
    group.rack = lane.rack;
    add();
  }
  if (lane.node >= 0) {
    group.node = lane.node;
    if (lane.run == 1) {
      add();
    }
  }
  if (lane.facet != Facet::kWhole && lane.item >= 0) {
    group.facet = lane.facet;
    add();
  }
  return groups;
}

}  // namespace aftershock::gui
