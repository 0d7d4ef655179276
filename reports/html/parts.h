#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/curve.h"
#include "reports/html/markup.h"
#include "reports/html/run_data.h"

// Shared parts of pages of one run and of two.
namespace aftershock::reports {

/// At most so many jobs and experiments get charts of their own.
inline constexpr std::size_t kPartsShown = 12;
/// At most so many faults are in the table, the costliest.
inline constexpr std::size_t kFaultsShown = 1000;

/// Useful work by the time that the part had, and productive time by wall time: "97.2 %" as the
/// text of a run has them; "-" for nothing.
std::string useful_share_text(const PartStory& part);
std::string ettr_text(const PartStory& part);

/// "llm completed after 2d 20:34:00", "llm FAILED: exhausted(max_failures) after 05:02:01".
std::string outcome_text(const PartStory& part);

/// Steps that are done; of a part without its end those of the last word on them. None: no word.
std::optional<std::int64_t> steps_told(const PartStory& part);

/// The parts in the order of telling: what failed comes first.
std::vector<const PartStory*> parts_by_outcome(const RunData& run);

/// A sentence on how the run was judged, in a box that shows whether it is good, and a word where
/// the recording breaks off.
void write_verdict(Html& html, const RunData& run);

/// One bar over all buckets of a part, and its words for readers who do not see it.
void write_ledger_bar(Html& html, const PartStory& part);
/// The same as a table: time, share and a bar for each bucket that is not zero in any of the parts,
/// which are of different runs; `names` of the runs where there are two.
HtmlTable ledger_table(std::span<const PartStory* const> parts, std::span<const std::string> names);

/// Steps done and committed against time; empty where none were recorded.
Chart progress_chart(const PartStory& part, std::int64_t end_us);
/// The use of each retry budget.
Chart budget_chart(const PartStory& part, std::int64_t end_us);
/// "2 of 3 used".
std::string budget_text(const BudgetStory& budget);

/// The place of a chart, which the page's script fills, with a table of the same values.
void write_figure(Html& html, const Chart& chart, std::int64_t end_us);

/// The rules and charges of a fault's answer, as markup.
std::string answer_markup(const RunData& run, const FaultStory& fault);
/// How the fault was seen: by which events, and how long after it struck.
std::string seen_text(const FaultStory& fault);
/// Indices of faults in the order of telling, the costliest first, and no more than are shown.
std::vector<std::size_t> faults_to_show(const RunData& run);

/// "Cost", or "Cost so far" where the run's end is not there.
std::string so_far(const RunData& run, std::string_view heading);

/// The commands that show runs on a timeline, all recordings on one; with a word where that is made
/// from a scenario.
void write_view_commands(Html& html, std::span<const RunData* const> runs);

/// All faults, sortable, with its filter; says what was left out, and where to find it.
void write_faults(Html& html, const RunData& run);
/// The rules that were used, with sentence and source, and what the faults cost that they answered.
void write_rules(Html& html, const RunData& run);
/// The steps of decisions that answered a fault or moved a budget.
void write_decisions(Html& html, const RunData& run);
/// Of two runs that were read for a comparison: the first decision that differs, what is set
/// otherwise, and the rules that one used more than the other.
void write_policy_differences(Html& html, const RunData& first, const RunData& second);

}  // namespace aftershock::reports
