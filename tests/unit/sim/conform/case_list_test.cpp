#include "sim/conform/case_list.h"

#include <string>

#include <gtest/gtest.h>

namespace aftershock::sim::conform {
namespace {

std::string list_of(const std::string& one) {
  return R"({"policy":"mine","profile":"1","cases":[)" + one + "]}";
}

TEST(CaseList, CountsRunsAndSeeds) {
  const Case own{.scenario = "a", .seeds = 0, .sequences = 0, .known = {}};
  EXPECT_EQ(runs_of(own), 1U);
  EXPECT_EQ(first_seed(own), std::nullopt);
  const Case seeds{.scenario = "a", .seeds = 5, .sequences = 0, .known = {}};
  EXPECT_EQ(runs_of(seeds), 5U);
  EXPECT_EQ(first_seed(seeds), 1U);
  const Case sequences{.scenario = "a", .seeds = 0, .sequences = 7, .known = {}};
  EXPECT_EQ(runs_of(sequences), 7U);
  EXPECT_EQ(first_seed(sequences), 0U);
  const Case cells{.scenario = "a", .known = {}, .cells = {"training/F03/victim/entry", "b"}};
  EXPECT_EQ(runs_of(cells), 2U);
  EXPECT_EQ(first_seed(cells), 0U);
}

TEST(CaseList, ReadsCasesWithWhatIsKnownOfThem) {
  const auto read = read_case_list(
      list_of(R"({"scenario":"a.json"},{"scenario":"b.json","seeds":10,"differs":"late"},)"
              R"({"scenario":"c.json","differs":{"why":"later","kinds":["time","charges"]}})"));
  const auto* list = std::get_if<CaseList>(&read);
  ASSERT_NE(list, nullptr) << std::get<std::string>(read);
  EXPECT_EQ(list->policy, "mine");
  EXPECT_EQ(list->profile, "1");
  ASSERT_EQ(list->cases.size(), 3U);
  EXPECT_EQ(list->cases[0].seeds, 0U);
  EXPECT_TRUE(list->cases[0].known.why.empty());
  EXPECT_EQ(list->cases[1].seeds, 10U);
  EXPECT_EQ(list->cases[1].known.why, "late");
  EXPECT_TRUE(list->cases[1].known.kinds.empty());
  EXPECT_EQ(list->cases[2].known.kinds, (std::vector{Kind::kTime, Kind::kCharges}));
}

struct Wrong {
  const char* name;
  std::string text;
  std::string problem;
};

class WrongList : public testing::TestWithParam<Wrong> {};

TEST_P(WrongList, SaysWhereItIsWrong) {
  const auto read = read_case_list(GetParam().text);
  const auto* problem = std::get_if<std::string>(&read);
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(*problem, GetParam().problem);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongList,
    testing::Values(
        Wrong{"text", "cases", "line 1, column 1: invalid literal"},
        Wrong{"cut", "{\"policy\":\n[",
              "line 2, column 2: unexpected end of input; expected '[', '{', or a literal"},
        Wrong{"form", "[]", "the whole: expected an object"},
        Wrong{"no_policy", R"({"profile":"1","cases":[{"scenario":"a"}]})",
              "/policy: expected a text"},
        Wrong{"no_cases", R"({"policy":"mine","profile":"1","cases":[]})",
              "/cases: expected a list of cases"},
        Wrong{"unknown_member", list_of(R"({"scenario":"a","seed":1})"),
              "/cases/0/seed: is unknown; expected one of scenario, seeds, sequences, "
              "differs"},
        Wrong{"no_scenario", list_of(R"({"seeds":1})"), "/cases/0/scenario: expected a text"},
        Wrong{"no_seeds", list_of(R"({"scenario":"a","seeds":0})"),
              "/cases/0/seeds: expected a whole number from 1 to 1000000"},
        Wrong{"both", list_of(R"({"scenario":"a","seeds":2,"sequences":3})"),
              "/cases/0/sequences: stand in the place of seeds"},
        Wrong{"no_reason", list_of(R"({"scenario":"a","differs":""})"),
              "/cases/0/differs: expected a text"},
        Wrong{"no_kinds", list_of(R"({"scenario":"a","differs":{"why":"b"}})"),
              "/cases/0/differs/kinds: expected a list of kinds of differences"},
        Wrong{"unknown_kind", list_of(R"({"scenario":"a","differs":{"why":"b","kinds":["x"]}})"),
              "/cases/0/differs/kinds/0: expected one of outcome, attempts, charges, decisions, "
              "commands, work, time, faults"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace aftershock::sim::conform
