#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/control/ordering.h"

// Whether a job is given up for a reason of those that there are, and for the one that it was
// (modelarts.md 4, rule 9).
namespace aftershock::sim::control {

namespace {

using policies::EndReason;

// "exhausted(NAME)" with prefix "exhausted(" is NAME.
std::optional<std::string_view> within(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix) || !text.ends_with(')')) {
    return std::nullopt;
  }
  text.remove_prefix(prefix.size());
  text.remove_suffix(1);
  return text;
}

std::optional<EndReason> meant(const policies::PolicyInfo& info, std::string_view reason) {
  if (reason == "stopped_by_user") {
    return EndReason::kUserStop;
  }
  if (within(reason, "exhausted(")) {
    return EndReason::kRetriesExhausted;
  }
  const auto rule = within(reason, "gave_up(");
  const auto ending = std::ranges::find_if(info.endings, [&](const policies::Ending& known) {
    return rule && info.rules[known.rule].id == *rule;
  });
  return ending != info.endings.end() ? std::optional(ending->why) : std::nullopt;
}

EndReason reason_of(const policies::PolicyInfo& info, const policies::BudgetMove& exhausted) {
  // Limits of restarts in a row are endings of their own (modelarts.md 1.1, D4 and D6).
  if (!counts_in_a_row(info, exhausted.budget)) {
    return EndReason::kRetriesExhausted;
  }
  return exhausted.cause == policies::ChargeCause::kHang ? EndReason::kHangLimit
                                                         : EndReason::kUnconditionalLimit;
}

bool fits(const Ordering& ordering, const policies::PodTerms& terms, EndReason why) {
  const News& news = ordering.news;
  // An exit may be held for a hardware fault close to it (modelarts.md A20), so that its answer
  // comes with a later batch.
  const bool exited = news.exit || ordering.exited;
  switch (why) {
    case EndReason::kRetriesExhausted:
      return !ordering.exhausted.empty();
    case EndReason::kUnconditionalLimit:
      return !ordering.exhausted.empty() && (exited || news.hardware);
    case EndReason::kHangLimit:
      return !ordering.exhausted.empty() && news.hang;
    case EndReason::kNoResource:
      return news.unplaced;
    case EndReason::kUnconditionalDisabled:
      // Pods that could not be made anew lead to a restart without conditions (modelarts.md 1.1,
      // D5): with that switched off the job fails.
      return terms.restarts && !terms.unconditional &&
             (exited || news.hardware || (news.unplaced && ordering.pods_anew));
    case EndReason::kRestartsOff:
      return !terms.restarts && (news.exit || news.hardware);
    case EndReason::kUserStop:
      return news.user_stop;
  }
  return false;
}

}  // namespace

std::string check_ending(const Ordering& ordering, const Held& held, std::string_view reason) {
  const auto why = meant(held.info, reason);
  if (!why) {
    return fmt::format("\"{}\" is not a reason for which jobs are given up", reason);
  }
  if (!fits(ordering, held.terms, *why)) {
    return fmt::format("given up for \"{}\", which is not what came to pass", reason);
  }
  for (const policies::BudgetMove& move : ordering.exhausted) {
    const std::string_view budget = held.info.budgets[move.budget];
    const auto named = within(reason, "exhausted(");
    if (reason_of(held.info, move) != *why || (named && *named != budget)) {
      return fmt::format("given up for \"{}\" when {} was used up", reason, budget);
    }
  }
  return {};
}

}  // namespace aftershock::sim::control
