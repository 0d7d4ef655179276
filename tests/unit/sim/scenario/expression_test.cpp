#include "sim/scenario/expression.h"

#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/scenario/expression/parse_expression.h"

namespace aftershock::sim::scenario {
namespace {

using reports::Statistic;
using Of = Statistic::Of;
using Part = Statistic::Part;

constexpr std::array<std::string_view, 6> kMetrics{"ettr",       "attempts",  "wall_us",
                                                   "lost.steps", "max_stall", "/jobs/0/ettr"};
constexpr std::array<std::string_view, 2> kEvents{"exhausted", "completed"};

std::optional<TextProblem> check(std::string_view name) {
  return check_one_of(name, kMetrics, "metric");
}

Vocabulary until() { return {.check_metric = check, .events = kEvents}; }
Vocabulary goal() { return {.check_metric = check, .events = kEvents, .objective = true}; }
Vocabulary one_run() { return {.check_metric = check, .events = {}, .many_runs = false}; }

Expression parsed(std::string_view text, const Vocabulary& vocabulary = until()) {
  auto result = parse_expression(text, vocabulary);
  if (const auto* problem = std::get_if<ExpressionProblem>(&result)) {
    ADD_FAILURE() << format(argument_error("--until", text, *problem));
    return {};
  }
  return std::get<Expression>(std::move(result));
}

/// The values of ettr 0.9, attempts 4, wall_us 2 h and lost.steps unknown; p(exhausted) is 0.02.
std::optional<double> value(const Term& term) {
  static const std::map<std::string, double> kValues{
      {"ettr", 0.9}, {"attempts", 4}, {"wall_us", 7.2e9}, {"exhausted", 0.02}, {"max_stall", -1}};
  const auto found = kValues.find(term.name);
  if (found == kValues.end()) return std::nullopt;
  return found->second;
}

TEST(Expression, IsJudgedByPrecedenceAndKnownValues) {
  const struct {
    const char* text;
    Truth truth;
  } rows[] = {
      {"ettr < 0.9", Truth::kNo},
      {"ettr <= 0.9", Truth::kYes},
      {"ettr > 0.9", Truth::kNo},
      {"ettr >= 0.9", Truth::kYes},
      {"ettr == 90%", Truth::kYes},
      {"ettr != 0.9", Truth::kNo},
      {"0.5 < ettr", Truth::kYes},
      {"attempts<=4 and(ettr>8e-1)", Truth::kYes},
      {"wall_us > 1h and wall_us < 1d", Truth::kYes},
      {"wall_us == 7200000000", Truth::kYes},
      {"wall_us == 2h", Truth::kYes},
      {"p(exhausted) < 5%", Truth::kYes},
      {"max_stall > -2 and max_stall < -5e-1", Truth::kYes},
      // "and" binds closer than "or", "not" closest.
      {"ettr > 0 or ettr < 0 and ettr < 0", Truth::kYes},
      {"(ettr > 0 or ettr < 0) and ettr < 0", Truth::kNo},
      {"not ettr < 0 and ettr < 0", Truth::kNo},
      {"not (ettr < 0 and ettr < 0)", Truth::kYes},
      {"not not ettr > 0", Truth::kYes},
      // An unknown value counts where it decides.
      {"lost.steps < 5", Truth::kUnknown},
      {"not lost.steps < 5", Truth::kUnknown},
      {"lost.steps < 5 and ettr < 0", Truth::kNo},
      {"ettr > 0 or lost.steps < 5", Truth::kYes},
      {"lost.steps < 5 and ettr > 0", Truth::kUnknown},
      {"lost.steps < 5 or ettr < 0", Truth::kUnknown},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(holds(parsed(row.text), value), row.truth) << row.text;
  }
}

TEST(Expression, NamesStatistics) {
  const struct {
    const char* text;
    const char* name;
    Statistic statistic;
  } rows[] = {
      {"ettr", "ettr", {}},
      {"ettr.mean", "ettr", {}},
      {"ettr.ci95", "ettr", {.part = Part::kHalfWidth}},
      {"ettr.mean.ci95", "ettr", {.part = Part::kHalfWidth}},
      {"ettr.lo99", "ettr", {.part = Part::kLow, .level = 0.99}},
      {"ettr.hi999", "ettr", {.part = Part::kHigh, .level = 0.999}},
      {"lost.steps", "lost.steps", {}},
      {"lost.steps.n", "lost.steps", {.of = Of::kCount}},
      {"lost.steps.p50", "lost.steps", {.of = Of::kQuantile, .probability = 0.5}},
      {"lost.steps.p05", "lost.steps", {.of = Of::kQuantile, .probability = 0.05}},
      {"wall_us.p99.hi90",
       "wall_us",
       {.of = Of::kQuantile, .part = Part::kHigh, .probability = 0.99, .level = 0.9}},
      {"/jobs/0/ettr.sd", "/jobs/0/ettr", {.of = Of::kDeviation}},
      {"'/jobs/0/ettr'.max", "/jobs/0/ettr", {.of = Of::kMax}},
      {"\"lost.steps\".min", "lost.steps", {.of = Of::kMin}},
      {"p(exhausted)", "exhausted", {}},
      {"p( 'exhausted' ).hi95", "exhausted", {.part = Part::kHigh}},
      {"p(completed).n", "completed", {.of = Of::kCount}},
  };
  for (const auto& row : rows) {
    const Expression expression = parsed(std::string(row.text) + " > 0");
    ASSERT_EQ(expression.terms.size(), 2U) << row.text;
    EXPECT_EQ(expression.terms[0].name, row.name) << row.text;
    EXPECT_EQ(expression.terms[0].statistic, row.statistic) << row.text;
  }
}

TEST(Expression, OfAGoalHasAnObjective) {
  const Expression last = parsed("p(exhausted).hi95 < 1% and max ettr", goal());
  EXPECT_TRUE(last.objective->greatest);
  EXPECT_EQ(last.terms[last.objective->term].name, "ettr");
  EXPECT_EQ(last.steps.size(), 1U);
  EXPECT_EQ(holds(last, value), Truth::kNo);
  const Expression first = parsed("min wall_us.p99 and attempts < 5 and not ettr < 0", goal());
  EXPECT_FALSE(first.objective->greatest);
  EXPECT_EQ(holds(first, value), Truth::kYes);
  const Expression alone = parsed("max ettr", goal());
  EXPECT_TRUE(alone.steps.empty());
  EXPECT_EQ(holds(alone, value), Truth::kYes);
}

/// An invalid expression, and its error from the column on, as far as it is written here.
struct Refused {
  Vocabulary vocabulary;
  std::string text;
  std::string error;
};

const std::vector<Refused>& refused_conditions() {
  static const std::vector<Refused> kRows{
      {until(), "", "1: the expression ends too early; expected a metric, p(EVENT), or a number"},
      {until(), "etr < 1",
       "1: unknown metric \"etr\"; expected one of ettr, attempts, wall_us, "
       "lost.steps, max_stall, /jobs/0/ettr; did you mean \"ettr\"?"},
      {until(), "/jobs/0/etr < 1", "1: unknown metric \"/jobs/0/etr\""},
      {until(), "p(exausted) < 1",
       "3: unknown event \"exausted\"; expected one of exhausted, "
       "completed; did you mean \"exhausted\"?"},
      {until(), "ettr.meen < 1", "6: there is no statistic \"meen\"; expected mean, min,"},
      {until(), "ettr.p5 < 1", "6: there is no statistic \"p5\""},
      {until(), "ettr.p00 < 1", "6: there is no statistic \"p00\""},
      {until(), "'ettr'.ci < 1", "7: there is no statistic \"ci\"; expected mean"},
      {until(), "ettr.max.ci95 < 1", "6: there is no statistic \"max.ci95\""},
      {until(), "p(exhausted).p50 < 1",
       "1: \"p(exhausted).p50\" is not a statistic of a probability"},
      {until(), "p() < 1", "3: \")\" does not belong here; expected the name of an event"},
      {until(), "p(exhausted < 1", "13: \"<\" does not belong here; expected \")\" behind"},
      {until(), "ettr", "5: the expression ends too early; expected one of < <= > >= == !="},
      {until(), "ettr 3", "6: \"3\" does not belong here; expected one of < <= > >= == !="},
      {until(), "ettr = 1",
       "6: \"=\" is not a word of expressions; expected one of < <= > >= == "
       "!= and or not; did you mean \"==\"?"},
      {until(), "ettr => 1",
       "6: \"=>\" is not a word of expressions; expected one of < <= > >= "
       "== != and or not; did you mean \">=\"?"},
      {until(), "ettr <> 1", "6: \"<>\" is not a word"},
      {until(), "ettr > 0 && ettr < 1", "10: \"&&\" is not a word"},
      {until(), "!ettr > 0",
       "1: \"!\" is not a word of expressions; expected one of < <= > >= == "
       "!= and or not; did you mean \"not\"?"},
      {until(), "ettr \xE2\x89\xA4 1", "6: \"\xE2\x89\xA4\" is not a word"},
      {until(), "'\xC3\xA4' < 1 and ettr $ 1", "18: \"$\" cannot stand in an expression"},
      {until(), "ettr $ 1", "6: \"$\" cannot stand in an expression"},
      {until(), "ettr < 1 AND ettr > 0",
       "10: \"AND\" does not belong here; expected \"and\", "
       "\"or\" or the end; did you mean \"and\"?"},
      {until(), "0.1 < ettr < 0.9", "12: a comparison has two sides; expected two comparisons"},
      {until(), "1 < 2", "1: two numbers are compared; expected a metric or p(EVENT) on one side"},
      {until(), "(ettr < 1", "1: the parenthesis is not closed"},
      {until(), "ettr < 1)", "9: the parenthesis was not opened"},
      {until(), "(ettr < 1 ettr", "11: \"ettr\" does not belong here; expected \"and\""},
      {until(), "ettr < 1 and", "13: the expression ends too early"},
      {until(), "'ettr < 1", "1: the quote has no end; expected a ' behind the name"},
      {until(), "'' < 1", "1: the quotes are empty"},
      {until(), "wall_us < 3days",
       "11: unknown unit \"days\" in \"3days\"; expected a duration "
       "such as \"90s\", \"30min\" or \"1.5h\"; the units are us, ms, "
       "s, min, h, d; did you mean \"d\"?"},
      {until(), "ettr < 120%", "8: \"120%\" is more than the whole"},
      {until(), "ettr < 1e999", "8: \"1e999\" is beyond what numbers can be"},
      {until(), "ettr < 95", "8: \"ettr\" is a share, from 0 to 1; expected 0.95, which is 95 %"},
      {until(), "p(exhausted) >= 101",
       "17: \"p(exhausted)\" is a share, from 0 to 1; expected a number"},
      {until(), "-1 < ettr.p50", "1: \"ettr.p50\" is a share, from 0 to 1"},
      {until(), "ettr < 3d", "8: \"3d\" is a time, and \"ettr\" is not; expected a number or a"},
      {until(), "wall_us.n < 3d", "13: \"3d\" is a time, and \"wall_us.n\" is not"},
      {until(), "50% < wall_us", "1: \"50%\" is a share, and \"wall_us\" a time"},
      {until(), "max ettr", "1: \"max\" is for goals; expected a condition; a statistic"},
  };
  return kRows;
}

const std::vector<Refused>& refused_elsewhere() {
  static const std::vector<Refused> kRows{
      {goal(), "ettr < 1", "9: the goal has nothing to reach for; expected \"max METRIC\""},
      {goal(), "max ettr and min wall_us", "14: there is an objective already"},
      {goal(), "max 3", "5: a number is nothing to reach for"},
      {goal(), "max ettr > 3", "10: an objective is not compared"},
      {goal(), "not max ettr", "9: an objective cannot be part of a condition"},
      {goal(), "(max ettr) and ettr > 0", "6: an objective cannot be part of a condition"},
      {goal(), "max ettr or ettr > 0", "5: an objective cannot be part of a condition"},
      {goal(), "ettr > 0 or max ettr", "17: an objective cannot be part of a condition"},
      {goal(), "max ettr and ettr > 0 or ettr < 1",
       "5: an objective cannot be part of a condition"},
      {one_run(), "ettr.p50 < 1", "6: one run has no \"p50\"; expected the metric alone"},
      {one_run(), "ettr.x < 1", "1: unknown metric \"ettr.x\""},
      {one_run(), "'ettr'.p50 < 1", "7: one run has no \"p50\"; expected the metric alone"},
      {one_run(), "p(exhausted) < 1", "1: there is no probability here"},
  };
  return kRows;
}

void expect_refused(const std::vector<Refused>& rows) {
  for (const Refused& row : rows) {
    const auto result = parse_expression(row.text, row.vocabulary);
    const auto* problem = std::get_if<ExpressionProblem>(&result);
    ASSERT_NE(problem, nullptr) << row.text;
    const std::string error = format(argument_error("X", row.text, *problem));
    const std::string got = error.substr(error.find(":1:") + 3);
    EXPECT_EQ(got.substr(0, row.error.size()), row.error) << row.text;
  }
}

TEST(Expression, IsRefusedWithPlaceExpectationAndNearestWord) {
  expect_refused(refused_conditions());
}

TEST(Expression, OfAGoalOrOneRunIsRefusedForWhatItLacks) { expect_refused(refused_elsewhere()); }

TEST(Expression, IsBounded) {
  const auto refused = [](const std::string& text) {
    return std::holds_alternative<ExpressionProblem>(parse_expression(text, until()));
  };
  const auto deep = [](std::size_t depth) {
    return std::string(depth, '(') + "ettr > 0" + std::string(depth, ')');
  };
  EXPECT_FALSE(refused(deep(64)));
  EXPECT_TRUE(refused(deep(65)));
  EXPECT_TRUE(refused(deep(2000)));
  std::string nots;
  for (int i = 0; i < 1000; ++i) nots += "not ";
  EXPECT_TRUE(refused(nots + "ettr > 0"));
  std::string longest = "ettr > 0";
  while (longest.size() + 13 <= kLongestExpression) longest += " and ettr > 0";
  EXPECT_FALSE(refused(longest));
  EXPECT_TRUE(refused(longest + std::string(13, ' ')));
}

// A text of any bytes is understood or refused at a place in it.
TEST(Expression, OfAnyBytesIsRefusedInItsBounds) {
  const std::array<std::string_view, 22> pieces{
      "ettr", " ",  "and", "or", "not", "(",    ")",  "<",  "==", "=",        "p(",
      "max",  "3d", "5%",  "'",  "\"",  ".p50", "/a", "1e", "-",  "\xE2\x89", "."};
  std::mt19937_64 random(7);
  int understood = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = "not (ettr > 0.5 or wall_us.p50 < 3d) and p(exhausted) < 5%";
    for (auto n = random() % 4; n > 0; --n) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text.erase(at, 1 + random() % 4);
      } else {
        text.insert(at, pieces[random() % pieces.size()]);
      }
    }
    const auto result = parse_expression(text, i % 2 == 0 ? until() : goal());
    if (const auto* problem = std::get_if<ExpressionProblem>(&result)) {
      EXPECT_LE(problem->column, text.size() + 1) << text;
      EXPECT_FALSE(problem->problem.message.empty()) << text;
    } else {
      ++understood;
    }
  }
  EXPECT_GT(understood, 2000);  // every eighth is left as it was, for until()
}

}  // namespace
}  // namespace aftershock::sim::scenario
