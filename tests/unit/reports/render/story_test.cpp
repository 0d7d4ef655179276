#include "reports/render/story.h"

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

TEST(VerdictLine, KeepsTheLinesOfAReasonAndNothingElseThatIsNoLetter) {
  const Style plain;
  EXPECT_EQ(verdict_line("policy_failed", "it died\n  | Trace\x1b[31m:\n", plain),
            "verdict policy_failed (exit code 5): it died\n  | Trace?[31m:\n");
  EXPECT_EQ(verdict_line("stuck", "a\n ::error::b\n##[c]\nd", plain),
            "verdict stuck (exit code 3): a\n  |  ::error::b\n  | ##[c]\nd\n");
  EXPECT_EQ(verdict_line("failed", "", plain), "verdict failed (exit code 1)\n");
  EXPECT_EQ(verdict_line("of_the_future", "x", plain), "verdict of_the_future: x\n");
}

}  // namespace
}  // namespace aftershock::reports
