#include "reports/check/report.h"

#include <algorithm>

namespace aftershock::reports {
namespace {

/// Whether how a run stands against the baseline is an error.
bool stands_badly(const CheckedRun& run, bool strict) {
  switch (run.judgement.standing) {
    case Standing::kWorse:
      return true;
    case Standing::kNoBaseline:
    case Standing::kSame:
      return false;
    default:
      return strict;
  }
}

/// Its verdict, as far as it stops somebody.
Verdict own_verdict(const CheckedRun& run) {
  const bool counted_elsewhere =
      run.jointly && (run.run.verdict == Verdict::kStuck || run.run.verdict == Verdict::kFailed);
  return run.judgement.standing == Standing::kMissing || counted_elsewhere ? Verdict::kPassed
                                                                           : run.run.verdict;
}

}  // namespace

bool is_red(const CheckedRun& run, bool strict) {
  return own_verdict(run) != Verdict::kPassed || stands_badly(run, strict);
}

bool is_red(const JointCondition& condition) { return !condition.holds; }

bool is_red(const FreshRuns& runs) {
  return !runs.problem.empty() || runs.standing == Standing::kWorse;
}

Verdict verdict_of(const CheckReport& report) {
  if (!report.skipped.empty()) {
    return Verdict::kInconclusive;
  }
  Verdict worst = Verdict::kPassed;
  const auto take = [&worst](Verdict verdict) {
    worst = badness(verdict) > badness(worst) ? verdict : worst;
  };
  for (const CheckedRun& run : report.runs) {
    take(own_verdict(run));
    take(stands_badly(run, report.strict) ? Verdict::kWorse : Verdict::kPassed);
  }
  for (const JointCondition& condition : report.joint) {
    take(condition.holds ? Verdict::kPassed : Verdict::kFailed);
  }
  for (const FreshRuns& runs : report.fresh) {
    take(!runs.problem.empty() ? Verdict::kUnusable
         : is_red(runs)        ? Verdict::kWorse
                               : Verdict::kPassed);
  }
  take(report.unusable.empty() ? Verdict::kPassed : Verdict::kUnusable);
  return worst;
}

std::vector<std::int64_t> standings(const CheckReport& report) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(Standing::kMissing) + 1);
  for (const CheckedRun& run : report.runs) {
    ++counts[static_cast<std::size_t>(run.judgement.standing)];
  }
  return counts;
}

}  // namespace aftershock::reports
