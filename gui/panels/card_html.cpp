#include "gui/panels/card_html.h"

#include <QCoreApplication>
#include <QStringList>
#include <QUrl>
#include <algorithm>

#include "gui/panels/event_words.h"
#include "gui/why/json.h"
#include "gui/why/words.h"

namespace aftershock::gui {

namespace {

/// So many entries of a list are shown; the timeline shows them all.
constexpr std::size_t kListMax = 50;

QString words(const char* text) { return QCoreApplication::translate("Card", text); }

QString heading(const QString& text) { return QStringLiteral("<h3>%1</h3>").arg(text); }

QString list(const QStringList& items, std::size_t more = 0) {
  QString out;
  for (const QString& item : items) {
    out += QStringLiteral("<li>") + item + QStringLiteral("</li>");
  }
  if (more > 0) {
    out += QStringLiteral("<li>") + words("%1 more").arg(more) + QStringLiteral("</li>");
  }
  return out.isEmpty() ? out : QStringLiteral("<ul>%1</ul>").arg(out);
}

QString fault_link(const Trace& trace, std::uint32_t fault) {
  const Fault& of = trace.faults[fault];
  return link_html(QStringLiteral("fault:%1").arg(fault),
                   shown_html(trace.texts[of.id]) + QStringLiteral(" (") +
                       shown_html(trace.texts[of.kind]) + QStringLiteral(")"));
}

QString decision_link(const Trace& trace, std::uint32_t decision) {
  return link_html(QStringLiteral("decision:%1").arg(decision),
                   words("decision at %1").arg(time_words(trace.decisions[decision].t_us)));
}

/// "1 -> 2 used, limit 3", and why.
QString budget_html(const BudgetMove& move, const StepTold* step) {
  const QString limit = move.limit ? words("limit %1").arg(*move.limit) : words("without a limit");
  const QString used = move.before == move.used
                           ? words("%1 used").arg(move.used)
                           : words("%1 &rarr; %2 used").arg(move.before).arg(move.used);
  QString out = QStringLiteral("<b>%1</b>: ").arg(shown_html(move.budget)) + used +
                QStringLiteral(", ") + limit;
  const QString cause = shown_html(move.cause);
  out +=
      QStringLiteral(". ") + (move.charged ? words("Charged: cause %1 counts").arg(cause)
                                           : words("Exempt: cause %1 does not count").arg(cause));
  if (step != nullptr) {
    out += words(", by %1").arg(shown_html(step->rule));
  }
  if (move.exhausted) {
    out += QStringLiteral(". <b>") + words("Exhausted") + QStringLiteral("</b>");
  }
  return out;
}

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
    out += QStringLiteral("<br><i>") + words("Source: %1").arg(shown_html(step.source)) +
           QStringLiteral("</i>");
  }
  out += QStringLiteral("</p>");
  QStringList items;
  for (const BudgetMove& move : step.budgets) {
    items << budget_html(move, &step);
  }
  for (const CommandTold& command : step.commands) {
    QString item = words("Ordered: %1").arg(shown_html(command.words));
    if (!command.became.empty()) {
      item += QStringLiteral("<br>&rarr; ") + shown_html(command.became);
    }
    if (command.answered_by != kNone) {
      item += QStringLiteral(", ") + decision_link(trace, command.answered_by);
    }
    items << item;
  }
  for (const Rejected& rejected : step.rejected) {
    items << words("Rejected: %1, because %2")
                 .arg(shown_html(rejected.what), shown_html(rejected.why));
  }
  return out + list(items);
}

QStringList times_html(const BucketTimes& us) {
  QStringList items;
  for (const auto& [bucket, time] : us) {
    items << shown_html(bucket).replace(u'_', u' ') + QStringLiteral(": ") + time_words(time);
  }
  return items;
}

