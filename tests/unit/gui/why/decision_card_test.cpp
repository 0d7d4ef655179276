#include "gui/why/decision_card.h"

#include <gtest/gtest.h>

#include "gui/why/cause_and_effect.h"
#include "gui/why/charges.h"
#include "gui/why/decision_titles.h"
#include "reports/json/json_value.h"
#include "tests/unit/gui/why/sample_run.h"

namespace aftershock::gui {
namespace {

constexpr const char* kCardLines =
    R"({"t":100,"r":"fault","on":"node:a","number":0,"id":"f","kind":"node_crash","outcome":"fired"}
{"t":100,"r":"begin","on":"job:llm","id":1,"what":"undetected","epoch":1,"cause":0}
{"t":200,"r":"end","id":1}
{"t":200,"r":"decision","on":"job:llm","batch":7,"fault":"f","saw":[{"type":"workers_failed","job":0,"epoch":1,"ranks":[[0,31],[40,40]],"kind":"exit","preempted":false,"error":""}],"steps":[{"rule":"p.retry","from":"Running","to":"Start","budgets":[{"budget":"retries","cause":"node","used":2,"limit":3,"charged":true,"exhausted":false},{"budget":"free","cause":"node","used":5,"limit":null,"charged":false,"exhausted":false}],"commands":[{"type":"stop_workers","id":3,"epoch":1,"grace_us":2000000},{"type":"start_attempt","id":4,"epoch":2}],"rejected":[{"what":"resize","why":"it is fixed"}]}]}
{"t":300,"r":"decision","on":"job:llm","batch":8,"fault":"f","saw":[{"type":"workers_stopped","epoch":1}],"steps":[]}
{"t":400,"r":"decision","on":"job:llm","batch":9,"fault":null,"saw":[{"type":"attempt_running","epoch":9},{"type":"attempt_running","epoch":2}],"steps":[]}
)";

TEST(DecisionCard, SaysWhatTheRecordSays) {
  const SampleRun run(kCardLines);
  const DecisionCard card = decision_card(run.trace(), run.path(), 0);
  EXPECT_EQ(card.problem, "");
  EXPECT_EQ(card.t_us, 200);
  EXPECT_EQ(card.batch, 7);
  EXPECT_EQ(card.policy, "p");
  EXPECT_EQ(card.fault, 0U);
  EXPECT_EQ(card.fault_id, "f");
  ASSERT_EQ(card.saw.size(), 1U);
  EXPECT_EQ(card.saw[0], "workers failed: epoch 1, kind exit, ranks 0-31, 40");
  ASSERT_EQ(card.steps.size(), 1U);
  const StepTold& step = card.steps[0];
  EXPECT_EQ(step.sentence, "Tries <again>") << "of the job's own policy";
  EXPECT_EQ(step.source, "its handbook");
  ASSERT_EQ(step.budgets.size(), 2U);
  EXPECT_EQ(step.budgets[0].before, 1);
  EXPECT_EQ(step.budgets[0].used, 2);
  EXPECT_EQ(step.budgets[0].limit, 3);
  EXPECT_EQ(step.budgets[1].before, 5) << "an exempt cause leaves it as it was";
  EXPECT_EQ(step.budgets[1].limit, std::nullopt);
  EXPECT_FALSE(step.budgets[1].charged);
  ASSERT_EQ(step.rejected.size(), 1U);
  EXPECT_EQ(step.rejected[0].why, "it is fixed");
  ASSERT_EQ(step.commands.size(), 2U);
  EXPECT_EQ(step.commands[0].words, "stop workers: epoch 1, grace 2 s");
  EXPECT_EQ(step.commands[0].became, "workers stopped: epoch 1 (after 100 us)");
  EXPECT_EQ(step.commands[0].answered_by, 1U);
  EXPECT_EQ(step.commands[1].became, "attempt running: epoch 2 (after 200 us)");
  EXPECT_EQ(step.commands[1].answered_by, 2U);
}

TEST(DecisionCard, GoesFromCauseToEffectAndBack) {
  const SampleRun run(kCardLines);
  const Trace& trace = run.trace();
  EXPECT_EQ(first_decision(trace, 0), 0U);
  EXPECT_EQ(fault_of_decision(trace, 1), 0U);
  EXPECT_EQ(fault_of_decision(trace, 2), std::nullopt);
  EXPECT_EQ(fault_of_decision(trace, 99), std::nullopt);
  const FaultCard card = fault_card(trace, accounts_of(trace), 0);
  EXPECT_EQ(card.decisions, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(card.detected_us, 200) << "the first decision, where no summary tells";
  ASSERT_EQ(card.effects.size(), 1U);
  EXPECT_EQ(fault_of_span(trace, card.effects[0].lane, card.effects[0].span), 0U);
  EXPECT_EQ(fault_of_span(trace, card.effects[0].lane, 5), std::nullopt);
}

TEST(DecisionCard, TakesAnythingForARecord) {
  const SampleRun run(kCardLines);
  const std::string deep(5000, '[');
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("{\"steps\":") + deep,
        deep + std::string(5000, ']'), std::string("\"\xff\""),
        std::string(R"({"saw":5,"steps":[7,{"budgets":{"a":{"used":18446744073709551615}}}]})"),
        std::string(R"({"saw":[null,{"type":4,"x":[[1,"b"],{}]}],"steps":{"rule":[]}})")}) {
    const DecisionCard card = card_from(run.trace(), 0, text);
    EXPECT_EQ(card.t_us, 200) << text.substr(0, 40);
    EXPECT_EQ(card.problem.empty(), reports::parsed(text).is_object()) << text.substr(0, 40);
  }
  EXPECT_NE(decision_card(run.trace(), run.path(), 3).problem, "");
  EXPECT_NE(decision_card(run.trace(), run.path() + "-gone", 0).problem, "");
}

