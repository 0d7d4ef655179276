#include "sim/sweep/splitting.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "reports/statistics/laws.h"
#include "sim/control/external/channel.h"
#include "sim/simulate/simulate.h"
#include "sim/sweep/splitting_levels.h"
#include "sim/sweep/splitting_population.h"

namespace aftershock::sim::sweep {

namespace {

constexpr std::uint32_t kMostToLookAhead = 100;

// As in random.cpp: the same last bits on every machine.
using Real = long double;

struct Interval {
  std::optional<Real> error{};
  Real lo = 0;
  Real hi = 1;
};

// Student's t over independent repetitions, of the log odds by the delta method: the estimate is
// a product, skewed to the right, and far below 1 its odds are itself. So the interval reaches
// further up than down, as the estimate scatters, and never to 0 or below. Of repetitions that
// gave 0 there is no logarithm, but of their mean there is.
Interval student(Real mean, Real error, std::uint32_t repetitions, Real confidence) {
  const Real t = reports::student_quantile(repetitions - Real{1}, (1 + confidence) / 2);
  const Real width = t * error / (mean * (1 - mean));
  const Real odds = mean / (1 - mean);
  return {error, 1 / (1 + std::exp(width) / odds), 1 / (1 + std::exp(-width) / odds)};
}

std::vector<double> reached(std::span<const Repetition> repetitions, std::size_t level) {
  std::vector<double> values;
  for (const Repetition& repetition : repetitions) {
    values.push_back(repetition.levels[level].reached);
  }
  return values;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

// Of an estimate that no two repetitions disagree on, from the shares that crossed alone.
double binomial_error(const SplittingEstimate& estimate, std::size_t level) {
  double relative = 0;
  for (std::size_t i = 0; i <= level; ++i) {
    const SplittingLevel& step = estimate.levels[i];
    relative += (1 - step.crossing) / (step.crossing * static_cast<double>(step.worlds));
  }
  return estimate.levels[level].reached * std::sqrt(relative);
}

Interval interval_at(const SplittingEstimate& estimate, std::span<const Repetition> repetitions,
                     std::size_t level);

// Of a level that no repetition came to. The worlds that begin are plain runs up to the first
// level: at most so many as the exact binomial bound says come there, which is the rule of three
// where none did. Nor is a level more probable than one before it, and the last one that half of
// the repetitions came to may say more.
Interval never(const SplittingEstimate& estimate, std::span<const Repetition> repetitions,
               std::size_t level) {
  const auto& options = estimate.options;
  const Real runs = Real{1} * options.effort * options.repetitions;
  const Real came = std::round(runs * estimate.levels.front().reached);
  Interval interval;
  if (came < runs) {
    interval.hi = reports::binomial_upper_bound(runs, came, 1 - Real{options.confidence});
  }
  for (std::size_t before = level; before-- > 0;) {
    const auto came_there = std::ranges::count_if(
        repetitions, [before](const Repetition& one) { return one.levels[before].reached > 0; });
    if (2 * came_there >= std::int64_t{options.repetitions}) {
      interval.hi = std::min(interval.hi, interval_at(estimate, repetitions, before).hi);
      break;
    }
  }
  return interval;
}

// Where everything was exhausted every world has a first copy at every level, and these make one
// plain run: of such runs there are as many as worlds that began.
Interval interval_at(const SplittingEstimate& estimate, std::span<const Repetition> repetitions,
                     std::size_t level) {
  const std::vector<double> values = reached(repetitions, level);
  const double mean = mean_of(values);
  const auto& options = estimate.options;
  if (mean >= 1) {
    const Real runs = Real{1} * options.effort * options.repetitions;
    return {std::nullopt, 1 - reports::binomial_upper_bound(runs, 0, 1 - Real{options.confidence}),
            1};
  }
  if (mean == 0) {
    return never(estimate, repetitions, level);
  }
  double squares = 0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  const double count = options.repetitions;
  const double error =
      squares > 0 ? std::sqrt(squares / (count - 1) / count) : binomial_error(estimate, level);
  return student(mean, error, options.repetitions, options.confidence);
}

std::vector<SplittingLevel> summed(const std::vector<Level>& levels,
                                   std::span<const Repetition> repetitions) {
  std::vector<SplittingLevel> sums;
  double before = 1;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    SplittingLevel& sum = sums.emplace_back();
    sum.name = levels[i].name;
    // Where copies are weighted, what they stand for sums to 1 in the mean alone.
    sum.reached = std::min(1.0, mean_of(reached(repetitions, i)));
    sum.crossing = before > 0 ? std::min(1.0, sum.reached / before) : 0;
    before = sum.reached;
    for (const Repetition& repetition : repetitions) {
      sum.worlds += repetition.levels[i].worlds;
      sum.copies += repetition.levels[i].copies;
      sum.entries += repetition.levels[i].entries;
      sum.simulated_us += repetition.levels[i].simulated_us;
    }
  }
  return sums;
}

void add_work(SplittingEstimate& estimate, const LevelTally& ahead) {
  estimate.worlds =
      ahead.worlds + std::int64_t{estimate.options.effort} * estimate.options.repetitions;
  estimate.entries = ahead.entries;
  estimate.simulated_us = ahead.simulated_us;
  double before = 1;
  for (const SplittingLevel& level : estimate.levels) {
    estimate.worlds += level.copies;
    estimate.entries += level.entries;
    estimate.simulated_us += level.simulated_us;
    if (level.worlds > 0) {
      estimate.entries_per_run +=
          before * static_cast<double>(level.entries) / static_cast<double>(level.worlds);
    }
    before = level.reached;
  }
  if (estimate.entries_per_run > 0) {
    estimate.work_in_runs = static_cast<double>(estimate.entries) / estimate.entries_per_run;
  }
  if (estimate.standard_error) {
    estimate.plain_runs = estimate.probability * (1 - estimate.probability) /
                          (*estimate.standard_error * *estimate.standard_error);
  }
}

// Why the options are none, or the scenario cannot be split; empty: nothing is wrong.
std::string unusable(const scenario::Scenario& scenario, const SplittingOptions& options) {
  if (options.effort < 2 || options.repetitions < 2) {
    return fmt::format("{} worlds in {} repetitions: at least 2 of each are needed", options.effort,
                       options.repetitions);
  }
  if (!(options.confidence > 0 && options.confidence < 1)) {
    return fmt::format("a confidence of {}: between 0 and 1 is needed", options.confidence);
  }
  if (simulate::may_contend(scenario)) {
    return "jobs share a storage, which takes SimGrid: its worlds cannot be copied; give each job "
           "a "
           "storage of its own";
  }
  for (const scenario::FaultSpec& fault : scenario.faults) {
    if (fault.when && fault.when->offset_ppm) {
      return fmt::format(
          "fault {} strikes at a share of a phase, whose length is another in every run: give its "
          "offset as a time",
          fault.id);
    }
    if (fault.source && scenario::has_memory(*fault.source)) {
      return fmt::format(
          "fault {} has a law of gaps with a memory, and another future of a copied world would "
          "have to keep it: expected \"exponential\" or \"rate\"",
          fault.id);
    }
    if (fault.source && fault.source->mixed_shape) {
      return fmt::format(
          "fault {} has rates that are drawn once a run, which copied worlds would share: expected "
          "no \"mixed\"",
          fault.id);
    }
  }
  return {};
}

std::variant<std::uint32_t, std::string> job_index(const scenario::Scenario& scenario,
                                                   const std::string& name) {
  if (name.empty() && scenario.jobs.size() == 1) {
    return 0U;
  }
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < scenario.jobs.size(); ++i) {
    names.emplace_back(scenario.jobs[i].name);
    if (scenario.jobs[i].name == name) {
      return i;
    }
  }
  if (names.empty()) {
    return "the scenario has no job: retries of trials are not estimated";
  }
  const std::string_view nearest = policies::nearest_name(name, names);
  return fmt::format("{}: expected {}{}",
                     name.empty() ? std::string("it is not said which job's retries")
                                  : fmt::format("there is no job \"{}\"", name),
                     names.size() == 1 ? std::string(names.front())
                                       : fmt::format("one of {}", fmt::join(names, ", ")),
                     nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest));
}

