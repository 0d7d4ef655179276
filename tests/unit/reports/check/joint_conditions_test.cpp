#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/check/outputs.h"
#include "reports/check/words.h"
#include "tests/unit/reports/check/sample_report.h"

namespace aftershock::reports {
namespace {

// Of a scenario that is judged by all its seeds a run may miss what is expected, or be stuck.
TEST(CheckReport, IsRedByAConditionOnAllSeedsAndNotByTheRunsThatItCounts) {
  CheckReport report;
  report.runs.push_back(same_run("scenarios/a.json", 4));
  CheckedRun& run = report.runs.front();
  JointCondition condition{.file = "scenarios/a.json",
                           .name = "same",
                           .policy = "modelarts",
                           .first_seed = 4,
                           .runs = 20,
                           .that = "p(passed) > 90%",
                           .holds = true,
                           .found = {"p(passed) is 85.0 %"}};
  report.joint.push_back(condition);
  struct Case {
    Verdict of_run;
    bool jointly;
    bool holds;
    Verdict verdict;
  };
  const Case cases[] = {
      {Verdict::kStuck, true, true, Verdict::kPassed},
      {Verdict::kFailed, true, true, Verdict::kPassed},
      {Verdict::kPolicyFailed, true, true, Verdict::kPolicyFailed},
      {Verdict::kStuck, false, true, Verdict::kStuck},
      {Verdict::kStuck, true, false, Verdict::kFailed},
  };
  for (const Case& each : cases) {
    run.run.verdict = each.of_run;
    run.jointly = each.jointly;
    report.joint.front().holds = each.holds;
    EXPECT_EQ(verdict_of(report), each.verdict) << name_of(each.of_run) << each.jointly;
  }
  const std::string text = check_text(report, Style{});
  for (const char* part : {"failed: scenarios/a.json, modelarts, 20 seeds from 4\n",
                           "p(passed) > 90% does not hold: p(passed) is 85.0 %\n",
                           "aftershock sweep scenarios/a.json --seed 4 --runs 20",
                           "1 condition on all seeds broken; failed: exit code 1\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  }
  EXPECT_NE(check_annotations(report).find("a condition on all seeds is broken"),
            std::string::npos);
  EXPECT_NE(check_junit(report).find("modelarts, 20 seeds from 4: p(passed)"), std::string::npos);
  EXPECT_NE(check_markdown(report).find("| 20 from 4 |"), std::string::npos);
  EXPECT_EQ(check_json(report)["joint"][0]["holds"], false);
}

}  // namespace
}  // namespace aftershock::reports
