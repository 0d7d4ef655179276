#include "reports/render/why.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "reports/recording/file_sink.h"
#include "reports/render/story.h"
#include "tests/unit/reports/sample_recording.h"
#include "tests/unit/reports/sample_summary.h"
#include "tests/unit/times.h"

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::ScratchFolder;

void record_fault(Recorder& recorder, std::int64_t t_us, const std::string& id,
                  const std::string& outcome) {
  recorder.custom(t_us, RecordKind::kFault, testing::sample_node(3), {},
                  fmt::format(R"("id":"{}","kind":"node_crash","what":"node_crash of {}",)"
                              R"("target":"node:gpu-3","outcome":"{}")",
                              id, id, outcome));
}

void record_charge(Recorder& recorder, std::int64_t t_us, const std::string& fault,
                   const std::string& to, int used, bool charged, const std::string& word = "",
                   bool false_alarm = false) {
  recorder.custom(
      t_us, RecordKind::kDecision, testing::kSampleJob, {},
      fmt::format(R"("batch":1,"saw":[],"steps":[{{"rule":"ray_train.failure.retry",)"
                  R"("from":"RUNNING","to":"{}",{}"saw":[0],"budgets":[{{"budget":"max_failures",)"
                  R"("cause":"node","used":{},"limit":1,"charged":{},"exhausted":{}}}],)"
                  R"("commands":[],"rejected":[]}}],"watch":{{}},"fault":{}{})",
                  to, word.empty() ? "" : R"("decision":")" + word + R"(",)", used, charged,
                  used > 1, fault.empty() ? "null" : '"' + fault + '"',
                  false_alarm ? R"(,"false_alarm":true)" : ""));
}

/// Three faults under max_failures 1; `outcome` says how the run's summary tells the end.
void play(LineSink& sink, const std::string& outcome) {
  const testing::SampleNames names;
  write_header(sink, testing::sample_header());
  Recorder recorder(&sink, &names);
  record_fault(recorder, 100 * kSecond, "spot-1", "fired");
  record_charge(recorder, 102 * kSecond, "spot-1", "RESTARTING", 1, true);
  record_fault(recorder, 150 * kSecond, "spot-1", "masked");
  record_charge(recorder, 200 * kSecond, "", "RESTARTING", 1, false);
  if (outcome.empty()) {
    return;
  }
  record_fault(recorder, 300 * kSecond, "crash#2", "fired");
  record_charge(recorder, 302 * kSecond, "crash#2", "ERRORED", outcome == "failed" ? 2 : 1, true,
                "RAISE");
  RunSummary run;
  JobSummary& job = run.jobs.emplace_back();
  job.name = "llm";
  job.outcome = outcome;
  job.reason = outcome == "failed" ? "exhausted(max_failures)" : "completed";
  job.wall_us = 303 * kSecond;
  job.recoveries.push_back(
      {"spot-1", "", {"r"}, 102 * kSecond, 130 * kSecond, std::nullopt, 9 * kSecond, 0});
  JobSummary& other = run.jobs.emplace_back();
  other.name = "eval";
  other.outcome = "completed";
  recorder.summary(303 * kSecond, to_json_line(run));
  recorder.end_of_run(303 * kSecond);
}

WhyResult why_of(const std::string& outcome, const std::string& job = {},
                 const char* name = "run.aftershock") {
  const ScratchFolder folder;
  FileSink sink(folder.file(name));
  play(sink, outcome);
  EXPECT_EQ(sink.finish(), std::nullopt);
  WhyOptions options;
  options.job = job;
  return why(folder.file(name), options);
}

