#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "sim/scenario/scenario.h"

namespace aftershock::sim {

/// Accelerators of a node, in what is begun with: what all published rates are about.
inline constexpr std::uint32_t kStarterPerNode = 8;
/// The most accelerators and days that a scenario to start from is made for.
inline constexpr std::uint32_t kMostStarterAccelerators = 400'000;
inline constexpr std::int64_t kMostStarterDays = 3650;

/// What a scenario is wanted for.
struct StarterRequest {
  AcceleratorKind kind = AcceleratorKind::kGpu;
  std::uint32_t accelerators = 0;  ///< whole nodes of kStarterPerNode
  PolicySpec policy;               ///< name and profile; an empty profile is the default
  std::int64_t days = 30;
  std::string name = "starter";
};

/// The text of a scenario file as the shipped ones are written, with a note for every number that
/// says where it is from and which place to change.
struct Starter {
  std::string text;
};

/// A scenario to start from: one training job of all accelerators, or an experiment where the
/// policy is for those. The same request gives the same bytes. An error in words where there is no
/// such policy, or the accelerators are no whole nodes.
std::variant<Starter, std::string> make_starter(const StarterRequest& request);

}  // namespace aftershock::sim
