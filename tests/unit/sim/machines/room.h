#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "sim/core/run_core.h"
#include "sim/faults/fault_book.h"
#include "sim/machines/machines.h"

namespace aftershock::sim::machines {

/// A pool of three nodes and a spare with room for one more, as the room's tests have it.
inline std::shared_ptr<scenario::Scenario> three_nodes_and_a_spare() {
  auto scenario = std::make_shared<scenario::Scenario>();
  scenario->until_us = 1'000'000'000;
  scenario->cluster.pools.resize(1);
  scenario::PoolSpec& pool = scenario->cluster.pools[0];
  pool.nodes = 3;
  pool.spares = 1;
  pool.max_nodes = 5;
  pool.accelerators_per_node = 2;
  return scenario;
}

inline scenario::FaultEffect of_kind(scenario::FaultKind kind) {
  scenario::FaultEffect effect;
  effect.kind = kind;
  return effect;
}

/// Adds a fault with this effect to the scenario. Its number as a fault of the scenario.
inline std::uint32_t add_fault(scenario::Scenario& scenario, scenario::FaultEffect effect) {
  scenario::FaultSpec fault;
  fault.effects.emplace_back();
  fault.effects.back().effect = std::move(effect);
  scenario.faults.push_back(std::move(fault));
  return static_cast<std::uint32_t>(scenario.faults.size() - 1);
}

/// The room and what it works with, without a world. The scenario is complete by then.
struct Room {
  explicit Room(std::shared_ptr<const scenario::Scenario> with)
      : scenario(std::move(with)),
        core(scenario, nullptr, nullptr, 1000),
        faults(*scenario, nullptr, {}),
        machines(*scenario) {}

  /// An occurrence of the fault on the node. Its number.
  std::uint32_t strike(std::uint32_t spec, std::uint32_t node) {
    faults::FaultRecord fault;
    fault.spec = spec;
    fault.pool = 0;
    fault.node = node;
    return faults.open(fault);
  }
  /// Moves the clock to the next entry, and takes that off the calendar.
  engine::Entry next() {
    const engine::Entry entry = core.calendar().pop();
    core.begin(entry);
    return entry;
  }
  /// A crash of the node of which the cluster has been told.
  void fall(std::uint32_t node, std::uint32_t fault) {
    machines.fall(core,
                  {.pool = 0, .node = node, .fault = fault, .lasts_us = {}, .announced = true});
  }

  std::shared_ptr<const scenario::Scenario> scenario;
  core::RunCore core;
  faults::FaultBook faults;
  Machines machines;
};

}  // namespace aftershock::sim::machines
