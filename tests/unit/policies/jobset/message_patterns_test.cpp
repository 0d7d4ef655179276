#include "policies/jobset/message_patterns.h"

#include <gtest/gtest.h>

namespace aftershock::policies::jobset {
namespace {

TEST(MessagePatterns, MatchAnywhereInTheMessage) {
  struct Row {
    const char* pattern;
    const char* message;
    bool matches;
  };
  const Row rows[] = {
      {"exit code 4[0-9]", "Pod llm-0 failed with exit code 42", true},
      {"^exit code 42$", "Pod llm-0 failed with exit code 42", false},
      {"Exit Code", "exit code 42", false},
      {"(?i)Exit Code", "exit code 42", true},
      {"", "exit code 42", true},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.pattern);
    ASSERT_TRUE(is_pattern(row.pattern));
    EXPECT_EQ(pattern_matches(row.pattern, row.message), row.matches);
  }
}

TEST(MessagePatterns, OthersAreRefused) {
  for (const char* pattern : {"exit code (", "[", "*", "(?i)[", "(?x)a"}) {
    EXPECT_FALSE(is_pattern(pattern)) << pattern;
  }
}

}  // namespace
}  // namespace aftershock::policies::jobset
