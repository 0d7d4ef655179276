#include "reports/render/summary_text.h"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>

#include "reports/render/format.h"
#include "tests/unit/reports/sample_recording.h"
#include "tests/unit/reports/sample_summary.h"

namespace aftershock::reports {
namespace {

using testing::failed_job;
using testing::failed_run;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

SummaryTextOptions options(bool color = false, bool unicode = true) {
  SummaryTextOptions options;
  options.style.color = color;
  options.style.unicode = unicode;
  options.style.accelerator = "GPU";
  return options;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::string without_colour(std::string text) {
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b', at)) {
    text.erase(at, text.find('m', at) + 1 - at);
  }
  return text;
}

TEST(SummaryText, AFailedRunIsToldAsInTheGoldenFile) {
  SummaryTextOptions with_host = options();
  with_host.host_s = 0.4213;
  EXPECT_EQ(summary_text(failed_run(), with_host),
            testing::read_file("tests/data/reports/failed_run.txt"));
}

TEST(SummaryText, ColourAddsNothingButColour) {
  const std::string plain = summary_text(failed_run(), options());
  const std::string coloured = summary_text(failed_run(), options(true));
  EXPECT_THAT(coloured, HasSubstr("\x1b[1;31mllm FAILED\x1b[0m: exhausted(max_failures)"));
  EXPECT_EQ(without_colour(coloured), plain);
  for (const std::string& line : lines_of(coloured)) {
    EXPECT_EQ(std::count(line.begin(), line.end(), '\x1b') % 2, 0) << line;
  }
}

TEST(SummaryText, PlainTerminalsGetPlainCharacters) {
  RunSummary run = failed_run();
  run.jobs[0].name = "训练";
  for (const char c : summary_text(run, options(false, false))) {
    ASSERT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7F));
  }
}

TEST(SummaryText, FailedJobsComeFirst) {
  RunSummary run = failed_run();
  JobSummary completed;
  completed.name = "eval";
  completed.outcome = "completed";
  completed.at_end = EndState::kCompleted;
  completed.wall_us = 5 * kSecond;
  completed.useful = {.us = 4 * kSecond, .of_us = 5 * kSecond};
  JobSummary running;
  running.name = "tune";
  running.outcome = "running";
  running.at_end = EndState::kTraining;
  running.wall_us = 8 * kSecond;
  running.useful = {.us = 5 * kSecond, .of_us = 8 * kSecond};
  JobSummary late;
  late.name = "late";
  late.outcome = "running";
  JobSummary aborted;
  aborted.name = "old";
  aborted.outcome = "aborted";
  aborted.at_end = EndState::kAborted;
  aborted.reason = "stopped_by_user";
  aborted.wall_us = 2 * kSecond;
  aborted.useful = {.us = kSecond, .of_us = 8 * kSecond};
  run.jobs = {completed, running, late, aborted, failed_job()};
  const auto lines = lines_of(summary_text(run, options()));
  EXPECT_EQ(lines[0],
            "llm FAILED: exhausted(max_failures) after 1d 03:46:40; useful work 32.4 % of "
            "3d 00:00:00");
  EXPECT_EQ(lines[1], "old ABORTED: stopped_by_user after 2 s; useful work 12.5 % of 8 s");
  EXPECT_EQ(lines[2], "tune is still running after 8 s; useful work 62.5 %");
  EXPECT_EQ(lines[3], "late was not submitted before the end");
  EXPECT_EQ(lines[4], "eval completed after 5 s; useful work 80.0 %");
  EXPECT_EQ(std::ranges::count_if(lines, [](const auto& line) { return line.starts_with("late"); }),
            1)
      << "there is nothing more to tell of it";
  EXPECT_THAT(lines[5], StartsWith("verdict failed (exit code 1): "));
}

TEST(SummaryText, UsefulWorkIsOnALineOfItsOwnWhereAnOutcomeIsLong) {
  RunSummary run = failed_run();
  run.jobs[0].reason = "exhausted(max_failures) of a policy that says more than others";
  for (const bool colour : {false, true}) {
    const auto lines = lines_of(without_colour(summary_text(run, options(colour))));
    EXPECT_EQ(lines[0],
              "llm FAILED: exhausted(max_failures) of a policy that says more than others after "
              "1d 03:46:40;");
    EXPECT_EQ(lines[1], "  useful work 32.4 % of 3d 00:00:00");
  }
}

TEST(SummaryText, NodesThatNobodyCouldUseAreToldWithWhy) {
  RunSummary run = failed_run();
  constexpr std::int64_t kNodeHour = 3'600 * kSecond;
  run.node_us = 5'000 * kNodeHour;
  EXPECT_THAT(summary_text(run, options()), Not(HasSubstr("not usable")));
  run.idle_isolated_us = 1'200 * kNodeHour;
  EXPECT_THAT(summary_text(run, options()),
              HasSubstr("\nnodes not usable: 24.0 % of their time: isolated 1,200 node-h\n"))
      << "none was down";
  run.idle_repairing_us = 40 * kNodeHour;
  run.down_us = 50 * kNodeHour;
  EXPECT_THAT(
      summary_text(run, options()),
      HasSubstr("\nnodes not usable: 25.0 % of their time: isolated 1,200 node-h, in repair "
                "40.0 node-h, lost 10.0\n  node-h\n"));
  EXPECT_THAT(summary_text(run, options()), HasSubstr("\nidle nodes: spares 10.0 node-h\n"));
}

