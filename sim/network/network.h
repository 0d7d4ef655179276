#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/core/run_core.h"
#include "sim/engine/transfers.h"
#include "sim/faults/fault_record.h"
#include "sim/network/reach.h"
#include "sim/network/storage_trouble.h"
#include "sim/network/topology.h"

namespace aftershock::sim::network {

/// Which ways between a node and the head are cut.
struct Hearing {
  bool mute = false;  ///< the head does not hear the node
  bool deaf = false;  ///< the node does not hear the head
  friend bool operator==(const Hearing&, const Hearing&) = default;
};

/// The network of one run and the storages on it. The room owns the cuts that faults lay over the
/// topology, the faults of storages, and all transfers. It knows pools and nodes by number alone,
/// and neither their state nor any job: callers pass on what a change means for these. It promises
/// that cuts overlap, each until its own fault ends, and that questions cost nothing while nothing
/// is cut.
class Network {
 public:
  explicit Network(const scenario::Scenario& scenario);

  [[nodiscard]] engine::Transfers& transfers() { return transfers_; }
  [[nodiscard]] const engine::Transfers& transfers() const { return transfers_; }

  /// Lays the cut of the fault of that number over the network.
  void cut(const scenario::Scenario& scenario, const faults::FaultRecord& fault,
           std::uint32_t number);
  /// The fault cuts nobody off any more.
  void mend(std::uint32_t number);
  /// Nothing is cut.
  [[nodiscard]] bool whole() const { return cuts_.empty(); }
  [[nodiscard]] Hearing hearing(std::uint32_t pool, std::uint32_t node) const;
  /// The newest of the faults that cut the node off from the head, of which there is one.
  [[nodiscard]] std::uint32_t cutting(std::uint32_t pool, std::uint32_t node) const;
  /// Whether each of these nodes of a pool can talk to each other one.
  [[nodiscard]] bool all_connected(std::uint32_t pool, std::span<const std::uint32_t> nodes) const;

  /// A storage is out of order or slow from now on.
  void begin_trouble(core::RunCore& core, const StorageTrouble& trouble);
  /// It is well again, as far as that fault goes: recorded. The trouble that was.
  StorageTrouble end_trouble(core::RunCore& core, std::uint32_t number);
  /// The newest of those that keep everybody from the storage; null: none does.
  [[nodiscard]] const StorageTrouble* outage(std::uint32_t storage) const;
  /// The newest fault that keeps some of these nodes of a pool from the storage, outages before
  /// cuts. None: all of them get there.
  [[nodiscard]] std::optional<std::uint32_t> blocked_by(std::uint32_t storage, std::uint32_t pool,
                                                        std::span<const std::uint32_t> nodes) const;
  /// Of a save, or of a load, that has the storage for itself, in bytes a second.
  [[nodiscard]] std::int64_t write_speed(std::uint32_t storage) const;
  [[nodiscard]] std::int64_t read_speed(std::uint32_t storage) const;
  /// Whether something is cut, or some storage out of order or slow.
  [[nodiscard]] bool troubled() const { return !cuts_.empty() || !troubles_.empty(); }

  /// Begins to read from a storage, or to write to it, whatever may block that: ask blocked_by().
  /// `request` leaves the resource out. An entry of kTransferOver ends it.
  engine::TransferId read(core::RunCore& core, std::uint32_t storage,
                          engine::TransferRequest request);
  engine::TransferId write(core::RunCore& core, std::uint32_t storage,
                           engine::TransferRequest request);

 private:
  void set_speed(core::RunCore& core, std::uint32_t storage);

  std::shared_ptr<const Topology> topology_;  ///< made for the first cut
  std::vector<Cut> cuts_;
  std::vector<StorageTrouble> troubles_;
  engine::Transfers transfers_;
};

/// The cut of a fault's target, and its direction (sim/README.md has the table).
Cut cut_of(const Topology& topology, const scenario::Scenario& scenario,
           const faults::FaultRecord& fault, std::uint32_t number);

}  // namespace aftershock::sim::network
