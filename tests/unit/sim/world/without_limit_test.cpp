#include "sim/world/without_limit.h"

#include <gtest/gtest.h>

namespace aftershock::sim::world {
namespace {

TEST(WithoutLimit, WordsNameABudgetWholeAndOnlyInTheirList) {
  constexpr const char* kOne = "job a got no further: its policy ended each (without limit: max_b)";
  constexpr const char* kTwo =
      "job max_c got no further: x ended each (without limit: max_a, max_b), and nothing";
  const struct {
    const char* words;
    const char* budget;
    bool named;
  } rows[] = {
      {kOne, "max_b", true},         {kOne, "max", false},
      {kOne, "max_bb", false},       {kTwo, "max_a", true},
      {kTwo, "max_b", true},         {kTwo, "max_c", false},
      {"job max_b", "max_b", false}, {"(without limit: ", "max_b", false},
      {"", "max_b", false},
  };
  for (const auto& each : rows) {
    EXPECT_EQ(names_without_limit(each.words, each.budget), each.named)
        << each.words << ": " << each.budget;
  }
}

}  // namespace
}  // namespace aftershock::sim::world
