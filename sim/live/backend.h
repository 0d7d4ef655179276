#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/scenario/scenario.h"

// A scenario's job and faults on real processes of this machine, under the real controller. Drivers
// under live/ start them and tell facts; this room says what they are asked for, and makes of the
// facts what a simulated run leaves.
namespace aftershock::sim::live {

/// A real controller with the processes that it leads.
enum class Backend : std::uint8_t { kTorchrun, kRay, kNvrx };

/// All of them, in the order in which they are listed.
inline constexpr std::array kBackends{Backend::kTorchrun, Backend::kRay, Backend::kNvrx};

/// "torchrun", "ray" or "nvrx": the word of --backend, and the driver's folder.
std::string_view name_of(Backend backend);
/// The backend of that name; none for any other.
std::optional<Backend> backend_named(std::string_view name);
/// The family of policies whose real code it runs, which names the host's environment, too.
std::string_view family_of(Backend backend);

/// Why the backend cannot do a fault of this effect on this kind of target, in words that go on
/// "cannot be done live by BACKEND: "; empty: it can.
std::string_view unable(Backend backend, const scenario::FaultEffect& effect,
                        scenario::TargetKind target);

/// Why a live run cannot wait for this phase; empty: it can.
std::string_view unable_to_wait(scenario::Phase phase);

}  // namespace aftershock::sim::live
