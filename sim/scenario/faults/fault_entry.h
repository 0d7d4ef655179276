#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/scenario/shape/fields.h"
#include "sim/scenario/shape/shape.h"
#include "sim/scenario/text/error_list.h"

namespace aftershock::sim::scenario {

/// The part of an occurrence's place that names it to people, where that is known: else its target.
enum class ShownPlace : std::uint8_t { kTarget, kNode, kAccelerator, kRank };

/// The questions that others ask of a kind, and not of one fault.
struct FaultTraits {
  bool of_device = false;           ///< about accelerators and their codes
  bool of_network = false;          ///< about what is between all of its target and others
  bool of_one_accelerator = false;  ///< befalls one accelerator of a node, or the process on it
  bool of_whole_run = false;        ///< befalls the run, whichever of its ranks is named
  bool strikes_pool = false;        ///< a pool that is its target is struck as one
  bool strikes_racks = false;       ///< the nodes of a rack are struck together
  bool strikes_switches = false;    ///< so is the switch of any rack of a pool
  ShownPlace shown = ShownPlace::kTarget;
};

/// Reads what a fault says beside its kind, label and "times", of an object that has passed its
/// check. `pool`: that of its target, or the first.
using ReadFault = void (*)(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                           ErrorList& errors);

/// A kind of fault: what a scenario may say of it, and what it comes to.
struct FaultEntry {
  FaultKind kind;
  std::string_view name;
  std::vector<TargetKind> targets;  ///< of a partition the whole of it, else one within it
  std::vector<Key> parameters;
  std::string_view effect;    ///< its effect on the world
  std::string_view seen;      ///< how, and when, a controller comes to see it
  std::string_view mistaken;  ///< the wrong conclusion that it allows
  FaultTraits traits;
  ReadFault read = nullptr;  ///< null: there is nothing more to read
};

/// The kinds of each family, which is a source of its own.
std::span<const FaultEntry> node_faults();
std::span<const FaultEntry> device_faults();
std::span<const FaultEntry> machine_faults();
std::span<const FaultEntry> network_faults();
std::span<const FaultEntry> controller_faults();

/// "lasts" as a distribution: what several families say.
void read_lasts(const Fields& fields, const PoolSpec& pool, FaultEffect& effect, ErrorList& errors);
/// The length of a device's fault that says nothing of it: by the pool's law for what the device
/// needs, where that is more than a reset and there is a law.
void last_as_needed(const PoolSpec& pool, FaultEffect& effect);
/// The same of a key that is there, or has a default, where "repair" may stand in its place.
void read_lasts_or_repair(const Fields& fields, FaultEffect& effect, ErrorList& errors);
/// The key for it where "repair" may stand in its place.
Key lasts_or_repair(std::string_view default_text, std::string_view meaning);

}  // namespace aftershock::sim::scenario
