#include <algorithm>

#include "base/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/network/network.h"

// Storages that are out of reach, out of order or slow, and the transfers to and from them.
namespace aftershock::sim::network {

namespace {

// A storage is two resources of the sharing engine: reads and writes do not slow each other down.
constexpr std::uint32_t read_resource(std::uint32_t storage) { return storage * 2; }
constexpr std::uint32_t write_resource(std::uint32_t storage) { return storage * 2 + 1; }

std::vector<std::int64_t> capacities_of(const scenario::ClusterSpec& cluster) {
  std::vector<std::int64_t> capacities;
  for (const scenario::StorageSpec& storage : cluster.storage) {
    capacities.push_back(storage.read_bytes_per_s);
    capacities.push_back(storage.write_bytes_per_s);
  }
  return capacities;
}

// Several that slow a storage down, slow each other's rest down.
std::int64_t slowed(std::int64_t bytes_per_s, std::uint32_t storage,
                    std::span<const StorageTrouble> troubles) {
  double factor = 1;
  for (const StorageTrouble& trouble : troubles) {
    factor *= trouble.storage == storage ? trouble.factor : 1;
  }
  // At least a byte a second, so that a transfer under way has an end.
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(static_cast<double>(bytes_per_s) / factor));
}

}  // namespace

Network::Network(const scenario::Scenario& scenario)
    : transfers_(capacities_of(scenario.cluster),
                 static_cast<std::uint16_t>(core::EntryKind::kTransferOver), false) {}

void Network::set_speed(core::RunCore& core, std::uint32_t storage) {
  const scenario::StorageSpec& whole = core.scenario().cluster.storage[storage];
  const auto set = [&](std::uint32_t resource, std::int64_t bytes_per_s) {
    transfers_.set_capacity(core.calendar(), core.now_us(), resource,
                            slowed(bytes_per_s, storage, troubles_));
  };
  set(read_resource(storage), whole.read_bytes_per_s);
  set(write_resource(storage), whole.write_bytes_per_s);
}

void Network::begin_trouble(core::RunCore& core, const StorageTrouble& trouble) {
  AFTERSHOCK_ASSERT(write_resource(trouble.storage) < transfers_.capacities().size());
  AFTERSHOCK_ASSERT(trouble.factor > 0);
  AFTERSHOCK_ASSERT(std::ranges::find(troubles_, trouble.fault, &StorageTrouble::fault) ==
                    troubles_.end());
  troubles_.push_back(trouble);
  // An outage breaks transfers off, so their speed does not matter.
  if (!trouble.out) {
    set_speed(core, trouble.storage);
  }
}

StorageTrouble Network::end_trouble(core::RunCore& core, std::uint32_t number) {
  const auto trouble = std::ranges::find(troubles_, number, &StorageTrouble::fault);
  AFTERSHOCK_ASSERT(trouble != troubles_.end());
  const StorageTrouble ended = *trouble;
  troubles_.erase(trouble);
  core.recorder().instant(core.now_us(), {reports::EntityKind::kStorage, ended.storage},
                          "storage_back", {{"fault", number}});
  if (!ended.out) {
    set_speed(core, ended.storage);
  }
  return ended;
}

const StorageTrouble* Network::outage(std::uint32_t storage) const {
  const auto found =
      std::find_if(troubles_.rbegin(), troubles_.rend(), [storage](const StorageTrouble& trouble) {
        return trouble.storage == storage && trouble.out;
      });
  return found == troubles_.rend() ? nullptr : &*found;
}

std::optional<std::uint32_t> Network::blocked_by(std::uint32_t storage, std::uint32_t pool,
                                                 std::span<const std::uint32_t> nodes) const {
  // An outage stops every node, a cut only some: the outage is named first.
  if (const StorageTrouble* trouble = outage(storage)) {
    return trouble->fault;
  }
  if (cuts_.empty()) {
    return std::nullopt;
  }
  const NetPlace there = topology_->storage(storage);
  const auto parts = [&](const Cut& cut) {
    return std::ranges::any_of(nodes, [&](std::uint32_t node) {
      const NetPlace here = topology_->node(pool, node);
      // A connection needs both ways.
      return cut.blocks(here, there) || cut.blocks(there, here);
    });
  };
  const auto found = std::find_if(cuts_.rbegin(), cuts_.rend(), parts);
  return found == cuts_.rend() ? std::nullopt : std::optional(found->id);
}

std::int64_t Network::write_speed(std::uint32_t storage) const {
  AFTERSHOCK_ASSERT(write_resource(storage) < transfers_.capacities().size());
  return transfers_.capacities()[write_resource(storage)];
}

std::int64_t Network::read_speed(std::uint32_t storage) const {
  AFTERSHOCK_ASSERT(read_resource(storage) < transfers_.capacities().size());
  return transfers_.capacities()[read_resource(storage)];
}

engine::TransferId Network::read(core::RunCore& core, std::uint32_t storage,
                                 engine::TransferRequest request) {
  request.resource = read_resource(storage);
  return transfers_.start(core.calendar(), core.now_us(), request);
}

engine::TransferId Network::write(core::RunCore& core, std::uint32_t storage,
                                  engine::TransferRequest request) {
  request.resource = write_resource(storage);
  return transfers_.start(core.calendar(), core.now_us(), request);
}

}  // namespace aftershock::sim::network
