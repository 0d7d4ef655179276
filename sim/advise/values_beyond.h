#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/sweep/vary.h"

namespace aftershock::sim::advise {

/// An interval between checkpoints as people write it, a whole number of minutes or seconds where
/// it is one: "12min", "90s".
std::string interval_text(std::int64_t length_us);

/// The unit by which a grid of intervals of about this length counts: whole minutes where people
/// write so and a minute has whole steps, else a step of the job.
std::int64_t grid_unit_us(const scenario::JobSpec& job, std::int64_t length_us);

/// How far a value reaches among the others of its place: its amount (amount_of), and without end
/// where it is below zero, as a budget without limit is.
std::optional<double> reach_of(std::string_view value);

/// Values beyond the last of a dimension of one place, or before its first, where they are counts
/// or times in ascending order: 1.4, 2 and 2.8 times as much or as little, the nearest first, of
/// those that the scenario and its policy accept.
std::vector<std::string> values_beyond(const scenario::Scenario& scenario,
                                       const sweep::Dimension& dimension, bool up);

}  // namespace aftershock::sim::advise
