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

}  // namespace aftershock::sim::advise
