#include "gui/panels/compare_headline.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <vector>

#include "gui/panels/event_words.h"
#include "gui/why/verdict.h"
#include "reports/render/format.h"

namespace aftershock::gui {

namespace {

/// A run under its letter.
struct RunEnd {
  QString letter;
  std::int64_t last_us = 0;
  std::vector<Verdict> verdicts;
};

QString headline_text(const char* text) {
  return QCoreApplication::translate("CompareHeadline", text);
}

/// "with 7.1 % of the steps", else with the share of useful work; empty where neither is told.
QString amount_words(const Verdict& verdict) {
  const auto percent = [](double share) {
    return QString::fromStdString(
        reports::format_percent(static_cast<std::int64_t>(share * 1'000 + 0.5)));
  };
  if (verdict.steps_done && verdict.steps.value_or(0) > 0) {
    return headline_text(" with %1 of the steps")
        .arg(percent(static_cast<double>(*verdict.steps_done) /
                     static_cast<double>(*verdict.steps)));
  }
  return verdict.useful_share
             ? headline_text(" with %1 useful work").arg(percent(*verdict.useful_share))
             : QString();
}

/// "B failed at 05:02:10 with 7.1 % of the steps".
QString end_words(const RunEnd& end) {
  const Verdict& verdict = end.verdicts.front();
  if (verdict.outcome == "running" || !verdict.end_us) {
    return headline_text("%1 was still at work at %2").arg(end.letter, time_words(end.last_us)) +
           amount_words(verdict);
  }
  return headline_text("%1 %2 at %3")
             .arg(end.letter,
                  verdict.outcome == "stuck" ? headline_text("was stuck")
                                             : shown_text(verdict.outcome).replace(u'_', u' '),
                  time_words(*verdict.end_us)) +
         (verdict.outcome == "completed" ? QString() : amount_words(verdict));
}

bool is_over(const Trace& trace, const RunEnd& end) {
  return !trace.reading && !end.verdicts.empty() &&
         std::ranges::none_of(end.verdicts,
                              [](const Verdict& each) { return each.outcome.empty(); });
}

QString count_words(const RunEnd& end) {
  const auto failed = std::ranges::count_if(end.verdicts, &Verdict::failed);
  const auto completed = std::ranges::count(end.verdicts, "completed", &Verdict::outcome);
  return headline_text("in %1 %2 of %3 failed and %4 completed")
      .arg(end.letter)
      .arg(failed)
      .arg(end.verdicts.size())
      .arg(completed);
}

}  // namespace

QString compare_headline(const Trace& a, const Trace& b) {
  std::array ends{RunEnd{QStringLiteral("A"), a.last_us, verdicts_of(a, accounts_of(a))},
                  RunEnd{QStringLiteral("B"), b.last_us, verdicts_of(b, accounts_of(b))}};
  if (!is_over(a, ends[0]) || !is_over(b, ends[1])) {
    return {};
  }
  if (ends[0].verdicts.size() > 1 || ends[1].verdicts.size() > 1) {
    return headline_text("Of the jobs %1, %2.").arg(count_words(ends[0]), count_words(ends[1]));
  }
  // A failure is the news, whichever run has it.
  std::ranges::stable_partition(ends,
                                [](const RunEnd& end) { return end.verdicts.front().failed(); });
  return end_words(ends[0]) + QStringLiteral("; ") + end_words(ends[1]) + u'.';
}

}  // namespace aftershock::gui
