#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/sweep/vary.h"

namespace aftershock::sim::advise {

/// Values to choose from.
struct Choosable {
  sweep::Dimension dimension;
  bool by_model = false;  ///< a word found them by itself; better ones may lie beyond
};

/// Reads what stands behind each `--choose`: as `--vary` has it (vary.h), or by a word in place of
/// the pointer. `checkpoint` is the interval of the only job, `spares` those of its pool, `budget`
/// all its limited retry budgets, and each budget goes by the policy's own name. A word alone finds
/// a range by itself: around Daly's interval, up to what Erlang's formula asks for at twice the
/// rate, from the present budget to eight times that, or where more interruptions are expected than
/// it has up to what a Poisson count exceeds once in a thousand. An error in words.
std::variant<std::vector<Choosable>, std::string> read_choices(
    const std::vector<std::string>& texts, const scenario::Scenario& scenario);

/// Each limited retry budget of the only job with a limit of ten times what it has, at least 100,
/// and at least what a Poisson count of twice the expected interruptions exceeds once in a
/// thousand, or of what the policy accepts of that by halving: its place and the value as `--set`
/// takes it.
std::vector<std::pair<std::string, std::string>> wider_budgets(const scenario::Scenario& scenario);

/// The words that `--choose` knows for this scenario, for its errors.
std::vector<std::string> choice_words(const scenario::Scenario& scenario);

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
