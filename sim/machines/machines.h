#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "reports/recording/recorder.h"
#include "sim/core/run_core.h"
#include "sim/faults/fault_book.h"
#include "sim/machines/failed_device.h"
#include "sim/machines/healing.h"
#include "sim/machines/pool.h"
#include "sim/machines/repair_crew.h"

namespace aftershock::sim::machines {

/// The cause that takes a node down.
struct NodeFall {
  std::uint32_t pool = 0;
  std::uint32_t node = 0;
  std::uint32_t fault = 0;
  std::optional<std::int64_t> lasts_us;  ///< none: as the pool's repairs say, else for good
  bool announced = false;                ///< the cluster has been told
  bool by_crew = false;                  ///< where it comes back: somebody repairs it in that time
};

/// A repair that has begun.
struct BegunRepair {
  Repair repair;
  std::int64_t over_us = 0;
};

/// The machines of one run: the pools with every node's state, the devices that failed, and the
/// healings under way; ailments.h has what else is wrong with machines. Holders of nodes are
/// numbers to it: it tells nobody, and callers pass on what its answers mean for jobs, experiments
/// and queues. It promises that each change of a node is recorded once, that an entry about an
/// earlier machine of a slot has another epoch, and that a new or repaired machine has none of the
/// faults of the one before.
class Machines {
 public:
  explicit Machines(const scenario::Scenario& scenario);

  /// By their index in the cluster.
  [[nodiscard]] const std::vector<Pool>& pools() const { return pools_; }
  [[nodiscard]] const Pool& pool(std::uint32_t pool) const { return pools_[pool]; }
  [[nodiscard]] Pool& pool(std::uint32_t pool) { return pools_[pool]; }

  // Nodes go down, are declared dead, come back, and make room for others.

  /// The node goes down. The answer: how long for, where it comes back.
  std::optional<std::int64_t> fall(core::RunCore& core, const NodeFall& fall);
  /// A fault of a stated length strikes a node that is down: where it ends later, it is the one
  /// that holds the node from now on. Whether it is, and the node has not been declared dead.
  bool stay_down(core::RunCore& core, std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
                 std::int64_t lasts_us);
  /// Heartbeats have stayed away for long enough. Whether that is news.
  bool declare_dead(core::RunCore& core, std::uint32_t pool, std::uint32_t node);
  /// Another machine is in the slot, if the one there is still not wanted. Whether it is.
  bool renew(core::RunCore& core, std::uint32_t pool, std::uint32_t node);
  /// The node that was down works again. False: its machine has gone elsewhere instead.
  bool come_back(core::RunCore& core, const faults::FaultBook& faults, std::uint32_t pool,
                 std::uint32_t node);
  /// The machine goes elsewhere, and leaves its slot empty.
  void retire(core::RunCore& core, std::uint32_t pool, std::uint32_t node);
  /// Asks for machines until `needed` are there or on their way. The slots that have theirs now.
  std::vector<std::uint32_t> ask(core::RunCore& core, std::uint32_t pool, std::uint32_t needed);
  void count_up(core::RunCore& core, std::uint32_t pool) const;

  // devices.cpp: accelerators that failed, and nodes that are kept from the scheduler.

  [[nodiscard]] const std::vector<FailedDevice>& failed_devices() const { return failed_devices_; }
  /// One that lasts is found at once, in the next round, or never, as the health check is.
  void break_device(core::RunCore& core, FailedDevice device);
  /// The health check comes to the device, if nobody has made it well.
  void find_device(core::RunCore& core, std::uint32_t fault);
  /// Whether all that is found out of order on the node will be well again by itself.
  [[nodiscard]] bool devices_return(std::uint32_t pool, std::uint32_t node) const;
  /// The fault is over, if it is not already. The pool that has room again for it.
  std::optional<std::uint32_t> repair_device(core::RunCore& core, std::uint32_t fault);
  void forget_failed_devices(core::RunCore& core, std::uint32_t pool, std::uint32_t node);
  /// Accelerators of these nodes compute: those that were not out of order are well.
  void compute_resumed(std::uint32_t pool, const NodeBits& nodes);
  /// `until_released`: no repair and no return gives it back to the scheduler.
  void isolate(core::RunCore& core, std::uint32_t pool, std::uint32_t node, std::uint32_t by_job,
               bool until_released);
  /// Repairs an isolated node that works. The time when that is over; none: nothing repairs it, or
  /// it waits for the crew.
  std::optional<std::int64_t> begin_repair(core::RunCore& core, std::uint32_t pool,
                                           std::uint32_t node);
  /// An accelerator that failed will be well again after so long, or after its repair.
  void plan_device_end(core::RunCore& core, const FailedDevice& device, std::int64_t lasts_us);
  /// The node is not isolated any more.
  void release(core::RunCore& core, std::uint32_t pool, std::uint32_t node);
  /// Its time is over. Whether it is well by that: a crew may have left it for another repair.
  [[nodiscard]] bool device_ends(std::uint32_t fault) const;

  // crew.cpp: repairs that wait for each other.

  /// Repairs begin for which the crew has somebody.
  std::vector<BegunRepair> begin_repairs(core::RunCore& core);
  /// Nobody repairs the node or its devices any more, or waits to.
  void end_repairs(core::RunCore& core, std::uint32_t pool, std::uint32_t node);

  /// Its number, for healing().
  std::uint32_t begin_healing(const Healing& healing);
  [[nodiscard]] const Healing& healing(std::uint32_t number) const { return healings_[number]; }

 private:
  void begin_down_span(core::RunCore& core, std::uint32_t pool, std::uint32_t node);
  void end_down_span(core::RunCore& core, std::uint32_t pool, std::uint32_t node);
  void ask_crew(core::RunCore& core, const Repair& repair);

  std::vector<Pool> pools_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, reports::SpanId> down_spans_;
  std::vector<FailedDevice> failed_devices_;  ///< in the order of their faults
  std::vector<Healing> healings_;
  RepairCrew crew_;
};

}  // namespace aftershock::sim::machines