TEST(Why, AFailedJobDiedOfEveryChargeOfOneBudget) {
  for (const char* name : {"run.aftershock", "run.aftershock.zst"}) {
    const WhyResult result = why_of("failed", "llm", name);
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(result.text,
              "llm FAILED: exhausted(max_failures) after 00:05:03\n"
              "  why it died: every charge of max_failures\n"
              "    00:01:42  spot-1   node_crash of spot-1   node  RESTARTING  1/1\n"
              "    00:03:20  -        -                      node  RESTARTING  1/1  exempt: "
              "failure.retry\n"
              "    00:05:02  crash#2  node_crash of crash#2  node  RAISE       2/1  <- fatal\n"
              "  last decision: 00:05:02, RAISE by ray_train.failure.retry, from RUNNING to "
              "ERRORED\n");
  }
}

TEST(Why, AJobThatLivedHasItsChargesAndRecoveries) {
  const WhyResult result = why_of("completed");
  EXPECT_THAT(result.text, HasSubstr("llm completed after 00:05:03\n"
                                     "  max_failures: 1 of 1 used\n"));
  EXPECT_THAT(result.text, HasSubstr("    00:05:02  crash#2"));
  EXPECT_THAT(result.text, Not(HasSubstr("fatal")));
  EXPECT_THAT(result.text,
              HasSubstr("  recoveries\n"
                        "    detected  fault   what                  running again  lost\n"
                        "    00:01:42  spot-1  node_crash of spot-1       00:02:10   9 s\n"));
  EXPECT_THAT(result.text, HasSubstr("\n\neval completed after 0 s\n"
                                     "  no retry budget was charged\n"
                                     "  nothing had to be recovered from\n"));
}

TEST(Why, AFalseAlarmIsCalledOne) {
  const ScratchFolder folder;
  FileSink sink(folder.file("run.aftershock"));
  const testing::SampleNames names;
  write_header(sink, testing::sample_header());
  Recorder recorder(&sink, &names);
  record_charge(recorder, 100 * kSecond, "", "Hr.StopProcs", 1, true, "", true);
  RunSummary run;
  JobSummary& job = run.jobs.emplace_back();
  job.name = "llm";
  job.outcome = "completed";
  job.false_alarms = 1'234;
  recorder.summary(303 * kSecond, to_json_line(run));
  recorder.end_of_run(303 * kSecond);
  EXPECT_EQ(sink.finish(), std::nullopt);
  WhyOptions options;
  options.job = "llm";
  EXPECT_EQ(why(folder.file("run.aftershock"), options).text,
            "llm completed after 0 s\n"
            "  false alarms: 1,234 times a hang was suspected and nothing hung\n"
            "  max_failures: 1 of 1 used\n"
            "    00:01:40  -  a false alarm: nothing hung  node  Hr.StopProcs  1/1\n"
            "  no fault had to be recovered from\n");
}

/// One experiment, whose trials are told by their number.
class ExperimentNames final : public EntityNames {
 public:
  void append_name(std::string& out, Entity entity) const override {
    out += entity.kind == EntityKind::kExperiment ? "experiment:search" : "node:gpu-3";
  }
};

void record_trial_charge(Recorder& recorder, std::int64_t t_us, const std::string& rule, int used) {
  recorder.custom(t_us, RecordKind::kDecision, {EntityKind::kExperiment, 0, 0}, {},
                  fmt::format(R"("batch":1,"saw":[],"steps":[{{"rule":"ray_tune.trial.{}",)"
                              R"("from":"RUNNING","to":"RUNNING","saw":[0],"budgets":[{{"budget":)"
                              R"("max_failures","cause":"node","used":{},"limit":1,"charged":true,)"
                              R"("exhausted":{}}}],"commands":[],"rejected":[]}}],"watch":{{}},)"
                              R"("fault":"crash")",
                              rule, used, used > 1));
}

