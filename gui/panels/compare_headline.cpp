#include "gui/panels/compare_headline.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/compare/short_summary.h"
#include "gui/panels/event_words.h"
#include "gui/why/summary_line.h"
#include "reports/json/json_value.h"

namespace aftershock::gui {

namespace {

/// The end of a job or experiment in a summary.
struct EndInSummary {
  std::string outcome;
  std::int64_t end_us = 0;
  std::optional<std::int64_t> steps_done;
  std::int64_t steps = 0;
  std::optional<double> useful_share;

  [[nodiscard]] bool failed() const { return outcome != "completed" && outcome != "running"; }
};

/// A run under its letter.
struct RunEnd {
  QString letter;
  std::int64_t last_us = 0;
  std::vector<EndInSummary> jobs;  ///< and experiments; none where the run has not ended
};

EndInSummary end_from(const Trace& trace, const reports::JsonValue& told,
                      const std::string& prefix) {
  EndInSummary end{.outcome = reports::text_in(told, "outcome"),
                   .end_us = reports::integer_in(told, "wall_us").value_or(0),
                   .steps_done = reports::integer_in(told, "steps_done"),
                   .steps = reports::integer_in(told, "steps").value_or(0),
                   .useful_share = std::nullopt};
  if (const auto& share = reports::part(told, "useful_share"); share.is_number()) {
    end.useful_share = share.get<double>();
  }
  // A job that was submitted later has its time from then on.
  const Lane* phases = lane_of(trace, prefix + reports::text_in(told, "name"), SubLane::kPhases);
  const std::int64_t begin_us =
      phases == nullptr || phases->columns.size() == 0 ? 0 : phases->columns.spans().begin_us[0];
  if (__builtin_add_overflow(end.end_us, begin_us, &end.end_us)) {
    end.end_us = kOpen;
  }
  return end;
}

RunEnd run_end(const QString& letter, const Trace& trace) {
  RunEnd run{.letter = letter, .last_us = trace.last_us, .jobs = {}};
  // The lists of a summary grow with the run, and say nothing of its end.
  const reports::JsonValue line = reports::parsed(without_long_lists(trace.summary_json));
  const reports::JsonValue& summary = summary_in(line);
  for (const auto& [list, prefix] :
       {std::pair{"jobs", "job:"}, std::pair{"experiments", "experiment:"}}) {
    for (const reports::JsonValue& told : reports::part(summary, list)) {
      run.jobs.push_back(end_from(trace, told, prefix));
    }
  }
  return run;
}

QString headline_text(const char* text) {
  return QCoreApplication::translate("CompareHeadline", text);
}

/// "with 7.1 % of the steps", else with the share of useful work; empty where neither is told.
QString amount_words(const EndInSummary& end) {
  if (end.steps_done && end.steps > 0) {
    return headline_text(" with %1 of the steps")
        .arg(share_words(static_cast<double>(*end.steps_done) / static_cast<double>(end.steps)));
  }
  return end.useful_share
             ? headline_text(" with %1 useful work").arg(share_words(*end.useful_share))
             : QString();
}

/// "B failed at 05:02:10 with 7.1 % of the steps".
QString end_words(const RunEnd& run) {
  const EndInSummary& end = run.jobs.front();
  if (end.outcome == "running") {
    return headline_text("%1 had not ended at %2").arg(run.letter, time_words(run.last_us)) +
           amount_words(end);
  }
  const QString outcome = end.outcome == "stuck" ? headline_text("was stuck")
                                                 : shown_text(end.outcome).replace(u'_', u' ');
  return headline_text("%1 %2 at %3").arg(run.letter, outcome, time_words(end.end_us)) +
         (end.failed() ? amount_words(end) : QString());
}

QString jobs_words(const RunEnd& run) {
  const auto failed = std::ranges::count_if(run.jobs, &EndInSummary::failed);
  const auto completed = std::ranges::count(run.jobs, "completed", &EndInSummary::outcome);
  return headline_text("in %1 %2 of %3 failed and %4 completed")
      .arg(run.letter)
      .arg(failed)
      .arg(run.jobs.size())
      .arg(completed);
}

}  // namespace

QString compare_headline(const Trace& a, const Trace& b) {
  std::array runs{run_end(QStringLiteral("A"), a), run_end(QStringLiteral("B"), b)};
  if (runs[0].jobs.empty() || runs[1].jobs.empty()) {
    return {};
  }
  if (runs[0].jobs.size() > 1 || runs[1].jobs.size() > 1) {
    return headline_text("Of the jobs %1, %2.").arg(jobs_words(runs[0]), jobs_words(runs[1]));
  }
  // A failure is the news, whichever run has it.
  std::ranges::stable_partition(runs, [](const RunEnd& run) { return run.jobs.front().failed(); });
  return end_words(runs[0]) + QStringLiteral("; ") + end_words(runs[1]) + u'.';
}

}  // namespace aftershock::gui
