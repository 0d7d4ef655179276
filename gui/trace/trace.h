#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gui/trace/flat_map.h"
#include "gui/trace/lane.h"
#include "gui/trace/lost_work.h"
#include "gui/trace/node_ranges.h"
#include "gui/trace/text_table.h"
#include "reports/recording/header.h"
#include "reports/recording/reader.h"

namespace aftershock::gui {

/// An index among a trace's entities, lanes, faults or decisions that stands for none.
inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// A lane with spans in it.
struct Lane {
  std::uint32_t entity = kNone;
  SubLane sub = SubLane::kPhases;
  LaneColumns columns;
};

/// A fault that the recording tells of, in the order of its time.
struct Fault {
  std::int64_t t_us = 0;
  std::int64_t number = -1;  ///< causes refer to it; one that was masked shares it with the next
  TextId id = kNoText;       ///< decisions refer to it
  TextId kind = kNoText;     ///< e.g. node_crash
  TextId what = kNoText;     ///< e.g. "power supply"
  TextId target = kNoText;   ///< an entity, or part of one, as in the scenario
  bool fired = false;        ///< else masked: there was nothing for it to break
  std::uint32_t entity = kNone;    ///< where it struck
  std::uint32_t line = 0;          ///< see NewSpan::line
  std::int64_t healed_us = kOpen;  ///< of a partition
};

/// A decision of a controller, in the order of its time.
struct Decision {
  std::int64_t t_us = 0;
  std::uint32_t entity = kNone;  ///< the job or experiment
  std::int64_t batch = 0;        ///< counts the answers of one controller
  TextId fault = kNoText;        ///< id of the fault that it answers
  bool false_alarm = false;      ///< answers the suspicion of a hang that was none
  std::uint32_t line = 0;        ///< see NewSpan::line
};

/// A number that stays until its next value.
struct Counter {
  std::uint32_t entity = kNone;
  TextId name = kNoText;
  std::vector<std::int64_t> t_us;  ///< in order; of equal ones the last counts
  std::vector<std::int64_t> value;
};

/// A span that names a fault as its cause: what the fault brought about. Where several faults have
/// its number, the last one before the span; else the first behind it.
struct Effect {
  std::uint32_t fault = kNone;  ///< index among the trace's faults
  std::uint32_t lane = kNone;
  std::uint32_t span = 0;
};

/// Work that was done and lost, see rollback.h.
struct RolledBack {
  std::uint32_t entity = kNone;
  std::int64_t begin_us = 0;  ///< the work from here on is lost, ...
  std::int64_t end_us = 0;    ///< ... up to here, where it ended
  std::int64_t at_us = 0;     ///< when the job began again further back
  std::int64_t lost_us = 0;   ///< as the run counts it: productive time that became rolled back
  std::int64_t from = 0;  ///< progress before and after, in the unit of the record (microseconds
  std::int64_t to = 0;    ///< of work, or steps of a trial)
  std::uint32_t fault = kNone;
};

/// The nodes of its pool that a job or trial holds from a time on: `ranges` of Trace::held, from
/// `first` on.
struct Holds {
  std::int64_t t_us = 0;
  std::uint32_t entity = kNone;
  std::uint32_t first = 0;
  std::uint32_t ranges = 0;
};

/// The record of a job's end: a whole recording says more of it in its summary.
struct EndTold {
  std::int64_t t_us = 0;
  std::uint32_t entity = kNone;
  TextId reason = kNoText;
};

/// A ledger as a JSON object: the line that closes a job's or experiment's account.
struct LedgerText {
  std::uint32_t entity = kNone;
  std::string json;
};

/// Records that no run writes, counted.
struct Oddities {
  std::int64_t ends_without_begin = 0;
  std::int64_t ids_begun_twice = 0;  ///< the earlier span of that number stays open
};

/// A recording in memory. It is filled by TraceBuilder; nobody else changes it.
struct Trace {
  reports::RecordingHeader header;
  bool has_header = false;
  TextTable entities;       ///< as a recording names them, e.g. "job:llm", by first appearance
  TextTable texts;          ///< words, names and ids of everything else
  std::vector<Lane> lanes;  ///< by first appearance
  std::vector<Fault> faults;
  std::vector<Decision> decisions;
  std::vector<Counter> counters;  ///< by first appearance
  std::vector<Effect> effects;    ///< by fault
  std::vector<RolledBack> rolled_back;
  LostWork lost;             ///< the same by entity
  std::vector<Holds> holds;  ///< in the order of their time
  std::vector<NodeRange> held;
  std::vector<EndTold> ends;
  std::vector<LedgerText> ledgers;
  std::string summary_json;  ///< empty where the recording does not end
  Oddities oddities;
  std::int64_t spans = 0;    ///< in all lanes
  std::int64_t last_us = 0;  ///< time of the last record
  reports::ReadResult end;   ///< how far the reading came, and how it ended
  bool reading = true;       ///< there may be more

  /// By entity and sub-lane, kNone where there is no such lane.
  std::vector<std::array<std::uint32_t, kSubLanes>> lane_of;
  /// Of lines 1, 1 + kLinesPerMark, ...: where they begin in the text, in bytes.
  std::vector<std::int64_t> line_marks;
  bool compressed = false;
  std::vector<reports::FrameStart> frames;  ///< of a compressed one
};

/// How far marks of lines are apart.
inline constexpr std::int64_t kLinesPerMark = 1024;

/// The lane of an entity; null if it has none.
inline const Lane* lane_of(const Trace& trace, std::uint32_t entity, SubLane sub) {
  const std::uint32_t lane =
      entity < trace.lane_of.size() ? trace.lane_of[entity][static_cast<std::size_t>(sub)] : kNone;
  return lane == kNone ? nullptr : &trace.lanes[lane];
}

/// The same by the entity's name.
inline const Lane* lane_of(const Trace& trace, std::string_view entity, SubLane sub) {
  const auto found = trace.entities.find(entity);
  return found ? lane_of(trace, *found, sub) : nullptr;
}

}  // namespace aftershock::gui
