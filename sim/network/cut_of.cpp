#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "sim/faults/fault_book.h"
#include "sim/network/network.h"

namespace aftershock::sim::network {

Cut cut_of(const Topology& topology, const scenario::Scenario& scenario,
           const faults::FaultRecord& fault, std::uint32_t number) {
  const scenario::FaultEffect& effect = faults::effect_of(scenario, fault);
  const scenario::Target& target = scenario.faults[fault.spec].target;
  if (target.kind == scenario::TargetKind::kSwitch || fault.at_switch) {
    const NetPlace place =
        fault.at_switch ? topology.rack(*fault.pool, *fault.domain) : topology.place(target.end);
    // A dead switch parts its links from each other, too, not only those below it from the core.
    Cut cut{number, {}};
    for (std::vector<NetPlace>& side : topology.sides(place)) {
      Cut one = cut_around(number, std::move(side), scenario::CutDirection::kBoth);
      std::ranges::move(one.rules, std::back_inserter(cut.rules));
    }
    return cut;
  }
  std::vector<NetPlace> inside;
  const bool one_node = faults::cuts_one_node(scenario, fault);
  if (target.kind == scenario::TargetKind::kStorage) {
    // Nodes alone move data there, and a connection needs both ways: a direction changes nothing.
    return cut_between(number, {topology.storage(target.storage)}, topology.nodes(),
                       scenario::CutDirection::kBoth);
  }
  if (one_node) {
    inside = {topology.node(*fault.pool, fault.node)};
  } else if (target.kind == scenario::TargetKind::kRack || fault.domain) {
    // A source per rack draws one for each occurrence; a rack as the target has its own index.
    const std::uint32_t rack = fault.domain.value_or(target.index);
    inside = topology.beyond(topology.rack(target.pool, rack));
  } else if (target.kind == scenario::TargetKind::kPool) {
    inside = topology.beyond(topology.pool(target.pool));
  } else if (target.kind == scenario::TargetKind::kLink) {
    inside = topology.beyond(topology.place(target.end));
  } else {
    inside = {topology.node(*fault.pool, fault.node)};
  }
  if (effect.kind == scenario::FaultKind::kHeadWorkerPartition) {
    // A head by its link: it is the workers then that are the others.
    const bool head =
        target.kind == scenario::TargetKind::kLink && target.end.kind == scenario::PlaceKind::kHead;
    return cut_between(number, std::move(inside), head ? topology.nodes() : topology.heads(),
                       effect.network.direction);
  }
  if (effect.kind == scenario::FaultKind::kWorkerStoragePartition) {
    return cut_between(number, std::move(inside), topology.storages(),
                       scenario::CutDirection::kBoth);
  }
  return cut_around(number, std::move(inside), effect.network.direction);
}

}  // namespace aftershock::sim::network
