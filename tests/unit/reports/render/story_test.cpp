#include "reports/render/story.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace aftershock::reports {
namespace {

/// A job or an experiment of ten hours under a horizon of twenty.
template <class Summary>
Summary lived(const char* outcome, EndState at_end, UsefulWork useful, std::int64_t waited_us = 0) {
  Summary summary;
  summary.name = "llm";
  summary.outcome = outcome;
  summary.at_end = at_end;
  summary.wall_us = 10 * kHour;
  summary.useful = useful;
  summary.ledger_us[static_cast<std::size_t>(Bucket::kWaitingForCapacity)] = waited_us;
  summary.ledger_us[static_cast<std::size_t>(Bucket::kProductive)] = 10 * kHour - waited_us;
  return summary;
}

TEST(OutcomeLine, SaysWhereAJobStandsAndHowMuchOfItsTimeWasOfUse) {
  const UsefulWork of_all{.us = 9 * kHour, .of_us = 10 * kHour};
  const UsefulWork little{.us = 3 * kHour / 10, .of_us = 10 * kHour};
  const UsefulWork of_more{.us = 9 * kHour, .of_us = 20 * kHour};
  struct Row {
    const char* outcome;
    EndState at_end;
    UsefulWork useful;
    std::int64_t waited_us;
    const char* line;
  };
  for (const Row& row : {
           Row{"completed", EndState::kCompleted, of_all, 0,
               "llm completed after 10:00:00; useful work 90.0 %"},
           Row{"running", EndState::kTraining, of_all, 0,
               "llm is still running after 10:00:00; useful work 90.0 %"},
           Row{"running", EndState::kRecovering, of_all, 0,
               "llm is recovering at the end after 10:00:00; useful work 90.0 %"},
           Row{"running", EndState::kWaiting, of_all, 0,
               "llm waits at the end after 10:00:00; useful work 90.0 %"},
           Row{"running", EndState::kStuck, of_all, 0,
               "llm is STUCK after 10:00:00; useful work 90.0 %"},
           Row{"running", EndState::kStuck, little, 97 * kHour / 10,
               "llm is STUCK after 10:00:00, and waited for nodes for 97.0 % of it; useful work "
               "3.0 %"},
           Row{"completed", EndState::kCompleted, little, 97 * kHour / 10,
               "llm completed after 10:00:00, and waited for nodes for 97.0 % of it; useful work "
               "3.0 %"},
           // Half of it is not most of it.
           Row{"running", EndState::kWaiting, little, 5 * kHour,
               "llm waits at the end after 10:00:00; useful work 3.0 %"},
           Row{"running", EndState::kWaiting, little, 5 * kHour + kSecond,
               "llm waits at the end after 10:00:00, and waited for nodes for 50.0 % of it; useful "
               "work 3.0 %"},
           // One that ended before the horizon is held against all of it.
           Row{"failed", EndState::kFailed, of_more, 0,
               "llm FAILED after 10:00:00; useful work 45.0 % of 20:00:00"},
           Row{"aborted", EndState::kAborted, of_more, 0,
               "llm ABORTED after 10:00:00; useful work 45.0 % of 20:00:00"},
           // Without any time there is no share to tell.
           Row{"running", EndState::kWaiting, {}, 0, "llm waits at the end after 10:00:00"},
       }) {
    const Style plain;
    EXPECT_EQ(
        outcome_line(lived<JobSummary>(row.outcome, row.at_end, row.useful, row.waited_us), plain),
        row.line);
    EXPECT_EQ(
        outcome_line(lived<ExperimentSummary>(row.outcome, row.at_end, row.useful, row.waited_us),
                     plain),
        row.line);
  }
}

TEST(OutcomeLine, SaysWhyAJobThatHasNotEndedGetsNoFurther) {
  const Style plain;
  auto job = lived<JobSummary>("running", EndState::kRecovering, {});
  job.reason = "job llm got no further in its last 216 attempts";
  EXPECT_EQ(outcome_line(job, plain),
            "llm is recovering at the end: job llm got no further in its last 216 attempts after "
            "10:00:00");
  job.at_end = EndState::kStuck;  // the verdict says it
  EXPECT_EQ(outcome_line(job, plain), "llm is STUCK after 10:00:00");
}

TEST(OutcomeLine, OnlyOneThatIsStuckIsAsRedAsOneThatFailed) {
  const Style coloured{.color = true};
  const auto line = [&coloured](EndState at_end) {
    return outcome_line(lived<JobSummary>("running", at_end, {}), coloured);
  };
  EXPECT_EQ(line(EndState::kStuck), "\x1b[1;31mllm is STUCK\x1b[0m after 10:00:00");
  EXPECT_EQ(line(EndState::kWaiting).find("\x1b[1;31m"), std::string::npos);
}

TEST(VerdictLine, KeepsTheLinesOfAReasonAndNothingElseThatIsNoLetter) {
  const Style plain;
  EXPECT_EQ(verdict_line("policy_failed", "it died\n  | Trace\x1b[31m:\n", plain),
            "verdict policy_failed (exit code 5): it died\n  | Trace?[31m:\n");
  EXPECT_EQ(verdict_line("stuck", "a\n ::error::b\n##[c]\nd", plain),
            "verdict stuck (exit code 3): a\n  |  ::error::b\n  | ##[c]\nd\n");
  EXPECT_EQ(verdict_line("failed", "", plain), "verdict failed (exit code 1)\n");
  EXPECT_EQ(verdict_line("of_the_future", "x", plain), "verdict of_the_future: x\n");
  Style narrow;
  narrow.width = 32;
  EXPECT_EQ(verdict_line("failed", "of that ::error::b", narrow),
            "verdict failed (exit code 1): of\n  that ::error::b\n");
  EXPECT_EQ(verdict_line("failed", "a word ::error::b", narrow),
            "verdict failed (exit code 1): a\n  word ::error::b\n");
  narrow.width = 37;
  EXPECT_EQ(verdict_line("failed", "a word ::error::b", narrow),
            "verdict failed (exit code 1): a word\n  |   ::error::b\n")
      << "a line that begins where another was full reads as a command";
}

}  // namespace
}  // namespace aftershock::reports
