// A live run as its facts tell it: each row is a run of two ranks for ten steps of a second, and
// what its account must come to.
#include "sim/live/live_run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "reports/compare/decisions.h"
#include "reports/ledger/summary.h"
#include "reports/recording/memory_sink.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::live {
namespace {

scenario::Scenario pair_with_faults(const std::string& faults) {
  const std::string text =
      R"({"schema":1,"name":"pair","seed":1,"until":"2min",
  "cluster":{"pools":[{"name":"gpu","nodes":2,"accelerators":{"kind":"gpu","per_node":1}}]},
  "jobs":[{"name":"llm","workers":2,"steps":10,"step":"1s","checkpoint":{"every_steps":4},
           "policy":{"name":"torchrun","config":{"max_restarts":3}}}],
  "faults":[)" +
      faults + "]}";
  auto read = scenario::read_scenario_text(text, "test", {});
  const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read);
  EXPECT_EQ(errors, nullptr) << (errors == nullptr ? "" : scenario::format(errors->front()));
  return std::get<scenario::ReadScenario>(std::move(read)).scenario;
}

constexpr std::string_view kKill =
    R"({"id":"kill","kind":"worker_crash","how":"exit","exit_code":137,"target":"job:llm/rank:1",)"
    R"("at_step":6})";

std::string fact(std::int64_t t_ms, const std::string& kind, const std::string& members) {
  return R"({"fact":")" + kind + R"(","t_us":)" + std::to_string(t_ms * 1000) +
         (members.empty() ? "" : "," + members) + "}";
}

void begin(std::vector<std::string>& lines) {
  lines.push_back(fact(0, "begin",
                       R"("backend":"torchrun","policy":"torchrun@2.15.0",)"
                       R"("versions":{"torch":"2.15.0"},"isolation":"namespaces",)"
                       R"("clock":"CLOCK_MONOTONIC","addresses":"one")"));
  lines.push_back(R"({"fact":"rules","rules":[{"id":"r","sentence":"s","source":"x"}],)"
                  R"("states":["INIT"],"budgets":["max_restarts"]})");
}

/// A start at `t_ms` that trains 2 s later from `step` on.
void start(std::vector<std::string>& lines, std::int64_t t_ms, int attempt, int step) {
  const std::string of = R"("attempt":)" + std::to_string(attempt);
  lines.push_back(fact(t_ms, "attempt", of + R"(,"ranks":2,"nodes":["gpu-0","gpu-1"])"));
  for (const char* rank : {R"(,"rank":0)", R"(,"rank":1)"}) {
    lines.push_back(fact(t_ms + 1000, "phase", of + rank + R"(,"phase":"rendezvous")"));
  }
  for (const char* rank : {R"(,"rank":0)", R"(,"rank":1)"}) {
    lines.push_back(fact(t_ms + 2000, "phase",
                         of + rank + R"(,"phase":"training","step":)" + std::to_string(step)));
  }
}

/// Steps `from` + 1 to `to`, the first a second after `t_ms`; a save after the fourth and eighth.
void train(std::vector<std::string>& lines, std::int64_t t_ms, int attempt, int from, int to) {
  const std::string of = R"("attempt":)" + std::to_string(attempt);
  for (int step = from + 1; step <= to; ++step) {
    const std::int64_t at_ms = t_ms + (step - from) * 1000;
    lines.push_back(fact(at_ms, "step", of + R"(,"rank":0,"step":)" + std::to_string(step)));
    if (step % 4 == 0) {
      lines.push_back(
          fact(at_ms, "checkpoint", of + R"(,"what":"committed","step":)" + std::to_string(step)));
    }
  }
}

std::string restart(std::int64_t t_ms, int used, const std::string& by) {
  return fact(t_ms, "decision",
              R"("by":")" + by +
                  R"(","rule":"torchrun.restart","word":"","from":"HEALTHY","to":"STOPPED",)"
                  R"("saw":["rank 1 ended by signal 9"],"fault":0,"commands":["stop_workers"],)"
                  R"("budgets":[{"name":"max_restarts","cause":"application","used":)" +
                  std::to_string(used) + R"(,"limit":6}])");
}

