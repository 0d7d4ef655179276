#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/trace/flat_map.h"
#include "gui/trace/trace.h"

namespace aftershock::gui {

/// The content of a record `rolled_back`.
struct RollbackRecord {
  std::uint32_t entity = kNone;
  std::int64_t at_us = 0;
  std::int64_t from = 0;  ///< progress, see RolledBack
  std::int64_t to = 0;
  std::int64_t lost_us = 0;
};

/// Finds when the work that was rolled back had been done. A recording says when a job goes on
/// further back and how far; not when it last stood there.
///
/// The lost work ends with the last productive span before the record, or with the fault that the
/// phases since then have for their cause, if that came later (in the middle of a save). It begins
/// at the latest moment at which progress had not yet passed what the job falls back to: a `steps`
/// counter of no more steps than that, or an earlier rollback to no more, at least `lost_us` before
/// the end, since a step may be lost in part; or else the first phase. And from there on with the
/// next productive span, since a save that blocks and a restart do no work. Where the header does
/// not say how long a step is (trials, for one) it begins `lost_us` before its end.
class RollbackFinder {
 public:
  /// How long a step is of each job, for the jobs of the header.
  void take_header(const reports::RecordingHeader& header);
  /// A value of the counter `steps`.
  void take_steps(std::uint32_t entity, std::int64_t t_us, std::int64_t steps);
  /// A phase with a fault for its cause, the span added last to the entity's lane of phases.
  void take_cause(const Trace& trace, std::uint32_t entity, std::int64_t fault_number);

  /// How much work so many steps of a job are, in microseconds; none where the header does not say
  /// how long one is, or it is more than anyone could do.
  [[nodiscard]] std::optional<std::int64_t> work_us(const Trace& trace, std::uint32_t entity,
                                                    std::int64_t steps) const;

  /// An answer.
  struct Found {
    RolledBack rolled_back;
    std::int64_t fault_number = -1;
  };
  /// `rolled_back.fault` is left to whoever knows the numbers, and so is to let the lost work last
  /// until that fault.
  Found take(const Trace& trace, const RollbackRecord& record);

 private:
  struct Stand {
    std::int64_t t_us = 0;
    std::int64_t steps = 0;
  };
  struct Job {
    std::vector<Stand> stands;         ///< by steps and by time: only those that can be an answer
    std::uint32_t productive = kNone;  ///< the last such span among the first `looked_at`
    std::uint32_t looked_at = 0;
    std::int64_t cause = -1;  ///< of the first phase with one since `productive`
    std::uint32_t cause_span = 0;
  };

  Job& job_of(std::uint32_t entity);
  static void look(Job& job, const LaneSpans& phases);
  static void stand(Job& job, std::int64_t t_us, std::int64_t steps);
  /// When the job last stood at `steps` or below, not after `latest_us` if that can be.
  static std::int64_t last_stand_us(const Job& job, const LaneSpans& phases, std::int64_t steps,
                                    std::int64_t latest_us);
  /// In steps, as the counter counts them.
  [[nodiscard]] std::optional<std::int64_t> steps_of(const Trace& trace,
                                                     const RollbackRecord& record) const;

  std::map<std::string, std::int64_t, std::less<>> step_us_;  ///< by entity
  FlatMap<std::uint32_t> index_;                              ///< of an entity among `jobs_`
  std::vector<Job> jobs_;
};

}  // namespace aftershock::gui
