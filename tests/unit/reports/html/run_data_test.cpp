#include "reports/html/run_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/report.h"
#include "reports/recording/line_check.h"
#include "tests/unit/times.h"

namespace aftershock::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// 40 s of a job of 10 s steps: three steps, a crash at 30 s that is seen 1 s later and charged, and
// a start that rolls two steps back.
constexpr std::string_view kHeader =
    R"({"r":"header","schema":1,"version":"0.1.0","commit":"c","scenario":{"name":"s","question":"q"},"digest":"0","seed":7,"policy":"p@1","start":"","jobs":[{"name":"llm","policy":"p@1","workers":8,"accelerators":8,"pool":"gpu","steps":10,"step_us":10000000}],"experiments":[],"entities":[],"policies":[{"name":"p@1","rules":[{"id":"p.retry","sentence":"It is tried again","source":"src"}],"states":[],"budgets":[]}],"buckets":[]}
)";
constexpr std::string_view kRecords =
    R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training","epoch":1,"cause":-5}
{"t":30000000,"r":"fault","on":"node:gpu-3","number":0,"id":"crash#0","kind":"node_crash","what":"node_crash","target":"node:gpu-3","outcome":"fired"}
{"t":30000000,"r":"counter","on":"job:llm","name":"steps","value":3}
{"t":30000000,"r":"end","id":1}
{"t":30000000,"r":"begin","on":"job:llm","id":2,"what":"undetected","epoch":1,"cause":0}
{"t":31000000,"r":"decision","on":"job:llm","batch":2,"fault":"crash#0","saw":[{"type":"timer"},{"type":"workers_failed"}],"steps":[{"rule":"p.retry","from":"RUNNING","to":"STARTING","saw":[1],"budgets":[{"budget":"max","cause":"node","used":1,"limit":2,"charged":true}],"commands":[{"type":"start_attempt"}],"rejected":[]}],"watch":{}}
{"t":31000000,"r":"end","id":2}
{"t":31000000,"r":"begin","on":"job:llm","id":3,"what":"launching","epoch":2,"cause":0}
{"t":35000000,"r":"instant","on":"job:llm","what":"rolled_back","from_us":30000000,"to_us":10000000,"lost_us":20000000}
{"t":40000000,"r":"fault","on":"run","number":1,"id":"late","kind":"hang","what":"hang","target":"job:llm/rank:1","outcome":"masked"}
)";
constexpr std::string_view kEnd =
    R"({"t":40000000,"r":"ledger","on":"job:llm","wall_us":40000000,"us":{"productive":10000000,"rolled_back":20000000,"undetected":1000000,"launching":9000000},"faults":[{"fault":"crash#0","us":{"rolled_back":20000000,"undetected":1000000,"launching":9000000}}]}
{"t":40000000,"r":"summary","summary":{"verdict":"passed","verdict_reason":"","warnings":[],"jobs":[{"name":"llm","outcome":"running","reason":"","vendor_state":"X","wall_us":40000000,"steps":10,"steps_done":1,"at_end":"training","useful_us":10000000,"useful_of_us":50000000,"lost":{"steps":2,"us":20000000},"attempts":2,"recoveries":[{"fault":"crash#0","rules":["p.retry","p.start"],"detected_us":31000000}],"budgets":{"max":{"used":1,"limit":2},"other":{"used":0,"limit":null}}}],"expect":[{"at":"/jobs/0/outcome","ok":true}]}}
)";
constexpr std::string_view kLast =
    R"({"t":40000000,"r":"end_of_run","hash":"00000000000000ab","records":10)";

RunData data_of(std::string text, ReadFor wanted = ReadFor::kRun) {
  auto read = read_run_data(std::make_unique<MemoryBytes>(text), "r.aftershock", wanted);
  EXPECT_TRUE(std::holds_alternative<RunData>(read)) << std::get<std::string>(read);
  return std::get<RunData>(std::move(read));
}

/// The last line, which vouches for all lines above it.
std::string vouched(const std::string& text, std::string_view last = kLast) {
  LineCheck check;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = text.find('\n', from);
    check.add(std::string_view(text).substr(from, to - from));
    from = to + 1;
  }
  check.add(last);
  return text + std::string(last) + ",\"check\":\"" + check.text() + "\"}\n";
}

RunData whole_run() {
  return data_of(vouched(std::string(kHeader) + std::string(kRecords) + std::string(kEnd)),
                 ReadFor::kComparison);
}
/// The same with every one of a text replaced.
RunData other_run(std::string_view what, std::string_view by) {
  std::string text = std::string(kHeader) + std::string(kRecords) + std::string(kEnd);
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  std::string last(kLast);
  last.replace(last.find("00000000000000ab"), 16, "00000000000000cd");
  return data_of(vouched(text, last), ReadFor::kComparison);
}
RunData cut_run() { return data_of(std::string(kHeader) + std::string(kRecords)); }

