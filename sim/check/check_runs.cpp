#include "sim/check/check_runs.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/sweep/schedule.h"

namespace aftershock::sim {

CheckRuns run_checks(const CheckPlan& plan, Crew& crew,
                     const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  CheckRuns made;
  std::uint64_t total = 0;
  for (const CheckedScenario& scenario : plan.scenarios) {
    total += scenario.seeds;
  }
  Schedule schedule(static_cast<std::uint32_t>(plan.scenarios.size()), plan.plan.replicas,
                    runs_a_task(total, crew.size()),
                    [&plan](std::uint32_t cell, std::uint32_t replica) {
                      return replica < plan.scenarios[cell].seeds;
                    });
  Work work;
  work.next = [&schedule] { return schedule.next(); };
  work.row = [&made](reports::RunRow&& row) {
    made.rows.push_back(std::move(row));
    return true;
  };
  work.trouble = [&](const Task& run, const std::string& what) {
    made.troubles.push_back(fmt::format("a worker died over {}, seed {}: {}",
                                        plan.scenarios[run.cell].path,
                                        plan.plan.seed_of(run.cell, run.first), what));
  };
  work.not_recorded = [](const std::string&) {};
  work.tick = [&] { progress(made.rows.size(), total); };
  auto dispatched = dispatch(crew, plan.plan, work);
  made.ended = dispatched.ended;
  made.why = std::move(dispatched.why);
  std::ranges::sort(made.rows, {},
                    [](const reports::RunRow& row) { return std::pair{row.cell, row.replica}; });
  std::ranges::sort(made.troubles);
  return made;
}

reports::BaselineRun baseline_run_of(const CheckedScenario& scenario, const reports::RunRow& row) {
  reports::BaselineRun run;
  run.key = {scenario.path, scenario.policy, row.seed};
  run.text = scenario.digest;
  run.verdict = row.verdict;
  run.outcome = row.outcome;
  // Of another verdict the reason is that of the verdict, which is not the job's.
  if (row.verdict == reports::Verdict::kPassed && !row.reason.empty() &&
      row.reason != row.outcome) {
    run.outcome += ", " + row.reason;
  }
  run.hash = row.hash;
  run.values = row.values;
  run.values.resize(std::min(run.values.size(), reports::metrics().size()));
  if (auto trace = reports::trace_from_bytes(row.decisions)) {
    run.decisions = std::move(trace->trace);
  }
  return run;
}

std::vector<reports::CheckedRun> judge_runs(const CheckPlan& plan, const CheckRuns& runs,
                                            const reports::Baseline* baseline) {
  std::vector<reports::CheckedRun> judged;
  std::set<reports::RunKey> made;
  for (const reports::RunRow& row : runs.rows) {
    const CheckedScenario& scenario = plan.scenarios[row.cell];
    reports::CheckedRun run{baseline_run_of(scenario, row), scenario.name, {}, {}, {}};
    if (row.verdict != reports::Verdict::kPassed) {
      run.reason = row.reason;
    }
    made.insert(run.run.key);
    if (baseline != nullptr) {
      if (const reports::BaselineRun* old = baseline->find(run.run.key)) {
        run.old = *old;
        const auto trace = reports::trace_from_bytes(row.decisions);
        run.judgement = reports::judge(*old, run.run, trace.value_or(reports::TimedTrace{}),
                                       baseline->known, scenario.margins);
      } else {
        run.judgement.standing = reports::Standing::kNew;
      }
    }
    judged.push_back(std::move(run));
  }
  if (baseline != nullptr) {
    for (const reports::BaselineRun& old : baseline->runs) {
      if (!made.contains(old.key)) {
        reports::CheckedRun run{old, {}, {}, {}, {}};
        run.judgement.standing = reports::Standing::kMissing;
        judged.push_back(std::move(run));
      }
    }
  }
  std::ranges::sort(judged, {}, [](const reports::CheckedRun& run) { return run.run.key; });
  return judged;
}

}  // namespace aftershock::sim
