#include "gui/panels/range_html.h"

#include <QStringList>
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "gui/panels/card_parts.h"
#include "gui/panels/event_words.h"
#include "gui/view/ruler.h"

namespace aftershock::gui {

namespace {

/// So many faults, jobs and sorts of decisions are told of; the tables have them all.
constexpr std::size_t kMostTold = 12;

QString range_table(const QString& rows, std::size_t more) {
  return QStringLiteral("<table>%1</table>").arg(rows) +
         (more == 0 ? QString() : QStringLiteral("<p>%1</p>").arg(card_words("%1 more").arg(more)));
}

QString one_job_html(const Trace& trace, const RangeOfJob& job) {
  return card_heading(card_words("Time of %1").arg(shown_html(trace.entities[job.entity]))) +
         QStringLiteral("<p>%1</p>")
             .arg(card_words("Useful work: %1; lost by then or later: %2")
                      .arg(time_words(job.useful_us), time_words(job.lost_us))) +
         card_times(job.us);
}

QString jobs_html(const Trace& trace, const std::vector<RangeOfJob>& jobs) {
  if (jobs.empty()) {
    return QStringLiteral("<p>%1</p>").arg(card_words("No job was there."));
  }
  if (jobs.size() == 1) {
    return one_job_html(trace, jobs.front());
  }
  std::vector<const RangeOfJob*> order;
  for (const RangeOfJob& job : jobs) {
    order.push_back(&job);
  }
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [](const RangeOfJob* job) { return job->lost_us; });
  QString rows = card_cells({card_words("job"), card_words("useful work"), card_words("lost")});
  for (std::size_t i = 0; i < std::min(order.size(), kMostTold); ++i) {
    rows += card_cells({lane_link(shown_text(trace.entities[order[i]->entity])),
                        time_words(order[i]->useful_us), time_words(order[i]->lost_us)});
  }
  return card_heading(
             card_words("Jobs: %1").arg(count_words(static_cast<std::int64_t>(jobs.size())))) +
         range_table(rows, order.size() - std::min(order.size(), kMostTold));
}

QString faults_html(const Trace& trace, const RangeAnswer& answer) {
  std::int64_t fired = 0;
  std::int64_t masked = 0;
  QString kinds;
  for (const KindOfFaults& each : answer.kinds) {
    fired += each.fired;
    masked += each.masked;
    kinds += card_cells({shown_html(trace.texts[each.kind]).replace(u'_', u' '),
                         count_words(each.fired + each.masked)});
  }
  if (fired + masked == 0) {
    return card_heading(card_words("Faults: none"));
  }
  QString out = card_heading(
      masked == 0
          ? card_words("Faults: %1").arg(count_words(fired))
          : card_words("Faults: %1, and %2 masked").arg(count_words(fired), count_words(masked)));
  if (answer.kinds.size() > 1) {
    out += QStringLiteral("<table>%1</table>").arg(kinds);
  }
  QString rows;
  for (std::size_t i = 0; i < std::min(answer.faults.size(), kMostTold); ++i) {
    const FaultInRange& each = answer.faults[i];
    QStringList cells{fault_link(trace, each.fault),
                      card_words("at %1").arg(time_words(trace.faults[each.fault].t_us))};
    if (answer.knows_costs) {
      cells << (each.cost_us == 0 ? card_words("no cost")
                                  : card_words("cost %1 in all").arg(time_words(each.cost_us)));
    }
    rows += card_cells(cells);
  }
  return out +
         card_heading(answer.knows_costs
                          ? card_words("The dearest first")
                          : card_words("In their order; costs are told at the end")) +
         range_table(rows, answer.faults.size() - std::min(answer.faults.size(), kMostTold));
}

/// Decisions that applied the same rules are told of once, with a link to the first.
QString decisions_html(const RangeAnswer& answer, const DecisionTitles& titles) {
  if (answer.decisions.empty()) {
    return card_heading(card_words("Decisions: none"));
  }
  const QString heading =
      card_heading(card_words("Decisions: %1")
                       .arg(count_words(static_cast<std::int64_t>(answer.decisions.size()))));
  if (titles.of.size() > kTitlesMax) {
    return heading + QStringLiteral("<p>%1</p>")
                         .arg(card_words("Rules are told of runs with at most %1 decisions.")
                                  .arg(count_words(static_cast<std::int64_t>(kTitlesMax))));
  }
  std::map<TextId, std::pair<std::uint32_t, std::int64_t>> sorts;
  for (const std::uint32_t decision : answer.decisions) {
    const TextId known = decision < titles.of.size() ? titles.of[decision] : kNoText;
    const TextId title = titles.texts[known].empty() ? kNoText : known;
    ++sorts.try_emplace(title, decision, 0).first->second.second;
  }
  std::vector<std::pair<TextId, std::pair<std::uint32_t, std::int64_t>>> order(sorts.begin(),
                                                                               sorts.end());
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [](const auto& each) { return each.second.second; });
  QString rows;
  for (std::size_t i = 0; i < std::min(order.size(), kMostTold); ++i) {
    const auto& [title, first_and_count] = order[i];
    const QString words =
        title == kNoText ? card_words("no rule") : shown_html(titles.texts[title]);
    rows += card_cells({link_html(QStringLiteral("decision:%1").arg(first_and_count.first), words),
                        count_words(first_and_count.second)});
  }
  return heading + range_table(rows, order.size() - std::min(order.size(), kMostTold));
}

}  // namespace

QString range_html(const Trace& trace, const RangeAnswer& answer, const DecisionTitles& titles,
                   std::int64_t step_us) {
  const auto exact = [&](std::int64_t t_us) {
    return QString::fromStdString(format_simulated(t_us, step_us));
  };
  return QStringLiteral("<h2>%1</h2><p>%2</p>")
             .arg(card_words("Range of time"),
                  card_words("from %1 to %2").arg(exact(answer.from_us), exact(answer.to_us))) +
         jobs_html(trace, answer.jobs) + faults_html(trace, answer) +
         decisions_html(answer, titles);
}

}  // namespace aftershock::gui
