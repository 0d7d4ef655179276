#include "gui/trace/trace_builder.h"

#include <algorithm>
#include <utility>

#include "gui/trace/members.h"

namespace aftershock::gui {

namespace {

/// More cannot be lost: sums of two of these do not overflow.
constexpr std::int64_t kLostMost_us = std::int64_t{1} << 61;

using reports::LineKind;

std::uint32_t line_of(const KeptRecord& record) {
  return std::in_range<std::uint32_t>(record.line) ? static_cast<std::uint32_t>(record.line) : 0;
}

std::uint64_t key_of(std::uint32_t high, std::uint32_t low) {
  return std::uint64_t{high} << 32U | low;
}

TextId text_member(TextTable& texts, std::string_view value) {
  const auto text = text_of(value);
  return text ? texts.add(*text) : kNoText;
}

}  // namespace

void TraceBuilder::add(const Batch& batch) {
  // Far enough ahead for memory to answer, near enough for its answer to be still in the cache.
  constexpr std::size_t kStep = 12;
  batch_ = &batch;
  entity_of_.resize(batch.first_name() + batch.names(), kNone);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (i + 3 * kStep < batch.size()) {
      expect_lane_number(batch.record(i + 3 * kStep));
      expect_lane(batch.record(i + 2 * kStep));
      expect_columns(batch.record(i + kStep));
    }
    add(batch.record(i));
  }
  batch_ = nullptr;
}

void TraceBuilder::expect_lane_number(const KeptRecord& record) const {
  if (record.kind == LineKind::kBegin && entity_of_[record.name] != kNone) {
    __builtin_prefetch(&trace_->lane_of[entity_of_[record.name]]);
  }
}

std::uint32_t TraceBuilder::known_lane(const KeptRecord& record) const {
  const std::uint32_t entity = record.kind == LineKind::kBegin ? entity_of_[record.name] : kNone;
  return entity == kNone
             ? kNone
             : trace_->lane_of[entity][static_cast<std::size_t>(sub_lane_of(record.span))];
}

void TraceBuilder::expect_lane(const KeptRecord& record) const {
  if (const std::uint32_t lane = known_lane(record); lane != kNone) {
    __builtin_prefetch(&trace_->lanes[lane], 1);
  }
}

void TraceBuilder::expect_columns(const KeptRecord& record) const {
  if (const std::uint32_t lane = known_lane(record); lane != kNone) {
    trace_->lanes[lane].columns.expect_add();
  }
}

void TraceBuilder::add(const KeptRecord& record) {
  switch (record.kind) {
    case LineKind::kHeader:
      add_header(record);
      break;
    case LineKind::kBegin:
      add_begin(record);
      break;
    case LineKind::kEnd:
      add_end(record);
      break;
    case LineKind::kInstant:
      add_instant(record);
      break;
    case LineKind::kFault:
      add_fault(record);
      break;
    case LineKind::kDecision:
      add_decision(record);
      break;
    case LineKind::kCounter:
      add_counter(record);
      break;
    case LineKind::kLedger:
      add_ledger(record);
      break;
    case LineKind::kHolds:
      add_holds(record);
      break;
    case LineKind::kSummary:
      trace_->summary_json = member(record.text, "summary");
      break;
    case LineKind::kSnapshot:
    case LineKind::kEndOfRun:
    case LineKind::kOther:
      break;
  }
  trace_->last_us = record.t_us;
}

void TraceBuilder::add_header(const KeptRecord& record) {
  if (auto header = reports::parse_header(record.text)) {
    trace_->header = *std::move(header);
    trace_->has_header = true;
    rollbacks_.take_header(trace_->header);
  }
}

void TraceBuilder::add_begin(const KeptRecord& record) {
  const SubLane sub = sub_lane_of(record.span);
  NewSpan span{record.t_us, kOpen, record.span, line_of(record), record.number};
  if (sub == SubLane::kOthers) {
    span.number = trace_->texts.add(record.what);
  }
  const std::uint32_t entity = entity_of(record);
  const Place place = add_span(entity, sub, span);
  if (record.has_id) {
    const bool twice = open_.set(record.id, place);
    trace_->oddities.ids_begun_twice += twice ? 1 : 0;
  }
  note_cause(record, place);
  if (sub == SubLane::kPhases && record.cause >= 0) {
    rollbacks_.take_cause(*trace_, entity, record.cause);
  }
}

