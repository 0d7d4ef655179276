#include "reports/check/outputs.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "reports/check/words.h"
#include "reports/render/markdown_cell.h"
#include "reports/render/utf8.h"
#include "tests/unit/reports/check/sample_report.h"

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CheckText, SaysOfARedRunAllThatIsNeeded) {
  EXPECT_EQ(check_text(sample_report(), {}),
            "worse, failed: scenarios/quickstart.json, ray_train@2026-05, seed 1\n"
            "    failed: 1 of 2 expectations failed: /jobs/0/outcome: wanted \"completed\"\n"
            "    verdict                passed -> failed\n"
            "    outcome                completed -> failed\n"
            "    completed              yes -> no\n"
            "    alive                  yes -> no\n"
            "    failed                 no -> yes\n"
            "    useful_us              4d 01:12:00 -> 18:52:45  (-3d 06:19:15, margin 00:02:55)\n"
            "    ettr                   97.20 % -> 61.30 %  (-35.90 points, margin 0.05 points)\n"
            "    1 more that is not judged (--json has them)\n"
            "    first decision that acts otherwise: number 2, at 1d 06:47:52\n"
            "      before  p.retry, max_failures 2 to 3 of 3 (node)\n"
            "      now     p.give_up, max_failures 2 of 2, exhausted\n"
            "    look at it\n"
            "      aftershock run scenarios/quickstart.json --seed 1\n"
            "      aftershock run scenarios/quickstart.json --seed 1 --record "
            "quickstart-1.aftershock\n"
            "      aftershock view quickstart-1.aftershock\n"
            "2 runs of 2 scenarios: 1 same, 1 worse, 1 not passed; failed: exit code 1\n");
}

