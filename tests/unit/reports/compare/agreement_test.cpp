// A simulated run beside a live one: decisions exactly, times within a band and by the speed.
#include "reports/compare/agreement.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/reports/compare/sample_steps.h"

namespace aftershock::reports {
namespace {

constexpr std::int64_t kSecondUs = 1'000'000;

// A run with one fault at 1 s, decided about and running again so much later.
RecordedRun struck(std::int64_t decided_us, std::int64_t running_us) {
  RecordedRun run;
  run.faults = {{kSecondUs, "kill", "worker_crash", "job:x/rank:1", "job:x/rank:1"}};
  run.decisions.steps = {testing::sample_step(kSecondUs + decided_us, "kill", "p.retry")};
  run.summary = R"({"jobs":[{"name":"x","outcome":"completed","attempts":2,"wall_us":)" +
                std::to_string(10 * kSecondUs) +
                R"(,"recoveries":[{"fault":"kill","detected_us":)" +
                std::to_string(kSecondUs + decided_us) + R"(,"running_us":)" +
                std::to_string(kSecondUs + running_us) + "}]}]}";
  return run;
}

std::string word_of(const Agreement& found, const std::string& what) {
  for (const AgreementLine& line : found.lines) {
    if (line.what == what) return line.live + (line.agrees ? " agrees" : " differs");
  }
  return "missing";
}

TEST(Agreement, HoldsTimesAgainstTheBand) {
  RecordedRun live = struck(2 * kSecondUs, 4 * kSecondUs);
  live.backend = "ray";
  const Agreement found = agreement(struck(2'200'000, 5 * kSecondUs), live);
  EXPECT_EQ(word_of(found, "to the decision"), "2.00 s agrees");
  EXPECT_EQ(word_of(found, "to running"), "4.00 s differs");
  EXPECT_EQ(word_of(found, "decisions"), "RESTARTING agrees");
  EXPECT_EQ(found.first_difference(), nullptr);
}

// The controller of the first run is told at 2 s, and decides 4 s later; the live one says nothing
// of what it was told.
TEST(Agreement, TimesTheStepThatAnswers) {
  RecordedRun simulated = struck(kSecondUs, 7 * kSecondUs);
  simulated.decisions.steps = {testing::sample_step(2 * kSecondUs, "kill", "p.notes", {"persist"})};
  DecisionStep answer = testing::sample_step(6 * kSecondUs, "kill", "p.retry");
  answer.budgets = {{.budget = "max_failures", .cause = "node", .used = 1, .limit = 3}};
  simulated.decisions.steps.push_back(answer);
  RecordedRun live = struck(5 * kSecondUs, 7 * kSecondUs);
  live.decisions.steps.front().budgets = answer.budgets;
  live.backend = "ray";
  EXPECT_EQ(word_of(agreement(simulated, live), "to the decision"), "5.00 s agrees");
}

TEST(Agreement, CountsAttemptsThatHadNodes) {
  RecordedRun simulated = struck(kSecondUs, kSecondUs);
  RecordedRun live = simulated;
  live.backend = "torchrun";
  live.summary.replace(live.summary.find(R"("attempts":2)"), 12, R"("attempts":1)");
  EXPECT_EQ(word_of(agreement(simulated, live), "attempts"), "1 differs");
  simulated.unplaced = 1;
  EXPECT_EQ(word_of(agreement(simulated, live), "attempts"), "1 agrees");
}

TEST(Agreement, MultipliesTimesByTheSpeed) {
  RecordedRun live = struck(kSecondUs / 5, kSecondUs);
  live.backend = "torchrun";
  live.speed = 5;
  const Agreement found = agreement(struck(kSecondUs, 5 * kSecondUs), live);
  EXPECT_EQ(word_of(found, "to the decision"), "1.00 s agrees");
  EXPECT_EQ(word_of(found, "to running"), "5.00 s agrees");
  EXPECT_EQ(word_of(found, "wall time"), "50.00 s differs");
}

TEST(Agreement, CountsEachChargeOfAMove) {
  RecordedRun simulated = struck(kSecondUs, kSecondUs);
  RecordedRun live = simulated;
  live.backend = "torchrun";
  const BudgetMove both{.budget = "max_restarts", .cause = "application", .used = 2, .limit = 4};
  simulated.decisions.steps.front().budgets = {both};
  BudgetMove first = both;
  first.used = 1;
  BudgetMove second = both;
  second.before = 1;
  live.decisions.steps.front().budgets = {first, second};
  EXPECT_EQ(word_of(agreement(simulated, live), "charges"), "max_restarts (application) x2 agrees");
  live.decisions.steps.front().budgets = {first};
  EXPECT_EQ(word_of(agreement(simulated, live), "charges"), "max_restarts (application) differs");
}

TEST(Agreement, TakesAnyNumberThatAFileSays) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  const RecordedRun simulated = struck(kSecondUs, kSecondUs);
  RecordedRun live = struck(kLargest - kSecondUs, std::numeric_limits<std::int64_t>::min());
  BudgetMove move{.budget = "max_restarts", .cause = "application", .used = kLargest, .limit = 4};
  live.decisions.steps.front().budgets = {move};
  move.used = std::numeric_limits<std::int64_t>::min();
  live.decisions.steps.front().budgets.push_back(move);
  EXPECT_EQ(word_of(agreement(simulated, live), "charges"),
            "max_restarts (application) x9223372036854775808 differs");
}

TEST(Agreement, CountsWhatAgentsDoAndOrdersWhatOneControllerDoes) {
  for (const char* backend : {"torchrun", "ray"}) {
    RecordedRun simulated = struck(kSecondUs, kSecondUs);
    RecordedRun live = simulated;
    live.backend = backend;
    DecisionStep other = live.decisions.steps.front();
    other.to = "STOPPED";
    simulated.decisions.steps.push_back(other);
    live.decisions.steps.insert(live.decisions.steps.begin(), other);
    const AgreementLine* const first = agreement(simulated, live).first_difference();
    EXPECT_EQ(first == nullptr, live.backend == "torchrun") << backend;
  }
}

TEST(Agreement, SaysHowManyTimesAreBeyondTheBand) {
  const RecordedRun simulated = struck(2 * kSecondUs, 4 * kSecondUs);
  RecordedRun live = struck(2 * kSecondUs, 6 * kSecondUs);
  live.backend = "ray";
  EXPECT_NE(agreement_text(simulated, live, {})
                .find("1 of 3 times are beyond 15 %, first to running of kill: simulated 4.00 s, "
                      "live 6.00 s\n"),
            std::string::npos)
      << agreement_text(simulated, live, {});
  EXPECT_EQ(agreement_text(simulated, simulated, {}).find("beyond"), std::string::npos);
  EXPECT_EQ(agreement_json(simulated, live)["times_agree"], false);
  EXPECT_EQ(agreement_json(simulated, simulated)["times_agree"], true);
}

}  // namespace
}  // namespace aftershock::reports
