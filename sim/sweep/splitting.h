#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/scenario/scenario.h"

// Rare events: the probability that a job's retries are exhausted, by multilevel splitting.
//  A run that uses retries up goes through levels: one used, two used, ... exhausted. A generation
// of worlds sets out; those that come to the next level go on, and when half of them are gone their
// places are taken by copies of the others, each with a future of its own (World::branch) and a
// part of what its original stood for. The weight of those that come to the end is an unbiased
// estimate, whatever the levels are worth (fixed effort: Garvels, The splitting method in rare
// event simulation, Twente 2000; weights: Del Moral and Garnier, Genealogical particle analysis of
// rare events, 2005). A level counts at its first passage, so a budget that counts what came in a
// row may fall in between. Of a budget for the job's life, worlds that have come somewhere sooner
// have more copies: more is left to them. Independent repetitions tell how far the estimate
// scatters.
namespace aftershock::sim::sweep {

/// How to estimate, and how well.
struct SplittingOptions {
  std::string job{};               ///< the job whose retries they are; empty: the only one
  std::uint32_t effort = 500;      ///< worlds in a generation, all in memory, at least 2
  std::uint32_t repetitions = 20;  ///< at least 2
  double confidence = 0.95;        ///< of the interval, between 0 and 1
  std::optional<std::int64_t> max_entries{};  ///< of one world; none: WorldOptions' own limit
  unsigned threads = 1;  ///< take a repetition each; external policies are asked by one
  /// Told the share of the work that is done, level by level, from one thread at a time; false
  /// stops the estimate.
  std::function<bool(double done)> go_on{};
};

/// One step on the way: from the level before to this one.
struct SplittingLevel {
  std::string name{};        ///< "max_failures 3 of 10"; the last one is "exhausted"
  double reached = 0;        ///< probability that a run comes here
  double crossing = 0;       ///< that one does which has come to the level before
  std::int64_t worlds = 0;   ///< that set out from there, in all repetitions
  std::int64_t copies = 0;   ///< of them made there
  std::int64_t entries = 0;  ///< calendar entries that they played
  std::int64_t simulated_us = 0;
};

/// The estimate, and its cost.
struct SplittingEstimate {
  std::string scenario;
  std::string job;
  std::uint64_t seed = 0;
  SplittingOptions options;
  double probability = 0;
  /// None where every repetition gave 0, or every one gave 1: that scatters too, but less than can
  /// be seen.
  std::optional<double> standard_error;
  /// The interval at the confidence asked for. Where there is no standard error one of its ends is
  /// the probability and the other is by the rule of three or better (see splitting.cpp).
  double lo = 0;
  double hi = 1;
  std::vector<SplittingLevel> levels;
  std::int64_t worlds = 0;  ///< that began, or were copied: each plays a part of a run
  std::int64_t entries = 0;
  std::int64_t simulated_us = 0;
  double entries_per_run = 0;  ///< of a run up to its exhaustion or its end, in the mean
  double work_in_runs = 0;     ///< `entries` over that
  /// Runs that plain sampling takes to the same standard error; none without one.
  std::optional<double> plain_runs;
};

/// The probability that a budget of the job is exhausted before the run ends: by a failure for
/// which there is no retry left ("exhausted(BUDGET)"), or by one too many in a row, where that is a
/// budget, too. The same scenario, seed and options give the same estimate to the byte, on any
/// number of threads. The text says why there is none: no such job, a job whose retries have no
/// limit, a scenario whose runs need SimGrid or a run of their own first, runs without an end.
/// Throws PolicyFailed where an external policy does.
std::variant<SplittingEstimate, std::string> estimate_exhaustion(
    const std::shared_ptr<const scenario::Scenario>& scenario, const SplittingOptions& options);

}  // namespace aftershock::sim::sweep