// There is no amount of time within which it may complete and then not.
TEST(CheckText, DoesNotCallItWithinAMarginThatARunNoLongerCompletes) {
  CheckReport report = sample_report();
  CheckedRun& run = report.runs[1];
  run.old->values[*metric_named("finish_us")] = std::int64_t{360'000'000'000};
  run.judgement = judge(*run.old, run.run, {}, {});
  const std::string text = check_text(report, {});
  EXPECT_THAT(text, HasSubstr("completed              yes -> no\n"));
  EXPECT_THAT(text, Not(HasSubstr("within its margin")));
}

TEST(CheckText, ShowsCommandsWithWhatWasOverridden) {
  CheckReport report = sample_report();
  report.overrides = " --set '/jobs/0/steps=1 2'";
  EXPECT_THAT(check_text(report, {}),
              HasSubstr("aftershock run scenarios/quickstart.json --seed 1 --set "
                        "'/jobs/0/steps=1 2' --record"));
}

struct Amount {
  std::string metric;
  MetricValue value;
  std::string text;
};

TEST(CheckText, ShowsValuesWithTheirUnits) {
  for (const Amount& row :
       {Amount{"ettr", 0.97204, "97.20 %"},
        {"useful_share", 0.19, "19.00 %"},
        {"alive", std::int64_t{1}, "yes"},
        {"stuck", std::int64_t{0}, "no"},
        {"useful_us", std::int64_t{3'209'000'000}, "00:53:29"},
        {"useful_accelerator_us", std::int64_t{410'400'000'000}, "114 accelerator-h"},
        {"useful_steps", std::int64_t{1234}, "1,234"},
        {"finish_us", {}, "none"},
        {"cost_per_useful_hour", 1.5, "1.50"},
        {"completed", std::int64_t{1}, "yes"},
        {"failed", std::int64_t{0}, "no"},
        {"lost_us", std::int64_t{3'209'000'000}, "00:53:29"},
        {"lost_us", {}, "none"},
        {"charges", std::int64_t{1234}, "1,234"},
        {"cost", 36787.391, "36787.39"},
        {"lost_accelerator_us", std::int64_t{410'400'000'000}, "114 accelerator-h"}}) {
    EXPECT_EQ(metric_text(row.metric, row.value), row.text) << row.metric;
  }
  EXPECT_EQ(difference_text("ettr", -0.359), "-35.90 points");
  EXPECT_EQ(difference_text("lost_us", 60e6), "+00:01:00");
  EXPECT_EQ(difference_text("useful_share", 0.12), "+12.00 points");
  for (const char* event : {"completed", "alive", "failed", "stuck", "exhausted"}) {
    EXPECT_EQ(difference_text(event, 1), "") << event;
  }
}

TEST(CheckText, SaysWhereSeedsFollowFromWhatIsRandom) {
  CheckReport report;
  report.baseline = "base.json";
  report.runs = {same_run("a.json", 1)};
  EXPECT_EQ(seeds_of(report), "");
  report.unsaid_seeds = {8, {"a.json"}};
  EXPECT_EQ(check_text(report, {}),
            "8 seeds: the scenario is random and says nothing of check.seeds\n"
            "1 run of 1 scenario: 1 same; passed\n");
  EXPECT_THAT(check_markdown(report), HasSubstr("8 seeds: the scenario is random"));
  EXPECT_EQ(check_json(report)["unsaid_seeds"]["seeds"], 8);
  EXPECT_EQ(check_json(report)["unsaid_seeds"]["scenarios"], nlohmann::json({"a.json"}));
  report.runs.push_back(same_run("b.json", 1));
  EXPECT_EQ(seeds_of(report), "8 seeds of a.json, which is random and says nothing of check.seeds");
  report.unsaid_seeds.scenarios.push_back("b.json");
  EXPECT_EQ(seeds_of(report),
            "8 seeds each of 2 scenarios that are random and say nothing of check.seeds");
}

TEST(CheckText, NamesWhatDecidesAgainstGains) {
  CheckedRun run = same_run("a.json", 1);
  run.old->values.resize(metrics().size());
  run.old->values[*metric_named("ettr")] = 0.9;
  run.old->values[*metric_named("charges")] = std::int64_t{3};
  run.run.values = run.old->values;
  run.run.values[*metric_named("ettr")] = 0.95;
  run.run.values[*metric_named("charges")] = std::int64_t{4};
  run.judgement = judge(*run.old, run.run, {}, {});
  EXPECT_EQ(run.judgement.standing, Standing::kWorse);
  EXPECT_EQ(reason_of(run), "charges 3 -> 4 decides, although better: ettr");
}

struct Judged {
  Standing standing;
  Verdict run;
  bool strict;
  Verdict verdict;
  bool red;
};

TEST(CheckReport, EndsWithTheWorst) {
  for (const Judged& row :
       {Judged{Standing::kSame, Verdict::kPassed, true, Verdict::kPassed, false},
        Judged{Standing::kChanged, Verdict::kPassed, false, Verdict::kPassed, false},
        Judged{Standing::kBetter, Verdict::kPassed, false, Verdict::kPassed, false},
        Judged{Standing::kNew, Verdict::kPassed, false, Verdict::kPassed, false},
        Judged{Standing::kMissing, Verdict::kPassed, false, Verdict::kPassed, false},
        Judged{Standing::kWorse, Verdict::kPassed, false, Verdict::kWorse, true},
        Judged{Standing::kChanged, Verdict::kPassed, true, Verdict::kWorse, true},
        Judged{Standing::kBetter, Verdict::kPassed, true, Verdict::kWorse, true},
        Judged{Standing::kNew, Verdict::kPassed, true, Verdict::kWorse, true},
        Judged{Standing::kMissing, Verdict::kFailed, true, Verdict::kWorse, true},
        Judged{Standing::kMissing, Verdict::kFailed, false, Verdict::kPassed, false},
        Judged{Standing::kNoBaseline, Verdict::kPassed, false, Verdict::kPassed, false},
        Judged{Standing::kNoBaseline, Verdict::kStuck, false, Verdict::kStuck, true},
        Judged{Standing::kWorse, Verdict::kFailed, false, Verdict::kFailed, true},
        Judged{Standing::kSame, Verdict::kFailed, false, Verdict::kFailed, true}}) {
    CheckReport report;
    report.strict = row.strict;
    report.runs.push_back(same_run("a.json", 1));
    report.runs.back().judgement.standing = row.standing;
    report.runs.back().run.verdict = row.run;
    SCOPED_TRACE(name_of(row.standing));
    EXPECT_EQ(verdict_of(report), row.verdict);
    EXPECT_EQ(is_red(report.runs.back(), row.strict), row.red);
  }
  CheckReport report = sample_report();
  report.unusable.push_back({"b.json", 3, 4, "b.json:3:4: wrong"});
  EXPECT_EQ(exit_code(verdict_of(report)), 2);
}

/// Everything that may be in a report, under names that mean something to every format.
CheckReport hostile_report() {
  CheckReport report = sample_report();
  report.runs[1].run.key.scenario = kHostileName;
  report.runs[1].reason = kHostileName;
  report.runs[1].judgement.decision->now.text = kHostileName;
  CheckedRun missing = same_run("b.json", 3);
  missing.judgement.standing = Standing::kMissing;
  report.runs.push_back(missing);
  CheckedRun changed = same_run("c.json", 3);
  changed.judgement.standing = Standing::kChanged;
  report.runs.push_back(changed);
  CheckedRun stuck = same_run("d.json", 3);
  stuck.run.verdict = Verdict::kStuck;
  report.runs.push_back(stuck);
  report.unusable.push_back({kHostileName + "2", 3, 4, "x:3:4: " + kHostileName});
  FreshRuns fresh;
  fresh.file = "b.json";
  fresh.policy = "p";
  fresh.problem = kHostileName;
  report.fresh.push_back(fresh);
  return report;
}

TEST(CheckJunit, IsWhatItsSchemaSays) {
  const auto folder = std::filesystem::temp_directory_path();
  int nth = 0;
  for (const CheckReport& report : {sample_report(), hostile_report()}) {
    const auto path = folder / ("aftershock_junit_" + std::to_string(++nth) + ".xml");
    std::ofstream(path) << check_junit(report);
    const std::string command =
        "xmllint --noout --schema tests/data/check/junit.xsd " + path.string() + " 2>&1";
    if (std::system("command -v xmllint >/dev/null") != 0) {
      GTEST_SKIP() << "no xmllint";
    }
    EXPECT_EQ(std::system(command.c_str()), 0) << check_junit(report);
    std::filesystem::remove(path);
  }
}

TEST(CheckJunit, CountsWhatIsInIt) {
  const std::string text = check_junit(hostile_report());
  EXPECT_THAT(text, HasSubstr("<testsuites name=\"aftershock check\" tests=\"7\" failures=\"1\" "
                              "errors=\"3\">"));
  EXPECT_THAT(text, HasSubstr("<skipped message=\"in the baseline, and not run\"/>"));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(CheckMarkdown, HasARowForWhatIsNotAsItWas) {
  const std::string text = check_markdown(sample_report());
  EXPECT_THAT(text, HasSubstr("### aftershock check: failed: exit code 1"));
  EXPECT_THAT(text, HasSubstr("| **worse, failed** | scenarios/quickstart.json | "
                              "ray\\_train\\@2026-05 | 1 | verdict passed -\\> failed"));
  EXPECT_THAT(text, Not(HasSubstr("a.json")));
  EXPECT_THAT(text, HasSubstr("```text\nfailed: 1 of 2"));
}

// No line of a hostile name is a row, a heading or markup of its own.
TEST(CheckMarkdown, NamesCannotBreakOut) {
  const std::string text = check_markdown(hostile_report());
  EXPECT_THAT(text, Not(HasSubstr("\n::error")));
  EXPECT_THAT(text.substr(0, text.find("```")), Not(HasSubstr("<script>")));
  EXPECT_EQ(markdown_cell("a|b*[x](y)\n<i>`"), "a\\|b\\*\\[x\\]\\(y\\) &lt;i\\>\\`");
}

TEST(CheckAnnotations, AreOneLineEach) {
  EXPECT_THAT(check_annotations(sample_report()),
              ::testing::StartsWith(
                  "::error file=scenarios/quickstart.json,line=1,title=worse%2C failed%3A seed "
                  "1::scenarios/quickstart.json, ray_train@2026-05, seed 1%0Afailed: 1 of 2 "
                  "expectations failed: /jobs"));
  const std::string text = check_annotations(hostile_report());
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);  // cannot be used, worse, changed, stuck, fresh
  std::size_t commands = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    commands += line.starts_with("::error file=") || line.starts_with("::notice file=") ? 1U : 0U;
  }
  EXPECT_EQ(commands, 5U);
  EXPECT_EQ(annotation_text("a,b:c%\r\n", true), "a%2Cb%3Ac%25%0D%0A");
  EXPECT_EQ(annotation_text("a,b:c%\n\x01", false), "a,b:c%25%0A?");
}

TEST(CheckAnnotations, NameTheLineOfAFileThatCannotBeUsed) {
  CheckReport report;
  report.unusable.push_back({"b.json", 3, 4, "b.json:3:4: wrong"});
  EXPECT_EQ(check_annotations(report),
            "::error file=b.json,line=3,col=4,title=scenario cannot be used::b.json:3:4: wrong\n");
}

// Of a name that no output can hold, each shows what can be shown.
TEST(CheckOutputs, AreUtf8WithoutControlCharacters) {
  const CheckReport report = hostile_report();
  for (const std::string& text :
       {check_text(report, {.unicode = true}), check_markdown(report), check_annotations(report)}) {
    for (const Glyph& glyph : glyphs(text)) {
      EXPECT_TRUE(glyph.valid);
      EXPECT_TRUE(glyph.code == '\n' || glyph.code >= ' ') << static_cast<unsigned>(glyph.code);
    }
  }
  EXPECT_EQ(markdown_cell("\xff"), "\xEF\xBF\xBD");
  EXPECT_EQ(annotation_text("\xff\x7f\t", false), "\xEF\xBF\xBD?\t");
}

struct Reason {
  std::string what;
  CheckedRun run;
  std::string text;
};

CheckedRun as_it_was(Standing standing) {
  CheckedRun run = same_run("a.json", 1);
  run.judgement.standing = standing;
  return run;
}

TEST(CheckReason, SaysWhatMovedAndWhichDecision) {
  const std::size_t ettr = *metric_named("ettr");
  CheckedRun better = as_it_was(Standing::kBetter);
  better.judgement.changes = {{ettr, 0.9, 0.95, Change::kBetter, Margin{}, true},
                              {*metric_named("charges"), std::int64_t{3}, std::int64_t{2},
                               Change::kBetter, Margin{}, true}};
  CheckedRun within = as_it_was(Standing::kChanged);
  within.judgement.changes = {{ettr, 0.9, 0.9001, Change::kWithin, Margin{}, false}};
  within.judgement.decision =
      TraceDifference{3, 3, {ToldDecision::Known::kText, "p.a"}, {}, std::nullopt};
  within.judgement.decision->now.known = ToldDecision::Known::kEnded;
  CheckedRun lacking = as_it_was(Standing::kChanged);
  lacking.judgement.not_judged = {ettr};
  CheckedRun text = as_it_was(Standing::kChanged);
  text.judgement.text_changed = true;
  for (const Reason& row : std::initializer_list<Reason>{
           {"better", better, "ettr 90.00 % -> 95.00 % and 1 more"},
           {"within", within,
            "ettr 90.00 % -> 90.01 %, within the margin; decision 3: p.a -> (no decision any "
            "more)"},
           {"lacking", lacking, "not judged: the baseline has no ettr"},
           {"text", text, "the scenario is another one, and comes to the same"},
           {"times", as_it_was(Standing::kChanged), "only times or arguments of commands"},
           {"same", as_it_was(Standing::kSame), ""}}) {
    EXPECT_EQ(reason_of(row.run), row.text) << row.what;
  }
  EXPECT_EQ(reason_of(worse_run()).substr(0, 25), "verdict passed -> failed;");
  // Between these two the useful work decides, and is named beside the verdict.
  CheckedRun died = as_it_was(Standing::kWorse);
  died.old->verdict = Verdict::kStuck;
  died.run.verdict = Verdict::kFailed;
  died.old->values.resize(metrics().size());
  died.run.values = died.old->values;
  died.old->values[*metric_named("useful_us")] = std::int64_t{950'400'000'000};
  died.run.values[*metric_named("useful_us")] = std::int64_t{18'000'000'000};
  died.judgement = judge(*died.old, died.run, {}, {});
  EXPECT_EQ(reason_of(died), "verdict stuck -> failed; useful_us 11d 00:00:00 -> 05:00:00");
}

TEST(CheckReason, IsSaidOfWhatIsNoError) {
  CheckReport report;
  report.baseline = "ci.json";
  report.runs.push_back(as_it_was(Standing::kChanged));
  report.runs.back().old->policy = "modelarts@1";
  EXPECT_EQ(check_text(report, {}),
            "changed: a.json, modelarts, seed 1, policy was modelarts@1\n"
            "    only times or arguments of commands\n"
            "1 run of 1 scenario: 1 changed; passed\n");
  EXPECT_EQ(check_json(report)["runs"][0]["old_policy"], "modelarts@1");
}

TEST(CheckReport, ThatWasInterruptedSaysWhatWasNotRun) {
  CheckReport report = sample_report();
  report.skipped = {{"scenarios/a.json", "modelarts, seed 5"}};
  EXPECT_EQ(exit_code(verdict_of(report)), 8);
  const std::string junit = check_junit(report);
  EXPECT_THAT(junit, HasSubstr("name=\"scenarios/a.json\" tests=\"2\" failures=\"0\" errors=\"0\" "
                               "skipped=\"1\""));
  EXPECT_THAT(junit, HasSubstr("interrupted before it was run"));
  EXPECT_THAT(check_text(report, {}), HasSubstr("1 not run; interrupted: exit code 8\n"));
}

TEST(CheckJson, HasEverything) {
  const auto json = check_json(sample_report());
  EXPECT_EQ(json["verdict"], "failed");
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(json["counts"]["worse"], 1);
  const auto& run = json["runs"][1];
  EXPECT_EQ(run["standing"], "worse");
  EXPECT_EQ(run["decision"]["number"], 2);
  EXPECT_EQ(run["decision"]["now"]["decision"], "p.give_up, max_failures 2 of 2, exhausted");
  std::vector<std::string> changed;
  for (const auto& metric : run["metrics"]) {
    changed.push_back(metric["metric"]);
  }
  EXPECT_THAT(changed, ::testing::ElementsAre("completed", "alive", "failed", "useful_share",
                                              "useful_us", "ettr"));
  EXPECT_EQ(run["metrics"][3]["old"], 0.972);
  EXPECT_EQ(run["metrics"][3]["now"], 0.1944);
}

}  // namespace
}  // namespace aftershock::reports
