#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gui/compare/job_states.h"
#include "gui/compare/time_map.h"

namespace aftershock::gui {

/// How two runs of a job differ at a moment.
enum class Ahead : std::uint8_t {
  kA,        ///< A does its work, or has done it, and B does not
  kB,        ///< the other way round
  kNeither,  ///< neither, or both: they are in different phases
  kCount
};

/// A set of these, a bit each.
using AheadMask = std::uint8_t;
/// The set of this one.
constexpr AheadMask mask_of(Ahead ahead) {
  return static_cast<AheadMask>(1U << static_cast<unsigned>(ahead));
}

/// Times [begin_us, end_us) of A in which a job's states stay what they are, and differ.
struct PhaseDifference {
  std::int64_t begin_us = 0;
  std::int64_t end_us = 0;
  JobState a;
  JobState b;  ///< at the times of B beside them

  friend bool operator==(const PhaseDifference&, const PhaseDifference&) = default;
};

/// Which of two different states is ahead.
Ahead ahead_of(const JobState& a, const JobState& b);

/// The differences of a job or trial that both runs have, in order; they do not overlap.
struct JobDifferences {
  std::string entity;  ///< "job:llm"
  std::vector<PhaseDifference> phases;
};

/// When two runs, held against each other by a map, differ in what their jobs do.
class PhaseDifferences {
 public:
  /// None.
  PhaseDifferences() = default;
  /// Takes time for the phases of all jobs that both have, and to sort the differences.
  PhaseDifferences(const RunStates& a, const RunStates& b, const TimeMap& map);

  [[nodiscard]] const std::vector<JobDifferences>& jobs() const { return jobs_; }
  /// Which differences there are in [from_us, to_us) of A, exactly. Takes a search.
  [[nodiscard]] AheadMask within(std::int64_t from_us, std::int64_t to_us) const;
  /// The differences of at most `most` of the jobs that differ somewhere in [from_us, to_us): of
  /// each the one that has most of it.
  [[nodiscard]] std::vector<std::pair<const JobDifferences*, PhaseDifference>> told(
      std::int64_t from_us, std::int64_t to_us, std::size_t most) const;
  /// For how long any job differs so, in microseconds of A.
  [[nodiscard]] std::int64_t total_us(Ahead ahead) const;
  /// The next time after `t_us` at which jobs begin to differ, or where it stops: `t_us` itself if
  /// there is none.
  [[nodiscard]] std::int64_t next_begin(std::int64_t t_us) const;
  /// The same the other way.
  [[nodiscard]] std::int64_t previous_begin(std::int64_t t_us) const;

 private:
  using Stretch = std::pair<std::int64_t, std::int64_t>;

  std::vector<JobDifferences> jobs_;
  /// When there is a difference of a sort in any job: in order, without overlaps.
  std::array<std::vector<Stretch>, static_cast<std::size_t>(Ahead::kCount)> any_;
};

/// Those of one job, from its states in both (see job_states), until a time of A. Where a recording
/// does not say what a job did there is no difference.
std::vector<PhaseDifference> phase_differences(const std::vector<StateFrom>& a,
                                               const std::vector<StateFrom>& b, const TimeMap& map,
                                               std::int64_t until_us);

}  // namespace aftershock::gui
