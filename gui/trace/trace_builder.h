#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "gui/trace/batch.h"
#include "gui/trace/flat_map.h"
#include "gui/trace/rollback.h"
#include "gui/trace/trace.h"

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

  /// The next records of the recording.
  void add(const Batch& batch);
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

  void add(const KeptRecord& record);
  /// A record comes soon: has the processor fetch what `add` will look at, in three steps, as each
  /// says where the next is. With 100,000 lanes none of it is in any cache.
  void expect_lane_number(const KeptRecord& record) const;
  void expect_lane(const KeptRecord& record) const;
  void expect_columns(const KeptRecord& record) const;
  [[nodiscard]] std::uint32_t known_lane(const KeptRecord& record) const;

  void add_header(const KeptRecord& record);
  void add_begin(const KeptRecord& record);
  void add_end(const KeptRecord& record);
  void add_instant(const KeptRecord& record);
  void add_fault(const KeptRecord& record);
  void add_decision(const KeptRecord& record);
  void add_counter(const KeptRecord& record);
  void add_ledger(const KeptRecord& record);
  void add_holds(const KeptRecord& record);
  void add_rollback(const KeptRecord& record, std::uint32_t entity);
  void take_rollback(const RollbackRecord& said);

  /// Spans that are made of instants; one of each kind at a time.
  void begin_state(const KeptRecord& record, std::uint32_t entity, Kind kind);
  void end_state(std::int64_t t_us, std::uint32_t entity, Kind kind);
  void change_state(const KeptRecord& record, std::uint32_t entity);
  void heal(const KeptRecord& record);
  /// Whether it cuts something off the network, or off a part of it.
  [[nodiscard]] bool cuts_off(const Fault& fault) const;
  /// The entity whose lane shows that.
  std::uint32_t cut_off_by(const Fault& fault);

  /// The entity that a record is about, or the one of a name.
  std::uint32_t entity_of(const KeptRecord& record);
  std::uint32_t entity_named(std::string_view name);
  Place add_span(std::uint32_t entity, SubLane sub, const NewSpan& span);
  void end_span(Place place, std::int64_t t_us);
  std::optional<std::uint32_t> fault_of(std::int64_t number);
  void note_cause(const KeptRecord& record, Place place);

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
  FlatMap<std::int64_t> lost_us_;         ///< told by `rolled_back`, by entity
  FlatMap<std::int64_t> ended_steps_;     ///< that a job which has ended kept, by entity
  std::vector<std::uint32_t> changed_;    ///< lanes, since they were sealed
  std::vector<bool> is_changed_;          ///< by lane
  const Batch* batch_ = nullptr;          ///< that is being added
  std::vector<std::uint32_t> entity_of_;  ///< by the number of a name, kNone: not seen yet
};

}  // namespace aftershock::gui
