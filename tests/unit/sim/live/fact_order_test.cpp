// Facts in and out of order: each row is the facts of one run, and what is said of the last.
#include "sim/live/fact_order.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::live {
namespace {

using Facts = std::vector<Fact>;

struct Row {
  std::string name;
  Facts facts;
  std::string said;
};

Fact begun(std::string backend = "torchrun") {
  Begun begun;
  begun.backend = std::move(backend);
  return {0, std::move(begun)};
}
Fact rules() { return {0, Rules{}}; }
Fact step() { return {0, StepDone{.attempt = 1, .rank = 0, .step = 1}}; }
Fact end() { return {0, Ended{.outcome = "completed", .state = {}, .reason = {}}}; }
Fact invalid() { return {0, Invalid{"no"}}; }
Fact fault(std::uint32_t index, std::string what) {
  return {0, FaultTold{.fault = index, .what = std::move(what), .on = {}, .why = {}}};
}

/// "once" strikes once, "poison" in every attempt.
Scenario two_faults() {
  Scenario scenario;
  scenario.faults.resize(2);
  scenario.faults[0].id = "once";
  scenario.faults[1].id = "poison";
  scenario.faults[1].every_attempt = true;
  return scenario;
}

const std::vector<Row> kRows = {
    {"whole", {begun(), rules(), step(), fault(0, "struck"), fault(0, "over"), end()}, ""},
    {"no_begin", {rules()}, "expected the fact \"begin\""},
    {"no_rules", {begun(), step()}, "expected the fact \"rules\""},
    {"another_backend", {begun("ray")}, "these facts are not of --backend torchrun"},
    {"cannot_start", {invalid()}, ""},
    {"cannot_go_on", {begun(), invalid()}, ""},
    {"begins_twice", {begun(), rules(), begun()}, "the facts \"begin\" and \"rules\" come once"},
    {"rules_twice", {begun(), rules(), rules()}, "the facts \"begin\" and \"rules\" come once"},
    {"behind_the_end", {begun(), rules(), end(), step()}, "the run has ended before this fact"},
    {"behind_invalid", {invalid(), begun()}, "the run has ended before this fact"},
    {"struck_twice",
     {begun(), rules(), fault(0, "struck"), fault(0, "struck")},
     "fault once is told for the second time"},
    {"missed_behind_struck",
     {begun(), rules(), fault(0, "struck"), fault(0, "missed")},
     "fault once is told for the second time"},
    {"in_every_attempt", {begun(), rules(), fault(1, "struck"), fault(1, "struck")}, ""},
    {"over_before_it_struck",
     {begun(), rules(), fault(0, "over")},
     "fault once is over, and has not struck"},
    {"over_though_missed",
     {begun(), rules(), fault(0, "missed"), fault(0, "over")},
     "fault once is over, and has not struck"},
};

class FactOrderRows : public testing::TestWithParam<Row> {};

TEST_P(FactOrderRows, SaysWhyTheLastFactIsNotTheNextOne) {
  const Scenario scenario = two_faults();
  FactOrder order(scenario, Backend::kTorchrun);
  const Facts& facts = GetParam().facts;
  for (std::size_t i = 0; i + 1 < facts.size(); ++i) {
    ASSERT_EQ(order.take(facts[i]), "") << "fact " << i;
  }
  EXPECT_EQ(order.take(facts.back()), GetParam().said);
}

INSTANTIATE_TEST_SUITE_P(All, FactOrderRows, testing::ValuesIn(kRows),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace aftershock::sim::live
