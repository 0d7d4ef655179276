#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/render/style.h"
#include "sim/advise/advice.h"

namespace aftershock::sim::advise {

/// The context in which an advice is told.
struct AdviceContext {
  const AdviceQuestion& question;
  const sweep::Plan& plan;
  std::string path;   ///< of the scenario, as it was given
  std::string flags;  ///< that change it, as they were given, for the command to paste
};

/// The meanings of the columns of useful work and of ETTR, which tables say below or above them.
inline constexpr std::string_view kUsefulMeaning =
    "useful: productive time whose work is still there at the end, by the time until completion or "
    "the horizon";
inline constexpr std::string_view kEttrMeaning =
    "ETTR: productive time by the time that the runs lasted, together";

/// For people: a table a rate of failure with the choice marked, what decided in words, where
/// formulas do not hold, and the change to paste.
std::string advice_text(const Advice& advice, const AdviceContext& context,
                        const reports::Style& style);

/// The same for machines: {schema, scenario, goal, runs, rates[{rate, choices[{label, parameters,
/// keeps, objective, goal{term: estimate}, p_alive, p_failed, p_stuck, useful_share, ettr,
/// ettr_by_formula, p_exhausted, p_exhausted_by_formula, lost_us, cost, idle_spares_us, verdicts,
/// endings}]}], chosen or null, nearest or null, best, ties[], tie_break, present, cures[], gain,
/// edges[], words[], limits[], budgets[], patch or null, flags or null}.
nlohmann::ordered_json advice_json(const Advice& advice, const AdviceContext& context);

/// The sentences of the advice and the tables in GitHub's Markdown, each below its rate of failure,
/// with all choices.
std::string advice_markdown(const Advice& advice, const AdviceContext& context);

/// One row a choice at each rate: {rate, label, ...}, as the JSON has them.
nlohmann::ordered_json advice_rows(const Advice& advice, const AdviceContext& context);

/// A JSON merge patch (RFC 7396) that makes the choice; lists are in it whole, as such a patch
/// replaces them.
nlohmann::ordered_json choice_patch(const AdviceContext& context, std::size_t choice);

/// The words that make the choice behind `aftershock run SCENARIO`.
std::vector<std::string> choice_flags(const AdviceContext& context, std::size_t choice);

/// The command that runs the scenario with the choice.
std::string choice_command(const AdviceContext& context, std::size_t choice);

/// The headings of a table of choices: what is chosen, then what it comes to.
std::vector<std::string> choice_headings(const AdviceContext& context, const reports::Style& style);
/// Its cells for one choice at one rate.
std::vector<std::string> choice_cells(const Advice& advice, const AdviceContext& context,
                                      std::size_t rate, std::size_t choice,
                                      const reports::Style& style);

/// The sentences of the advice.
std::vector<std::string> advice_words(const Advice& advice, const AdviceContext& context);

}  // namespace aftershock::sim::advise
