#include <QScrollBar>
#include <algorithm>
#include <limits>
#include <string>

#include "gui/timeline/describe.h"
#include "gui/timeline/timeline.h"
#include "gui/trace/find.h"
#include "gui/view/ruler.h"

// Where a timeline can go to.
namespace aftershock::gui {

namespace {

/// The nearer of two, if there are any.
bool is_nearer(Moment place, const std::optional<Moment>& than, Direction direction) {
  return !than || (direction == Direction::kNext ? place < *than : place > *than);
}

/// Behind all that begins at one time; before it, backwards.
std::uint32_t beyond(Direction direction) {
  return direction == Direction::kNext ? std::numeric_limits<std::uint32_t>::max() : 0;
}

}  // namespace

void Timeline::go_to(std::int64_t t_us, const std::optional<LaneKey>& lane, std::uint32_t content,
                     std::uint32_t span) {
  if (scene() == nullptr) {
    return;
  }
  ViewState next = state_;
  next.cursor_us = std::clamp(t_us, run().begin_us, run().end_us);
  next.shown = showing(state_.shown, next.cursor_us, run());
  if (next.shown != state_.shown) {
    next.shown = centred(state_.shown, {next.cursor_us, next.cursor_us + 1}, run());
  }
  if (lane) {
    next.lane = lane;
    reveal(next.lanes, scene()->tree(), *lane);
  }
  next.selection.reset();
  const Content of = content_from(content);
  const auto& lanes = scene()->trace().lanes;
  if (content != kNowhere && !of.is_counter && of.index < lanes.size() &&
      span < lanes[of.index].columns.size()) {
    const LaneSpans spans = lanes[of.index].columns.spans();
    next.selection = Selection{
        .lane = lane,
        .content = content,
        .span = span,
        .time = {spans.begin_us[span],
                 std::max(spans.begin_us[span], std::min(end_of(spans, span), run().end_us))}};
  }
  change(std::move(next));
  if (state_.lane) {
    show_row(row_near(scene()->tree(), rows_, *state_.lane));
  }
  if (lane) {
    pin_phases(*lane);
  }
}

Moment Timeline::place_now(std::uint32_t line) const {
  const auto& selection = state_.selection;
  if (selection && selection->content != kNowhere && selection->span != kNowhere) {
    const Content content = content_from(selection->content);
    const auto& lanes = scene()->trace().lanes;
    if (!content.is_counter && content.index < lanes.size() &&
        selection->span < lanes[content.index].columns.size() &&
        selection->time.begin_us == state_.cursor_us) {
      return {state_.cursor_us, lanes[content.index].columns.lines()[selection->span]};
    }
  }
  return jumped_to_.t_us == state_.cursor_us && jumped_to_.line != 0
             ? jumped_to_
             : Moment{state_.cursor_us, line};
}

/// The cursor comes to this time, or leaves it.
void Timeline::update_cursor(std::int64_t t_us) {
  constexpr int kReach_px = 8;
  const double x = std::clamp(x_at(t_us), -100.0, viewport()->width() + 100.0);
  viewport()->update(
      QRect(static_cast<int>(x) - kReach_px, 0, 2 * kReach_px, viewport()->height()));
}

void Timeline::play_to(std::int64_t t_us) {
  if (scene() == nullptr) {
    return;
  }
  const std::int64_t cursor = std::clamp(t_us, run().begin_us, run().end_us);
  if (cursor == state_.cursor_us) {
    return;
  }
  update_cursor(state_.cursor_us);
  state_.cursor_us = cursor;
  update_cursor(cursor);
  const TimeRange shown = showing(state_.shown, cursor, run());
  if (shown != state_.shown) {
    // A page at a time: a picture that slides cannot be read.
    const bool later = cursor >= state_.shown.end_us;
    state_.shown = panned(shown, later ? 0.8 : -0.8, run());
    redraw_times();
  }
  Q_EMIT cursor_moved(cursor);
}

const std::vector<std::int64_t>& Timeline::event_times() {
  if (events_known_ || session_ == nullptr) {
    return event_times_;
  }
  event_times_ = fault_times_;
  const Trace& trace = session_->trace();
  for (const Decision& decision : trace.decisions) {
    event_times_.push_back(decision.t_us);
  }
  for (const Lane& lane : trace.lanes) {
    if (lane.sub == SubLane::kPhases || lane.sub == SubLane::kAttempts ||
        lane.sub == SubLane::kStates) {
      const LaneSpans spans = lane.columns.spans();
      event_times_.insert(event_times_.end(), spans.begin_us.begin(), spans.begin_us.end());
    }
  }
  std::ranges::sort(event_times_);
  const auto again = std::ranges::unique(event_times_);
  event_times_.erase(again.begin(), again.end());
  events_known_ = true;
  return event_times_;
}

void Timeline::handle_jump_actions(ActionHandlers& actions) {
  using enum ActionId;
  const auto both = [&](ActionId next, ActionId previous, auto jump) {
    for (const auto& [id, direction] :
         {std::pair(next, Direction::kNext), std::pair(previous, Direction::kPrevious)}) {
      actions.handle(id, [this, jump, direction] {
        if (scene() != nullptr) {
          jump(direction);
        }
      });
    }
  };
  both(kNextFault, kPreviousFault, [this](Direction d) { jump_to_fault(d); });
  both(kNextDecision, kPreviousDecision, [this](Direction d) { jump_to_decision(d); });
  both(kNextAttempt, kPreviousAttempt, [this](Direction d) { jump_in_job(SubLane::kAttempts, d); });
  both(kNextCheckpoint, kPreviousCheckpoint, [this](Direction d) { jump_to_checkpoint(d); });
  both(kNextEvent, kPreviousEvent, [this](Direction d) { jump_in_lane(d); });
  both(kStepForward, kStepBack, [this](Direction d) { step(d); });
}

void Timeline::jump_to_fault(Direction direction) {
  const Trace& trace = scene()->trace();
  const auto found = find_fault(trace, place_now(), direction);
  if (!found) {
    announce(direction == Direction::kNext ? tr("no fault after this")
                                           : tr("no fault before this"));
    return;
  }
  go_to_fault(*found);
}

void Timeline::go_to_fault(std::size_t number) {
  const Trace& trace = scene()->trace();
  const Fault& fault = trace.faults[number];
  std::optional<LaneKey> lane;
  std::uint32_t content = kNowhere;
  std::uint32_t span = kNowhere;
  if (fault.entity != kNone) {
    const std::uint32_t index =
        trace.lane_of[fault.entity][static_cast<std::size_t>(SubLane::kFaults)];
    if (index != kNone) {
      lane = scene()->key_of_lane(index);
      const auto numbers = trace.lanes[index].columns.numbers();
      const auto at =
          std::ranges::lower_bound(trace.lanes[index].columns.spans().begin_us, fault.t_us) -
          trace.lanes[index].columns.spans().begin_us.begin();
      for (auto i = static_cast<std::size_t>(at); i < numbers.size(); ++i) {
        if (numbers[i] == number) {
          content = id_of({index, false});
          span = static_cast<std::uint32_t>(i);
          break;
        }
      }
    }
  }
  go_to(fault.t_us, lane, content, span);
  jumped_to_ = {fault.t_us, fault.line};
  announce(tr("fault %1 of %2, %3, at %4")
               .arg(number + 1)
               .arg(trace.faults.size())
               .arg(lane ? lane_text(*scene(), *lane) : QString(), time_text(fault.t_us)));
}

void Timeline::jump_to_decision(Direction direction) {
  const Trace& trace = scene()->trace();
  const auto found = find_decision(trace, place_now(), direction);
  if (!found) {
    announce(direction == Direction::kNext ? tr("no decision after this")
                                           : tr("no decision before this"));
    return;
  }
  const Decision& decision = trace.decisions[*found];
  std::optional<LaneKey> lane;
  std::uint32_t content = kNowhere;
  std::uint32_t span = kNowhere;
  if (decision.entity != kNone) {
    const std::uint32_t index =
        trace.lane_of[decision.entity][static_cast<std::size_t>(SubLane::kDecisions)];
    if (index != kNone) {
      lane = scene()->key_of_lane(index);
      const auto numbers = trace.lanes[index].columns.numbers();
      const auto at = std::ranges::find(numbers, *found);
      if (at != numbers.end()) {
        content = id_of({index, false});
        span = static_cast<std::uint32_t>(at - numbers.begin());
      }
    }
  }
  go_to(decision.t_us, lane, content, span);
  jumped_to_ = {decision.t_us, decision.line};
  announce(tr("decision %1 of %2, at %3")
               .arg(*found + 1)
               .arg(trace.decisions.size())
               .arg(time_text(decision.t_us)));
}

std::uint32_t Timeline::job_entity() const {
  const Trace& trace = scene()->trace();
  std::optional<LaneKey> job;
  if (state_.lane &&
      (state_.lane->section == Section::kJobs || state_.lane->section == Section::kExperiments)) {
    job = state_.lane;
  } else if (!trace.header.jobs.empty()) {
    job = LaneKey{.section = Section::kJobs, .group = 0};
  }
  if (!job) {
    return kNone;
  }
  job->facet = Facet::kWhole;
  job->item = -1;
  return trace.entities.find(text_of(scene()->directory(), *job)).value_or(kNone);
}

void Timeline::jump_in_job(SubLane sub, Direction direction) {
  const Trace& trace = scene()->trace();
  const std::uint32_t entity = job_entity();
  const Lane* lane = entity == kNone ? nullptr : lane_of(trace, entity, sub);
  const auto found =
      lane == nullptr ? std::nullopt : find_span(*lane, place_now(beyond(direction)), direction);
  if (!found) {
    announce(tr("nothing further on"));
    return;
  }
  const auto index = static_cast<std::uint32_t>(lane - trace.lanes.data());
  const auto span = static_cast<std::uint32_t>(*found);
  const std::int64_t t_us = lane->columns.spans().begin_us[*found];
  go_to(t_us, scene()->key_of_lane(index), id_of({index, false}), span);
  jumped_to_ = {t_us, lane->columns.lines()[*found]};
  announce(tr("%1, at %2").arg(short_text(*scene(), {index, span}), time_text(t_us)));
}

void Timeline::jump_to_checkpoint(Direction direction) {
  const Trace& trace = scene()->trace();
  const std::uint32_t entity = job_entity();
  const auto found =
      entity == kNone ? std::nullopt : find_checkpoint(trace, entity, state_.cursor_us, direction);
  if (!found) {
    announce(tr("no checkpoint further on"));
    return;
  }
  const Counter* counter = find_counter(trace, entity, "committed_steps");
  const std::int64_t t_us = counter->t_us[*found];
  go_to(t_us, std::nullopt);
  announce(tr("checkpoint of step %1, at %2").arg(counter->value[*found]).arg(time_text(t_us)));
}

void Timeline::jump_in_lane(Direction direction) {
  const auto node = state_.lane ? gui::find(scene()->tree(), *state_.lane) : std::nullopt;
  if (!node) {
    announce(tr("no lane is chosen"));
    return;
  }
  const Trace& trace = scene()->trace();
  std::optional<Moment> nearest;
  SpanAt best;
  for (const LaneContent& each : content_of(scene()->tree(), *node)) {
    const Content content = content_from(each.id);
    if (content.is_counter) {
      continue;
    }
    const Lane& lane = trace.lanes[content.index];
    const auto found = find_span(lane, place_now(beyond(direction)), direction);
    if (!found) {
      continue;
    }
    const Moment place{lane.columns.spans().begin_us[*found], lane.columns.lines()[*found]};
    if (is_nearer(place, nearest, direction)) {
      nearest = place;
      best = {content.index, static_cast<std::uint32_t>(*found)};
    }
  }
  if (!nearest) {
    announce(tr("nothing further on in this lane"));
    return;
  }
  go_to(nearest->t_us, state_.lane, id_of({best.lane, false}), best.span);
  announce(tr("%1, %2, at %3")
               .arg(short_text(*scene(), best), lane_text(*scene(), *state_.lane),
                    time_text(nearest->t_us)));
}

void Timeline::step(Direction direction) {
  const auto& times = event_times();
  const auto at = direction == Direction::kNext ? std::ranges::upper_bound(times, state_.cursor_us)
                                                : std::ranges::lower_bound(times, state_.cursor_us);
  if (direction == Direction::kNext ? at == times.end() : at == times.begin()) {
    return;
  }
  play_to(direction == Direction::kNext ? *at : *(at - 1));
  announce(tr("at %1").arg(time_text(state_.cursor_us)));
}

}  // namespace aftershock::gui
