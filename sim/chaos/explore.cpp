#include "sim/chaos/explore.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/recording/hash.h"
#include "sim/chaos/judged_run.h"
#include "sim/chaos/survey.h"
#include "sim/simulate/simulate.h"
#include "sim/sweep/schedule.h"

namespace aftershock::sim::chaos {
namespace {

/// Calendar entries of a run: a hundred times those of a job that nothing breaks are a run that
/// goes on for ever.
constexpr std::int64_t kMostEntries = 200'000;

/// Runs that a worker is handed at a time.
constexpr std::uint32_t kSeedsATask = 16;

/// The fewest steps between checkpoints, of powers of two, with which the healthy job takes at most
/// twice as long as without, and few enough entries to leave most of them to what breaks it.
std::uint32_t few_steps(const GeneratorBase& base, const scenario::ReadOptions& same,
                        const std::string& path) {
  constexpr std::uint32_t kMost = 1U << 20U;
  std::uint32_t steps = 1;
  for (; steps < kMost; steps *= 2) {
    nlohmann::ordered_json scenario = base.bare;
    auto& job = scenario["jobs"][base.setting.job];
    if (!job.contains("checkpoint")) {
      return 1;
    }
    job["checkpoint"].erase("every");
    job["checkpoint"]["every_steps"] = steps;
    auto read = scenario::read_scenario_text(policies::text_from_json(scenario), path, same);
    auto* checked = std::get_if<scenario::ReadScenario>(&read);
    if (checked == nullptr) {
      return 1;
    }
    simulate::SimulateOptions options;
    options.words = false;
    options.max_entries = kMostEntries / 4;
    const auto made = std::make_shared<const scenario::Scenario>(std::move(checked->scenario));
    const reports::JobSummary healthy = simulate::simulate(made, options).jobs.at(base.setting.job);
    if (healthy.outcome == "completed" && healthy.wall_us <= 2 * base.healthy_us) {
      break;
    }
  }
  return steps;
}

}  // namespace

std::variant<ExplorePlan, std::string> make_exploration(const scenario::Scenario& scenario,
                                                        std::uint32_t job, const std::string& path,
                                                        const std::string& version) {
  scenario::ReadOptions same;
  same.policies = scenario.policies;
  const auto bare =
      scenario::read_scenario_text(policies::text_from_json(bare_scenario(scenario)), path, same);
  const auto* checked = std::get_if<scenario::ReadScenario>(&bare);
  if (checked == nullptr || simulate::may_contend(checked->scenario)) {
    return "its jobs share a storage, which takes a simulation of its own for every run; a search "
           "is for scenarios without";
  }
  const auto healthy = std::make_shared<const scenario::Scenario>(checked->scenario);
  simulate::SimulateOptions options;
  options.words = false;
  const reports::RunSummary summary = simulate::simulate(healthy, options);
  demand_policy(summary.verdict, summary.verdict_reason, path);
  if (summary.jobs.at(job).outcome != "completed") {
    return fmt::format("job {} does not complete when nothing breaks: {}", scenario.jobs[job].name,
                       summary.jobs.at(job).outcome);
  }
  ExplorePlan plan;
  plan.base = generator_base(scenario, job, summary.jobs.at(job).wall_us);
  give_time(plan.base.bare, scenario, scenario.jobs[job].submit_us + plan.base.healthy_us);
  plan.base.save_every_steps = few_steps(plan.base, same, path);
  plan.coverage = std::make_shared<const Coverage>(scenario, job);
  reports::RollingHash hash;
  hash.add(policies::text_from_json(plan.base.bare));
  hash.add(version);
  hash.add(scenario.policies == nullptr ? std::string() : scenario.policies->title());
  hash.add(job);
  plan.digest = fmt::format("{:016x}", hash.value());
  plan.plan.scenario = scenario.name;
  plan.plan.first_seed = 0;
  plan.plan.max_entries = kMostEntries;
  plan.plan.marks = [coverage = plan.coverage](const world::World& world) {
    return coverage->marks_of(world);
  };
  sweep::PlannedCell cell;
  cell.about.policy = sweep::policy_of(scenario);
  cell.name = path;
  cell.policies = scenario.policies;
  cell.text_of = [base = plan.base](std::uint64_t seed) {
    return policies::text_from_json(explored_scenario(base, seed));
  };
  plan.plan.cells.push_back(std::move(cell));
  return plan;
}

ExploreResult search(const sweep::Plan& plan, ExploreStore& store, sweep::WorkerPool& pool,
                     const ExploreOptions& options,
                     const std::function<FoundRun(const reports::RunRow&)>& told) {
  ExploreResult result;
  bool wanted = true;
  sweep::Schedule schedule(
      1, options.seeds, kSeedsATask,
      [&store](std::uint32_t, std::uint32_t replica) { return !store.has(replica); });
  sweep::Work work;
  work.next = [&]() -> std::optional<sweep::Task> {
    return wanted ? schedule.next() : std::nullopt;
  };
  work.row = [&](reports::RunRow&& row) {
    store.add(row.seed, told(row));
    return store.problem().empty();
  };
  work.trouble = [&](const sweep::Task& run, const std::string& what) {
    result.troubles.push_back(fmt::format("a worker died over seed {}: {}", run.first, what));
  };
  work.not_recorded = [](const std::string&) {};
  work.tick = [&] {
    store.commit();
    wanted = wanted && options.go_on(store.runs());
  };
  auto dispatched = sweep::dispatch(pool, plan, work);
  store.commit();
  result.ended = dispatched.ended;
  result.why = store.problem().empty() ? std::move(dispatched.why) : store.problem();
  if (!store.problem().empty()) {
    result.ended = sweep::Ended::kNotStored;
  }
  return result;
}

ExploreResult explore(const ExplorePlan& plan, ExploreStore& store, sweep::WorkerPool& pool,
                      const ExploreOptions& options) {
  const std::string& policy = plan.base.setting.family;
  return search(plan.plan, store, pool, options, [&policy](const reports::RunRow& row) {
    // No fault of a search is required, so that only what cannot be read is invalid.
    if (row.verdict == reports::Verdict::kInvalid) {
      const Failure failure{std::string(kNoScenario), reports::why_of(row)};
      return FoundRun{row.marks, FoundFailure{row.seed, failure, true}};
    }
    return FoundRun{row.marks, judge(row, policy).failure};
  });
}

}  // namespace aftershock::sim::chaos
