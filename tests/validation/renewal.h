#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/validation/formulas.h"
#include "tests/validation/process.h"
#include "tests/validation/run.h"
#include "tests/validation/statistics.h"

// renewal.json with lengths and rate set, held to the loop of process.h run by run and to the exact
// form of O4 in the mean.
namespace aftershock::sim::validation {

constexpr double kMicrosPerMinute = 6e7;

inline std::int64_t minutes(double length) { return std::llround(length * kMicrosPerMinute); }

/// All in minutes.
struct Renewal {
  const char* name;
  double tau;
  double save;
  double restart;
  double downtime;
  double mtbf;
  std::int64_t segments;
  std::uint64_t runs;

  [[nodiscard]] double lam() const { return 1 / mtbf; }
  [[nodiscard]] double efficiency() const {
    return validation::efficiency(lam(), tau, save, restart, downtime);
  }
};

inline std::vector<std::string> sets_of(const Renewal& renewal) {
  return {
      fmt::format("/jobs/0/step={}us", minutes(renewal.tau)),
      fmt::format("/jobs/0/steps={}", renewal.segments),
      fmt::format("/jobs/0/checkpoint/blocking={}us", minutes(renewal.save)),
      fmt::format("/jobs/0/restart_phases/launching={}us", minutes(renewal.restart)),
      fmt::format("/jobs/0/detection/fixed={}us", minutes(renewal.downtime)),
      fmt::format("/faults/0/source/exponential/mtbf={}us", minutes(renewal.mtbf)),
  };
}

inline Process process_of(const Renewal& renewal) {
  return {.tau_us = minutes(renewal.tau),
          .save_us = minutes(renewal.save),
          .downtime_us = minutes(renewal.downtime),
          .restart_us = minutes(renewal.restart),
          .segments = renewal.segments};
}

/// The failures of a run, one call each.
class FailuresOf {
 public:
  explicit FailuresOf(const FinishedRun& run) : run_(&run) {}
  std::int64_t operator()() {
    return next_ < run_->faults.size() ? run_->faults[next_++].t_us : kNoFailure;
  }

 private:
  const FinishedRun* run_;
  std::size_t next_ = 0;
};

/// The controller sees the last save at its next look, and the end of the workers at the one after
/// it: where it looks every microsecond, the end comes one later than the last save.
constexpr std::int64_t kEndSeenLaterUs = 1;

struct RenewalRun {
  bool as_played = false;  ///< wall and work are those of the loop
  double wall = 0;         ///< minutes
  double failures = 0;     ///< that changed something
};

/// Runs the row with its seeds, holds it to the loop and to O4, and gives the wall times; none when
/// a run is not as the loop plays it.
inline std::vector<double> expect_renewal(const Renewal& row,
                                          const std::vector<std::string>& more_sets = {}) {
  std::vector<std::string> sets = sets_of(row);
  sets.insert(sets.end(), more_sets.begin(), more_sets.end());
  const auto scenario = read("tests/validation/renewal.json", sets);
  if (!scenario) {
    return {};
  }
  const Process process = process_of(row);
  const auto runs = over_seeds(*scenario, seeds(row.runs), [&](const FinishedRun& run) {
    const Played played = play(process, FailuresOf(run));
    return RenewalRun{run.summary.verdict == reports::Verdict::kPassed &&
                          run.job().outcome == "completed" &&
                          run.job().wall_us == played.wall_us + kEndSeenLaterUs &&
                          run.productive_us() == played.productive_us,
                      static_cast<double>(played.wall_us) / kMicrosPerMinute,
                      static_cast<double>(played.failures)};
  });
  std::vector<double> walls;
  std::vector<double> failures;
  for (const RenewalRun& run : runs) {
    if (!run.as_played) {
      ADD_FAILURE() << row.name << ", seed " << walls.size() + 1 << ": not as the loop plays it";
      return {};
    }
    walls.push_back(run.wall);
    failures.push_back(run.failures);
  }
  const Moments wall(walls);
  const Moments struck(failures);
  const auto segments = static_cast<double>(row.segments);
  // The ratio of the means; its error by the first order of its one random term.
  const double efficiency = segments * row.tau / wall.mean;
  const std::string name = row.name;
  expect_within_four_errors(name + ", efficiency", efficiency, row.efficiency(),
                            efficiency * wall.mean_error() / wall.mean);
  expect_within_four_errors(name + ", failures", struck.mean,
                            segments * segment_failures(row.lam(), row.tau, row.save, row.restart),
                            struck.mean_error());
  return walls;
}

}  // namespace aftershock::sim::validation
