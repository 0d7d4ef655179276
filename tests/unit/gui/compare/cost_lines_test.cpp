#include "gui/compare/cost_lines.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

struct Summarised {
  const char* outcome = "completed";
  int wall_us = 100;
  double ettr = 0.9;
  double useful_share = 0.9;
  int lost_us = 10;
  const char* budgets = "{}";
  double cost = 5;
  const char* ledger = R"({"us":{"productive":90,"rolled_back":10}})";
};

Trace run_summarised(const Summarised& told, const char* job = "llm") {
  Trace trace;
  trace.ledgers.push_back({trace.entities.add(std::string("job:") + job), told.ledger});
  trace.summary_json =
      fmt::format(R"({{"t":1,"summary":{{"verdict":"passed","jobs":[{{"name":"{}","outcome":"{}",)"
                  R"("reason":"why","wall_us":{},"ettr":{},"useful_share":{},)"
                  R"("lost":{{"us":{}}},"attempts":3,"budgets":{}}}],)"
                  R"("cluster":{{"cost":{}}}}}}})",
                  job, told.outcome, told.wall_us, told.ettr, told.useful_share, told.lost_us,
                  told.budgets, told.cost);
  return trace;
}

/// "what A B judgement" of each line, with the values as they are.
std::string told(const Trace& a, const Trace& b, const char* what) {
  const std::vector<CostLine> lines = cost_lines(a, b);
  const auto found = std::ranges::find(lines, what, &CostLine::what);
  if (found == lines.end()) {
    return "none";
  }
  constexpr const char* kNames[]{"same", "better", "worse", "differs", "unknown"};
  const auto value = [](const auto& number, const std::string& words) {
    return !words.empty() ? words : number ? std::to_string(*number) : "-";
  };
  return value(found->a, found->words_a) + " | " + value(found->b, found->words_b) + " | " +
         kNames[static_cast<std::size_t>(judged(*found))];
}

TEST(CostLines, JudgeWhatCanBeJudged) {
  const Trace a = run_summarised({});
  struct Row {
    const char* what;
    Summarised b;
    const char* told;
  };
  const Summarised died{
      .outcome = "failed", .wall_us = 20, .ettr = 0.95, .useful_share = 0.19, .lost_us = 0};
  for (const Row& row : {
           Row{"outcome", {}, "completed | completed | same"},
           Row{"outcome", died, "completed | failed | worse"},
           Row{"outcome", {.outcome = "running"}, "completed | running | worse"},
           Row{"verdict", {}, "passed | passed | same"},
           Row{"ETTR (productive by wall time)", {.ettr = 0.95}, "900 | 950 | better"},
           // By its own short life it did well, and that says nothing for it.
           Row{"ETTR (productive by wall time)", died, "900 | 950 | differs"},
           Row{"useful work", {}, "900 | 900 | same"},
           Row{"useful work", {.useful_share = 0.91}, "900 | 910 | better"},
           Row{"useful work", died, "900 | 190 | worse"},
           Row{"cost", {.cost = 6}, "500 | 600 | worse"},
           // Nor did it save anything.
           Row{"cost", {.outcome = "failed", .wall_us = 20, .cost = 1}, "500 | 100 | differs"},
           Row{"time to finish", {.wall_us = 90}, "100 | 90 | better"},
           Row{"time to finish", died, "none"},
           // It lost less since it did less.
           Row{"wall time", died, "100 | 20 | differs"},
           Row{"lost work", died, "10 | 0 | differs"},
           Row{"lost work", {.lost_us = 11}, "10 | 11 | worse"},
           Row{"lost work", {.lost_us = 9}, "10 | 9 | better"},
           Row{"attempts", {}, "3 | 3 | same"},
           Row{"false alarms", {}, "none"},
           Row{"productive", {.ledger = R"({"us":{"productive":95}})"}, "90 | 95 | better"},
           Row{"rolled_back", {.ledger = R"({"us":{"productive":95}})"}, "10 | 0 | better"},
           Row{"paused", {.ledger = R"({"us":{"paused":5}})"}, "0 | 5 | differs"},
           Row{"later", {.ledger = R"({"us":{"later":5}})"}, "0 | 5 | worse"},
           Row{"none", {.ledger = R"({"us":{"none":0}})"}, "none"},
       }) {
    EXPECT_EQ(told(a, run_summarised(row.b), row.what), row.told) << row.what;
  }
}

TEST(CostLines, ABudgetThatRanOutIsWorse) {
  const Trace a = run_summarised({.budgets = R"({"r":{"used":7,"limit":null}})"});
  EXPECT_EQ(told(a, run_summarised({.budgets = R"({"r":{"used":3,"limit":3,"exhausted":true}})"}),
                 "r used"),
            "7 | 3/3 ✗ | worse");
  EXPECT_EQ(told(a, run_summarised({.budgets = R"({"r":{"used":3,"limit":9}})"}), "r used"),
            "7 | 3/9 | better");
  EXPECT_EQ(told(a, run_summarised({.budgets = R"({"s":{"used":3}})"}), "r used"),
            "7 | - | unknown");
  EXPECT_EQ(told(a, run_summarised({.budgets = R"({"s":{"used":3}})"}), "s used"),
            "- | 3 | unknown");
}

TEST(CostLines, HeadlinesComeFirst) {
  const std::vector<CostLine> lines = cost_lines(run_summarised({}), run_summarised({}));
  EXPECT_TRUE(std::ranges::is_sorted(lines, {}, &CostLine::is_bucket));
  EXPECT_EQ(lines.front().what, "verdict");
  EXPECT_EQ(lines.back().what, "rolled_back");
  EXPECT_EQ(lines.back().whole_a_us, 100);
}

TEST(CostLines, OfWhatIsNotThereIsNothing) {
  const Trace a = run_summarised({});
  for (const CostLine& line : cost_lines(a, run_summarised({}, "other"))) {
    EXPECT_TRUE(line.entity.empty()) << line.what;
  }
  EXPECT_EQ(cost_lines(Trace{}, Trace{}).size(), 1U) << "until when";
  for (const char* text :
       {"", "[]", "{", R"({"summary":7})", R"({"jobs":{"a":1}})", R"({"jobs":[7,{"name":7}]})",
        R"({"jobs":[{"name":"llm","ettr":1e999,"lost":[],"budgets":[1],"wall_us":"x"}]})",
        "\xff"}) {
    Trace b = run_summarised({});
    b.summary_json = text;
    EXPECT_EQ(told(a, b, "lost work"), told(b, a, "lost work")) << text;
    EXPECT_EQ(told(a, b, "rolled_back").substr(0, 7), "10 | 10") << text;
  }
}

}  // namespace
}  // namespace aftershock::gui
