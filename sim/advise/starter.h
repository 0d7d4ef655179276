#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::advise {

/// Accelerators of a node, in what is begun with: what all published rates are about.
inline constexpr std::uint32_t kStarterPerNode = 8;
/// The most accelerators and days that a scenario to start from is made for.
inline constexpr std::uint32_t kMostStarterAccelerators = 400'000;
inline constexpr std::int64_t kMostStarterDays = 3650;

/// Machines that a market takes back. An empty member has a default, with its source in the notes.
struct SpotRequest {
  std::string preemptions_a_day{};  ///< a decimal number, of all machines together
  std::string notice{};             ///< a duration, as all of a scenario's: the market's warning
  std::string provision{};          ///< the same: until another machine is there
};

/// The request for a scenario to start from.
struct StarterRequest {
  scenario::AcceleratorKind kind = scenario::AcceleratorKind::kGpu;
  std::uint32_t accelerators = 0;  ///< whole nodes of kStarterPerNode
  scenario::PolicySpec policy;     ///< name and profile; an empty profile is the default
  bool policy_told = true;         ///< else it is what is taken without one
  std::int64_t days = 30;
  bool days_told = true;
  std::string name = "starter";
  std::optional<SpotRequest> spot{};       ///< none: nobody takes its machines back
  std::vector<std::string> annotations{};  ///< of the job, KEY=VALUE each; none: the policy's start
};

/// The text of a scenario file as the shipped ones are written, with a note for every number that
/// says where it is from and which place to change.
struct Starter {
  std::string text;
  std::vector<std::string> warnings{};  ///< of what was asked for, and does not do what it says
};

/// A scenario to start from: one training job of all accelerators, or an experiment where the
/// policy is for those. The same request gives the same bytes. An error in words where the policy
/// is unknown, the accelerators do not fill whole nodes, or an annotation or a number cannot be
/// read.
std::variant<Starter, std::string> make_starter(const StarterRequest& request);

}  // namespace aftershock::sim::advise
