#include "gui/panels/job_html.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gui/panels/card_parts.h"
#include "gui/panels/event_words.h"
#include "gui/trace/find.h"

namespace aftershock::gui {

namespace {

/// So many of the dearest faults are told of; the ledger has them all.
constexpr std::size_t kDearest = 12;

/// The costs of each fault, the dearest first.
QString bills_html(const Trace& trace, const Account& account) {
  std::vector<const FaultCost*> fault_costs;
  for (const FaultCost& cost : account.fault_costs) {
    fault_costs.push_back(&cost);
  }
  std::ranges::stable_sort(fault_costs, [](const FaultCost* a, const FaultCost* b) {
    return sum_us(a->us) > sum_us(b->us);
  });
  QString rows;
  for (std::size_t i = 0; i < std::min(fault_costs.size(), kDearest); ++i) {
    const FaultCost& cost = *fault_costs[i];
    const auto id = trace.texts.find(cost.fault);
    const auto fault = id ? fault_with_id(trace, *id) : std::nullopt;
    const auto most =
        std::ranges::max_element(cost.us, {}, [](const auto& us) { return us.second; });
    rows += card_cells(
        {fault ? fault_link(trace, *fault) : shown_html(cost.fault), time_words(sum_us(cost.us)),
         most == cost.us.end()
             ? QString()
             : card_words("mostly %1").arg(shown_html(most->first).replace(u'_', u' '))});
  }
  if (rows.isEmpty()) {
    return {};
  }
  const std::size_t more = fault_costs.size() - std::min(fault_costs.size(), kDearest);
  return card_heading(card_words("Costs of the faults")) +
         QStringLiteral("<table>%1</table>").arg(rows) +
         (more == 0 ? QString() : QStringLiteral("<p>") + card_words("%1 more").arg(more));
}

/// Where the job's time went, most first, in shares as the summary has them.
QString times_html(const Account& account) {
  BucketTimes us = account.us;
  std::ranges::stable_sort(us, std::ranges::greater(), &BucketTimes::value_type::second);
  const QString table = card_times(us);
  return table.isEmpty() ? table : card_heading(card_words("Where the time went")) + table;
}

/// A move of the budget that ran out. Those that count stand out among those that do not.
QString charge_html(const Trace& trace, const Charge& charge, bool is_fatal) {
  const reports::BudgetMove& move = charge.move;
  QString item = decision_link(trace, charge.decision);
  if (charge.fault != kNone) {
    item += QStringLiteral(", ") + fault_link(trace, charge.fault);
  }
  const QString cause = shown_html(move.cause);
  const QString rule = shown_html(charge.rule);
  if (!move.charged) {
    return QStringLiteral("<small>") + item +
           card_words(": exempt, cause %1 does not count, by %2").arg(cause, rule) +
           QStringLiteral("</small>");
  }
  item = QStringLiteral("<b>%1 &rarr; %2</b> ").arg(move.before).arg(move.used) + item +
         card_words(": cause %1 counts, by %2").arg(cause, rule);
  return is_fatal ? item + QStringLiteral(". <b>") + card_words("Fatal") + QStringLiteral("</b>")
                  : item;
}

/// Every charge of the budget that ran out.
QString chain_html(const Trace& trace, const ChainOfCharges& chain) {
  if (chain.charges.empty()) {
    return {};
  }
  QStringList items;
  const std::size_t from = chain.charges.size() - std::min(chain.charges.size(), kCardListMax);
  for (std::size_t i = from; i < chain.charges.size(); ++i) {
    items << charge_html(trace, chain.charges[i], chain.fatal == i);
  }
  const auto charged =
      std::ranges::count_if(chain.charges, [](const Charge& each) { return each.move.charged; });
  const auto& limit = chain.charges.back().move.limit;
  QString out =
      card_heading(card_words("Why it died: every charge of %1").arg(shown_html(chain.budget)));
  out += QStringLiteral("<p>") +
         (limit ? card_words("%1 charged, %2 allowed, %3 exempt").arg(charged).arg(*limit)
                : card_words("%1 charged, %2 exempt").arg(charged))
             .arg(static_cast<std::ptrdiff_t>(chain.charges.size()) - charged);
  out += from == 0 ? QString() : QStringLiteral("<br>") + card_words("%1 earlier").arg(from);
  return out + card_list(items);
}

}  // namespace

QString job_html(const Trace& trace, const Account& account, const ChainOfCharges& chain) {
  QString out = QStringLiteral("<h2>%1</h2><p>").arg(shown_html(trace.entities[account.entity]));
  // A job that the run's end found at work has no outcome of its own.
  out += account.outcome.empty()        ? card_words("its end is not in the recording")
         : account.outcome == "running" ? card_words("still running at the end of the run,")
                                        : shown_html(account.outcome);
  if (!account.reason.empty() && account.reason != account.outcome) {
    out += QStringLiteral(": ") + shown_html(account.reason);
  }
  out += card_words(" after %1").arg(time_words(account.wall_us)) + QStringLiteral("</p>");
  out += chain_html(trace, chain) + bills_html(trace, account) + times_html(account);
  return out;
}

}  // namespace aftershock::gui
