#include "gui/panels/lane_html.h"

#include <algorithm>
#include <array>

#include "gui/panels/card_parts.h"
#include "gui/panels/event_words.h"

namespace aftershock::gui {

namespace {

struct Counted {
  SubLane sub;
  const char* name;
};
constexpr std::array kCounted{
    Counted{SubLane::kFaults, "faults"},     Counted{SubLane::kDecisions, "decisions"},
    Counted{SubLane::kAttempts, "attempts"}, Counted{SubLane::kCheckpoints, "saves"},
    Counted{SubLane::kPhases, "phases"},     Counted{SubLane::kStates, "changes of state"},
    Counted{SubLane::kMarks, "marks"},       Counted{SubLane::kOthers, "others"}};

QString counts_html(const LaneCard& card) {
  QStringList rows;
  if (card.lanes > 1) {
    rows << card_row(card_words("lanes with records"), count_words(card.lanes));
  }
  for (const Counted& each : kCounted) {
    if (const std::int64_t count = card.spans.at(static_cast<std::size_t>(each.sub)); count > 0) {
      rows << card_row(card_words(each.name), count_words(count));
    }
  }
  return rows.isEmpty() ? QStringLiteral("<p>%1</p>").arg(card_words("Nothing is recorded of it."))
                        : card_heading(card_words("In the whole run")) + card_table(rows);
}

QString times_html(const LaneCard& card) {
  const QString heading =
      card_heading(card_words("In view: %1 to %2")
                       .arg(time_words(std::max<std::int64_t>(0, card.shown.begin_us)),
                            time_words(card.shown.end_us)));
  if (!card.is_whole) {
    return heading + card_words("More than %1 spans; zoom in to have them counted.")
                         .arg(count_words(kCountedSpans));
  }
  QStringList rows;
  for (const auto& [kind, us] : card.us) {
    rows << card_row(shown_html(kind).replace(u'_', u' '), time_words(us));
  }
  return heading + (rows.isEmpty() ? card_words("Nothing that takes time.") : card_table(rows));
}

}  // namespace

QString lane_part_html(const LaneCard& card) { return counts_html(card) + times_html(card); }

QString lane_html(const LaneCard& card) {
  if (card.name.empty()) {
    return card_words("This lane is not there any more.");
  }
  QString out = QStringLiteral("<h2>%1</h2>").arg(shown_html(card.name));
  QStringList links;
  for (const std::string& name : card.above) {
    links << lane_link(shown_text(name));
  }
  if (!links.isEmpty()) {
    out += QStringLiteral("<p>") + card_words("in %1").arg(links.join(QStringLiteral(" &gt; "))) +
           QStringLiteral("</p>");
  }
  return out + lane_part_html(card);
}

}  // namespace aftershock::gui
