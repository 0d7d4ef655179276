#pragma once

#include "sim/scenario/shape/shape.h"

// The keys of a scenario file, by the object that they stand in.
namespace aftershock::sim::scenario::keys {

// Names are looked up one by one, so these bound how long a hostile file can keep a reader busy.
inline constexpr std::uint64_t kMostThings = 1'000;  ///< pools, heads, storages, causes, settings
inline constexpr std::uint64_t kMostNodes = 1'000'000;
inline constexpr std::uint64_t kMostJobs = 10'000;
inline constexpr std::uint64_t kMostExperiments = 1'000;
inline constexpr std::uint64_t kMostFaults = 100'000;
inline constexpr std::uint64_t kMostExpectations = 10'000;
inline constexpr std::uint64_t kMostCheckSeeds = 10'000;

/// A duration of at most a hundred years.
Shape duration();

/// The whole file.
const ObjectShape& scenario();

/// The cluster and what it is made of.
const ObjectShape& cluster();
const ObjectShape& head();
const ObjectShape& restart();
const ObjectShape& pool();
const ObjectShape& accelerators();
const ObjectShape& self_healing();
const ObjectShape& healing();
const ObjectShape& repairs();
const ObjectShape& storage();
const ObjectShape& heartbeat();
const ObjectShape& health_check();
const ObjectShape& node_object();

/// A job and what belongs to it.
const ObjectShape& job();
const ObjectShape& checkpoint();
const ObjectShape& initial_checkpoint();
const ObjectShape& filesystem();
const ObjectShape& phases();
const ObjectShape& collectives();
const ObjectShape& hang_detection();
const ObjectShape& detection();
const ObjectShape& script();
const ObjectShape& volumes();
const ObjectShape& pods();
const ObjectShape& spread();
const ObjectShape& control_plane();
const ObjectShape& run();
const ObjectShape& policy();

/// An experiment and what belongs to it alone.
const ObjectShape& experiment();
const ObjectShape& trial_resources();
const ObjectShape& trial_checkpoint();
const ObjectShape& trial_phases();
const ObjectShape& trial_script();

/// A fault; its keys depend on its kind.
const TaggedShape& fault();
/// One of the causes that share a process; its keys depend on its kind.
const TaggedShape& cause();
const ObjectShape& phase_trigger();
const ObjectShape& source();
const ObjectShape& occurrence();
const ObjectShape& exponential_source();
const ObjectShape& weibull_source();
const ObjectShape& lognormal_source();
const ObjectShape& gamma_source();
const ObjectShape& empirical_source();
const ObjectShape& maintenance_source();
const ObjectShape& mixed_rates();
const ObjectShape& bursts();

/// Conditions of a scenario on a run's summary, and on many runs.
const ObjectShape& expectation();
const ObjectShape& check();

}  // namespace aftershock::sim::scenario::keys
