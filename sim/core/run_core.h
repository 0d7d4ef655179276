#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/assert.h"
#include "reports/recording/recorder.h"
#include "sim/core/entry_kind.h"
#include "sim/engine/calendar.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::core {

/// The thing that a calendar entry is about; entry_kind.h says by kind which members count.
struct EntryAbout {
  std::uint32_t entity = 0;
  std::uint32_t epoch = 0;
  std::int64_t arg = 0;
};

/// The core of one run, which every room of the world is handed: the scenario, the clock, the
/// future (a calendar), the record of the past, and whether the run goes on. A plain value: a copy
/// goes on by itself. It promises that time never goes back, that entries of one microsecond come
/// in the order of class_of() and then of scheduling, and that every random number of the run
/// belongs to branch().
class RunCore {
 public:
  /// `sink` and `names` as for Recorder. The run is cut short after `max_entries` entries.
  RunCore(std::shared_ptr<const scenario::Scenario> scenario, reports::LineSink* sink,
          const reports::EntityNames* names, std::int64_t max_entries);

  [[nodiscard]] const scenario::Scenario& scenario() const { return *scenario_; }
  /// The scenario, for a copy of a world or a checker to keep.
  [[nodiscard]] const std::shared_ptr<const scenario::Scenario>& shared_scenario() const {
    return scenario_;
  }
  /// The rules of the run are others from now on. For tests of invariants, which break them.
  void replace_scenario(std::shared_ptr<const scenario::Scenario> other) {
    scenario_ = std::move(other);
  }

  /// The time of the entry that is played.
  [[nodiscard]] std::int64_t now_us() const { return now_us_; }
  /// When the run ends at the latest: `until`, or the longest time that can be simulated.
  [[nodiscard]] std::int64_t horizon_us() const { return horizon_us_; }

  /// Adds an entry to the future. `at_us` must not lie before now_us().
  void schedule(EntryKind kind, std::int64_t at_us, EntryAbout about = {}) {
    AFTERSHOCK_ASSERT(at_us >= now_us_);
    calendar_.push(at_us, class_of(kind), static_cast<std::uint16_t>(kind), about.entity,
                   about.epoch, about.arg);
  }
  /// Takes all entries of the kind out of the future.
  void drop(EntryKind kind) { calendar_.drop(static_cast<std::uint16_t>(kind)); }
  [[nodiscard]] engine::Calendar& calendar() { return calendar_; }
  [[nodiscard]] const engine::Calendar& calendar() const { return calendar_; }

  [[nodiscard]] reports::Recorder& recorder() { return recorder_; }
  [[nodiscard]] const reports::Recorder& recorder() const { return recorder_; }

  /// The future whose random numbers are drawn from now on (RandomKey::branch).
  [[nodiscard]] std::uint64_t branch() const { return branch_; }
  void set_branch(std::uint64_t branch) { branch_ = branch; }

  /// Moves the clock to an entry that is about to be played, and counts it.
  void begin(const engine::Entry& entry);
  /// Moves the clock to the end of a run in which nothing more happens.
  void move_to(std::int64_t t_us);
  [[nodiscard]] std::int64_t entries_played() const { return entries_played_; }
  /// To be called behind every entry: cuts a run short that has had its most entries.
  void check_length();

  /// Nothing more is to be played.
  void end() { over_ = true; }
  [[nodiscard]] bool over() const { return over_; }
  /// Ends the run before what it asked for has come to be, and keeps the reason in words.
  void cut_short(std::string why);
  /// An external policy answers no more, and so the run ends. The first reason stays.
  void policy_fails(std::string_view why);
  /// Empty: nothing has cut the run short.
  [[nodiscard]] const std::string& cut_short_by() const { return cut_short_by_; }
  [[nodiscard]] bool policy_failed() const { return policy_failed_; }

 private:
  std::shared_ptr<const scenario::Scenario> scenario_;
  engine::Calendar calendar_;
  reports::Recorder recorder_;
  std::int64_t now_us_ = 0;
  std::int64_t horizon_us_ = 0;
  std::uint64_t branch_ = 0;
  std::int64_t entries_played_ = 0;
  std::int64_t max_entries_ = 0;
  bool over_ = false;
  bool policy_failed_ = false;
  std::string cut_short_by_;
};

}  // namespace aftershock::sim::core
