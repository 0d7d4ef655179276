#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"
#include "sim/sweep/vary.h"

// Choices whose runs are not about the same work, so that a share of it compares nothing.
namespace aftershock::sim::advise {

/// Whether two scenarios that differ in a choice have jobs of other sizes, or of other steps.
bool other_sizes(const scenario::Scenario& one, const scenario::Scenario& other);

/// Whether they have jobs of the same sizes, whose steps take other times.
bool other_steps(const scenario::Scenario& one, const scenario::Scenario& other);

/// Whether two scenarios that differ in a choice end at other times, after other steps, or begin
/// at other times.
bool other_lengths(const scenario::Scenario& one, const scenario::Scenario& other);

/// The mistake of a question that changes how long the scenario runs or its jobs train: a shorter
/// run fails less, whatever it is worth. None where lengths stay.
std::optional<std::string> length_problem(const scenario::Scenario& scenario,
                                          std::span<const sweep::Dimension> dimensions);

/// The mistake of a question that changes the size of a job and goes by a share of its own size:
/// useful work says nothing of the amount between sizes. None where sizes stay, or the goal
/// names an amount.
std::optional<std::string> size_problem(const scenario::Scenario& scenario,
                                        std::span<const sweep::Dimension> dimensions,
                                        std::string_view goal);

}  // namespace aftershock::sim::advise
