#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/scene/curve.h"
#include "gui/trace/trace.h"
#include "gui/why/charges.h"
#include "gui/why/fault_bills.h"
#include "gui/why/span_ends.h"
#include "gui/why/verdict.h"

namespace aftershock::gui {

/// All that is reckoned from a recording.
struct Reckoned {
  std::vector<Curve> curves;  ///< how far each job is, its useful work, its ETTR and its budgets
  std::vector<Charge> moves;  ///< of all budgets
  std::vector<Verdict> verdicts;
  FaultBills bills;
  SpanEnds span_ends;
};

/// Of a recording, or of as much as has been read of it. Costs a look at the jobs' phases and a
/// pass over the lines of decisions in the file; ends early, with what it has, once `stop` is true.
Reckoned reckon(const Trace& trace, const std::string& path, const std::atomic<bool>& stop);

/// Each budget of each job and experiment from all moves, in order of time: what was used of it,
/// with a mark for every charge and for every cause that was exempt. Those of the header that never
/// moved stay at 0.
std::vector<Curve> budget_curves(const Trace& trace, const std::vector<Charge>& moves);

/// Productive time up to now over the time since the job's first phase, in hundredths of a percent;
/// what is rolled back is taken away when that happens. Its last value is the summary's ETTR. None
/// for a job that never had a phase.
std::optional<Curve> ettr_curve(const Trace& trace, std::uint32_t job);

/// Useful work of a job, as a summary has it: `useful_us` of `useful_of_us`.
struct UsefulTime {
  std::int64_t us = 0;
  std::int64_t of_us = 0;
};

/// The same as `ettr_curve` over all the time that the job has to the horizon: it rises as work is
/// done, falls where work is lost, and keeps its last value, the summary's useful share, however
/// early the job ends. None for a job that never had a phase, or no time.
std::optional<Curve> useful_curve(const Trace& trace, std::uint32_t job, const UsefulTime& told);

/// Steps done: recorded at the end of each stretch of work, in between as work goes on evenly;
/// what is rolled back falls off at once. The limit is all of the job's steps, if it has so many.
/// None where no steps are recorded.
std::optional<Curve> progress_curve(const Trace& trace, std::uint32_t job);

/// Work of a job that was lost each day of the run, in hundredths of an hour: that of a day is put
/// down to the day on which the job fell back. None where nothing was lost.
std::optional<Curve> lost_curve(const Trace& trace, std::uint32_t job);

}  // namespace aftershock::gui