void TraceBuilder::add_end(const KeptRecord& record) {
  const Place* found = record.has_id ? open_.find(record.id) : nullptr;
  if (found == nullptr) {
    ++trace_->oddities.ends_without_begin;
    return;
  }
  const Place place = *found;
  open_.erase(record.id);
  end_span(place, record.t_us);
  const Lane& lane = trace_->lanes[place.lane];
  if (lane.sub == SubLane::kStates && lane.columns.spans().kind[place.span] == Kind::kDown) {
    // A machine that is back is taken for well, whatever it was isolated for.
    end_state(record.t_us, lane.entity, Kind::kIsolated);
  }
}

void TraceBuilder::add_instant(const KeptRecord& record) {
  const std::uint32_t entity = entity_of(record);
  const Place place = add_span(
      entity, SubLane::kMarks,
      {record.t_us, record.t_us, Kind::kMark, line_of(record), trace_->texts.add(record.what)});
  note_cause(record, place);
  if (record.what == "rolled_back") {
    add_rollback(record, entity);
  } else {
    if (record.what == "ended") {
      const auto reason = text_of(member(record.text, "reason"));
      trace_->ends.push_back({record.t_us, entity, reason ? trace_->texts.add(*reason) : kNoText});
      if (const auto steps = integer_of(member(record.text, "steps"))) {
        ended_steps_.set(entity, *steps);
      }
    }
    change_state(record, entity);
  }
}

void TraceBuilder::add_holds(const KeptRecord& record) {
  Holds holds{.t_us = record.t_us,
              .entity = entity_of(record),
              .first = static_cast<std::uint32_t>(trace_->held.size())};
  const auto nodes = text_of(member(record.text, "nodes"));
  if (nodes && append_node_ranges(trace_->held, *nodes)) {
    holds.ranges = static_cast<std::uint32_t>(trace_->held.size()) - holds.first;
    trace_->holds.push_back(holds);
  }
}

void TraceBuilder::add_rollback(const KeptRecord& record, std::uint32_t entity) {
  RollbackRecord said{.entity = entity, .at_us = record.t_us};
  Members members(record.text);
  while (const auto each = members.next()) {
    const std::int64_t number = integer_of(each->value).value_or(0);
    if (each->key == "from_us" || each->key == "from_steps") {
      said.from = number;
    } else if (each->key == "to_us" || each->key == "to_steps") {
      said.to = number;
    } else if (each->key == "lost_us") {
      said.lost_us = number;
    }
  }
  take_rollback(said);
}

// Work of a job since its last checkpoint when it ended for good: nothing but its account says that
// it was lost.
void TraceBuilder::add_ledger(const KeptRecord& record) {
  const std::uint32_t entity = entity_of(record);
  trace_->ledgers.push_back({entity, std::string(record.text)});
  const std::int64_t* steps = ended_steps_.find(entity);
  const auto kept_us =
      steps == nullptr ? std::nullopt : rollbacks_.work_us(*trace_, entity, *steps);
  const auto lost_us = integer_of(member(member(record.text, "us"), "rolled_back"));
  if (!kept_us || !lost_us) {
    return;
  }
  const std::int64_t* told_us = lost_us_.find(entity);
  const std::int64_t rest_us =
      std::clamp(*lost_us, std::int64_t{0}, kLostMost_us) - (told_us == nullptr ? 0 : *told_us);
  if (rest_us > 0) {
    take_rollback({.entity = entity,
                   .at_us = record.t_us,
                   .from = *kept_us + rest_us,
                   .to = *kept_us,
                   .lost_us = rest_us});
  }
}

void TraceBuilder::take_rollback(const RollbackRecord& said) {
  const std::int64_t* told_us = lost_us_.find(said.entity);
  lost_us_.set(said.entity,
               std::min(kLostMost_us, (told_us == nullptr ? 0 : *told_us) +
                                          std::clamp(said.lost_us, std::int64_t{0}, kLostMost_us)));
  const RollbackFinder::Found found = rollbacks_.take(*trace_, said);
  trace_->rolled_back.push_back(found.rolled_back);
  RolledBack& lost = trace_->rolled_back.back();
  const auto fault = found.fault_number < 0 ? std::nullopt : fault_of(found.fault_number);
  if (fault) {
    lost.fault = *fault;
    lost.end_us = std::clamp(trace_->faults[*fault].t_us, lost.end_us, lost.at_us);
  }
  trace_->lost.add(lost.entity, {lost.begin_us, lost.end_us});
}