TEST(RunStoryOfARecording, TellsTheFaultAndItsAnswer) {
  const RunData run = whole_run();
  ASSERT_EQ(run.faults.size(), 2U);
  const FaultStory& crash = run.faults[0];
  EXPECT_EQ(crash.detected_us, 31 * kSecond);
  EXPECT_THAT(crash.seen, ElementsAre("workers_failed"));
  EXPECT_EQ(crash.cost_us, 30 * kSecond);
  EXPECT_EQ(crash.lost_us, 20 * kSecond);
  ASSERT_EQ(crash.rules.size(), 2U);
  EXPECT_EQ(run.rules[crash.rules[0]].sentence, "It is tried again");
  EXPECT_EQ(run.rules[crash.rules[1]].id, "p.start");
  ASSERT_EQ(crash.moves.size(), 1U);
  EXPECT_EQ(crash.moves[0].budget, "max");
  EXPECT_EQ(crash.moves[0].used, 1);
  EXPECT_TRUE(run.faults[1].masked);
  EXPECT_FALSE(run.faults[1].detected_us);
}

TEST(RunStoryOfARecording, TellsTheJob) {
  const RunData run = whole_run();
  ASSERT_EQ(run.parts.size(), 1U);
  const PartStory& job = run.parts[0];
  EXPECT_EQ(ettr_of(job), 0.25);
  EXPECT_EQ(useful_share_of(job), 0.2);
  EXPECT_EQ(job.steps_done, 1);
  // Three steps, level while the job stood, and one that is left of them.
  EXPECT_THAT(job.progress.points(),
              ElementsAre(CurvePoint{0, 0}, CurvePoint{30 * kSecond, 3},
                          CurvePoint{35 * kSecond, 3}, CurvePoint{35 * kSecond, 1}));
  ASSERT_EQ(job.budgets.size(), 2U);
  EXPECT_EQ(job.budgets[0].now, 1);
  EXPECT_EQ(job.budgets[0].limit, 2);
  EXPECT_EQ(job.budgets[1].name, "other");
  EXPECT_EQ(run.first_steps.size(), 1U);
  EXPECT_EQ(run.verdict, "passed");
}

TEST(RunStoryOfARecording, OfACutOneTellsWhatItsPhasesTook) {
  const RunData run = cut_run();
  EXPECT_EQ(run.read.state, ReadState::kPartial);
  EXPECT_TRUE(run.verdict.empty());
  const PartStory& job = run.parts[0];
  EXPECT_FALSE(job.ended);
  EXPECT_FALSE(useful_share_of(job)) << "it is known at the end of a run, and not before";
  EXPECT_EQ(job.ledger_us[index_of(Bucket::kProductive)], 10 * kSecond);
  EXPECT_EQ(job.ledger_us[index_of(Bucket::kRolledBack)], 20 * kSecond);
  EXPECT_EQ(job.ledger_us[index_of(Bucket::kUndetected)], 1 * kSecond);
  EXPECT_EQ(job.ledger_us[index_of(Bucket::kLaunching)], 9 * kSecond);
  EXPECT_EQ(run.faults[0].detected_us, 31 * kSecond);
  // The account of the whole run equals its phases and its roll-back.
  EXPECT_EQ(run.faults[0].cost_us, 30 * kSecond);
  EXPECT_EQ(run.faults[0].lost_us, 20 * kSecond);
  EXPECT_EQ(job.lost_us, 20 * kSecond);
  EXPECT_EQ(job.lost_steps, 2);
  EXPECT_EQ(run.faults[1].cost_us, 0);
}

TEST(RunPage, SaysVerdictAndTablesWithoutScripts) {
  const std::string page = run_page(whole_run());
  EXPECT_THAT(page, HasSubstr("llm is still running after 40 s"));
  EXPECT_THAT(page, HasSubstr("<dt>Useful work</dt>\n<dd>20.0 %, 10 s of 50 s</dd>"));
  EXPECT_THAT(page, HasSubstr("<dt>ETTR (productive by wall time)</dt>\n<dd>25.0 %</dd>"));
  EXPECT_THAT(page, HasSubstr("Passed. 1 of 1 expectations met."));
  EXPECT_THAT(page, HasSubstr("charged: max 1 of 2 (node)"));
  EXPECT_THAT(page, HasSubstr("aftershock view r.aftershock"));
  EXPECT_THAT(page, HasSubstr("nothing was there to break"));
  EXPECT_EQ(page, run_page(whole_run()));
}

