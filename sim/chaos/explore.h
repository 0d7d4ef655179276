#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sim/chaos/coverage.h"
#include "sim/chaos/explore_store.h"
#include "sim/chaos/scenario_generator.h"
#include "sim/sweep/dispatch.h"

// A search for seeds whose run fails (chaos.md 5.1 and 5.7).
namespace aftershock::sim::chaos {

/// The plan of a search.
struct ExplorePlan {
  GeneratorBase base;
  std::shared_ptr<const Coverage> coverage;
  sweep::Plan plan;    ///< one cell whose replicas are the seeds, counted from 0
  std::string digest;  ///< of all that decides what a seed's run is
};

/// The search of a scenario's job, or why it cannot be, in words. `version`: of the program.
std::variant<ExplorePlan, std::string> make_exploration(const scenario::Scenario& scenario,
                                                        std::uint32_t job, const std::string& path,
                                                        const std::string& version);

/// How far to go.
struct ExploreOptions {
  std::uint32_t seeds = 0;  ///< seeds from 0 on; those that the store has are not run again
  /// Asked now and then: false ends the search.
  std::function<bool(std::int64_t runs)> go_on;
};

/// Failure::id of a seed whose scenario is invalid, in the words of the reader that refused it:
/// nothing was run, so no policy is to blame.
inline constexpr std::string_view kNoScenario = "no scenario";

/// The outcome of a search, beside what the store has.
struct ExploreResult {
  sweep::Ended ended = sweep::Ended::kDone;
  std::string why;
  std::vector<std::string> troubles;  ///< the problems that workers died over
};
/// Runs those replicas of the plan's only cell that the store does not have, which are counted from
/// 0. Each is in the store as soon as it is over, as `told` says.
ExploreResult search(const sweep::Plan& plan, ExploreStore& store, sweep::WorkerPool& pool,
                     const ExploreOptions& options,
                     const std::function<FoundRun(const reports::RunRow&)>& told);

/// The search of a scenario.
ExploreResult explore(const ExplorePlan& plan, ExploreStore& store, sweep::WorkerPool& pool,
                      const ExploreOptions& options);

}  // namespace aftershock::sim::chaos
