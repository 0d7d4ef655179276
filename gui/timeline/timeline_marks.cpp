#include <QMenu>
#include <algorithm>
#include <map>

#include "gui/theme/shown_text.h"
#include "gui/timeline/describe.h"
#include "gui/timeline/timeline.h"

// The actions of the mouse on the marks of faults above a timeline.
namespace aftershock::gui {

namespace {

/// So many faults, and kinds of them, are listed; the table has them all.
constexpr std::size_t kListed = 20;
/// So many are counted by kind under the pointer.
constexpr std::size_t kCountedFaults = 100'000;

QString kind_words(const Trace& trace, const Fault& fault) {
  return shown_text(trace.texts[fault.kind]).replace(u'_', u' ');
}

std::int64_t cost_of(const std::vector<FaultBill>& bills, std::size_t fault) {
  return fault < bills.size() ? bills[fault].cost_us : 0;
}

QString aim_and_cost(const Trace& trace, std::size_t number, const std::vector<FaultBill>& bills) {
  const Fault& fault = trace.faults[number];
  const QString target =
      fault.target == kNoText
          ? QString()
          : Timeline::tr("\ntarget %1").arg(shown_text(trace.texts[fault.target]));
  // A run that has not ended tells of no costs.
  if (fault.fired && trace.ledgers.empty()) {
    return target;
  }
  return target + (fault.fired ? Timeline::tr("\ncost %1").arg(time_text(cost_of(bills, number)))
                               : Timeline::tr("\nmasked: nothing there to break"));
}

}  // namespace

QString Timeline::more_text(SpanAt at) const {
  const Trace& trace = scene()->trace();
  if (const auto ends = session_->span_ends().find(at.lane); ends != session_->span_ends().end()) {
    const std::uint32_t fault = at.span < ends->second.size() ? ends->second[at.span] : kNone;
    return fault < trace.faults.size() ? tr("\nended by %1, %2")
                                             .arg(kind_words(trace, trace.faults[fault]),
                                                  shown_text(trace.texts[trace.faults[fault].id]))
                                       : QString();
  }
  const Lane& lane = trace.lanes[at.lane];
  const auto numbers = lane.columns.numbers();
  const std::size_t fault = at.span < numbers.size() ? numbers[at.span] : kNone;
  return lane.sub == SubLane::kFaults && fault < trace.faults.size()
             ? aim_and_cost(trace, fault, session_->bills())
             : QString();
}

const FaultMark* Timeline::mark_at(const QPoint& at) const {
  // The last one that was drawn lies above.
  const auto found = std::find_if(cache_.marks.rbegin(), cache_.marks.rend(),
                                  [&](const FaultMark& mark) { return mark.box.contains(at); });
  return found == cache_.marks.rend() || scene() == nullptr ||
                 found->first + found->count > scene()->trace().faults.size()
             ? nullptr
             : &*found;
}

QString Timeline::mark_text(const FaultMark& mark) const {
  const Trace& trace = scene()->trace();
  const Fault& first = trace.faults[mark.first];
  if (mark.count == 1) {
    return tr("%1, %2\nat %3")
               .arg(kind_words(trace, first), shown_text(trace.texts[first.id]),
                    time_text(first.t_us)) +
           aim_and_cost(trace, mark.first, session_->bills());
  }
  std::map<QString, std::size_t> kinds;
  std::int64_t cost_us = 0;
  const std::size_t end = mark.first + std::min(mark.count, kCountedFaults);
  for (std::size_t i = mark.first; i < end; ++i) {
    ++kinds[kind_words(trace, trace.faults[i])];
    if (__builtin_add_overflow(cost_us, cost_of(session_->bills(), i), &cost_us)) {
      cost_us = kOpen;
    }
  }
  QString text =
      tr("%1 faults from %2 to %3")
          .arg(mark.count)
          .arg(time_text(first.t_us), time_text(trace.faults[mark.first + mark.count - 1].t_us));
  if (mark.count > kCountedFaults) {
    return text;
  }
  std::size_t told = 0;
  for (const auto& [kind, count] : kinds) {
    if (told++ < kListed) {
      text += tr("\n%1 %2").arg(count).arg(kind);
    }
  }
  return trace.ledgers.empty() ? text : text + tr("\ncost %1 together").arg(time_text(cost_us));
}

bool Timeline::press_mark(const QPoint& at) {
  const FaultMark* found = mark_at(at);
  if (found == nullptr) {
    return false;
  }
  // A change of the view draws other marks.
  const FaultMark mark = *found;
  const std::int64_t from_us = fault_times_[mark.first];
  const std::int64_t to_us = fault_times_[mark.first + mark.count - 1];
  if (mark.count == 1) {
    go_to_fault(mark.first);
    return true;
  }
  ViewState next = state_;
  next.shown = fitted(state_.shown, {from_us, to_us}, run());
  if (from_us == to_us || next.shown == state_.shown) {
    list_faults(mark);
    return true;
  }
  next.cursor_us = from_us;
  change(std::move(next));
  announce(
      tr("%1 faults, from %2 to %3").arg(mark.count).arg(time_text(from_us), time_text(to_us)));
  return true;
}

void Timeline::list_faults(const FaultMark& mark) {
  const Trace& trace = scene()->trace();
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (std::size_t i = mark.first; i < mark.first + std::min(mark.count, kListed); ++i) {
    const Fault& fault = trace.faults[i];
    // A letter behind an & would be a key of the menu.
    const QString words =
        tr("%1, %2").arg(kind_words(trace, fault), shown_text(trace.texts[fault.id]));
    connect(menu->addAction(QString(words).replace(u'&', QStringLiteral("&&"))),
            &QAction::triggered, this, [this, i] {
              if (scene() != nullptr && i < scene()->trace().faults.size()) {
                go_to_fault(i);
              }
            });
  }
  if (mark.count > kListed) {
    menu->addAction(tr("%1 more, in the table of faults").arg(mark.count - kListed))
        ->setEnabled(false);
  }
  menu->popup(viewport()->mapToGlobal(mark.box.bottomLeft()));
}

}  // namespace aftershock::gui