/// Killed half a second into step 7, seen 300 ms later, gone after 200 ms more.
std::vector<std::string> killed_once() {
  std::vector<std::string> lines;
  begin(lines);
  start(lines, 1000, 1, 0);
  train(lines, 3000, 1, 0, 6);
  lines.push_back(fact(9500, "fault", R"("fault":0,"what":"struck","on":"job:llm/rank:1")"));
  lines.push_back(
      fact(9500, "worker", R"("attempt":1,"rank":1,"node":"gpu-1","what":"ended","code":-9)"));
  lines.push_back(restart(9800, 1, "agent:1"));
  lines.push_back(restart(9900, 2, "agent:0"));
  lines.push_back(
      fact(10000, "worker", R"("attempt":1,"rank":0,"node":"gpu-0","what":"ended","code":-6)"));
  start(lines, 11000, 2, 4);
  train(lines, 13000, 2, 4, 10);
  lines.push_back(fact(19000, "end", R"("outcome":"completed","state":"SUCCEEDED","reason":"")"));
  return lines;
}

struct Told {
  reports::RunSummary summary;
  std::vector<std::string> recording;
};

Told told_by(const scenario::Scenario& scenario, const std::vector<std::string>& lines,
             std::string_view why = "") {
  reports::MemorySink sink;
  LiveRun run(scenario, &sink);
  for (const std::string& line : lines) {
    const auto read = read_fact(line, {scenario.faults.size(), scenario.jobs.front().workers});
    if (const auto* problem = std::get_if<std::string>(&read)) {
      ADD_FAILURE() << *problem << ": " << line;
      continue;
    }
    run.take(std::get<Fact>(read));
  }
  Told told;
  told.summary = run.finish(why);
  std::istringstream text(sink.text());
  for (std::string line; std::getline(text, line);) {
    told.recording.push_back(line);
  }
  return told;
}

std::int64_t ms_in(const Told& told, reports::Bucket bucket) {
  return told.summary.jobs.front().ledger_us[index_of(bucket)] / 1000;
}

