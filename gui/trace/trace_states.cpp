#include <algorithm>
#include <cstddef>

#include "gui/trace/trace_builder.h"

// The parts of a trace that no single record says: states made of instants, and the effects of
// faults.
namespace aftershock::gui {

namespace {

std::uint64_t state_key(std::uint32_t entity, Kind kind) {
  return std::uint64_t{entity} << 8U | static_cast<std::uint64_t>(kind);
}

}  // namespace

void TraceBuilder::begin_state(const KeptRecord& record, std::uint32_t entity, Kind kind) {
  const std::uint64_t key = state_key(entity, kind);
  if (states_.find(key) != nullptr) {
    return;  // still in it
  }
  const auto line = static_cast<std::uint32_t>(std::min<std::int64_t>(record.line, kNone));
  const Place place =
      add_span(entity, SubLane::kStates, {record.t_us, kOpen, kind, line == kNone ? 0 : line, 0});
  states_.set(key, place);
  note_cause(record, place);
}

void TraceBuilder::end_state(std::int64_t t_us, std::uint32_t entity, Kind kind) {
  const std::uint64_t key = state_key(entity, kind);
  if (const Place* place = states_.find(key)) {
    end_span(*place, t_us);
    states_.erase(key);
  }
}

void TraceBuilder::change_state(const KeptRecord& record, std::uint32_t entity) {
  const std::string_view what = record.what;
  if (what == "down") {
    begin_state(record, entity, Kind::kDown);
  } else if (what == "up") {
    end_state(record.t_us, entity, Kind::kDown);
  } else if (what == "isolated") {
    begin_state(record, entity, Kind::kIsolated);
  } else if (what == "repaired" || what == "retired" || what == "released" ||
             what == "new_machine") {
    end_state(record.t_us, entity, Kind::kIsolated);
  } else if (what == "partition_healed") {
    heal(record);
  }
}

void TraceBuilder::note_cause(const KeptRecord& record, Place place) {
  if (record.cause < 0) {
    return;
  }
  if (const auto fault = fault_of(record.cause)) {
    effects_.push_back({*fault, place.lane, place.span});
  } else {
    unresolved_.push_back({record.cause, place});
  }
}

bool TraceBuilder::cuts_off(const Fault& fault) const {
  const std::string_view kind =
      fault.kind == kNoText ? std::string_view() : std::string_view(trace_->texts[fault.kind]);
  return kind == "partition" || kind.ends_with("_partition") || kind == "link_flap";
}

std::uint32_t TraceBuilder::cut_off_by(const Fault& fault) {
  const std::string_view name =
      fault.target == kNoText ? std::string_view() : std::string_view(trace_->texts[fault.target]);
  if (trace_->texts[fault.kind] == "partition") {
    return entity_named(name);
  }
  for (const std::string_view lane : {"node:", "rack:", "pool:", "head:"}) {
    if (name.starts_with(lane)) {
      return entity_named(name);
    }
  }
  // A link, a switch or a rank: the lane that the record stands in is cut off.
  return fault.entity;
}

void TraceBuilder::heal(const KeptRecord& record) {
  const auto index = fault_of(record.cause);
  if (!index) {
    return;
  }
  Fault& fault = trace_->faults[*index];
  if (!cuts_off(fault)) {
    return;
  }
  const std::uint32_t target = cut_off_by(fault);
  if (fault.healed_us != kOpen) {
    if (trace_->texts[fault.kind] == "link_flap") {
      // The link was down again until now; a recording does not tell since when.
      fault.healed_us = record.t_us;
      add_span(target, SubLane::kStates,
               {record.t_us, record.t_us, Kind::kCut,
                record.line <= 0xffff'ffff ? static_cast<std::uint32_t>(record.line) : 0, 0});
    }
    return;
  }
  fault.healed_us = record.t_us;
  std::uint32_t* cuts = cuts_.find(target);
  if (cuts != nullptr && --*cuts == 0) {
    end_state(record.t_us, target, Kind::kCut);
  }
}

void TraceBuilder::seal() {
  for (const std::uint32_t lane : changed_) {
    trace_->lanes[lane].columns.seal();
    is_changed_[lane] = false;
  }
  changed_.clear();
  std::erase_if(unresolved_, [this](const Unresolved& each) {
    const auto* fault = first_fault_.find(static_cast<std::uint64_t>(each.number));
    if (fault != nullptr) {
      effects_.push_back({*fault, each.place.lane, each.place.span});
    }
    return fault != nullptr;
  });
  const auto sealed = static_cast<std::ptrdiff_t>(trace_->effects.size());
  trace_->effects.insert(trace_->effects.end(), effects_.begin(), effects_.end());
  effects_.clear();
  const auto by_fault = [](const Effect& a, const Effect& b) { return a.fault < b.fault; };
  std::stable_sort(trace_->effects.begin() + sealed, trace_->effects.end(), by_fault);
  std::inplace_merge(trace_->effects.begin(), trace_->effects.begin() + sealed,
                     trace_->effects.end(), by_fault);
}

}  // namespace aftershock::gui
