#include "reports/check/words.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/assert.h"
#include "reports/render/format.h"
#include "reports/render/story.h"

namespace aftershock::reports {
namespace {

/// "quickstart-1.aftershock"
void add_change(std::vector<std::string>& lines, const CheckedRun& run,
                const MetricChange& change) {
  AFTERSHOCK_ASSERT(change.metric < metrics().size());
  const Metric& metric = metrics()[change.metric];
  std::string line =
      fmt::format("{:<22} {} -> {}", metric.name, metric_text(metric.name, change.old),
                  metric_text(metric.name, change.now));
  const auto before = number_of(change.old);
  const auto after = number_of(change.now);
  const std::string difference =
      before && after ? difference_text(metric.name, *after - *before) : std::string();
  const double margin = before && change.margin ? change.margin->of(*before) : 0;
  if (!difference.empty()) {
    line += fmt::format("  ({}", difference);
    if (margin > 0) {
      line += fmt::format(", margin {}", difference_text(metric.name, margin).substr(1));
    }
    line += ")";
  }
  const bool tells =
      run.judgement.standing == Standing::kBetter || run.judgement.standing == Standing::kWorse;
  if (tells && change.decides) {
    line += change.change == Change::kWorse ? "  worse: decides" : "  better";
  }
  lines.push_back(std::move(line));
}

void add_changes(std::vector<std::string>& lines, const CheckedRun& run) {
  const Judgement& judgement = run.judgement;
  std::size_t within = 0;
  std::size_t others = 0;
  for (const MetricChange& change : judgement.changes) {
    if (change.margin && change.change != Change::kWithin) {
      add_change(lines, run, change);
    } else {
      ++(change.margin ? within : others);
    }
  }
  if (within > 0) {
    lines.push_back(
        fmt::format("{} more within {}", within, within == 1 ? "its margin" : "their margins"));
  }
  if (others > 0) {
    lines.push_back(fmt::format("{} more that {} not judged (--json has them)", others,
                                others == 1 ? "is" : "are"));
  }
}

/// "number 13, at 05:02:01"
std::string place_of(const TraceDifference& difference) {
  const bool named = difference.number == difference.last_number;
  std::string text = named ? fmt::format("number {}", format_count(difference.number))
                           : fmt::format("one of number {} to {}", format_count(difference.number),
                                         format_count(difference.last_number));
  if (difference.at_us) {
    text +=
        (named ? ", at " : ", from ") + format_duration(*difference.at_us) + (named ? "" : " on");
  }
  return text;
}

void add_both(std::vector<std::string>& lines, const TraceDifference& difference) {
  lines.push_back("  before  " + told_text(difference.before));
  lines.push_back("  now     " + told_text(difference.now));
}

void add_decision_lines(std::vector<std::string>& lines, const CheckedRun& run,
                        const CheckReport& report) {
  const auto& decision = run.judgement.decision;
  if (!decision && run.judgement.standing != Standing::kSame) {
    lines.emplace_back(
        "decisions: the same acts in the same order; only times, limits of budgets or arguments of "
        "commands differ");
  }
  if (decision) {
    lines.push_back("first decision that acts otherwise: " + place_of(*decision));
    if (decision->number == decision->last_number) {
      add_both(lines, *decision);
    }
  }
  if (const auto& limit = run.judgement.limit) {
    lines.push_back(fmt::format("{} decision with another limit: {}",
                                decision ? "before it the first" : "first", place_of(*limit)));
    add_both(lines, *limit);
  }
  if (decision && decision->before.known == ToldDecision::Known::kNotKept) {
    lines.emplace_back("  the old decision is not kept; with the old program it is named by");
    lines.push_back(
        fmt::format("  aftershock compare {} --seed {} --runs 1{} --against OLD/aftershock",
                    shell_path(run.run.key.scenario), run.run.key.seed, report.overrides));
  }
}

void add_commands(std::vector<std::string>& lines, const std::string& file, const std::string& name,
                  std::uint64_t seed, const CheckReport& report) {
  const std::string run =
      fmt::format("aftershock run {} --seed {}{}", shell_path(file), seed, report.overrides);
  lines.emplace_back("look at it");
  lines.push_back("  " + run);
  for (const std::string& command : recording_commands(run, name, seed)) {
    lines.push_back("  " + command);
  }
}

}  // namespace

std::vector<std::string> recording_commands(const std::string& run, const std::string& name,
                                            std::uint64_t seed) {
  const std::string recording = shell_path(fmt::format("{}-{}.aftershock", name, seed));
  return {fmt::format("{} --record {}", run, recording), "aftershock view " + recording};
}

std::string title_of(const CheckedRun& run) {
  const bool other = run.old && run.old->policy != run.run.policy;
  return fmt::format("{}, {}, seed {}{}", run.run.key.scenario, run.run.policy, run.run.key.seed,
                     other ? ", policy was " + run.old->policy : "");
}

std::string state_of(const CheckedRun& run) {
  const Standing standing = run.judgement.standing;
  const bool judged = standing != Standing::kNoBaseline;
  if (standing == Standing::kMissing || (judged && run.run.verdict == Verdict::kPassed)) {
    return std::string(name_of(standing));
  }
  return judged ? fmt::format("{}, {}", name_of(standing), verdict_words(run.run.verdict))
                : verdict_words(run.run.verdict);
}

std::vector<std::string> details_of(const CheckedRun& run, const CheckReport& report) {
  std::vector<std::string> lines;
  const Judgement& judgement = run.judgement;
  if (judgement.standing == Standing::kMissing) {
    lines.push_back(fmt::format(
        "is in {} and was not run; --update-baseline takes it out where its scenario is run or is "
        "no longer there",
        report.baseline));
    return lines;
  }
  if (!run.reason.empty()) {
    lines = reason_lines(run.reason);
    lines.front().insert(0, verdict_words(run.run.verdict) + ": ");
  }
  if (run.old) {
    if (judgement.text_changed) {
      lines.emplace_back("the scenario is another one than the baseline was made with");
    }
    if (judgement.length_changed) {
      lines.emplace_back(
          "the horizon is another one: useful_share and ETTR are judged, and no amounts of time, "
          "work, charges or cost");
    }
    if (judgement.verdict_changed) {
      lines.push_back(fmt::format("{:<22} {} -> {}", "verdict", verdict_words(run.old->verdict),
                                  verdict_words(run.run.verdict)));
    }
    if (run.old->outcome != run.run.outcome) {
      lines.push_back(fmt::format("{:<22} {} -> {}", "outcome", run.old->outcome, run.run.outcome));
    }
    for (const std::size_t metric : judgement.not_judged) {
      lines.push_back(fmt::format("{:<22} not judged: the baseline has no {}",
                                  metrics()[metric].name, metrics()[metric].name));
    }
    add_changes(lines, run);
    add_decision_lines(lines, run, report);
  } else if (judgement.standing == Standing::kNew) {
    lines.push_back(fmt::format("is not in {}; to take it in: --update-baseline", report.baseline));
  }
  if (run.recorded) {
    lines.emplace_back("look at it");
    lines.push_back("  aftershock why " + shell_path(run.run.key.scenario));
    lines.push_back("  aftershock view " + shell_path(run.run.key.scenario));
    return lines;
  }
  add_commands(lines, run.run.key.scenario, run.name, run.run.key.seed, report);
  return lines;
}

std::string title_of(const FreshRuns& runs) {
  return fmt::format("{}, {}, {} new seeds from {}", runs.file, runs.policy, runs.pairs,
                     runs.first_seed);
}

std::vector<std::string> details_of(const FreshRuns& runs, const CheckReport& report) {
  if (!runs.problem.empty()) {
    return {runs.problem};
  }
  std::vector<std::string> lines;
  for (const FreshMetric& each : runs.metrics) {
    AFTERSHOCK_ASSERT(each.metric < metrics().size());
    const std::string& metric = metrics()[each.metric].name;
    const Estimate& mean = each.difference.mean;
    const auto amount = [&metric](double value) {
      const std::string text = difference_text(metric, value);
      return text.empty() ? fmt::format("{:+.1f} points", value * 100) : text;
    };
    std::string line = fmt::format("{:<22} {} in the mean", metric, amount(mean.value));
    if (mean.interval) {
      line += fmt::format(" ({} to {})", amount(mean.interval->low), amount(mean.interval->high));
    }
    if (each.allowed > 0) {
      line += fmt::format(", margin {}", amount(each.allowed).substr(1));
    }
    line += each.change == Change::kWorse    ? "  worse"
            : each.change == Change::kBetter ? "  better"
                                             : "";
    lines.push_back(std::move(line));
  }
  if (runs.worst_seed) {
    lines.push_back(fmt::format("seed {} shows it best", *runs.worst_seed));
    add_commands(lines, runs.file, runs.name, *runs.worst_seed, report);
    lines.push_back(fmt::format("  aftershock compare {} --seed {} --runs 1{} --against {}",
                                shell_path(runs.file), *runs.worst_seed, report.overrides,
                                shell_path(report.against)));
  }
  return lines;
}

std::string title_of(const JointCondition& condition) {
  return fmt::format("{}, {}, {} seeds from {}", condition.file, condition.policy, condition.runs,
                     condition.first_seed);
}

std::vector<std::string> details_of(const JointCondition& condition, const CheckReport& report) {
  std::vector<std::string> lines{
      fmt::format("{} does not hold: {}", condition.that, fmt::join(condition.found, ", "))};
  lines.push_back(fmt::format("  aftershock sweep {} --seed {} --runs {}{} --out {}.sqlite",
                              shell_path(condition.file), condition.first_seed, condition.runs,
                              report.overrides, shell_path(condition.name)));
  return lines;
}

std::string summary_of(const CheckReport& report) {
  std::set<std::string_view> files;
  std::int64_t made = 0;
  std::int64_t not_passed = 0;
  for (const CheckedRun& run : report.runs) {
    if (run.judgement.standing != Standing::kMissing) {
      files.insert(run.run.key.scenario);
      ++made;
      not_passed += run.run.verdict == Verdict::kPassed ? 0 : 1;
    }
  }
  std::string text = fmt::format("{} {} of {} {}", format_count(made), made == 1 ? "run" : "runs",
                                 files.size(), files.size() == 1 ? "scenario" : "scenarios");
  std::string parts;
  const auto add = [&parts](std::int64_t count, std::string_view what) {
    if (count > 0) {
      parts += fmt::format("{}{} {}", parts.empty() ? ": " : ", ", format_count(count), what);
    }
  };
  const auto counts = standings(report);
  for (const Standing standing : {Standing::kSame, Standing::kChanged, Standing::kBetter,
                                  Standing::kWorse, Standing::kNew, Standing::kMissing}) {
    add(counts[static_cast<std::size_t>(standing)], name_of(standing));
  }
  if (report.baseline.empty()) {
    add(made - not_passed, "passed");
  }
  add(not_passed, "not passed");
  const auto broken = std::ranges::count_if(
      report.joint, [](const JointCondition& condition) { return !condition.holds; });
  add(broken, broken == 1 ? "condition on all seeds broken" : "conditions on all seeds broken");
  add(static_cast<std::int64_t>(report.skipped.size()), "not run");
  // A file may be told of more than once.
  std::set<std::string_view> unusable;
  for (const UnusableFile& file : report.unusable) {
    unusable.insert(file.file);
  }
  add(static_cast<std::int64_t>(unusable.size()),
      unusable.size() == 1 ? "file cannot be used" : "files cannot be used");
  if (!report.fresh.empty()) {
    add(static_cast<std::int64_t>(report.fresh.size()), "on new seeds");
  }
  return text + parts;
}

std::string seeds_of(const CheckReport& report) {
  const auto& [seeds, scenarios] = report.unsaid_seeds;
  if (scenarios.empty()) {
    return {};
  }
  if (scenarios.size() > 1) {
    return fmt::format(
        "{} seeds each of {} scenarios that are random and say nothing of check.seeds", seeds,
        format_count(static_cast<std::int64_t>(scenarios.size())));
  }
  const bool only = std::ranges::all_of(report.runs, [&](const CheckedRun& run) {
    return run.run.key.scenario == scenarios.front();
  });
  return only ? fmt::format("{} seeds: the scenario is random and says nothing of check.seeds",
                            seeds)
              : fmt::format("{} seeds of {}, which is random and says nothing of check.seeds",
                            seeds, scenarios.front());
}

std::string verdict_text(const CheckReport& report) {
  const Verdict verdict = verdict_of(report);
  if (verdict == Verdict::kPassed) {
    return "passed";
  }
  if (!report.skipped.empty()) {
    return fmt::format("interrupted: exit code {}", exit_code(verdict));
  }
  std::string words =
      verdict == Verdict::kWorse ? "worse than the baseline" : verdict_words(verdict);
  const bool none_worse = std::ranges::none_of(report.runs, [](const CheckedRun& run) {
    return run.judgement.standing == Standing::kWorse;
  });
  const bool fresh_worse = std::ranges::any_of(
      report.fresh, [](const FreshRuns& runs) { return runs.standing == Standing::kWorse; });
  if (verdict == Verdict::kWorse && none_worse) {
    words = fresh_worse
                ? fmt::format("worse than {} on new seeds", printable(report.against, false))
                : "not as in the baseline (--strict)";
  }
  return fmt::format("{}: exit code {}", words, exit_code(verdict));
}

}  // namespace aftershock::reports
