#include "sim/chaos/explore.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "reports/recording/hash.h"
#include "sim/chaos/known_finding.h"
#include "sim/chaos/survey.h"
#include "sim/sweep/schedule.h"
#include "sim/world/simulate.h"

namespace aftershock::sim {
namespace {

/// Calendar entries of a run: a hundred times those of a job that nothing breaks are a run that
/// goes on for ever.
constexpr std::int64_t kMostEntries = 200'000;

/// Runs that a worker is handed at a time.
constexpr std::uint32_t kSeedsATask = 16;

}  // namespace

std::optional<FoundFailure> failure_in(const reports::RunRow& row, std::string_view policy) {
  using reports::Verdict;
  if (row.verdict == Verdict::kPassed && row.outcome != "running") {
    return std::nullopt;
  }
  FoundFailure found;
  found.seed = row.seed;
  found.failure.words = row.reason;
  switch (row.verdict) {
    case Verdict::kPassed:
      found.failure.id = "running";
      found.failure.words = "the job had not come to an end when the simulation did";
      break;
    case Verdict::kStuck:
    case Verdict::kFailed: {
      // "invariant S07 violated"
      constexpr std::string_view kInvariant = "invariant ";
      found.failure.id = row.verdict == Verdict::kStuck ? "stuck" : "failed";
      if (row.reason.starts_with(kInvariant)) {
        const std::string_view rest = std::string_view(row.reason).substr(kInvariant.size());
        found.failure.id = rest.substr(0, rest.find(' '));
      }
      break;
    }
    default:
      found.failure.id = name_of(row.verdict);
      break;
  }
  found.known = known_finding(policy, found.failure.id, found.failure.words) != nullptr;
  return found;
}

std::variant<ExplorePlan, std::string> make_exploration(const Scenario& scenario, std::uint32_t job,
                                                        const std::string& path,
                                                        const std::string& version) {
  const auto bare = read_scenario_text(bare_scenario(scenario).dump(), path);
  const auto* checked = std::get_if<ReadScenario>(&bare);
  if (checked == nullptr || may_contend(checked->scenario)) {
    return "its jobs share a storage, which takes a simulation of its own for every run; a search "
           "is for scenarios without";
  }
  const auto healthy = std::make_shared<const Scenario>(checked->scenario);
  SimulateOptions options;
  options.words = false;
  const reports::RunSummary summary = simulate(healthy, options);
  if (summary.jobs.at(job).outcome != "completed") {
    return fmt::format("job {} does not complete when nothing breaks: {}", scenario.jobs[job].name,
                       summary.jobs.at(job).outcome);
  }
  ExplorePlan plan;
  plan.base = swarm_base(scenario, job, summary.jobs.at(job).wall_us);
  plan.coverage = std::make_shared<const Coverage>(scenario, job);
  reports::RollingHash hash;
  hash.add(plan.base.bare.dump());
  hash.add(version);
  hash.add(job);
  plan.digest = fmt::format("{:016x}", hash.value());
  plan.plan.scenario = scenario.name;
  plan.plan.first_seed = 0;
  plan.plan.max_entries = kMostEntries;
  plan.plan.marks = [coverage = plan.coverage](const World& world) {
    return coverage->marks_of(world);
  };
  PlannedCell cell;
  cell.about.policy = policy_of(scenario);
  cell.name = path;
  cell.text_of = [base = plan.base](std::uint64_t seed) {
    return swarm_scenario(base, seed).dump();
  };
  plan.plan.cells.push_back(std::move(cell));
  return plan;
}

ExploreResult explore(const ExplorePlan& plan, ExploreStore& store, Crew& crew,
                      const ExploreOptions& options) {
  ExploreResult result;
  const std::string& policy = plan.plan.cells.front().about.policy;
  bool wanted = true;
  Schedule schedule(1, options.seeds, kSeedsATask,
                    [&store](std::uint32_t, std::uint32_t replica) { return !store.has(replica); });
  Work work;
  work.next = [&]() -> std::optional<Task> { return wanted ? schedule.next() : std::nullopt; };
  work.row = [&](reports::RunRow&& row) {
    store.add(row.seed, row.marks, failure_in(row, policy));
    return store.problem().empty();
  };
  work.trouble = [&](const Task& run, const std::string& what) {
    result.troubles.push_back(fmt::format("a worker died over seed {}: {}", run.first, what));
  };
  work.not_recorded = [](const std::string&) {};
  work.tick = [&] {
    store.commit();
    wanted = wanted && options.go_on(store.runs());
  };
  auto dispatched = dispatch(crew, plan.plan, work);
  store.commit();
  result.ended = dispatched.ended;
  result.why = store.problem().empty() ? std::move(dispatched.why) : store.problem();
  if (!store.problem().empty()) {
    result.ended = Ended::kNotStored;
  }
  return result;
}

}  // namespace aftershock::sim
