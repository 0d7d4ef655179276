#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "reports/check/words.h"

namespace aftershock::reports {
namespace {

std::string change_text(const MetricChange& change) {
  AFTERSHOCK_ASSERT(change.metric < metrics().size());
  const std::string& name = metrics()[change.metric].name;
  return fmt::format("{} {} -> {}", name, metric_text(name, change.old),
                     metric_text(name, change.now));
}

/// The first of these changes, and how many there are beside it.
template <class Wanted>
std::string first_change(const std::vector<MetricChange>& changes, const Wanted& wanted) {
  const auto first = std::ranges::find_if(changes, wanted);
  if (first == changes.end()) {
    return {};
  }
  const auto more = std::ranges::count_if(changes, wanted) - 1;
  return change_text(*first) + (more == 0 ? "" : fmt::format(" and {} more", more));
}

/// The gains of a run that something else makes worse.
std::string gains_text(const Judgement& judgement) {
  std::string names;
  for (const MetricChange& change : judgement.changes) {
    if (change.margin && change.change == Change::kBetter) {
      names += (names.empty() ? "" : ", ") + metrics()[change.metric].name;
    }
  }
  return names.empty() ? "" : fmt::format(" decides, although better: {}", names);
}

/// The changes of verdict, outcome and metrics.
std::string result_reason(const CheckedRun& run) {
  const Judgement& judgement = run.judgement;
  const auto decides = [](const MetricChange& change) { return change.decides; };
  if (judgement.verdict_changed) {
    const std::string why = first_change(judgement.changes, decides);
    return fmt::format("verdict {} -> {}{}{}", verdict_words(run.old->verdict),
                       verdict_words(run.run.verdict), why.empty() ? "" : "; ", why);
  }
  if (std::string text = first_change(judgement.changes, decides); !text.empty()) {
    return text + (judgement.standing == Standing::kWorse ? gains_text(judgement) : "");
  }
  if (!judgement.not_judged.empty()) {
    return fmt::format("not judged: the baseline has no {}",
                       metrics()[judgement.not_judged.front()].name);
  }
  if (run.old->outcome != run.run.outcome) {
    return fmt::format("outcome {} -> {}", run.old->outcome, run.run.outcome);
  }
  const auto judged = [](const MetricChange& change) { return change.margin.has_value(); };
  if (std::string text = first_change(judgement.changes, judged); !text.empty()) {
    return text + ", within the margin";
  }
  const auto any = [](const MetricChange&) { return true; };
  const std::string text = first_change(judgement.changes, any);
  return text.empty() ? "" : text + ", not judged";
}

/// Which decision.
std::string decision_reason(const Judgement& judgement) {
  const auto& found = judgement.decision ? judgement.decision : judgement.limit;
  if (!found) {
    return {};
  }
  const bool named = found->number == found->last_number;
  return named ? fmt::format("decision {}: {} -> {}", found->number, told_text(found->before),
                             told_text(found->now))
               : fmt::format("one of decisions {} to {}", found->number, found->last_number);
}

}  // namespace

std::string verdict_words(Verdict verdict) {
  std::string words(name_of(verdict));
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string told_text(const ToldDecision& told) {
  switch (told.known) {
    case ToldDecision::Known::kText:
      return told.text;
    case ToldDecision::Known::kEnded:
      return "(no decision any more)";
    case ToldDecision::Known::kNotKept:
      break;
  }
  return "(not kept: past what a baseline has in words)";
}

std::string reason_of(const CheckedRun& run) {
  const Standing standing = run.judgement.standing;
  if (!run.old || standing == Standing::kSame || standing == Standing::kMissing) {
    return {};
  }
  std::string text = result_reason(run);
  const std::string decision = decision_reason(run.judgement);
  text += (text.empty() || decision.empty() ? "" : "; ") + decision;
  if (!text.empty()) {
    return text;
  }
  return run.judgement.text_changed ? "the scenario is another one, and comes to the same"
                                    : "only times or arguments of commands";
}

}  // namespace aftershock::reports