TEST(Why, AnExperimentHasItsTrialsAndTheirCharges) {
  const ScratchFolder folder;
  FileSink sink(folder.file("run.aftershock"));
  const ExperimentNames names;
  RecordingHeader header = testing::sample_header();
  header.jobs.clear();
  write_header(sink, header);
  Recorder recorder(&sink, &names);
  record_fault(recorder, 100 * kSecond, "crash", "fired");
  record_trial_charge(recorder, 102 * kSecond, "retry", 1);
  record_trial_charge(recorder, 200 * kSecond, "error", 2);
  RunSummary run;
  ExperimentSummary& experiment = run.experiments.emplace_back();
  experiment.name = "search";
  experiment.outcome = "completed";
  experiment.reason = "completed";
  experiment.wall_us = 303 * kSecond;
  experiment.attempts = 4;
  experiment.lost_steps = 2;
  experiment.lost_us = 9 * kSecond;
  experiment.statuses = {{"TERMINATED", 1}, {"PAUSED", 0}, {"ERROR", 1}};
  experiment.restores = {{150 * kSecond, 2}};
  experiment.lost_trials = {"trial:2"};
  experiment.budgets = {{"max_failures", {2, 1, true, {}}}};
  experiment.trials = {{"00001_00000", "ERROR", 4, 2, 1, 2, 9 * kSecond},
                       {"00001_00001", "TERMINATED", 10, 0, 0, 0, 0}};
  recorder.summary(303 * kSecond, to_json_line(run));
  recorder.end_of_run(303 * kSecond);
  ASSERT_EQ(sink.finish(), std::nullopt);
  const WhyResult result = why(folder.file("run.aftershock"), {});
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.text,
            "search completed after 00:05:03; 1 of 2 trials ended as ERROR\n"
            "  trials 2, TERMINATED 1, ERROR 1; attempts 4; lost 2 steps, 9 s\n"
            "  restored at 00:02:30 with 2 trials\n"
            "  trials lost to the restore: 1: trial:2\n"
            "  trials, those that lost most first\n"
            "    trial        status  iterations  failures  restored  lost\n"
            "    00001_00000  ERROR            4         2         1   9 s\n"
            "  max_failures, of each trial: up to 1\n"
            "    00:01:42  crash  node_crash of crash  node  trial.retry  1/1\n"
            "    00:03:20  crash  node_crash of crash  node  trial.error  2/1\n"
            "  last decision: 00:03:20, ray_tune.trial.error, from RUNNING to RUNNING\n");
  WhyOptions other;
  other.job = "llm";
  EXPECT_EQ(why(folder.file("run.aftershock"), other).problem,
            "there is no job \"llm\" in the recording; it has: search");
  other.job = "search";
  EXPECT_EQ(why(folder.file("run.aftershock"), other).text, result.text);
}

TEST(Why, APartialRecordingSaysSoFirst) {
  const WhyResult result = why_of("", "llm");
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.state, ReadState::kPartial);
  EXPECT_EQ(result.text,
            "The recording ends at 00:03:20 (line 5) without the end of the run: it was killed, it "
            "still runs, or\n"
            "  the file was cut. This is what had happened until then.\n"
            "\n"
            "llm had not ended\n"
            "  max_failures: 1 of 1 used\n"
            "    00:01:42  spot-1  node_crash of spot-1  node  RESTARTING  1/1\n"
            "    00:03:20  -       -                     node  RESTARTING  1/1  exempt: "
            "failure.retry\n"
            "  last decision: 00:03:20, ray_train.failure.retry, from RUNNING to RESTARTING\n");
}