TEST(DecisionTitles, NameTheRules) {
  const SampleRun run(kCardLines);
  const DecisionTitles titles = decision_titles(run.trace(), run.path());
  ASSERT_EQ(titles.of.size(), 3U);
  EXPECT_EQ(titles.texts[titles.of[0]], "p.retry");
  EXPECT_EQ(titles.texts[titles.of[1]], "") << "no rule applied";
  const DecisionTitles none = decision_titles(run.trace(), run.path() + "-gone");
  EXPECT_EQ(none.of, std::vector<TextId>(3, kNoText));
}

TEST(ChainOfCharges, OfAJobThatRanOutOfRetries) {
  // The second exit needs a retry that is not there: job-retry-num is 1.
  const std::string path = ::testing::TempDir() + "why-retries.aftershock";
  Trace trace;
  record_scenario(trace, "scenarios/modelarts/retries_exhausted.json", path);
  const auto job = trace.entities.find("job:llm");
  ASSERT_TRUE(job);
  const std::vector<Account> accounts = accounts_of(trace);
  const Account* account = account_of(accounts, *job);
  ASSERT_NE(account, nullptr);
  EXPECT_EQ(account->outcome, "failed");
  const ChainOfCharges chain = chain_of_charges(budget_moves(trace, path, *job), *account);
  EXPECT_EQ(chain.reason, "exhausted(job-retry-num)");
  EXPECT_EQ(chain.budget, "job-retry-num");
  ASSERT_EQ(chain.charges.size(), 2U);
  EXPECT_EQ(trace.texts[trace.faults[chain.charges[0].fault].id], "one");
  EXPECT_EQ(trace.texts[trace.faults[chain.charges[1].fault].id], "two");
  EXPECT_EQ(chain.charges[0].move.used, 1);
  EXPECT_EQ(chain.charges[1].move.used, 2);
  EXPECT_EQ(chain.charges[1].to, "Failed");
  EXPECT_EQ(chain.fatal, 1U);
  // Detected at once, at 1500 s; the exit is held for 30 s, then comes a stop, and a new start.
  const FaultCard card = fault_card(trace, accounts, chain.charges[0].fault);
  EXPECT_EQ(card.detected_us, 1'500'000'000);
  ASSERT_EQ(card.fault_costs.size(), 1U);
  ASSERT_TRUE(card.fault_costs[0].recovery);
  std::int64_t deciding = 0;
  for (const auto& [bucket, us] : card.fault_costs[0].us) {
    deciding += bucket == "deciding" ? us : 0;
  }
  EXPECT_EQ(deciding, 30'000'000);
  // Every sentence is found.
  for (std::uint32_t i = 0; i < trace.decisions.size(); ++i) {
    const DecisionCard each = decision_card(trace, path, i);
    EXPECT_EQ(each.problem, "");
    for (const StepTold& step : each.steps) {
      EXPECT_NE(step.sentence, "") << step.rule;
    }
  }
}

TEST(ChainOfCharges, IsEmptyForAJobThatGotThrough) {
  const std::string path = ::testing::TempDir() + "why-quickstart.aftershock";
  Trace trace;
  record_scenario(trace, "scenarios/quickstart.json", path);
  const std::vector<Account> accounts = accounts_of(trace);
  ASSERT_EQ(accounts.size(), 1U);
  EXPECT_EQ(accounts[0].outcome, "completed");
  const std::vector<Charge> moves = budget_moves(trace, path);
  EXPECT_FALSE(moves.empty());
  const ChainOfCharges chain = chain_of_charges(moves, accounts[0]);
  EXPECT_TRUE(chain.charges.empty());
  EXPECT_FALSE(chain.fatal);
  // Every microsecond of the job is in one bucket.
  std::int64_t sum = 0;
  for (const auto& [bucket, us] : accounts[0].us) {
    sum += us;
  }
  EXPECT_EQ(sum, accounts[0].wall_us);
}

}  // namespace
}  // namespace aftershock::gui