TEST(SummaryText, APassedRunHasNoVerdictLine) {
  RunSummary run = failed_run();
  run.verdict = Verdict::kPassed;
  EXPECT_THAT(summary_text(run, options()), Not(HasSubstr("verdict")));
}

TEST(SummaryText, QuietRuns) {
  RunSummary run;
  EXPECT_THAT(summary_text(run, options()), StartsWith("no jobs\n"));
  JobSummary& job = run.jobs.emplace_back();
  job.name = "llm";
  job.outcome = "completed";
  const std::string text = summary_text(run, options());
  EXPECT_THAT(text, StartsWith("llm completed after 0 s\n")) << "of no time there is no share";
  EXPECT_THAT(text, HasSubstr("\n  useful work 0.0 % (0 s of 0 s), ETTR 0.0 % (productive of wall "
                              "time)\n  wall 0 s, steps 0, "));
  EXPECT_THAT(text, HasSubstr("lost progress: none"));
  EXPECT_THAT(text, HasSubstr("nothing had to be recovered from"));
  for (const char* absent : {"where the time went", "retry budgets", "why it died", "expectations",
                             "invariants", "warning", "faults:", "idle", "cost"}) {
    EXPECT_THAT(text, Not(HasSubstr(absent)));
  }
}

TEST(SummaryText, FalseAlarmsWhereThereWereSome) {
  RunSummary run = failed_run();
  run.jobs[0].false_alarms = 1;
  EXPECT_THAT(summary_text(run, options()),
              HasSubstr("\n  false alarms: once a hang was suspected and nothing hung\n"));
  run.jobs[0].false_alarms = 3;
  run.jobs[0].recoveries.clear();
  EXPECT_THAT(summary_text(run, options()),
              HasSubstr("\n  false alarms: 3 times a hang was suspected and nothing hung\n"
                        "  no fault had to be recovered from\n"));
}

/// "5.3 %" of each bucket's bar, from above.
std::vector<std::string> bucket_shares(const RunSummary& run) {
  std::vector<std::string> shares;
  for (const std::string& line : lines_of(summary_text(run, options()))) {
    const std::size_t percent = line.find(" %  █");
    if (percent != std::string::npos) {
      const std::size_t begin = line.rfind(' ', percent - 1) + 1;
      shares.push_back(line.substr(begin, percent + 2 - begin));
    }
  }
  return shares;
}

// Each is rounded by itself, so that equal times have equal shares, whatever these sum to.
TEST(SummaryText, EqualBucketsHaveEqualShares) {
  RunSummary run = failed_run();
  for (std::int64_t& us : run.jobs[0].ledger_us) {
    us = 1'000'003;
  }
  EXPECT_EQ(bucket_shares(run), std::vector<std::string>(kBucketCount, "5.3 %"));
}

// With shares that sum to a hundred the second had been 79.0 %.
TEST(SummaryText, TheProductiveBucketHasTheShareThatEttrHas) {
  RunSummary run = failed_run();
  JobSummary& job = run.jobs[0];
  job.ledger_us = {};
  testing::in_bucket(job, Bucket::kProductive) = 78'946 * kSecond;
  testing::in_bucket(job, Bucket::kRolledBack) = 10'547 * kSecond;
  testing::in_bucket(job, Bucket::kUndetected) = 10'507 * kSecond;
  EXPECT_THAT(summary_text(run, options()), HasSubstr(", ETTR 78.9 % (productive of wall time)\n"));
  EXPECT_THAT(bucket_shares(run), ::testing::ElementsAre("78.9 %", "10.5 %", "10.5 %"));
}

// Three restarts each, of which one agent has made two and another one.
TEST(SummaryText, AgentsThatCountApartHaveASum) {
  RunSummary run = failed_run();
  BudgetSummary& budget = run.jobs[0].budgets[0].second;
  budget = {.used = 3, .limit = 4, .exhausted = false, .charges = {}, .by_agent = true};
  EXPECT_THAT(summary_text(run, options()),
              HasSubstr("3 used by all agents together, 1 left to the one that used most"));
  budget = {.used = 5, .limit = 4, .exhausted = true, .charges = {}, .by_agent = true};
  EXPECT_THAT(summary_text(run, options()),
              HasSubstr("5 used by all agents together, exhausted by one of them"));
}