QString bill_html(const Trace& trace, const FaultBill& bill) {
  QStringList items;
  if (bill.recovery) {
    const Recovered& told = *bill.recovery;
    items << (told.detected_us ? words("detected at %1").arg(time_words(*told.detected_us))
                               : words("not detected"))
          << (told.running_us ? words("running again at %1").arg(time_words(*told.running_us))
                              : words("did not run again"))
          << (told.caught_up_us
                  ? words("as far as before at %1").arg(time_words(*told.caught_up_us))
                  : words("did not come as far as before"))
          << words("work lost: %1").arg(time_words(told.lost_us));
  }
  return heading(words("What the fault cost %1").arg(shown_html(trace.entities[bill.entity]))) +
         list(items + times_html(bill.us));
}

}  // namespace

QString link_html(const QString& target, const QString& words) {
  return QStringLiteral("<a href=\"%1\">").arg(target.toHtmlEscaped()) + words +
         QStringLiteral("</a>");
}

QString decision_html(const Trace& trace, const DecisionCard& card,
                      const std::vector<FaultBill>& bills) {
  if (card.decision >= trace.decisions.size()) {
    return words("There is no such decision.");
  }
  QString out = QStringLiteral("<h2>%1</h2><p>").arg(words("Decision"));
  out += words("%1 at %2, batch %3")
             .arg(shown_html(trace.entities[card.entity]), time_words(card.t_us),
                  QString::number(card.batch));
  if (!card.policy.empty()) {
    out += QStringLiteral("<br>") + words("Policy: %1").arg(shown_html(card.policy));
  }
  if (card.fault != kNone) {
    out += QStringLiteral("<br>") + words("Answers: %1").arg(fault_link(trace, card.fault));
  } else if (!card.fault_id.empty()) {
    out += QStringLiteral("<br>") + words("Answers: %1").arg(shown_html(card.fault_id));
  }
  if (card.false_alarm) {
    out += QStringLiteral("<br>") + words("A false alarm: nothing hung");
  }
  out += QStringLiteral("</p>");
  if (!card.problem.empty()) {
    return out + QStringLiteral("<p>%1</p>").arg(shown_html(card.problem));
  }
  QStringList saw;
  for (const std::string& each : card.saw) {
    saw << shown_html(each);
  }
  out += heading(words("What the controller had seen")) + list(saw);
  out += heading(words("Rules"));
  for (const StepTold& step : card.steps) {
    out += step_html(trace, step);
  }
  if (card.steps.empty()) {
    out += words("No rule applied.");
  }
  for (const FaultBill& bill : bills) {
    out += bill_html(trace, bill);
  }
  return out;
}

QString fault_html(const Trace& trace, const FaultCard& card, const DecisionTitles& titles) {
  const Fault& fault = trace.faults[card.fault];
  QString out = QStringLiteral("<h2>%1</h2><p>").arg(shown_html(trace.texts[fault.kind]));
  out += words("%1 at %2, on %3")
             .arg(shown_html(trace.texts[fault.id]), time_words(fault.t_us),
                  shown_html(trace.entities[fault.entity]));
  if (fault.what != kNoText && fault.what != fault.kind) {
    out += QStringLiteral("<br>") + shown_html(trace.texts[fault.what]);
  }
  if (fault.target != kNoText) {
    out += QStringLiteral("<br>") + words("Target: %1").arg(shown_html(trace.texts[fault.target]));
  }
  if (!fault.fired) {
    out += QStringLiteral("<br>") + words("Masked: there was nothing for it to break.");
  }
  if (fault.healed_us != kOpen) {
    out += QStringLiteral("<br>") + words("Healed at %1").arg(time_words(fault.healed_us));
  }
  if (card.detected_us) {
    out += QStringLiteral("<br>") + words("Detected at %1").arg(time_words(*card.detected_us));
  }
  out += QStringLiteral("</p>");
  QStringList items;
  for (std::size_t i = 0; i < std::min(card.decisions.size(), kListMax); ++i) {
    const std::uint32_t decision = card.decisions[i];
    items << decision_link(trace, decision) + QStringLiteral("<br>") +
                 (decision < titles.of.size() ? shown_html(titles.texts[titles.of[decision]])
                                              : QString());
  }
  if (!items.isEmpty()) {
    out += heading(words("Decided")) +
           list(items, card.decisions.size() - static_cast<std::size_t>(items.size()));
  }
  items.clear();
  for (std::size_t i = 0; i < std::min(card.effects.size(), kListMax); ++i) {
    const Effect& effect = card.effects[i];
    const Lane& lane = trace.lanes[effect.lane];
    items << link_html(QStringLiteral("span:%1:%2").arg(effect.lane).arg(effect.span),
                       shown_html(trace.entities[lane.entity]) + QStringLiteral(": ") +
                           what_of(trace, effect.lane, effect.span).toHtmlEscaped()) +
                 words(" at %1").arg(time_words(lane.columns.spans().begin_us[effect.span]));
  }
  if (!items.isEmpty()) {
    out += heading(words("Brought about")) +
           list(items, card.effects.size() - static_cast<std::size_t>(items.size()));
  }
  for (const FaultBill& bill : card.bills) {
    out += bill_html(trace, bill);
  }
  return out;
}

