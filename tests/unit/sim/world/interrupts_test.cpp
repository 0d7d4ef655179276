// Ctrl-C, once, twice, three times (ray.md 1.9). Workers take 4 s to stop, and an abort
// waits for them.

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/recording/memory_sink.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

std::string patch(const std::string& faults) {
  return fmt::format(R"({{"job":{{"phases":{{"tearing_down":"4s"}}}},"faults":[{}]}})", faults);
}

std::string presses(const std::string& keys, const char* at = "100s") {
  return fmt::format(R"({{"kind":"user_interrupt","target":"job:a","at":"{}"{}{}}})", at,
                     keys.empty() ? "" : ",", keys);
}

nlohmann::json rules(std::initializer_list<const char*> nths) {
  nlohmann::json list = nlohmann::json::array();
  for (const char* nth : nths) {
    list.push_back(std::string("ray_train.abort.") + nth);
  }
  return list;
}

struct InterruptRow {
  const char* name;
  std::string faults;
  std::int64_t wall_us;
  nlohmann::json rules;
};

TEST(Interrupts, CountWhileTheAbortLasts) {
  const InterruptRow rows[] = {
      {"once", presses(""), 104_s, rules({"first"})},
      {"twice", presses(R"("times":2)"), 104_s, rules({"first", "second"})},
      {"three times", presses(R"("times":3)"), 102_s, rules({"first", "second", "third"})},
      {"too slowly", presses(R"("times":3,"apart":"3s")"), 104_s, rules({"first", "second"})},
      {"when it is over", presses(R"("times":3,"apart":"2s")"), 104_s, rules({"first", "second"})},
      {"three faults of one press",
       presses("") + "," + presses("", "101s") + "," + presses("", "103s"), 103_s,
       rules({"first", "second", "third"})},
  };
  for (const InterruptRow& row : rows) {
    const Outcomes run = simulated(patch(row.faults));
    EXPECT_EQ(run.job()["outcome"], "aborted") << row.name;
    EXPECT_EQ(run.job()["vendor_state"], "ABORTED") << row.name;
    EXPECT_EQ(run.wall(), row.wall_us) << row.name;
    EXPECT_EQ(run.ledger(),
              (Buckets{{"rolled_back", 100_s}, {"tearing_down", row.wall_us - 100_s}}))
        << row.name;
    EXPECT_EQ(run.job()["recoveries"].size(), 1U) << row.name;
    EXPECT_EQ(run.job()["recoveries"][0]["rules"], row.rules) << row.name;
    EXPECT_EQ(run.detected(), 100_s) << row.name;
    EXPECT_EQ(run.used("max_failures"), 0) << row.name;
  }
}

// The first one ends the driver of 2.43, whatever its workers do.
TEST(Interrupts, EndTheDriverAtOnceIn243) {
  const Outcomes run =
      simulated(R"({"job":{"phases":{"tearing_down":"4s"},"env":{"RAY_TRAIN_V2_ENABLED":"1"},)"
                R"("policy":{"profile":"2.43"}},"faults":[)" +
                presses(R"("times":3)") + "]}");
  EXPECT_EQ(run.wall(), 100_s);
  EXPECT_EQ(run.job()["recoveries"][0]["rules"],
            nlohmann::json::array({"ray_train.abort.driver_ends"}));
}

// Both at 100 s, in the order of the list (scenario.md decision 10), and the head would be back
// at 150 s.
std::string with_head_crash(const std::string& stopped, const std::string& what, bool first) {
  const std::string crash = R"({"kind":"head_crash","target":"head:h","at":"100s"})";
  const std::string stop = R"({"kind":"user_interrupt","target":")" + stopped + R"(","at":"100s"})";
  return R"({"cluster":{"heads":[{"name":"h","restart":{"after":"50s"}}]},)" + what +
         R"(,"faults":[)" + (first ? stop + "," + crash : crash + "," + stop) + "]}";
}

TEST(Interrupts, AreAnsweredBeforeTheDriverIsLostInTheSameInstant) {
  for (const char* tearing_down : {"0s", "4s"}) {
    const std::string job = fmt::format(R"("job":{{"phases":{{"tearing_down":"{}"}},)"
                                        R"("run":{{"storage_path":"/nfs","name":"a"}}}})",
                                        tearing_down);
    const Outcomes run = simulated(with_head_crash("job:a", job, true));
    EXPECT_EQ(run.job()["outcome"], "aborted") << tearing_down;
    EXPECT_EQ(run.job()["reason"], "stopped_by_user") << tearing_down;
    EXPECT_EQ(run.wall(), 100_s) << tearing_down;
    EXPECT_EQ(run.summary["driver_runs"].size(), 1U) << tearing_down;
    const Outcomes lost = simulated(with_head_crash("job:a", job, false));
    EXPECT_EQ(lost.job()["outcome"], "completed") << tearing_down;
    EXPECT_EQ(lost.summary["driver_runs"].size(), 2U) << tearing_down;
  }
}

