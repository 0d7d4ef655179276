#include "sim/scenario/shape/shape.h"

#include <string>

#include <gtest/gtest.h>

#include "sim/scenario/shape/distribution_keys.h"
#include "sim/scenario/shape/lexicals.h"

namespace aftershock::sim::scenario {
namespace {

TEST(Shape, CompletesTheSentenceOfAnError) {
  const struct {
    Shape shape;
    const char* phrase;
  } rows[] = {
      {shape::boolean(), "true or false"},
      {shape::integer(1, 8), "a whole number from 1 to 8"},
      {shape::word({"file", "object"}), R"(one of "file", "object")"},
      {shape::lexical(lexicals::duration()), R"(a duration such as "90s", "30min" or "1.5h")"},
      {shape::either({shape::only_false(), shape::integer(0, 3)}),
       "false, or a whole number from 0 to 3"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(phrase_of(row.shape), row.phrase);
  }
}

TEST(Lexicals, TakeNamesWithoutPointersAndTargets) {
  const struct {
    const char* text;
    bool name;
  } rows[] = {{"llm", true}, {"gpu-0.a", true}, {"a b", false}, {"a/b", false}, {"a:b", false}};
  for (const auto& row : rows) {
    EXPECT_EQ(!lexicals::name().check(row.text).has_value(), row.name) << row.text;
  }
}

TEST(Lexicals, TakeDurationsOfNothingOnlyWhereTheyMayBe) {
  EXPECT_FALSE(lexicals::duration().check("0s"));
  EXPECT_TRUE(lexicals::positive_duration().check("0s"));
  EXPECT_TRUE(lexicals::duration().check("10"));
  EXPECT_TRUE(lexicals::duration().check("101y"));
}

}  // namespace
}  // namespace aftershock::sim::scenario
