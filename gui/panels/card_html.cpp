#include "gui/panels/card_html.h"

#include <QStringList>
#include <QUrl>
#include <algorithm>

#include "base/assert.h"
#include "gui/panels/card_parts.h"
#include "gui/panels/event_words.h"
#include "gui/why/record_words.h"
#include "gui/why/span_ends.h"
#include "reports/json/json_value.h"

namespace aftershock::gui {

namespace {

QString step_html(const Trace& trace, const StepTold& step) {
  const QString id = QString::fromUtf8(QUrl::toPercentEncoding(shown_text(step.rule)));
  QString out = QStringLiteral("<p>") +
                link_html(QStringLiteral("rule:") + id, shown_html(step.rule)) +
                QStringLiteral("<br><b>") + shown_html(step.from) + QStringLiteral(" &rarr; ") +
                shown_html(step.to) + QStringLiteral("</b>");
  if (!step.word.empty()) {
    out += QStringLiteral(" (") + shown_html(step.word) + QStringLiteral(")");
  }
  if (!step.sentence.empty()) {
    out += QStringLiteral("<br>") + shown_html(step.sentence);
  }
  if (!step.source.empty()) {
    out += QStringLiteral("<br><i>") + card_words("Source: %1").arg(shown_html(step.source)) +
           QStringLiteral("</i>");
  }
  out += QStringLiteral("</p>");
  QStringList items;
  for (const reports::BudgetMove& move : step.budgets) {
    items << budget_html(move, &step);
  }
  for (const CommandTold& command : step.commands) {
    QString item = card_words("Ordered: %1").arg(shown_html(command.words));
    if (!command.became.empty()) {
      item += QStringLiteral("<br>&rarr; ") + shown_html(command.became);
    }
    if (command.answered_by != kNone) {
      item += QStringLiteral(", ") + decision_link(trace, command.answered_by);
    }
    items << item;
  }
  for (const reports::Rejected& rejected : step.rejected) {
    items << card_words("Rejected: %1, because %2")
                 .arg(shown_html(rejected.what), shown_html(rejected.why));
  }
  return out + card_list(items);
}

QStringList times_html(const BucketTimes& us) {
  QStringList items;
  for (const auto& [bucket, time] : us) {
    items << shown_html(bucket).replace(u'_', u' ') + QStringLiteral(": ") + time_words(time);
  }
  return items;
}

QString fault_cost_html(const Trace& trace, const EntityFaultCost& cost) {
  QStringList items;
  if (cost.recovery) {
    const Recovered& told = *cost.recovery;
    items << (told.detected_us ? card_words("detected at %1").arg(time_words(*told.detected_us))
                               : card_words("not detected"))
          << (told.running_us ? card_words("running again at %1").arg(time_words(*told.running_us))
                              : card_words("did not run again"))
          << (told.caught_up_us
                  ? card_words("as far as before at %1").arg(time_words(*told.caught_up_us))
                  : card_words("did not come as far as before"))
          << card_words("work lost: %1").arg(time_words(told.lost_us));
  }
  return card_heading(
             card_words("Costs of the fault for %1").arg(shown_html(trace.entities[cost.entity]))) +
         card_list(items + times_html(cost.us));
}

}  // namespace

QString decision_html(const Trace& trace, const DecisionCard& card,
                      const std::vector<EntityFaultCost>& fault_costs) {
  if (card.decision >= trace.decisions.size()) {
    return card_words("There is no such decision.");
  }
  QString out = QStringLiteral("<h2>%1</h2><p>").arg(card_words("Decision"));
  out += card_words("%1 at %2, batch %3")
             .arg(shown_html(trace.entities[card.entity]), time_words(card.t_us),
                  QString::number(card.batch));
  if (!card.policy.empty()) {
    out += QStringLiteral("<br>") + card_words("Policy: %1").arg(shown_html(card.policy));
  }
  if (card.fault != kNone) {
    out += QStringLiteral("<br>") + card_words("Answers: %1").arg(fault_link(trace, card.fault));
  } else if (!card.fault_id.empty()) {
    out += QStringLiteral("<br>") + card_words("Answers: %1").arg(shown_html(card.fault_id));
  }
  if (card.false_alarm) {
    out += QStringLiteral("<br>") + card_words("A false alarm: nothing hung");
  }
  out += QStringLiteral("</p>");
  if (!card.problem.empty()) {
    return out + QStringLiteral("<p>%1</p>").arg(shown_html(card.problem));
  }
  QStringList saw;
  for (const std::string& each : card.saw) {
    saw << shown_html(each);
  }
  out += card_heading(card_words("Observations of the controller")) + card_list(saw);
  out += card_heading(card_words("Rules"));
  for (const StepTold& step : card.steps) {
    out += step_html(trace, step);
  }
  if (card.steps.empty()) {
    out += card_words("No rule applied.");
  }
  for (const EntityFaultCost& cost : fault_costs) {
    out += fault_cost_html(trace, cost);
  }
  return out;
}

QString fault_html(const Trace& trace, const FaultCard& card, const DecisionTitles& titles) {
  AFTERSHOCK_ASSERT(card.fault < trace.faults.size());
  const Fault& fault = trace.faults[card.fault];
  QString out = QStringLiteral("<h2>%1</h2><p>").arg(shown_html(trace.texts[fault.kind]));
  out += card_words("%1 at %2").arg(shown_html(trace.texts[fault.id]), time_words(fault.t_us));
  // A rack that is cut off is told of in the lane of one of its nodes.
  if (trace.texts[fault.kind] != "partition") {
    out += card_words(", on %1").arg(shown_html(trace.entities[fault.entity]));
  }
  if (fault.what != kNoText && fault.what != fault.kind) {
    out += QStringLiteral("<br>") + shown_html(trace.texts[fault.what]);
  }
  if (fault.target != kNoText) {
    out += QStringLiteral("<br>") +
           card_words("Target: %1").arg(shown_html(trace.texts[fault.target]));
  }
  if (!fault.fired) {
    out += QStringLiteral("<br>") + card_words("Masked: there was nothing for it to break.");
  }
  if (fault.healed_us != kOpen) {
    out += QStringLiteral("<br>") + card_words("Healed at %1").arg(time_words(fault.healed_us));
  }
  if (card.detected_us) {
    out += QStringLiteral("<br>") + card_words("Detected at %1").arg(time_words(*card.detected_us));
  }
  out += QStringLiteral("</p>");
  QStringList items;
  for (std::size_t i = 0; i < std::min(card.decisions.size(), kCardListMax); ++i) {
    const std::uint32_t decision = card.decisions[i];
    items << decision_link(trace, decision) + QStringLiteral("<br>") +
                 (decision < titles.of.size() ? shown_html(titles.texts[titles.of[decision]])
                                              : QString());
  }
  if (!items.isEmpty()) {
    out += card_heading(card_words("Decided")) +
           card_list(items, card.decisions.size() - static_cast<std::size_t>(items.size()));
  }
  items.clear();
  for (std::size_t i = 0; i < std::min(card.effects.size(), kCardListMax); ++i) {
    const Effect& effect = card.effects[i];
    const Lane& lane = trace.lanes[effect.lane];
    items << link_html(QStringLiteral("span:%1:%2").arg(effect.lane).arg(effect.span),
                       shown_html(trace.entities[lane.entity]) + QStringLiteral(": ") +
                           what_of(trace, effect.lane, effect.span).toHtmlEscaped()) +
                 card_words(" at %1").arg(time_words(lane.columns.spans().begin_us[effect.span]));
  }
  if (!items.isEmpty()) {
    out += card_heading(card_words("Brought about")) +
           card_list(items, card.effects.size() - static_cast<std::size_t>(items.size()));
  }
  for (const EntityFaultCost& cost : card.fault_costs) {
    out += fault_cost_html(trace, cost);
  }
  return out;
}

QString span_html(const Trace& trace, std::uint32_t lane, std::uint32_t span,
                  const std::string& record) {
  AFTERSHOCK_ASSERT(lane < trace.lanes.size() && span < trace.lanes[lane].columns.size());
  const Lane& of = trace.lanes[lane];
  const LaneSpans spans = of.columns.spans();
  const std::int64_t begin_us = spans.begin_us[span];
  const std::int64_t end_us = spans.end_us[span];
  const std::string_view where = trace.entities[of.entity];
  // "run" does not name a lane.
  const bool is_lane = where.find(':') != std::string_view::npos;
  QStringList rows{
      card_row(card_words("where"), is_lane ? lane_link(shown_text(where)) : shown_html(where))};
  if (begin_us == end_us) {
    rows << card_row(card_words("at"), time_words(begin_us));
  } else {
    rows << card_row(card_words("from"), time_words(begin_us))
         << card_row(card_words("to"),
                     end_us == kOpen ? card_words("not ended") : time_words(end_us));
    if (end_us != kOpen) {
      rows << card_row(card_words("lasts"), time_words(end_us - begin_us));
    }
  }
  if (const std::int64_t lost_us = lost_of_span(trace, lane, span); lost_us > 0) {
    rows << card_row(card_words("rolled back"),
                     is_lost(trace, lane, span)
                         ? card_words("all of it was lost later on")
                         : card_words("%1 of it was lost later on").arg(time_words(lost_us)));
  }
  if (of.sub == SubLane::kAttempts) {
    const SpanEnds ends = span_ends(trace);
    const std::uint32_t ended_by = ends.at(lane)[span];
    if (ended_by < trace.faults.size()) {
      rows << card_row(card_words("ended by"), fault_link(trace, ended_by));
    }
  }
  const auto fault = fault_of_span(trace, lane, span);
  for (const Told& told : told_by(reports::parsed(record))) {
    rows << card_row(shown_html(told.name),
                     told.is_fault && fault ? fault_link(trace, *fault) : shown_html(told.value));
  }
  return QStringLiteral("<h2>%1</h2>").arg(what_of(trace, lane, span).toHtmlEscaped()) +
         card_table(rows);
}

}  // namespace aftershock::gui
