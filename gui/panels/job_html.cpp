#include "gui/panels/job_html.h"

#include <algorithm>
#include <numeric>

#include "gui/panels/card_parts.h"
#include "gui/panels/event_words.h"
#include "gui/trace/find.h"

namespace aftershock::gui {

namespace {

/// So many of the dearest faults are told of; the ledger has them all.
constexpr std::size_t kDearest = 12;

QString share(std::int64_t part_us, std::int64_t whole_us) {
  return whole_us <= 0
             ? QString()
             : QStringLiteral("%1 %").arg(
                   100 * static_cast<double>(part_us) / static_cast<double>(whole_us), 0, 'f', 1);
}

QString row(const QStringList& cells) {
  QString out = QStringLiteral("<tr>");
  for (qsizetype i = 0; i < cells.size(); ++i) {
    out += QStringLiteral("<td align='%1'>%2&nbsp;&nbsp;</td>")
               .arg(i == 0 ? QStringLiteral("left") : QStringLiteral("right"), cells[i]);
  }
  return out + QStringLiteral("</tr>");
}

std::int64_t total_us(const BucketTimes& us) {
  return std::accumulate(us.begin(), us.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& each) { return sum + each.second; });
}

/// What each fault cost, the dearest first.
QString bills_html(const Trace& trace, const Account& account) {
  std::vector<const Bill*> bills;
  for (const Bill& bill : account.bills) {
    bills.push_back(&bill);
  }
  std::ranges::stable_sort(
      bills, [](const Bill* a, const Bill* b) { return total_us(a->us) > total_us(b->us); });
  QString rows;
  for (std::size_t i = 0; i < std::min(bills.size(), kDearest); ++i) {
    const Bill& bill = *bills[i];
    const auto id = trace.texts.find(bill.fault);
    const auto fault = id ? fault_with_id(trace, *id) : std::nullopt;
    const auto most =
        std::ranges::max_element(bill.us, {}, [](const auto& us) { return us.second; });
    rows += row({fault ? fault_link(trace, *fault) : shown_html(bill.fault),
                 time_words(total_us(bill.us)),
                 most == bill.us.end()
                     ? QString()
                     : card_words("mostly %1").arg(shown_html(most->first).replace(u'_', u' '))});
  }
  if (rows.isEmpty()) {
    return {};
  }
  const std::size_t more = bills.size() - std::min(bills.size(), kDearest);
  return card_heading(card_words("What the faults cost")) +
         QStringLiteral("<table>%1</table>").arg(rows) +
         (more == 0 ? QString() : QStringLiteral("<p>") + card_words("%1 more").arg(more));
}

/// Where the job's time went, most first.
QString times_html(const Account& account) {
  BucketTimes us = account.us;
  std::ranges::stable_sort(us, [](const auto& a, const auto& b) { return a.second > b.second; });
  QString rows;
  for (const auto& [bucket, time] : us) {
    rows += row(
        {shown_html(bucket).replace(u'_', u' '), time_words(time), share(time, account.wall_us)});
  }
  return rows.isEmpty() ? rows
                        : card_heading(card_words("Where the time went")) +
                              QStringLiteral("<table>%1</table>").arg(rows);
}

/// Every charge of the budget that ran out.
QString chain_html(const Trace& trace, const ChainOfCharges& chain) {
  QString out;
  QStringList items;
  const std::size_t from = chain.charges.size() - std::min(chain.charges.size(), kCardListMax);
  for (std::size_t i = from; i < chain.charges.size(); ++i) {
    const Charge& charge = chain.charges[i];
    QString item = decision_link(trace, charge.decision) + QStringLiteral(": ");
    if (charge.fault != kNone) {
      item += fault_link(trace, charge.fault) + QStringLiteral(", ");
    }
    item += budget_html(charge.move, nullptr) + card_words(", by %1").arg(shown_html(charge.rule));
    items << (chain.fatal == i
                  ? item + QStringLiteral(" <b>") + card_words("Fatal") + QStringLiteral("</b>")
                  : item);
  }
  if (!items.isEmpty()) {
    out +=
        card_heading(card_words("Why it died: every charge of %1").arg(shown_html(chain.budget)));
    out += from == 0 ? QString() : QStringLiteral("<p>") + card_words("%1 earlier").arg(from);
    out += card_list(items);
  }
  return out;
}

}  // namespace

QString job_html(const Trace& trace, const Account& account, const ChainOfCharges& chain) {
  QString out = QStringLiteral("<h2>%1</h2><p>").arg(shown_html(trace.entities[account.entity]));
  out += shown_html(account.outcome.empty() ? "its end is not in the recording" : account.outcome);
  if (!account.reason.empty() && account.reason != account.outcome) {
    out += QStringLiteral(": ") + shown_html(account.reason);
  }
  out += card_words(" after %1").arg(time_words(account.wall_us)) + QStringLiteral("</p>");
  out += chain_html(trace, chain) + bills_html(trace, account) + times_html(account);
  return out;
}

}  // namespace aftershock::gui