void TraceBuilder::add_fault(const KeptRecord& record) {
  Fault fault{.t_us = record.t_us, .entity = entity_of(record), .line = line_of(record)};
  Members members(record.text);
  while (const auto each = members.next()) {
    if (each->key == "number") {
      fault.number = integer_of(each->value).value_or(-1);
    } else if (each->key == "id") {
      fault.id = text_member(trace_->texts, each->value);
    } else if (each->key == "kind") {
      fault.kind = text_member(trace_->texts, each->value);
    } else if (each->key == "what") {
      fault.what = text_member(trace_->texts, each->value);
    } else if (each->key == "target") {
      fault.target = text_member(trace_->texts, each->value);
    } else if (each->key == "outcome") {
      fault.fired = each->value == "\"fired\"";
    }
  }
  const auto index = static_cast<std::uint32_t>(trace_->faults.size());
  trace_->faults.push_back(fault);
  add_span(fault.entity, SubLane::kFaults,
           {record.t_us, record.t_us, Kind::kFault, fault.line, index});
  if (fault.fired && fault.number >= 0) {
    const auto number = static_cast<std::uint64_t>(fault.number);
    if (!fault_index_.set(number, index)) {
      first_fault_.set(number, index);
    }
    if (cuts_off(fault)) {
      const std::uint32_t target = cut_off_by(fault);
      const std::uint32_t* others = cuts_.find(target);
      cuts_.set(target, others == nullptr ? 1 : *others + 1);
      begin_state(record, target, Kind::kCut);
    }
  }
}

void TraceBuilder::add_decision(const KeptRecord& record) {
  Decision decision{.t_us = record.t_us, .entity = entity_of(record), .line = line_of(record)};
  Members members(record.text);
  while (const auto each = members.next()) {
    if (each->key == "batch") {
      decision.batch = integer_of(each->value).value_or(0);
    } else if (each->key == "fault") {
      decision.fault = text_member(trace_->texts, each->value);
    } else if (each->key == "false_alarm") {
      decision.false_alarm = each->value == "true";
    }
  }
  const auto index = static_cast<std::uint32_t>(trace_->decisions.size());
  trace_->decisions.push_back(decision);
  add_span(decision.entity, SubLane::kDecisions,
           {record.t_us, record.t_us, Kind::kDecision, decision.line, index});
}

void TraceBuilder::add_counter(const KeptRecord& record) {
  const std::uint32_t entity = entity_of(record);
  const auto value = integer_of(member(record.text, "value"));
  const auto name = text_of(member(record.text, "name"));
  if (!value || !name) {
    return;  // a number of tomorrow
  }
  const TextId text = trace_->texts.add(*name);
  const std::uint64_t key = key_of(entity, text);
  std::uint32_t* found = counter_index_.find(key);
  if (found == nullptr) {
    counter_index_.set(key, static_cast<std::uint32_t>(trace_->counters.size()));
    found = counter_index_.find(key);
    trace_->counters.push_back({.entity = entity, .name = text, .t_us = {}, .value = {}});
  }
  Counter& counter = trace_->counters[*found];
  counter.t_us.push_back(record.t_us);
  counter.value.push_back(*value);
  if (*name == "steps") {
    rollbacks_.take_steps(entity, record.t_us, *value);
  }
}

std::uint32_t TraceBuilder::entity_of(const KeptRecord& record) {
  std::uint32_t& entity = entity_of_[record.name];
  if (entity == kNone) {
    entity = entity_named(batch_->name(record.name));
  }
  return entity;
}

std::uint32_t TraceBuilder::entity_named(std::string_view name) {
  const std::uint32_t entity = trace_->entities.add(name);
  if (entity >= trace_->lane_of.size()) {
    trace_->lane_of.emplace_back().fill(kNone);
  }
  return entity;
}

TraceBuilder::Place TraceBuilder::add_span(std::uint32_t entity, SubLane sub, const NewSpan& span) {
  std::uint32_t& lane = trace_->lane_of[entity][static_cast<std::size_t>(sub)];
  if (lane == kNone) {
    lane = static_cast<std::uint32_t>(trace_->lanes.size());
    trace_->lanes.push_back({entity, sub, LaneColumns(has_numbers(sub))});
    is_changed_.push_back(false);
  }
  if (!is_changed_[lane]) {
    is_changed_[lane] = true;
    changed_.push_back(lane);
  }
  ++trace_->spans;
  return {lane, trace_->lanes[lane].columns.add(span)};
}

void TraceBuilder::end_span(Place place, std::int64_t t_us) {
  trace_->lanes[place.lane].columns.end(place.span, t_us);
  if (!is_changed_[place.lane]) {
    is_changed_[place.lane] = true;
    changed_.push_back(place.lane);
  }
}

std::optional<std::uint32_t> TraceBuilder::fault_of(std::int64_t number) {
  const std::uint32_t* found = fault_index_.find(static_cast<std::uint64_t>(number));
  return found == nullptr ? std::nullopt : std::optional(*found);
}

}  // namespace aftershock::gui
