#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gui/trace/trace.h"

namespace aftershock::gui {

/// Which way a search goes from a time: to what is later, or earlier, than it.
enum class Direction : std::uint8_t { kNext, kPrevious };

/// A place in the order of a recording: at a record, or before all records of a time.
struct Moment {
  std::int64_t t_us = 0;
  std::uint32_t line = 0;  ///< of the record, from 1; 0: before all of the time

  friend auto operator<=>(const Moment&, const Moment&) = default;
};

// Each gives an index, or none where there is nothing further on. Several of one time are told
// apart by their lines.

/// Among the trace's faults.
std::optional<std::size_t> find_fault(const Trace& trace, Moment from, Direction direction);
/// Among the trace's decisions.
std::optional<std::size_t> find_decision(const Trace& trace, Moment from, Direction direction);
/// Among the spans of a lane: by their beginnings, e.g. attempts.
std::optional<std::size_t> find_span(const Lane& lane, Moment from, Direction direction);
/// Among the samples of a job's counter `committed_steps`: the moments from which a checkpoint
/// counts. None also where the job has no such counter.
std::optional<std::size_t> find_checkpoint(const Trace& trace, std::uint32_t entity,
                                           std::int64_t t_us, Direction direction);

/// A counter by entity and name; null if there is none.
const Counter* find_counter(const Trace& trace, std::uint32_t entity, std::string_view name);
/// The value of a counter, with the one that it had been set to at the time; none before its first
/// value.
std::optional<std::int64_t> value_at(const Counter& counter, std::int64_t t_us);

/// The fault with an id, as decisions and ledgers name it: the last that fired, else the last.
std::optional<std::uint32_t> fault_with_id(const Trace& trace, TextId id);
/// All of them at once: what fault_with_id would find of each id.
std::map<TextId, std::uint32_t> faults_by_id(const Trace& trace);
/// The effects of a fault: [first, second) among the trace's effects.
std::pair<std::size_t, std::size_t> effects_of(const Trace& trace, std::uint32_t fault);
/// When what a fault brought upon jobs and trials was over, and a partition had healed: the time of
/// the fault where it brought nothing. An effect that has not ended is left out.
std::int64_t end_of_fault(const Trace& trace, std::uint32_t fault);

/// A job from the header for an entity "job:NAME"; null if it has none.
const reports::HeaderJob* header_job(const Trace& trace, std::uint32_t entity);

}  // namespace aftershock::gui
