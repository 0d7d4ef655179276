#include "policies/modelarts/chips.h"

#include <gtest/gtest.h>

namespace aftershock::policies::modelarts {
namespace {

ChipVerdict judged(std::string code, std::optional<Severity> severity = {}) {
  Memory memory;
  return judge({}, memory,
               {.node = 1, .accelerator = 2, .code = std::move(code), .severity = severity}, 0);
}

// modelarts.md 1.2 and 6.1; 80E1FFFF and 8107FFFF stand in no list.
TEST(Chips, AreJudgedByWhatIsKnownOfTheCode) {
  struct Row {
    std::string code;
    std::optional<Severity> severity;
    ChipVerdict verdict;
  };
  const Row rows[] = {
      {"ascend:80E18401", {}, ChipVerdict::kNothing},
      {"80E18401", {}, ChipVerdict::kNothing},
      {"ascend:80E01801", {}, ChipVerdict::kHeal},
      {"ascend:80E18005", {}, ChipVerdict::kHeal},
      {"ascend:80E18402", {}, ChipVerdict::kCritical},
      {"ascend:80E18402", Severity::kMinor, ChipVerdict::kHeal},
      {"ascend:80E01801", Severity::kHint, ChipVerdict::kNothing},
      {"ascend:80E1FFFF", {}, ChipVerdict::kUnlistedCritical},
      {"ascend:80E1FFFF", Severity::kMajor, ChipVerdict::kUnlistedCritical},
      {"ascend:80E1FFFF", Severity::kMinor, ChipVerdict::kUnlistedMinor},
      {"ascend:8107FFFF", {}, ChipVerdict::kUnlistedMinor},
      {"xid:79", {}, ChipVerdict::kGpu},
      {"xid:95", {}, ChipVerdict::kGpu},
      {"xid:31", {}, ChipVerdict::kGpuApplication},
      {"xid:63", {}, ChipVerdict::kNothing},
      {"xid:999", {}, ChipVerdict::kGpu},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(judged(row.code, row.severity), row.verdict) << row.code;
  }
}

TEST(Chips, KeepTheirHistoryInOrder) {
  Memory memory;
  for (const NodeId node : {3U, 1U, 2U, 1U}) {
    judge({}, memory, {.node = node, .accelerator = 0, .code = "ascend:80E01801"}, node);
  }
  ASSERT_EQ(memory.chips.size(), 3U);
  EXPECT_EQ(memory.chips[0].node, 1U);
  EXPECT_EQ(memory.chips[0].times.size(), 2U);
  EXPECT_EQ(memory.chips[2].node, 3U);
}

}  // namespace
}  // namespace aftershock::policies::modelarts
