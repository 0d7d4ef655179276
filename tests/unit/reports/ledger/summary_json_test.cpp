#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"
#include "reports/ledger/summary.h"

namespace aftershock::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string keys_of(const Json& object) {
  std::string keys;
  for (const auto& [key, value] : object.items()) {
    keys += (keys.empty() ? "" : " ") + key;
  }
  return keys;
}

RunSummary sample() {
  RunSummary summary;
  summary.scenario = "quickstart";
  summary.seed = 18446744073709551615U;
  summary.hash = 0xABC;
  summary.faults["hang"] = {4, 3, 1, 2};
  summary.expect.push_back({"/jobs/0/outcome", true, "is \"completed\"", "completed"});
  summary.violations.push_back({"S01", "time ran back", 7});
  JobSummary& job = summary.jobs.emplace_back();
  job.name = "llm";
  job.ettr = 0.5;
  job.outcome = "completed";
  job.at_end = EndState::kCompleted;
  job.useful = {.us = 300, .steps = 3, .accelerator_us = 2'400, .of_us = 400};
  job.finish_us = 450;
  job.recoveries.push_back({"spot-1", "preemption", {"a", "b"}, 5, std::nullopt, 9, 11, 13});
  BudgetSummary budget{1, 3, false, {{5, "spot-1", "", "node", "RESTARTING", "a.b", 1, false}}};
  job.budgets.emplace_back("max_failures", budget);
  job.budgets.emplace_back("controller_failure_limit", BudgetSummary{});
  ExperimentSummary& experiment = summary.experiments.emplace_back();
  experiment.at_end = EndState::kStuck;
  experiment.useful = {.us = 50, .accelerator_us = 100, .of_us = 200};
  experiment.statuses = {{"TERMINATED", 1}, {"ERROR", 0}};
  experiment.budgets.emplace_back("max_failures", budget);
  experiment.restores.push_back({5, 1});
  experiment.lost_trials.emplace_back("trial:7");
  experiment.trials.push_back({"00001_00000", "TERMINATED", 10, 1, 1, 2, 20});
  return summary;
}

TEST(SummaryJson, KeysAreThoseOfTheContractInItsOrder) {
  const Json json = to_json(sample());
  EXPECT_EQ(keys_of(json),
            "schema scenario policy seed verdict hash simulated_us warnings jobs experiments "
            "driver_runs cluster faults never_struck invariants expect events");
  const Json& job = json["jobs"][0];
  EXPECT_EQ(keys_of(job),
            "name outcome reason vendor_state wall_us steps steps_done at_end useful_us "
            "useful_of_us useful_share useful_accelerator_us finish_us useful_steps ettr ledger_us "
            "ledger_accelerator_us lost stranded stale_accelerator_us attempts false_alarms "
            "recoveries budgets rules pods result");
  EXPECT_EQ(keys_of(job["lost"]), "steps us accelerator_us");
  EXPECT_EQ(keys_of(job["stranded"]), "steps accelerator_us");
  EXPECT_EQ(job["ledger_us"].size(), kBucketCount);
  EXPECT_EQ(job["ledger_accelerator_us"].size(), kBucketCount + 1);
  EXPECT_TRUE(job["ledger_accelerator_us"].contains("reduced"));
  EXPECT_EQ(keys_of(job["recoveries"][0]),
            "fault rules detected_us running_us caught_up_us lost_us");
  EXPECT_EQ(keys_of(job["budgets"]), "max_failures controller_failure_limit");
  EXPECT_EQ(keys_of(job["budgets"]["max_failures"]), "used limit exhausted charges");
  EXPECT_EQ(keys_of(job["budgets"]["max_failures"]["charges"][0]),
            "t_us fault cause decision rule used exempt");
  EXPECT_EQ(keys_of(json["cluster"]), "idle_us unavailability cost cost_reserved");
  EXPECT_EQ(keys_of(json["cluster"]["idle_us"]), "spares isolated repairing");
  EXPECT_EQ(keys_of(json["faults"]["hang"]), "injected fired masked detected");
  EXPECT_EQ(keys_of(json["invariants"]), "checked violated");
  EXPECT_EQ(keys_of(json["expect"][0]), "at ok got");
}

TEST(SummaryJson, KeysOfAnExperimentAreThoseOfTheContract) {
  const Json json = to_json(sample());
  const Json& experiment = json["experiments"][0];
  EXPECT_EQ(keys_of(experiment),
            "name policy outcome reason vendor_state wall_us at_end useful_us useful_of_us "
            "useful_share useful_accelerator_us finish_us statuses ledger_us "
            "ledger_accelerator_us lost attempts budgets rules restores lost_trials trials");
  EXPECT_EQ(keys_of(experiment["statuses"]), "TERMINATED ERROR");
  EXPECT_EQ(keys_of(experiment["restores"][0]), "t_us trials");
  EXPECT_EQ(keys_of(experiment["trials"][0]), "id status iterations failures restores lost");
  EXPECT_EQ(keys_of(experiment["trials"][0]["lost"]), "steps us");
  const Json without = json_from_text<Json>(to_json_line(sample(), false));
  EXPECT_TRUE(without["experiments"][0]["trials"].empty());
  EXPECT_EQ(without["experiments"][0]["lost_trials"].size(), 1U);
}

TEST(SummaryJson, QuestionFollowsTheScenario) {
  RunSummary summary = sample();
  summary.question = "Why?";
  EXPECT_TRUE(keys_of(to_json(summary)).starts_with("schema scenario question policy"));
}

TEST(SummaryJson, ValuesKeepTheirRange) {
  const Json json = to_json(sample());
  EXPECT_EQ(json["seed"].get<std::uint64_t>(), 18446744073709551615U);
  EXPECT_EQ(json["hash"], "0000000000000abc");
  EXPECT_EQ(json["verdict"], "passed");
  EXPECT_TRUE(json["jobs"][0]["steps"].is_null());
  EXPECT_TRUE(json["jobs"][0]["budgets"]["controller_failure_limit"]["limit"].is_null());
  EXPECT_EQ(json["jobs"][0]["budgets"]["max_failures"]["limit"], 3);
  EXPECT_TRUE(json["jobs"][0]["recoveries"][0]["running_us"].is_null());
  EXPECT_EQ(json["jobs"][0]["recoveries"][0]["caught_up_us"], 9);
}

TEST(SummaryJson, TellsTheEndAndTheUsefulWork) {
  const Json json = to_json(sample());
  const Json& job = json["jobs"][0];
  EXPECT_EQ(job["at_end"], "completed");
  EXPECT_EQ(job["useful_us"], 300);
  EXPECT_EQ(job["useful_of_us"], 400);
  EXPECT_EQ(job["useful_share"], 0.75);
  EXPECT_EQ(job["useful_accelerator_us"], 2'400);
  EXPECT_EQ(job["finish_us"], 450);
  EXPECT_EQ(job["useful_steps"], 3);
  const Json& experiment = json["experiments"][0];
  EXPECT_EQ(experiment["at_end"], "stuck");
  EXPECT_EQ(experiment["useful_share"], 0.25);
  EXPECT_TRUE(experiment["finish_us"].is_null()) << "it did not complete";
  // Of one that was never submitted there was no time: no share of nothing.
  EXPECT_EQ(UsefulWork().share(), 0.0);
}

TEST(EndStates, HaveNamesAndAreAliveOrNot) {
  struct Row {
    EndState state;
    const char* name;
    bool alive;
  };
  for (const Row& row :
       {Row{EndState::kCompleted, "completed", true}, Row{EndState::kTraining, "training", true},
        Row{EndState::kRecovering, "recovering", true}, Row{EndState::kWaiting, "waiting", true},
        Row{EndState::kStuck, "stuck", false}, Row{EndState::kFailed, "failed", false},
        Row{EndState::kAborted, "aborted", false}}) {
    EXPECT_EQ(name_of(row.state), row.name);
    EXPECT_EQ(is_alive(row.state), row.alive) << row.name;
  }
}

TEST(SummaryJson, OneLineWhateverTheText) {
  RunSummary summary = sample();
  summary.warnings = {"two\nlines", "not UTF-8: \xFF"};
  const std::string line = to_json_line(summary);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_TRUE(Json::accept(line));
}

TEST(Verdicts, ExitCodesAreThoseOfTheContract) {
  const std::pair<Verdict, std::pair<int, const char*>> table[] = {
      {Verdict::kPassed, {0, "passed"}},
      {Verdict::kFailed, {1, "failed"}},
      {Verdict::kUnusable, {2, "unusable"}},
      {Verdict::kStuck, {3, "stuck"}},
      {Verdict::kInvalid, {4, "invalid"}},
      {Verdict::kPolicyFailed, {5, "policy_failed"}},
      {Verdict::kInternalError, {6, "internal_error"}},
      {Verdict::kWorse, {7, "worse"}},
      {Verdict::kInconclusive, {8, "inconclusive"}}};
  for (const auto& [verdict, row] : table) {
    EXPECT_EQ(exit_code(verdict), row.first);
    EXPECT_EQ(name_of(verdict), row.second);
  }
}

}  // namespace
}  // namespace aftershock::reports