TEST(Interrupts, OfExperimentsAreAnsweredBeforeTheDriverIsLostInTheSameInstant) {
  const std::string experiment =
      R"("experiments":[{"steps":20,"run":{"storage_path":"/nfs","name":"x"},)"
      R"("policy":{"config":{"restore":true}}}])";
  const Outcomes run = simulated(with_head_crash("experiment:x", experiment, true));
  EXPECT_EQ(run.experiment().at("outcome"), "aborted");
  EXPECT_EQ(run.experiment().at("wall_us"), 100_s);
  EXPECT_EQ(run.summary["driver_runs"].size(), 1U);
  const Outcomes lost = simulated(with_head_crash("experiment:x", experiment, false));
  EXPECT_EQ(lost.experiment().at("outcome"), "completed");
  EXPECT_EQ(lost.summary["driver_runs"].size(), 2U);
}

// In the microsecond in which the workers of a broken attempt have stopped: the next one is asked
// for, and then stopped for the user's sake, which is reason enough (S21).
TEST(Interrupts, MayComeAsTheNextAttemptBegins) {
  const Outcomes run =
      simulated(patch(R"({"kind":"worker_crash","target":"job:a/rank:0","at":"96s"},)"
                      R"({"kind":"user_interrupt","target":"job:a","require":"fired",)"
                      R"("when":{"enter":"tearing_down","job":"a","offset":"4s"}})"));
  EXPECT_EQ(run.job()["outcome"], "aborted");
  EXPECT_EQ(run.job()["attempts"], 2);
  EXPECT_EQ(run.summary["verdict"], "passed") << run.summary["verdict_reason"];
}

// A chip heals from 1505 s to 1535 s, of a job that has ended meanwhile.
TEST(Interrupts, EndAJobWhoseChipsStillHeal) {
  scenario::ReadOptions options;
  options.sets = {R"(/faults=[{"kind": "accelerator_fault", "code": "hbm_multi_bit_ecc",
                      "target": "accelerator:npu-1/3", "at": "1500s", "heal": "30s"},
                     {"kind": "user_interrupt", "target": "job:llm", "require": "fired",
                      "when": {"enter": "self_healing", "job": "llm"}}])",
                  "/expect=[]", R"(/jobs/-={"name": "next", "workers": 8, "steps": 9, "step": "10s",
                      "submit": "2000s", "policy": {"name": "modelarts"}})"};
  auto read = scenario::read_scenario_file("scenarios/modelarts/four_nodes.json", options);
  ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read))
      << scenario::format(std::get<std::vector<scenario::ScenarioError>>(read).front());
  const reports::RunSummary run =
      simulate::simulate(std::make_shared<const scenario::Scenario>(
                             std::move(std::get<scenario::ReadScenario>(read).scenario)),
                         {});
  EXPECT_EQ(run.jobs.front().outcome, "aborted");
  EXPECT_EQ(run.jobs.front().wall_us, 1505_s);
  EXPECT_EQ(run.verdict, reports::Verdict::kPassed) << run.verdict_reason;
}

// The work was lost to the node before the user saw anything: 96 s, known at 110 s.
TEST(Interrupts, DoNotPayForWhatWasBrokenBefore) {
  const Outcomes run = simulated(
      patch(R"({"id":"lost","kind":"node_crash","target":"node:p-1","at":"96s"},)" + presses("")));
  const nlohmann::json& recoveries = run.job()["recoveries"];
  ASSERT_EQ(recoveries.size(), 2U);
  EXPECT_EQ(recoveries[0]["fault"], "lost");
  EXPECT_EQ(recoveries[0]["lost_us"], 96_s);
  EXPECT_EQ(recoveries[0]["rules"], nlohmann::json::array());
  EXPECT_EQ(recoveries[1]["fault"], "user_interrupt@job:a");
  EXPECT_EQ(recoveries[1]["lost_us"], 0);
  EXPECT_EQ(recoveries[1]["rules"], rules({"first"}));
}

TEST(Interrupts, AreWhatTheRecordedDecisionAnswers) {
  scenario::ReadResult read =
      scenario::read_scenario_text(scenario_text(patch(presses(""))), "test.json");
  ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read));
  reports::MemorySink sink;
  simulate::SimulateOptions options;
  options.sink = &sink;
  simulate::simulate(std::make_shared<const scenario::Scenario>(
                         std::move(std::get<scenario::ReadScenario>(read).scenario)),
                     options);
  const std::size_t rule = sink.text().find("ray_train.abort.first", sink.text().find("\"saw\""));
  ASSERT_NE(rule, std::string::npos);
  const std::size_t line = sink.text().rfind('\n', rule) + 1;
  EXPECT_NE(sink.text().substr(line, rule - line).find(R"("fault":"user_interrupt@job:a)"),
            std::string::npos);
}

}  // namespace
}  // namespace aftershock::sim::world
