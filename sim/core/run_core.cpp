#include "sim/core/run_core.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "sim/scenario/most_trials.h"

namespace aftershock::sim::core {

namespace {

// Without a horizon a run ends here: far beyond any job, and sums of accelerator time over it stay
// within 64 bits.
std::int64_t longest_run_us(const scenario::Scenario& scenario) {
  constexpr std::int64_t kHundredYears = 3'155'760'000'000'000;
  constexpr std::int64_t kLargest = std::int64_t{1} << 62U;
  std::int64_t accelerators = 1;
  for (const scenario::PoolSpec& pool : scenario.cluster.pools) {
    accelerators += std::int64_t{pool.max_nodes} * pool.accelerators_per_node;
  }
  for (const scenario::ExperimentSpec& experiment : scenario.experiments) {
    // A trial's account also runs while it waits for its place, so that pools do not bound the
    // sums.
    constexpr std::int64_t kParts = 10'000;
    accelerators += scenario::most_trials(scenario, experiment) *
                    ((experiment.accelerators_e4 + kParts - 1) / kParts);
  }
  return std::min(kHundredYears, kLargest / accelerators);
}

}  // namespace

RunCore::RunCore(std::shared_ptr<const scenario::Scenario> scenario, reports::LineSink* sink,
                 const reports::EntityNames* names, std::int64_t max_entries)
    : scenario_(std::move(scenario)),
      recorder_(sink, names),
      horizon_us_(scenario_->until_us.value_or(longest_run_us(*scenario_))),
      max_entries_(max_entries) {}

void RunCore::begin(const engine::Entry& entry) {
  AFTERSHOCK_ASSERT(!over_);
  move_to(entry.t_us);
  ++entries_played_;
}

void RunCore::move_to(std::int64_t t_us) {
  AFTERSHOCK_ASSERT(t_us >= now_us_);
  now_us_ = t_us;
}

void RunCore::check_length() {
  // A run that this very entry has ended was not cut short: a reason would make its verdict
  // inconclusive.
  if (entries_played_ >= max_entries_ && !over_) {
    cut_short(fmt::format("stopped after {} calendar entries (--max-events)", entries_played_));
  }
}

void RunCore::cut_short(std::string why) {
  cut_short_by_ = std::move(why);
  over_ = true;
}

void RunCore::policy_fails(std::string_view why) {
  // The first failure is the cause; later ones follow from it.
  if (!std::exchange(policy_failed_, true)) {
    cut_short(std::string(why));
  }
}

}  // namespace aftershock::sim::core