TEST(LiveRun, BooksAKillAsASimulatedRunWould) {
  const scenario::Scenario scenario = pair_with_faults(std::string(kKill));
  const Told told = told_by(scenario, killed_once());
  const reports::JobSummary& job = told.summary.jobs.front();
  EXPECT_EQ(told.summary.verdict, reports::Verdict::kPassed) << told.summary.verdict_reason;
  EXPECT_EQ(job.outcome, "completed");
  EXPECT_EQ(job.attempts, 2);
  EXPECT_EQ(job.steps_done, 10);
  EXPECT_EQ(job.lost_steps, 2);
  // Six steps and a half, of which those after the fourth are done again; then six.
  EXPECT_EQ(ms_in(told, reports::Bucket::kProductive), 10'000);
  EXPECT_EQ(ms_in(told, reports::Bucket::kRolledBack), 2'500);
  EXPECT_EQ(ms_in(told, reports::Bucket::kUndetected), 300);
  EXPECT_EQ(ms_in(told, reports::Bucket::kTearingDown), 200);
  EXPECT_EQ(ms_in(told, reports::Bucket::kLaunching), 1000 + 1000 + 1000 + 1000);
  EXPECT_EQ(ms_in(told, reports::Bucket::kRendezvous), 2'000);
  EXPECT_EQ(job.wall_us, 19'000'000);
  ASSERT_EQ(job.budgets.size(), 1U);
  EXPECT_EQ(job.budgets.front().second.used, 2);
  EXPECT_EQ(job.budgets.front().second.charges.size(), 2U);
  ASSERT_EQ(job.recoveries.size(), 1U);
  EXPECT_EQ(job.recoveries.front().detected_us, 9'800'000);
  EXPECT_EQ(job.recoveries.front().running_us, 13'000'000);
  EXPECT_EQ(job.recoveries.front().caught_up_us, 15'000'000);
}

TEST(LiveRun, BeginsARecoveryWithWhatIsDoneAboutAFaultAndNotWithTheNoticeOfIt) {
  std::vector<std::string> lines = killed_once();
  const auto struck = std::ranges::find_if(
      lines, [](const std::string& line) { return line.find(R"("fact":"fault")") != line.npos; });
  lines.insert(struck + 1,
               fact(9500, "decision",
                    R"("by":"controller","rule":"live.state","word":"","from":"RUNNING",)"
                    R"("to":"PREEMPTING","saw":[],"fault":0,"commands":[],"budgets":[])"));
  const Told told = told_by(pair_with_faults(std::string(kKill)), lines);
  ASSERT_EQ(told.summary.jobs.front().recoveries.size(), 1U);
  const reports::Recovery& recovery = told.summary.jobs.front().recoveries.front();
  EXPECT_EQ(recovery.detected_us, 9'800'000);
  EXPECT_EQ(recovery.running_us, 13'000'000);
  EXPECT_EQ(recovery.rules, (std::vector<std::string>{"torchrun.restart", "torchrun.restart"}));
}

// Stopped at 5 s and let go at 8 s, before anybody has noticed.
TEST(LiveRun, PutsAStallThatEndsByItselfDownToItsFault) {
  std::vector<std::string> lines;
  begin(lines);
  start(lines, 1000, 1, 0);
  train(lines, 3000, 1, 0, 2);
  lines.push_back(fact(5500, "fault", R"("fault":0,"what":"struck","on":"job:llm/rank:1")"));
  lines.push_back(fact(8500, "fault", R"("fault":0,"what":"over","on":"job:llm/rank:1")"));
  train(lines, 8500, 1, 2, 10);
  lines.push_back(fact(17000, "end", R"("outcome":"completed","state":"SUCCEEDED","reason":"")"));
  const Told told =
      told_by(pair_with_faults(R"({"id":"pause","kind":"hang","answers":false,"lasts":"3s",)"
                               R"("target":"job:llm/rank:1","at_step":2})"),
              lines);
  const auto& recoveries = told.summary.jobs.front().recoveries;
  ASSERT_EQ(recoveries.size(), 1U);
  EXPECT_EQ(recoveries.front().fault, "pause");
  EXPECT_EQ(recoveries.front().detected_us, std::nullopt);
  EXPECT_EQ(recoveries.front().running_us, 9'500'000);
  EXPECT_EQ(recoveries.front().cost_us, 4'000'000);
}

TEST(LiveRun, CountsTheStrikesOfAFaultThatStrikesInEveryAttempt) {
  std::vector<std::string> lines = killed_once();
  const auto end = std::ranges::find_if(
      lines, [](const std::string& line) { return line.find(R"("fact":"end")") != line.npos; });
  lines.insert(end, {fact(18500, "fault", R"("fault":0,"what":"struck","on":"job:llm/rank:1")"),
                     restart(18600, 3, "agent:1")});
  std::string fault(kKill);
  fault.insert(1, R"("every_attempt":true,)");
  const Told told = told_by(pair_with_faults(fault), lines);
  const reports::JobSummary& job = told.summary.jobs.front();
  ASSERT_EQ(job.recoveries.size(), 2U);
  EXPECT_EQ(job.recoveries[0].fault, "kill#1");
  EXPECT_EQ(job.recoveries[1].fault, "kill#2");
  EXPECT_EQ(job.budgets.front().second.charges.front().fault, "kill#1");
  EXPECT_EQ(job.budgets.front().second.charges.back().fault, "kill#2");
}

TEST(LiveRun, SumsItsLedgerToItsWallTime) {
  const scenario::Scenario scenario = pair_with_faults(std::string(kKill));
  const std::vector<std::string> whole = killed_once();
  // Cut off anywhere, the account is still whole.
  for (std::size_t lines = 2; lines <= whole.size(); ++lines) {
    const Told told =
        told_by(scenario, {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(lines)},
                lines < whole.size() ? "cut off" : "");
    std::int64_t sum_us = 0;
    for (const std::int64_t us : told.summary.jobs.front().ledger_us) {
      sum_us += us;
    }
    EXPECT_EQ(sum_us, told.summary.jobs.front().wall_us) << lines;
    EXPECT_EQ(told.summary.verdict == reports::Verdict::kPassed, lines == whole.size()) << lines;
  }
}

TEST(LiveRun, MeansNothingWhereAFaultDidNotStrike) {
  const scenario::Scenario scenario = pair_with_faults(std::string(kKill));
  std::vector<std::string> lines;
  begin(lines);
  start(lines, 1000, 1, 0);
  train(lines, 3000, 1, 0, 10);
  lines.push_back(
      fact(13000, "fault", R"("fault":0,"what":"missed","on":"","why":"rank 1 had ended")"));
  lines.push_back(fact(13000, "end", R"("outcome":"completed","state":"","reason":"")"));
  const Told told = told_by(scenario, lines);
  EXPECT_EQ(told.summary.verdict, reports::Verdict::kInvalid);
  EXPECT_EQ(told.summary.verdict_reason, "fault kill did not strike: rank 1 had ended");
}

TEST(LiveRun, MeansNothingWhereAFaultThatWasDueIsNotToldOf) {
  struct Row {
    std::string moment;
    std::string invalid;  // empty: the fault did not strike for what `never` says
    std::string never;
  };
  const std::vector<Row> rows{
      {R"("at":"5s")", "fault kill was due, and the driver did not tell of it", {}},
      {R"("at":"12500ms")", {}, "the run ended at 13 s, and it was to come at 12.5 s"},
      {R"("at":"1min")", {}, "the run ended at 13 s, and it was to come at 00:01:00"},
      {R"("at_step":9)", "fault kill was due, and the driver did not tell of it", {}},
      {R"("at_step":10)", {}, "the run ended at 13 s, at step 10, and it was to come at step 10"},
      {R"("when":{"job":"llm","enter":"training","nth":2})",
       {},
       "the run ended at 13 s, before the moment that it waited for"},
  };
  for (const Row& row : rows) {
    const scenario::Scenario scenario = pair_with_faults(
        R"({"id":"kill","kind":"worker_crash","target":"job:llm/rank:1",)" + row.moment + "}");
    std::vector<std::string> lines;
    begin(lines);
    start(lines, 1000, 1, 0);
    train(lines, 3000, 1, 0, 10);
    lines.push_back(fact(13000, "end", R"("outcome":"completed","state":"","reason":"")"));
    const reports::RunSummary told = told_by(scenario, lines).summary;
    EXPECT_EQ(told.verdict,
              row.invalid.empty() ? reports::Verdict::kPassed : reports::Verdict::kInvalid);
    EXPECT_EQ(told.verdict_reason, row.invalid) << row.moment;
    ASSERT_EQ(told.never_struck.size(), 1U) << row.moment;
    if (row.invalid.empty()) {
      EXPECT_EQ(told.never_struck.front().why, row.never);
    }
  }
}

// The sixth step was done, though the job that failed leaves the fourth.
TEST(LiveRun, KnowsAFaultForDueWhoseStepWasRolledBack) {
  const scenario::Scenario scenario = pair_with_faults(
      R"({"id":"kill","kind":"worker_crash","target":"job:llm/rank:1","at_step":5})");
  std::vector<std::string> lines;
  begin(lines);
  start(lines, 1000, 1, 0);
  train(lines, 3000, 1, 0, 6);
  lines.push_back(fact(10000, "end", R"("outcome":"failed","state":"FAILED","reason":"r")"));
  EXPECT_EQ(told_by(scenario, lines).summary.verdict_reason,
            "fault kill was due, and the driver did not tell of it");
}

TEST(LiveRun, LosesAtAFailedEndWhatIsBeyondItsCheckpoint) {
  const scenario::Scenario scenario = pair_with_faults("");
  std::vector<std::string> lines;
  begin(lines);
  start(lines, 1000, 1, 0);
  train(lines, 3000, 1, 0, 6);
  lines.push_back(fact(10000, "end", R"("outcome":"failed","state":"FAILED","reason":"r")"));
  const Told told = told_by(scenario, lines);
  const reports::JobSummary& job = told.summary.jobs.front();
  EXPECT_EQ(job.steps_done, 4);
  EXPECT_EQ(job.lost_steps, 2);
  EXPECT_EQ(job.useful.steps, 4);
  EXPECT_EQ(ms_in(told, reports::Bucket::kProductive), 4'000);
}

TEST(LiveRun, LeavesARecordingThatIsReadAsAnyOther) {
  const scenario::Scenario scenario = pair_with_faults(std::string(kKill));
  const Told told = told_by(scenario, killed_once());
  const auto header = reports::parse_header(told.recording.front());
  ASSERT_TRUE(header && header->live);
  EXPECT_EQ(header->live->backend, "torchrun");
  EXPECT_EQ(header->live->versions,
            (std::vector<std::pair<std::string, std::string>>{{"torch", "2.15.0"}}));
  EXPECT_EQ(header->policy, "torchrun@2.15.0");
  reports::Decisions decisions;
  std::uint32_t nth = 0;
  for (const std::string& line : told.recording) {
    if (!reports::decision_steps(line).empty()) {
      reports::add_decision(decisions, nth++, line);
    }
  }
  ASSERT_EQ(decisions.steps.size(), 2U);
  EXPECT_EQ(decisions.steps[0].fault, "kill");
  EXPECT_EQ(decisions.steps[0].budgets.front().limit, 6);
}

TEST(Fact, IsRefusedWithItsMember) {
  struct Row {
    const char* line;
    const char* problem;
  };
  const std::vector<Row> rows{
      {"", "is not a JSON object"},
      {"[1]", "is not a JSON object"},
      {R"({"t_us":1})", "\"fact\": expected a text"},
      {R"({"fact":"step","t_us":-1,"attempt":1,"rank":0,"step":1})",
       "\"t_us\": expected microseconds since the job was submitted"},
      {R"({"fact":"step","t_us":1,"attempt":1,"rank":0})",
       "\"step\": expected a whole number from 0 to 1000000000"},
      {R"({"fact":"step","t_us":1,"attempt":1,"rank":0,"step":99999999999})",
       "\"step\": expected a whole number from 0 to 1000000000"},
      {R"({"fact":"fault","t_us":1,"fault":7,"what":"struck"})",
       "\"fault\": expected the place of one of the scenario's 1 faults"},
      {R"({"fact":"step","t_us":1,"attempt":1,"rank":2,"step":1})",
       "\"rank\": expected one of the job's 2 ranks"},
      {R"({"fact":"worker","t_us":1,"attempt":1,"rank":99,"what":"ended"})",
       "\"rank\": expected one of the job's 2 ranks"},
      {R"({"fact":"attempt","t_us":1,"attempt":1,"ranks":1000000})",
       "\"ranks\": expected at most the job's 2"},
      {R"({"fact":"phase","t_us":1,"phase":"dreaming"})",
       "\"phase\": expected the name of a phase"},
      {R"({"fact":"end","t_us":1,"outcome":"well"})",
       "\"outcome\": expected one of completed, failed, aborted, running"},
      {R"({"fact":"else","t_us":1})", "\"fact\": expected the name of a fact"},
  };
  for (const Row& row : rows) {
    const auto read = read_fact(row.line, {1, 2});
    const auto* problem = std::get_if<std::string>(&read);
    ASSERT_NE(problem, nullptr) << row.line;
    EXPECT_EQ(*problem, row.problem) << row.line;
  }
}

}  // namespace
}  // namespace aftershock::sim::live