// Processes that restart beside what is broken are recovered from one fault again and again.
TEST(SummaryText, RecoveriesAreNotTakenForFaults) {
  struct Row {
    std::int64_t recoveries;
    std::int64_t faults;
    const char* says;
  };
  for (const Row& row :
       {Row{1160, 16, "the 5 costliest of 1,160 recoveries from 16 faults\n"},
        Row{4, 1, "  4 recoveries from 1 fault, the costliest first\n"},
        Row{4, 4, "  faults, the costliest first\n"}, Row{6, 6, "the 5 costliest of 6 faults\n"}}) {
    RunSummary run = failed_run();
    run.jobs[0].recoveries.clear();
    for (std::int64_t i = 0; i < row.recoveries; ++i) {
      Recovery recovery;
      recovery.fault = fmt::format("fault#{}", i % row.faults);
      run.jobs[0].recoveries.push_back(recovery);
    }
    EXPECT_THAT(summary_text(run, options()), HasSubstr(row.says));
  }
}

TEST(SummaryText, OnlyTheFiveCostliestFaults) {
  RunSummary run = failed_run();
  run.jobs[0].recoveries.clear();
  for (std::int64_t i = 0; i < 419; ++i) {
    Recovery recovery;
    recovery.fault = fmt::format("fault#{}", i);
    recovery.cost_us = i % 100 * 1'000'000;
    run.jobs[0].recoveries.push_back(recovery);
  }
  const std::string text = summary_text(run, options());
  EXPECT_THAT(text, HasSubstr("the 5 costliest of 419 faults"));
  std::vector<std::string> shown;
  for (const std::string& line : lines_of(text)) {
    if (const std::size_t at = line.find("fault#"); at != std::string::npos) {
      shown.push_back(line.substr(at, line.find(' ', at) - at));
    }
  }
  EXPECT_THAT(
      shown, ::testing::ElementsAre("fault#99", "fault#199", "fault#299", "fault#399", "fault#98"));
  EXPECT_THAT(text, HasSubstr("not answered"));
}

TEST(SummaryText, EveryChargeOfTheFatalBudget) {
  RunSummary run = failed_run();
  BudgetSummary& budget = run.jobs[0].budgets[0].second;
  budget = {301, 300, true, {}};
  for (int i = 1; i <= 301; ++i) {
    budget.charges.push_back({i * 1'000'000'000LL, fmt::format("crash#{}", i), "node_crash", "node",
                              i == 301 ? "ERRORED" : "RESTARTING", "ray_train.failure.retry", i,
                              false});
  }
  const auto lines = lines_of(summary_text(run, options()));
  const auto count = std::ranges::count_if(
      lines, [](const std::string& line) { return line.find("/300") != std::string::npos; });
  EXPECT_EQ(count, 301);
  const auto fatal = std::ranges::find_if(
      lines, [](const std::string& line) { return line.find("<- fatal") != std::string::npos; });
  ASSERT_NE(fatal, lines.end());
  EXPECT_THAT(*fatal, HasSubstr("crash#301"));
}

TEST(SummaryText, WhyItDiedWithoutABudget) {
  RunSummary run = failed_run();
  run.jobs[0].reason = "gave_up(modelarts.no_spare)";
  run.jobs[0].budgets.clear();
  EXPECT_THAT(summary_text(run, options()),
              HasSubstr("why it died: gave_up(modelarts.no_spare); no retry budget ran out"));
}

TEST(SummaryText, EveryLineFitsWhateverTheNames) {
  RunSummary run = failed_run();
  JobSummary& job = run.jobs[0];
  const std::string name = "a-name-that-somebody-made-by-machine-" + std::string(300, 'x') + "-17";
  job.recoveries[0].fault = name;
  job.recoveries[0].what = name;
  job.budgets[0].second.charges[0].fault = name;
  job.budgets[0].second.charges[0].what = name;
  job.budgets[0].second.charges[1].rule = name;
  job.budgets.emplace_back(name, BudgetSummary{});
  run.warnings = {"words " + std::string(60, 'y') + " and more words " + std::string(60, 'z')};
  for (const std::size_t width : {std::size_t{80}, std::size_t{100}, std::size_t{200}}) {
    SummaryTextOptions narrow = options();
    narrow.style.width = width;
    for (const std::string& line : lines_of(summary_text(run, narrow))) {
      EXPECT_LE(display_width(line), width) << line;
    }
  }
  job.name = name;
  EXPECT_THAT(lines_of(summary_text(run, options()))[0], HasSubstr("xxx-17 FAILED: "));
}

TEST(SummaryText, NamesCannotDriveTheTerminal) {
  RunSummary run = failed_run();
  const std::string name = "\x1b[2J\n\r\x07";
  JobSummary& job = run.jobs[0];
  job.name = job.policy = job.vendor_state = name;
  job.recoveries[0] = {name, name, {name}, 1, 1, 1, 1, 1};
  job.budgets[0].first = name;
  job.budgets[0].second.charges[0] = {1, name, name, name, name, name, 1, true};
  run.verdict_reason = name;
  run.warnings = {name};
  run.expect[0] = {name, false, name, name};
  run.violations = {{name, name, 1}};
  const std::string text = summary_text(run, options());
  EXPECT_EQ(text.find_first_of("\x1b\r\x07"), std::string::npos);
}

}  // namespace
}  // namespace aftershock::reports
