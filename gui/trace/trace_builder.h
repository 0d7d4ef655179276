#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/trace/flat_map.h"
#include "gui/trace/rollback.h"
#include "gui/trace/trace.h"
#include "reports/recording/record.h"

namespace aftershock::gui {

/// Puts a recording's records into a trace, in their order. No record does harm, and no count that
/// a record claims costs memory.
///
/// Beside the spans that a recording has, some are made of its instants: a head is `down` until it
/// is `up`; a node is `isolated` until it is repaired, retired, released, replaced, or back from
/// being down; and the target of a partition is `cut` until it heals.
class TraceBuilder {
 public:
  explicit TraceBuilder(Trace& trace) : trace_(&trace) {}

  /// One more record of the recording. `on_hash` is that of `record.on`, see TextTable::hash_of.
  void add(const reports::Record& record, std::uint64_t on_hash);
  /// A record with this `on_hash` comes soon, ...
  void expect(std::uint64_t on_hash) const { trace_->entities.prefetch(on_hash); }
  /// ... or very soon, having been expected before.
  void expect_next(std::uint64_t on_hash) const;
  /// Brings what is derived from all of it up to date: effects, and fast look-up in lanes. To be
  /// called before a trace is shown, again after more was added; costs what is new.
  void seal();

 private:
  struct Place {
    std::uint32_t lane = kNone;
    std::uint32_t span = 0;
  };
  /// A span whose cause has a number that no fault had yet.
  struct Unresolved {
    std::int64_t number = -1;
    Place place;
  };

  void add_header(const reports::Record& record);
  void add_begin(const reports::Record& record);
  void add_end(const reports::Record& record);
  void add_instant(const reports::Record& record);
  void add_fault(const reports::Record& record);
  void add_decision(const reports::Record& record);
  void add_counter(const reports::Record& record);
  void add_ledger(const reports::Record& record);
  void add_rollback(const reports::Record& record, std::uint32_t entity);
  void take_rollback(const RollbackRecord& said);

  /// Spans that are made of instants; one of each kind at a time.
  void begin_state(const reports::Record& record, std::uint32_t entity, Kind kind);
  void end_state(std::int64_t t_us, std::uint32_t entity, Kind kind);
  void change_state(const reports::Record& record, std::uint32_t entity);
  void heal(const reports::Record& record);

  /// Of a record's `on`, or of any other name.
  std::uint32_t entity_of(const reports::Record& record);
  std::uint32_t entity_named(std::string_view name, std::uint64_t hash);
  Place add_span(std::uint32_t entity, SubLane sub, const NewSpan& span);
  void end_span(Place place, std::int64_t t_us);
  Kind span_kind(std::string_view what);
  std::optional<std::uint32_t> fault_of(std::int64_t number);
  void note_cause(const reports::Record& record, Place place);

  Trace* trace_;
  FlatMap<Place> open_;                   ///< by a span's number
  FlatMap<Place> states_;                 ///< open ones that were made, by entity and kind
  FlatMap<std::uint32_t> cuts_;           ///< partitions that last, by the entity cut off
  FlatMap<std::uint32_t> fault_index_;    ///< the last that fired, by number
  FlatMap<std::uint32_t> first_fault_;    ///< the first that fired, by number
  FlatMap<std::uint32_t> counter_index_;  ///< by entity and name
  std::vector<Effect> effects_;           ///< since the trace was sealed
  std::vector<Unresolved> unresolved_;
  RollbackFinder rollbacks_;
  FlatMap<std::int64_t> lost_us_;       ///< told by `rolled_back`, by entity
  FlatMap<std::int64_t> ended_steps_;   ///< that a job which has ended kept, by entity
  std::vector<std::uint32_t> changed_;  ///< lanes, since they were sealed
  std::vector<bool> is_changed_;        ///< by lane
  // Most records are of the entity of the one before, and of one of a few words.
  std::uint64_t on_hash_ = 0;
  std::string last_name_;
  std::uint32_t last_entity_ = kNone;
  struct KnownWord {
    std::string what;
    Kind kind = Kind::kOther;
  };
  std::array<KnownWord, 64> words_;
};

}  // namespace aftershock::gui
