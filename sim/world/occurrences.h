#pragma once

#include <cstdint>

#include "sim/engine/calendar.h"

// When faults come: entries of the calendar that become strikes, unless what they wait for has
// passed.
namespace aftershock::sim::world {

struct World;

/// A fault at a time of the scenario; `spec`: its place there.
void scripted_fault(World& world, std::uint32_t spec);
/// The next arrival of a source, unless its clock has stood still meanwhile.
void arrival(World& world, const engine::Entry& entry);
/// A job has come to the step that a fault waits for.
void step_reached(World& world, const engine::Entry& entry);
/// A phase that a fault waits for has begun, and its offset is over.
void phase_triggered(World& world, const engine::Entry& entry);
/// The notice of a preemption is over.
void notice_over(World& world, const engine::Entry& entry);

}  // namespace aftershock::sim::world