TEST(RunPage, SaysWhereAJobStandsAtTheEnd) {
  for (const auto& [at_end, words] : std::initializer_list<std::pair<const char*, const char*>>{
           {"training", "llm is still running after 40 s; useful work 20.0 % of 50 s</p>"},
           {"recovering",
            "llm is recovering at the end after 40 s; useful work 20.0 % of 50 s</p>"},
           {"waiting", "llm waits at the end after 40 s; useful work 20.0 % of 50 s</p>"},
           {"stuck", "llm is STUCK after 40 s; useful work 20.0 % of 50 s</p>"}}) {
    const std::string page =
        run_page(other_run("training\",\"useful", std::string(at_end) + "\",\"useful"));
    const std::size_t at = page.find("<p class=\"outcome\">");
    EXPECT_THAT(page.substr(at, 200), HasSubstr(words)) << at_end;
  }
}

TEST(RunPage, OfACutRecordingSaysSo) {
  const std::string page = run_page(cut_run());
  EXPECT_THAT(page, HasSubstr("This recording is partial: it ends at 40 s"));
  EXPECT_THAT(page, HasSubstr("No verdict"));
  EXPECT_EQ(page.find("Useful work"), page.npos);
  EXPECT_THAT(page, HasSubstr("Cost so far</th>"));
  EXPECT_THAT(page, HasSubstr("<dt>Lost progress so far</dt>\n<dd>2 steps, 20 s</dd>"));
  EXPECT_THAT(page, HasSubstr("what came later, and what stragglers cost, is not recorded"));
  EXPECT_EQ(run_page(whole_run()).find("so far"), std::string::npos);
}

TEST(RunPage, ManyFaultsAreCutToTheCostliest) {
  std::string text(kHeader);
  for (int i = 0; i < 3000; ++i) {
    text += R"({"t":1,"r":"fault","on":"node:gpu-3","number":)" + std::to_string(i) +
            R"(,"id":"f)" + std::to_string(i) +
            R"(","kind":"k","what":"k","target":"node:gpu-3","outcome":"fired"})" + "\n";
  }
  text += R"({"t":2,"r":"ledger","on":"job:llm","wall_us":9,"us":{"launching":9},)"
          R"("faults":[{"fault":"f2999","us":{"launching":9}}]})"
          "\n";
  const std::string page = run_page(data_of(text));
  EXPECT_THAT(page, HasSubstr("The 1,000 costliest of 3,000"));
  EXPECT_THAT(page, HasSubstr("<th scope=\"row\">f2999</th>"));
  EXPECT_EQ(page.find("<th scope=\"row\">f1500</th>"), page.npos);
}

TEST(ComparisonPage, HoldsBothAnswersAgainstEachOther) {
  RunData other = whole_run();
  other.faults[0].moves.clear();
  other.faults[0].cost_us = 12 * kSecond;
  const std::string page = comparison_page(whole_run(), other);
  EXPECT_THAT(page, HasSubstr("data-answer=\"answered otherwise\""));
  EXPECT_THAT(page, HasSubstr("−18 s"));
  EXPECT_THAT(page, HasSubstr("useful work</th>"));
  EXPECT_EQ(page.find("did not meet the same faults"), page.npos);
  EXPECT_THAT(comparison_page(whole_run(), other_run("node:gpu-3", "node:gpu-4")),
              HasSubstr("did not meet the same faults: 1 are in both, 1 differ"));
}

TEST(ComparisonPage, SaysWhereThePoliciesPart) {
  EXPECT_THAT(comparison_page(whole_run(), whole_run()), HasSubstr("Both are the same run"));
  const std::string page = comparison_page(whole_run(), other_run("p.retry", "p.fail"));
  EXPECT_THAT(page, HasSubstr("At 31 s, fault crash#0 of job:llm, the controllers first did"));
  EXPECT_THAT(page, HasSubstr("<code>p.<wbr>retry</code><br>It is tried again"));
  EXPECT_THAT(page, HasSubstr("<code>p.<wbr>fail</code>"));
  EXPECT_THAT(page, HasSubstr("max 0 to 1 of 2 (node)"));
  EXPECT_THAT(page, HasSubstr("Rules that one run used more often"));
  EXPECT_THAT(page, HasSubstr("Both scenarios have the same settings."));
  const std::string set =
      comparison_page(whole_run(), other_run(R"("question":"q")", R"("jobs":[{"a/b":{"max":3}}])"));
  EXPECT_THAT(set, HasSubstr("<code>/jobs/0/a~1b/max</code></th><td>not set</td><td>3</td>"));
}

TEST(ReportInput, IsToldByFirstBytes) {
  EXPECT_EQ(kind_of_input("SQLite format 3"), ReportInput::kResults);
  EXPECT_EQ(kind_of_input(kHeader), ReportInput::kRecording);
  EXPECT_EQ(kind_of_input("\x28\xb5\x2f\xfd"), ReportInput::kRecording);
  EXPECT_EQ(kind_of_input("{\"schema\":1}"), ReportInput::kOther);
  EXPECT_EQ(kind_of_input(""), ReportInput::kOther);
}

}  // namespace
}  // namespace aftershock::reports
