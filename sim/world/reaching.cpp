#include <algorithm>
#include <utility>
#include <vector>

#include "policies/api/assert.h"
#include "sim/world/world_state.h"

// Who can reach whom, and what, as things stand.
namespace aftershock::sim {

// What the fault's target is cut off from, and which way (sim/README.md has the table).
Cut WorldState::cut_of(std::uint32_t number) const {
  const FaultEffect& effect = effect_of(faults_[number]);
  const Target& target = scenario_->faults[faults_[number].spec].target;
  const FaultRecord& fault = faults_[number];
  if (target.kind == TargetKind::kSwitch || fault.at_switch) {
    const NetPlace place = fault.at_switch ? topology_->rack(*fault.pool, *fault.domain)
                                           : topology_->place(target.end);
    Cut cut{number, {}};
    for (std::vector<NetPlace>& side : topology_->sides(place)) {
      Cut one = cut_around(number, std::move(side), CutDirection::kBoth);
      std::ranges::move(one.rules, std::back_inserter(cut.rules));
    }
    return cut;
  }
  std::vector<NetPlace> inside;
  if (target.kind == TargetKind::kStorage) {
    return cut_between(number, {topology_->storage(target.storage)}, topology_->nodes(),
                       CutDirection::kBoth);
  }
  if (target.kind == TargetKind::kRack || faults_[number].domain) {
    const std::uint32_t rack = faults_[number].domain.value_or(target.index);
    inside = topology_->beyond(topology_->rack(target.pool, rack));
  } else if (target.kind == TargetKind::kPool) {
    inside = topology_->beyond(topology_->pool(target.pool));
  } else if (target.kind == TargetKind::kLink) {
    inside = topology_->beyond(topology_->place(target.end));
  } else {
    inside = {topology_->node(*faults_[number].pool, faults_[number].node)};
  }
  if (effect.kind == FaultKind::kHeadWorkerPartition) {
    // A head by its link: it is the workers then that are the others.
    const bool head = target.kind == TargetKind::kLink && target.end.kind == PlaceKind::kHead;
    return cut_between(number, std::move(inside), head ? topology_->nodes() : topology_->heads(),
                       effect.network.direction);
  }
  if (effect.kind == FaultKind::kWorkerStoragePartition) {
    return cut_between(number, std::move(inside), topology_->storages(), CutDirection::kBoth);
  }
  return cut_around(number, std::move(inside), effect.network.direction);
}

// A look at the job's workers, or the end of one of them, does not get from the node to who looks.
bool WorldState::hides(const Job& job, std::uint32_t node) const {
  const Node& there = pools_[spec(job).pool].node(node);
  // A platform's node says of its own accord what happens on it; a poll has to ask.
  return there.mute || (there.deaf && !job.host.info().watches_nodes);
}

bool WorldState::gang_whole(const Job& job) const {
  std::vector<NetPlace> places;
  for (const std::uint32_t node : job.placement.slots) {
    places.push_back(topology_->node(spec(job).pool, node));
  }
  return all_connected(cuts_, places);
}

// The newest of the faults that cut the node off.
std::uint32_t WorldState::cutting(std::uint32_t pool, std::uint32_t node) const {
  const NetPlace place = topology_->node(pool, node);
  const NetPlace head = topology_->head(0);
  const auto found = std::find_if(cuts_.rbegin(), cuts_.rend(), [&](const Cut& cut) {
    return cut.blocks(place, head) || cut.blocks(head, place);
  });
  AFTERSHOCK_ASSERT(found != cuts_.rend());
  return found->id;
}

// The newest of those that keep everybody from it.
const StorageTrouble* WorldState::outage(std::uint32_t storage) const {
  const auto found =
      std::find_if(troubles_.rbegin(), troubles_.rend(), [storage](const StorageTrouble& trouble) {
        return trouble.storage == storage && trouble.out;
      });
  return found == troubles_.rend() ? nullptr : &*found;
}

// The fault that keeps some of the job's nodes from its storage; none: all of them get there.
std::optional<std::uint32_t> WorldState::storage_blocked(const Job& job) const {
  const auto& storage = spec(job).run.storage;
  if (!storage) {
    return std::nullopt;
  }
  if (const StorageTrouble* trouble = outage(*storage)) {
    return trouble->fault;
  }
  if (cuts_.empty()) {
    return std::nullopt;
  }
  const NetPlace there = topology_->storage(*storage);
  const auto parts = [&](const Cut& cut) {
    return std::ranges::any_of(job.placement.slots, [&](std::uint32_t node) {
      const NetPlace here = topology_->node(spec(job).pool, node);
      return cut.blocks(here, there) || cut.blocks(there, here);
    });
  };
  const auto found = std::find_if(cuts_.rbegin(), cuts_.rend(), parts);
  return found == cuts_.rend() ? std::nullopt : std::optional(found->id);
}

// Of a save that has the storage for itself.
std::int64_t WorldState::write_speed(const Job& job) const {
  const auto& storage = spec(job).run.storage;
  return storage ? std::min(transfers_.capacities()[*storage * 2 + 1], job.link_bound_bytes_per_s)
                 : job.link_bound_bytes_per_s;
}

bool WorldState::reaches_storage(const Castaways& castaways) const {
  const JobSpec& job_spec = scenario_->jobs[castaways.job];
  if (!job_spec.run.storage) {
    return true;
  }
  const NetPlace there = topology_->storage(*job_spec.run.storage);
  return outage(*job_spec.run.storage) == nullptr &&
         std::ranges::all_of(castaways.nodes, [&](std::uint32_t node) {
           return connected(cuts_, topology_->node(job_spec.pool, node), there);
         });
}

}  // namespace aftershock::sim
