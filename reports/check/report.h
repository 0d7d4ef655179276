#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/baseline/baseline.h"
#include "reports/baseline/judge.h"
#include "reports/ledger/summary.h"
#include "reports/statistics/paired.h"

// The findings of `aftershock check`, before they are put in words.
namespace aftershock::reports {

/// One run and how it stands.
struct CheckedRun {
  BaselineRun run;     ///< of a missing one the baseline's
  std::string name;    ///< of the scenario
  std::string reason;  ///< why its verdict is not "passed"
  std::optional<BaselineRun> old;
  Judgement judgement;
  bool jointly = false;   ///< conditions on all runs together say how many may not pass
  bool recorded = false;  ///< a recording: judged by its own conditions, and not run again
};

/// A condition on the runs of one scenario together.
struct JointCondition {
  std::string file;
  std::string name;  ///< of the scenario
  std::string policy;
  std::uint64_t first_seed = 0;
  std::uint32_t runs = 0;
  std::string that;  ///< as the scenario has it
  bool holds = false;
  std::vector<std::string> found;  ///< "p(alive) is 92.0 %", a quantity each
};

/// The run that an interrupt kept from being run.
struct SkippedRun {
  std::string scenario;  ///< path of its file
  std::string name;      ///< "ray_train@2026-05, seed 1"
};

/// A scenario file that cannot be used.
struct UnusableFile {
  std::string file;
  std::uint64_t line = 0;  ///< 0: unknown
  std::uint64_t column = 0;
  std::string message;  ///< a whole line, with the place
};

/// A metric of many paired runs of two builds.
struct FreshMetric {
  std::size_t metric = 0;
  PairedDifference difference;  ///< this build minus the other one
  double old_mean = 0;
  Margin margin;
  double allowed = 0;  ///< the margin as an amount
  Change change = Change::kSame;
  bool decides = false;
};

/// One scenario on new seeds, by this build and another one.
struct FreshRuns {
  std::string file;
  std::string name;
  std::string policy;
  std::uint64_t first_seed = 0;
  std::uint32_t pairs = 0;
  Standing standing = Standing::kSame;
  std::vector<FreshMetric> metrics;         ///< those that differ in some pair, and are judged
  std::optional<std::uint64_t> worst_seed;  ///< of the pair that shows it best
  double level = 0.95;                      ///< of the intervals
  std::string problem;                      ///< the other build could not run it; nothing else then
};

/// Scenarios that are random and do not say with how many seeds they are checked.
struct UnsaidSeeds {
  std::uint32_t seeds = 0;             ///< of each
  std::vector<std::string> scenarios;  ///< paths of their files
};

/// The whole check.
struct CheckReport {
  std::vector<CheckedRun> runs;  ///< by key
  std::vector<JointCondition> joint;
  std::vector<UnusableFile> unusable;
  std::vector<FreshRuns> fresh;
  std::vector<SkippedRun> skipped;  ///< any: the check was interrupted, and is inconclusive
  UnsaidSeeds unsaid_seeds;
  std::string baseline;   ///< its path, empty: none
  std::string against;    ///< the other build, empty: none
  std::string overrides;  ///< options that make the runs what they are, as a shell takes them
  bool strict = false;    ///< any change is an error
};

/// Whether a run stops somebody: its verdict is not "passed", it is worse, or it has changed at all
/// and nothing may.
bool is_red(const CheckedRun& run, bool strict);
bool is_red(const JointCondition& condition);
/// The same of fresh runs; of those only worse ones do, and those that could not be made.
bool is_red(const FreshRuns& runs);

/// The worst of all (design.md 5): of verdicts, of files that cannot be used, and "worse"; of
/// an interrupted check always inconclusive.
Verdict verdict_of(const CheckReport& report);

/// How many of each Standing, in its order.
std::vector<std::int64_t> standings(const CheckReport& report);

}  // namespace aftershock::reports
