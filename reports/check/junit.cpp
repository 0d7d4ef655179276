#include "reports/render/junit.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/check/outputs.h"
#include "reports/check/words.h"

namespace aftershock::reports {
namespace {

using Fault = JunitSuite::Fault;

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

void add_run_case(JunitSuite& suite, const CheckedRun& run, const CheckReport& report) {
  const Standing standing = run.judgement.standing;
  const std::string case_name = fmt::format("{}, seed {}", run.run.policy, run.run.key.seed);
  const JunitSuite::Name name{.of_class = run.run.key.scenario, .of_case = case_name};
  if (is_red(run, report.strict)) {
    const bool error = standing != Standing::kMissing && run.run.verdict != Verdict::kPassed &&
                       run.run.verdict != Verdict::kFailed;
    const std::string state = state_of(run);
    suite.broken(name, error ? Fault::kError : Fault::kFailure, state,
                 fmt::format("{}: {}", state, title_of(run)), joined(details_of(run, report)));
  } else if (standing == Standing::kMissing) {
    suite.skipped(name, "in the baseline, and not run");
  } else if (standing == Standing::kSame || standing == Standing::kNoBaseline) {
    suite.passed(name);
  } else {
    suite.passed(name, fmt::format("{}\n{}", name_of(standing), joined(details_of(run, report))));
  }
}

void add_fresh_case(JunitSuite& suite, const FreshRuns& runs, const CheckReport& report) {
  const std::string case_name =
      fmt::format("{}, {} new seeds from {}", runs.policy, runs.pairs, runs.first_seed);
  const JunitSuite::Name name{.of_class = runs.file, .of_case = case_name};
  if (is_red(runs)) {
    const bool error = !runs.problem.empty();
    suite.broken(name, error ? Fault::kError : Fault::kFailure, error ? "not compared" : "worse",
                 title_of(runs), joined(details_of(runs, report)));
  } else {
    suite.passed(name);
  }
}

void add_joint_case(JunitSuite& suite, const JointCondition& condition, const CheckReport& report) {
  const std::string case_name = fmt::format("{}, {} seeds from {}: {}", condition.policy,
                                            condition.runs, condition.first_seed, condition.that);
  const JunitSuite::Name name{.of_class = condition.file, .of_case = case_name};
  if (is_red(condition)) {
    suite.broken(name, Fault::kFailure, "failed", title_of(condition),
                 joined(details_of(condition, report)));
  } else {
    suite.passed(name);
  }
}

}  // namespace

std::string check_junit(const CheckReport& report) {
  std::map<std::string, JunitSuite, std::less<>> suites;
  const auto suite_of = [&](const std::string& file) -> JunitSuite& {
    return suites.try_emplace(file, file).first->second;
  };
  for (const CheckedRun& run : report.runs) {
    add_run_case(suite_of(run.run.key.scenario), run, report);
  }
  for (const JointCondition& condition : report.joint) {
    add_joint_case(suite_of(condition.file), condition, report);
  }
  for (const FreshRuns& runs : report.fresh) {
    add_fresh_case(suite_of(runs.file), runs, report);
  }
  for (const SkippedRun& run : report.skipped) {
    suite_of(run.scenario)
        .skipped({.of_class = run.scenario, .of_case = run.name}, "interrupted before it was run");
  }
  std::map<std::string, std::vector<std::string>, std::less<>> unusable;
  for (const UnusableFile& file : report.unusable) {
    unusable[file.file].push_back(file.message);
  }
  for (const auto& [file, messages] : unusable) {
    suite_of(file).broken({.of_class = file, .of_case = "can be read"}, Fault::kError, "unusable",
                          messages.front(), joined(messages));
  }
  std::vector<JunitSuite> in_order;
  for (auto& [file, suite] : suites) {
    in_order.push_back(std::move(suite));
  }
  return junit_document("aftershock check", in_order);
}

}  // namespace aftershock::reports
