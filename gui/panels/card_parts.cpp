#include "gui/panels/card_parts.h"

#include <QCoreApplication>
#include <QUrl>
#include <algorithm>
#include <string>
#include <vector>

#include "base/assert.h"
#include "gui/panels/event_words.h"
#include "reports/render/format.h"

namespace aftershock::gui {

QString card_words(const char* text) { return QCoreApplication::translate("Card", text); }

QString card_heading(const QString& text) { return QStringLiteral("<h3>%1</h3>").arg(text); }

QString card_list(const QStringList& items, std::size_t more) {
  QString out;
  for (const QString& item : items) {
    out += QStringLiteral("<li>") + item + QStringLiteral("</li>");
  }
  if (more > 0) {
    out += QStringLiteral("<li>") + card_words("%1 more").arg(more) + QStringLiteral("</li>");
  }
  return out.isEmpty() ? out : QStringLiteral("<ul>%1</ul>").arg(out);
}

QString fault_link(const Trace& trace, std::uint32_t fault) {
  AFTERSHOCK_ASSERT(fault < trace.faults.size());
  const Fault& of = trace.faults[fault];
  return link_html(QStringLiteral("fault:%1").arg(fault),
                   shown_html(trace.texts[of.id]) + QStringLiteral(" (") +
                       shown_html(trace.texts[of.kind]) + QStringLiteral(")"));
}

QString decision_link(const Trace& trace, std::uint32_t decision) {
  return link_html(QStringLiteral("decision:%1").arg(decision),
                   card_words("decision at %1").arg(time_words(trace.decisions[decision].t_us)));
}

QString budget_html(const reports::BudgetMove& move, const StepTold* step) {
  const QString limit =
      move.limit ? card_words("limit %1").arg(*move.limit) : card_words("without a limit");
  const QString used = move.before == move.used
                           ? card_words("%1 used").arg(move.used)
                           : card_words("%1 &rarr; %2 used").arg(move.before).arg(move.used);
  QString out = QStringLiteral("<b>%1</b>: ").arg(shown_html(move.budget)) + used +
                QStringLiteral(", ") + limit;
  const QString cause = shown_html(move.cause);
  out += QStringLiteral(". ") + (move.charged
                                     ? card_words("Charged: cause %1 counts").arg(cause)
                                     : card_words("Exempt: cause %1 does not count").arg(cause));
  if (step != nullptr) {
    out += card_words(", by %1").arg(shown_html(step->rule));
  }
  if (move.exhausted) {
    out += QStringLiteral(". <b>") + card_words("Exhausted") + QStringLiteral("</b>");
  }
  return out;
}

QString card_cells(const QStringList& cells) {
  QString out = QStringLiteral("<tr>");
  for (qsizetype i = 0; i < cells.size(); ++i) {
    out += QStringLiteral("<td align='%1'>%2&nbsp;&nbsp;</td>")
               .arg(i == 0 ? QStringLiteral("left") : QStringLiteral("right"), cells[i]);
  }
  return out + QStringLiteral("</tr>");
}

QString card_times(const BucketTimes& us) {
  std::vector<std::int64_t> parts;
  for (const auto& [kind, time] : us) {
    parts.push_back(std::max<std::int64_t>(time, 0));
  }
  const std::vector<std::string> shares = reports::format_shares(parts);
  QString rows;
  for (std::size_t i = 0; i < us.size(); ++i) {
    rows += card_cells({shown_html(us[i].first).replace(u'_', u' '), time_words(us[i].second),
                        QString::fromStdString(shares[i])});
  }
  return rows.isEmpty() ? rows : QStringLiteral("<table>%1</table>").arg(rows);
}

QString card_row(const QString& name, const QString& value) {
  return QStringLiteral("<tr><td style=\"padding-right:12px\">%1</td><td>").arg(name) + value +
         QStringLiteral("</td></tr>");
}

QString card_table(const QStringList& rows) {
  return rows.isEmpty()
             ? QString()
             : QStringLiteral("<table>") + rows.join(QString()) + QStringLiteral("</table>");
}

QString lane_link(const QString& name) {
  return link_html(QStringLiteral("lane:") + QString::fromUtf8(QUrl::toPercentEncoding(name)),
                   name.toHtmlEscaped());
}

QString link_html(const QString& target, const QString& words) {
  return QStringLiteral("<a href=\"%1\">").arg(target.toHtmlEscaped()) + words +
         QStringLiteral("</a>");
}

}  // namespace aftershock::gui