TEST(Why, AVerdictThatIsNotPassedIsTold) {
  const ScratchFolder folder;
  const std::string path = folder.file("stuck.aftershock");
  FileSink sink(path);
  const testing::SampleNames names;
  write_header(sink, testing::sample_header());
  Recorder recorder(&sink, &names);
  RunSummary run;
  run.verdict = Verdict::kStuck;
  run.verdict_reason = "llm waits for nodes";
  JobSummary& job = run.jobs.emplace_back();
  job.name = "llm";
  job.outcome = "running";
  job.at_end = EndState::kStuck;
  job.wall_us = 5 * kSecond;
  job.useful = {.us = 2 * kSecond, .of_us = 8 * kSecond};
  JobSummary& late = run.jobs.emplace_back();
  late.name = "eval";
  late.outcome = "running";
  recorder.summary(9 * kSecond, to_json_line(run));
  recorder.end_of_run(9 * kSecond);
  ASSERT_EQ(sink.finish(), std::nullopt);
  EXPECT_EQ(why(path, {}).text,
            "llm is STUCK after 5 s; useful work 25.0 % of 8 s\n"
            "  no retry budget was charged\n"
            "  nothing had to be recovered from\n"
            "\n"
            "eval was not submitted before the end\n"
            "\n"
            "verdict stuck (exit code 3): llm waits for nodes\n");
}

TEST(Why, ALongListOfABudgetWithoutALimitIsFolded) {
  for (const bool limited : {false, true}) {
    JobSummary job;
    BudgetSummary budget;
    budget.limit = limited ? std::optional<std::int64_t>(100) : std::nullopt;
    for (int i = 1; i <= 50; ++i) {
      budget.charges.push_back({i * kSecond, "f", "", "node", "RESTARTING", "r", i, false});
    }
    const std::string text = charge_lines(budget, Style{}, 0);
    EXPECT_EQ(std::ranges::count(text, '\n'), limited ? 50 : 21);
    EXPECT_EQ(text.find("(30 more)") != std::string::npos, !limited);
    EXPECT_THAT(text, HasSubstr(limited ? "  11/100" : "  10/unlimited"));
    EXPECT_EQ(text.find(" 11/unlimited"), std::string::npos);
    EXPECT_EQ(text.find(" 40/unlimited"), std::string::npos);
    EXPECT_THAT(text, HasSubstr(limited ? "  40/100" : "  41/unlimited"));
  }
}

TEST(Why, UnknownJobsAreAnsweredWithTheKnown) {
  const WhyResult result = why_of("failed", "lm");
  EXPECT_EQ(result.text, "");
  EXPECT_EQ(result.problem, "there is no job \"lm\" in the recording; it has: llm, eval");
}

TEST(Why, WhatIsNoRecordingIsAProblem) {
  const ScratchFolder folder;
  EXPECT_THAT(why(folder.path(), {}).problem, HasSubstr("it is a directory"));
  EXPECT_THAT(why(folder.file("none"), {}).problem, HasSubstr("No such file"));
  {
    FileSink sink(folder.file("empty"));
  }
  EXPECT_THAT(why(folder.file("empty"), {}).problem, HasSubstr("is empty"));
}

TEST(Why, BodiesOfAnyTypeDoNoHarm) {
  const ScratchFolder folder;
  const std::string path = folder.file("odd.aftershock");
  const char* bodies[] = {
      R"("steps":5)",
      R"("steps":[5,null,[],{}])",
      R"("steps":[{"rule":1,"budgets":{"a":1}}])",
      R"("steps":[{"budgets":[{"budget":7,"used":"x","limit":[],"charged":0}]}],"fault":9)",
      R"("steps":[{"budgets":"text"}])",
      ""};
  FileSink sink(path);
  const testing::SampleNames names;
  write_header(sink, testing::sample_header());
  Recorder recorder(&sink, &names);
  for (const char* body : bodies) {
    recorder.custom(1, RecordKind::kDecision, testing::kSampleJob, {}, body);
    recorder.custom(1, RecordKind::kFault, testing::kSampleJob, {}, body);
  }
  recorder.summary(2, R"({"jobs":[5,{"name":[]},{"name":"llm","recoveries":{"rules":5}}]})");
  recorder.end_of_run(2);
  ASSERT_EQ(sink.finish(), std::nullopt);
  const WhyResult result = why(path, {});
  EXPECT_EQ(result.problem, "");
  EXPECT_THAT(result.text, HasSubstr("llm"));
}

}  // namespace
}  // namespace aftershock::reports
