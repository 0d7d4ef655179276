#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <simgrid/s4u.hpp>
#include <simgrid/version.h>

// The differences between SimGrid 4.0 and the versions before it: the root of its zones is the
// engine's, and the functions that make hosts and actors and wait for activities have other names.
namespace aftershock::sim::engine {

/// A zone for hosts.
inline simgrid::s4u::NetZone* add_zone([[maybe_unused]] const simgrid::s4u::Engine& engine,
                                       const std::string& name) {
#if SIMGRID_VERSION >= 40000
  return engine.get_netzone_root()->add_netzone_full(name);
#else
  return simgrid::s4u::create_full_zone(name);
#endif
}

/// A host that does `speed` of work in a second.
inline simgrid::s4u::Host* add_host(simgrid::s4u::NetZone* zone, const std::string& name,
                                    double speed) {
#if SIMGRID_VERSION >= 40000
  return zone->add_host(name, speed);
#else
  return zone->create_host(name, speed);
#endif
}

/// An actor that runs the code.
template <typename Code>
void add_actor([[maybe_unused]] simgrid::s4u::Engine& engine, const std::string& name,
               simgrid::s4u::Host* host, Code code) {
#if SIMGRID_VERSION >= 40000
  engine.add_actor(name, host, std::move(code));
#else
  simgrid::s4u::Actor::create(name, host, std::move(code));
#endif
}

/// Waits until one of them has ended, and says which; none where `timeout_s` has passed before.
/// Negative: waits for ever.
inline std::optional<std::size_t> wait_for_any_of(
    const std::vector<simgrid::s4u::ActivityPtr>& activities, double timeout_s) {
#if SIMGRID_VERSION >= 40000
  simgrid::s4u::ActivitySet set(activities);
  try {
    const simgrid::s4u::ActivityPtr ended = set.wait_any_for(timeout_s);
    const auto at = std::find(activities.begin(), activities.end(), ended);
    return static_cast<std::size_t>(at - activities.begin());
  } catch (const simgrid::TimeoutException&) {
    return std::nullopt;
  }
#else
  const auto at = simgrid::s4u::Activity::wait_any_for(activities, timeout_s);
  return at < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(at));
#endif
}

}  // namespace aftershock::sim::engine
