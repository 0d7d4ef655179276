#include "sim/check/check_runs.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/sweep/run_values.h"
#include "sim/sweep/schedule.h"
#include "sim/sweep/term_text.h"

namespace aftershock::sim::check {

CheckRuns run_checks(const CheckPlan& plan, sweep::WorkerPool& pool,
                     const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  CheckRuns made;
  std::uint64_t total = 0;
  for (const CheckedScenario& scenario : plan.scenarios) {
    total += scenario.seeds;
  }
  sweep::Schedule schedule(static_cast<std::uint32_t>(plan.scenarios.size()), plan.plan.replicas,
                           sweep::runs_a_task(total, pool.size()),
                           [&plan](std::uint32_t cell, std::uint32_t replica) {
                             return replica < plan.scenarios[cell].seeds;
                           });
  sweep::Work work;
  work.next = [&schedule] { return schedule.next(); };
  work.row = [&made](reports::RunRow&& row) {
    made.rows.push_back(std::move(row));
    return true;
  };
  work.trouble = [&](const sweep::Task& run, const std::string& what) {
    made.troubles.push_back(fmt::format("a worker died over {}, seed {}: {}",
                                        plan.scenarios[run.cell].path,
                                        plan.plan.seed_of(run.cell, run.first), what));
  };
  work.not_recorded = [](const std::string&) {};
  work.tick = [&] { progress(made.rows.size(), total); };
  auto dispatched = sweep::dispatch(pool, plan.plan, work);
  made.ended = dispatched.ended;
  made.why = std::move(dispatched.why);
  std::ranges::sort(made.rows, {},
                    [](const reports::RunRow& row) { return std::pair{row.cell, row.replica}; });
  std::ranges::sort(made.troubles);
  return made;
}

reports::BaselineRun baseline_run_of(const CheckedScenario& scenario, const reports::RunRow& row) {
  reports::BaselineRun run;
  run.key = {scenario.path, scenario.variant, row.seed};
  run.policy = scenario.policy;
  run.text = scenario.digest;
  run.verdict = row.verdict;
  run.outcome = row.outcome;
  // Of another verdict the reason is that of the verdict, which is told for itself.
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
  std::set<reports::RunKey> found;
  std::set<std::string_view> variants;
  for (const reports::RunRow& row : runs.rows) {
    const CheckedScenario& scenario = plan.scenarios[row.cell];
    variants.insert(scenario.variant);
    reports::CheckedRun run{baseline_run_of(scenario, row), scenario.name, {}, {}, {}};
    run.jointly = !scenario.that.empty() && reports::number_of(row, "violations").value_or(0) == 0;
    if (row.verdict != reports::Verdict::kPassed) {
      run.reason = reports::why_of(row);
    }
    if (baseline != nullptr && row.replica < plan.plan.cells[row.cell].traced) {
      if (const reports::BaselineRun* old = baseline->find_like(run.run.key)) {
        found.insert(old->key);
        run.old = *old;
        const auto trace = reports::trace_from_bytes(row.decisions);
        run.judgement =
            reports::judge(*old, run.run, trace.value_or(reports::TimedTrace{}), scenario.margins);
      } else {
        run.judgement.standing = reports::Standing::kNew;
      }
    }
    judged.push_back(std::move(run));
  }
  if (baseline != nullptr && runs.ended == sweep::Ended::kDone) {
    for (const reports::BaselineRun& old : baseline->runs) {
      if (!found.contains(old.key) && variants.contains(old.key.variant)) {
        reports::CheckedRun run{old, {}, {}, {}, {}};
        run.judgement.standing = reports::Standing::kMissing;
        judged.push_back(std::move(run));
      }
    }
  }
  std::ranges::sort(judged, {}, [](const reports::CheckedRun& run) { return run.run.key; });
  return judged;
}

std::vector<reports::JointCondition> judge_together(const CheckPlan& plan, const CheckRuns& runs) {
  std::vector<reports::JointCondition> judged;
  if (runs.ended != sweep::Ended::kDone) {
    return judged;
  }
  for (std::uint32_t cell = 0; cell < plan.scenarios.size(); ++cell) {
    const CheckedScenario& scenario = plan.scenarios[cell];
    for (const scenario::Expression& that : scenario.that) {
      sweep::RunValues values(that, {});
      for (const reports::RunRow& row : runs.rows) {
        if (row.cell == cell) {
          values.add(row);
        }
      }
      reports::JointCondition condition{.file = scenario.path,
                                        .name = scenario.name,
                                        .policy = scenario.policy,
                                        .first_seed = plan.plan.seed_of(cell, 0),
                                        .runs = static_cast<std::uint32_t>(values.runs()),
                                        .that = that.text,
                                        .holds = values.holds(that) == scenario::Truth::kYes,
                                        .found = {}};
      for (const scenario::Term& term : that.terms) {
        if (term.kind != scenario::Term::Kind::kNumber) {
          condition.found.push_back(
              fmt::format("{} is {}", term.text, sweep::value_text(term, values.value(term))));
        }
      }
      judged.push_back(std::move(condition));
    }
  }
  return judged;
}

std::vector<reports::SkippedRun> skipped_runs(const CheckPlan& plan, const CheckRuns& runs) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> made;
  for (const reports::RunRow& row : runs.rows) {
    made.emplace(row.cell, row.replica);
  }
  std::vector<reports::SkippedRun> skipped;
  for (std::uint32_t cell = 0; cell < plan.scenarios.size(); ++cell) {
    const CheckedScenario& scenario = plan.scenarios[cell];
    for (std::uint32_t replica = 0; replica < scenario.seeds; ++replica) {
      if (!made.contains({cell, replica})) {
        skipped.push_back({scenario.path, fmt::format("{}, seed {}", scenario.policy,
                                                      plan.plan.seed_of(cell, replica))});
      }
    }
  }
  return skipped;
}

}  // namespace aftershock::sim::check