/// Why there is no estimate.
std::string why_none(const Failing& failed) {
  if (failed.policy) {
    throw control::PolicyFailed(failed.why);
  }
  return failed.why;
}

std::vector<Repetition> run_all(const world::World& begin, std::uint32_t job,
                                const std::vector<Level>& levels, const Outlook& outlook,
                                const SplittingOptions& options, unsigned threads) {
  std::vector<Repetition> repetitions(options.repetitions);
  std::atomic<std::uint32_t> next = 0;
  std::mutex mutex;
  std::size_t done = 0;
  bool stopped = false;
  const auto go_on = [&] {
    const std::scoped_lock lock(mutex);
    ++done;
    const double all = static_cast<double>(levels.size()) * options.repetitions;
    stopped = stopped || (options.go_on && !options.go_on(static_cast<double>(done) / all));
    return !stopped;
  };
  const auto work = [&] {
    for (std::uint32_t i = next++; i < options.repetitions; i = next++) {
      repetitions[i] = run_repetition(begin, job, levels, outlook, options.effort, i, go_on);
    }
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < std::min(threads, options.repetitions); ++i) {
    others.emplace_back(work);
  }
  work();
  others.clear();
  return repetitions;
}

}  // namespace

std::variant<SplittingEstimate, std::string> estimate_exhaustion(
    const std::shared_ptr<const scenario::Scenario>& scenario, const SplittingOptions& options) {
  if (std::string why = unusable(*scenario, options); !why.empty()) {
    return why;
  }
  const auto found = job_index(*scenario, options.job);
  if (const auto* why = std::get_if<std::string>(&found)) {
    return *why;
  }
  const std::uint32_t job = std::get<std::uint32_t>(found);
  world::WorldOptions world_options;
  world_options.max_entries = options.max_entries.value_or(world_options.max_entries);
  const world::World begin(scenario, simulate::make_hosts(*scenario), world_options);
  const control::PolicyHost& host = begin.jobs[job].control.host;
  const std::vector<Level> levels = levels_of(host.info(), host.policy().budgets());
  if (levels.empty()) {
    return fmt::format(
        "the retries of job {} cannot be exhausted: no budget of its policy {} has a "
        "limit",
        scenario->jobs[job].name, host.info().name);
  }
  Failing failed;
  const Outlook outlook = look_ahead(begin, job, std::min(kMostToLookAhead, options.effort),
                                     options.repetitions, failed);
  if (!failed.why.empty()) {
    return why_none(failed);
  }
  // Programs belong to the thread that started them.
  const std::vector<Repetition> repetitions =
      run_all(begin, job, levels, outlook, options, scenario->policies ? 1 : options.threads);
  for (const Repetition& repetition : repetitions) {
    if (!repetition.failed.why.empty()) {
      return why_none(repetition.failed);
    }
  }
  SplittingEstimate estimate;
  estimate.scenario = scenario->name;
  estimate.job = scenario->jobs[job].name;
  estimate.seed = scenario->seed;
  estimate.options = options;
  estimate.levels = summed(levels, repetitions);
  estimate.probability = estimate.levels.back().reached;
  const Interval interval = interval_at(estimate, repetitions, levels.size() - 1);
  if (interval.error) {
    estimate.standard_error = static_cast<double>(*interval.error);
  }
  estimate.lo = static_cast<double>(interval.lo);
  estimate.hi = static_cast<double>(interval.hi);
  add_work(estimate, outlook.took);
  return estimate;
}

}  // namespace aftershock::sim::sweep