QString span_html(const Trace& trace, std::uint32_t lane, std::uint32_t span,
                  const std::string& record) {
  const Lane& of = trace.lanes[lane];
  QString out = QStringLiteral("<h2>%1</h2><p>").arg(what_of(trace, lane, span).toHtmlEscaped());
  out += words("%1 at %2")
             .arg(shown_html(trace.entities[of.entity]),
                  time_words(of.columns.spans().begin_us[span]));
  const QString detail = detail_of(trace, {}, lane, span);
  if (!detail.isEmpty()) {
    out += QStringLiteral(", ") + detail.toHtmlEscaped();
  }
  if (const auto fault = fault_of_span(trace, lane, span)) {
    out += QStringLiteral("<br>") + words("Cause: %1").arg(fault_link(trace, *fault));
  }
  const std::string told = in_words(parsed(record));
  if (!told.empty()) {
    out += QStringLiteral("</p>") + heading(words("Record")) + QStringLiteral("<p>") +
           shown_html(told);
  }
  return out + QStringLiteral("</p>");
}

QString job_html(const Trace& trace, const Account& account, const ChainOfCharges& chain) {
  QString out = QStringLiteral("<h2>%1</h2><p>").arg(shown_html(trace.entities[account.entity]));
  out += shown_html(account.outcome.empty() ? "its end is not in the recording" : account.outcome);
  if (!account.reason.empty()) {
    out += QStringLiteral(": ") + shown_html(account.reason);
  }
  out += words(" after %1").arg(time_words(account.wall_us)) + QStringLiteral("</p>");
  QStringList items;
  const std::size_t from = chain.charges.size() - std::min(chain.charges.size(), kListMax);
  for (std::size_t i = from; i < chain.charges.size(); ++i) {
    const Charge& charge = chain.charges[i];
    QString item = decision_link(trace, charge.decision) + QStringLiteral(": ");
    if (charge.fault != kNone) {
      item += fault_link(trace, charge.fault) + QStringLiteral(", ");
    }
    item += budget_html(charge.move, nullptr) + words(", by %1").arg(shown_html(charge.rule));
    items << (chain.fatal == i
                  ? item + QStringLiteral(" <b>") + words("Fatal") + QStringLiteral("</b>")
                  : item);
  }
  if (!items.isEmpty()) {
    out += heading(words("Why it died: every charge of %1").arg(shown_html(chain.budget)));
    out += from == 0 ? QString() : QStringLiteral("<p>") + words("%1 earlier").arg(from);
    out += list(items);
  }
  return out;
}

}  // namespace aftershock::gui
