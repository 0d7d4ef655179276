#include "sim/conform/view.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::conform {
namespace {

/// The summary of a run with one job, and one decision of each sort.
View run_of_one(const std::string& job, const std::vector<std::string>& lines) {
  const auto summary = policies::json_from_text<View>(
      R"({"simulated_us":9,"jobs":[)" + job +
      R"(],"experiments":[],"driver_runs":[],"cluster":{},"faults":{},"never_struck":[],)"
      R"("invariants":{"violated":[]}})");
  reports::Decisions decisions;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    reports::add_decision(decisions, i, lines[i]);
  }
  return view_of(summary, decisions);
}

constexpr const char* kJob =
    R"({"name":"llm","outcome":"failed","reason":"by mine.rule","rules":["mine.rule"],)"
    R"("wall_us":7,"ledger_us":{"productive":7,"waiting":0},"attempts":2,"steps_done":5,"recoveries":[{"fault":"f","rules":["mine.rule"],)"
    R"("detected_us":3,"running_us":null}],"budgets":{"max_failures":{"used":1,"limit":3,)"
    R"("exhausted":false,"charges":[)"
    R"({"t_us":3,"fault":"f","cause":"node","decision":"RETRY","rule":"mine.rule","used":1,)"
    R"("exempt":false},)"
    R"({"t_us":4,"fault":"f","cause":"user","decision":"RETRY","rule":"mine.rule","used":1,)"
    R"("exempt":true}]},)"
    R"("max_idle":{"used":0,"limit":null,"exhausted":false,"charges":[]},)"
    R"("max_exempt":{"used":0,"limit":null,"exhausted":false,"charges":[)"
    R"({"t_us":4,"fault":"f","cause":"node","decision":"RETRY","rule":"mine.rule","used":0,)"
    R"("exempt":true}]}}})";

constexpr const char* kDecision =
    R"({"t":3,"r":"decision","on":"job:llm","saw":[],"steps":[)"
    R"({"rule":"mine.rule","from":"RUNNING","to":"RESTARTING","budgets":[)"
    R"({"budget":"max_failures","cause":"node","used":1,"limit":3}],)"
    R"("commands":[{"type":"stop_workers","id":1}]},)"
    R"({"rule":"mine.poll","from":"RESTARTING","to":"RESTARTING"}]})";

TEST(View, HasAMemberForEachKindAndNoRules) {
  const View view = run_of_one(kJob, {kDecision});
  const View expected = policies::json_from_text<View>(
      R"({"outcome":{"job:llm":{"outcome":"failed","budgets":{"max_failures":)"
      R"({"used":1,"limit":3,"exhausted":false}}}},)"
      R"("attempts":{"job:llm":{"attempts":2,"recoveries":[{"fault":"f"}]}},)"
      R"("charges":{"job:llm":{"max_failures":)"
      R"([{"cause":"node","fault":"f","decision":"RETRY","used":1}]}},)"
      R"j("decisions":{"job:llm":["charges max_failures (node)","RESTARTING"]},)j"
      R"("commands":{"job:llm":["stop_workers"]},)"
      R"("work":{"job:llm":{"steps_done":5}},)"
      R"("time":{"job:llm":{"wall_us":7,"ledger_us":{"productive":7},"charges":{"max_failures":[3]},)"
      R"("recoveries":[{"detected_us":3,"running_us":null}],"decisions":[3,3],"commands":[3]},)"
      R"("simulated_us":9,"cluster":{}},)"
      R"("faults":{"counts":{},"never_struck":[]}})");
  EXPECT_EQ(policies::json_from_text<nlohmann::json>(policies::text_from_json(view)),
            policies::json_from_text<nlohmann::json>(policies::text_from_json(expected)));
  EXPECT_EQ(counts_of(view).decisions, 2U);
  EXPECT_EQ(counts_of(view).charges, 1U);
}

TEST(View, CountsNothingWhereThereIsNothing) {
  EXPECT_EQ(counts_of(View()).decisions, 0U);
  EXPECT_EQ(counts_of(View::object()).charges, 0U);
}

struct Pair {
  const char* name;
  std::string port;
  std::string installed;
  std::string kinds;    ///< of their differences
  std::string pointer;  ///< of the first
  std::string told;     ///< port, then installed
};

class Differences : public testing::TestWithParam<Pair> {};

TEST_P(Differences, AreTheFirstOfEachKind) {
  const Pair& pair = GetParam();
  const auto found = differences(policies::json_from_text<View>(pair.port),
                                 policies::json_from_text<View>(pair.installed));
  std::string kinds;
  for (const Difference& difference : found) {
    kinds += (kinds.empty() ? "" : " ") + std::string(name_of(difference.kind));
  }
  EXPECT_EQ(kinds, pair.kinds);
  if (!found.empty()) {
    EXPECT_EQ(found[0].pointer, pair.pointer);
    EXPECT_EQ(policies::text_from_json(found[0].port) + " " +
                  policies::text_from_json(found[0].installed),
              pair.told);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Differences,
    testing::Values(Pair{"none", R"({"charges":{"a":[1]},"time":{"x":1}})",
                         R"({"time":{"x":1},"charges":{"a":[1]}})", "", "", ""},
                    Pair{"time_alone", R"({"charges":{"a":[1]},"time":{"x":[1,2]}})",
                         R"({"charges":{"a":[1]},"time":{"x":[1,3]}})", "time", "/time/x/1", "2 3"},
                    Pair{"two_kinds", R"({"outcome":{"a":"failed"},"time":{"x":1}})",
                         R"({"outcome":{"a":"completed"},"time":{"x":2}})", "outcome time",
                         "/outcome/a", R"("failed" "completed")"},
                    Pair{"one_goes_on", R"({"charges":{"a":[1]}})", R"({"charges":{"a":[1,7]}})",
                         "charges", "/charges/a/1", "null 7"},
                    Pair{"a_member_more", R"({"charges":{"a":[1],"b/c":[2]}})",
                         R"({"charges":{"a":[1]}})", "charges", "/charges/b~1c", "[2] null"},
                    Pair{"a_kind_is_missing", R"({"faults":{"counts":{}}})", "{}", "faults",
                         "/faults/counts", "{} null"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace aftershock::sim::conform
