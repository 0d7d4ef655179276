// Facts in and out of order: each row is the facts of one run, and what is said of the last.
#include "sim/live/fact_order.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::live {
namespace {

struct OrderRow {
  std::string name;
  std::vector<Fact> facts;
  std::string said;
};

Fact a_begun(std::string backend = "torchrun") {
  Begun begun;
  begun.backend = std::move(backend);
  return {0, std::move(begun)};
}
Fact a_rules() { return {0, Rules{}}; }
Fact a_step() { return {0, StepDone{.attempt = 1, .rank = 0, .step = 1}}; }
Fact a_end() { return {0, Ended{.outcome = "completed", .state = {}, .reason = {}}}; }
Fact a_invalid() { return {0, Invalid{"no"}}; }
Fact a_fault(std::uint32_t index, std::string what) {
  return {0, FaultTold{.fault = index, .what = std::move(what), .on = {}, .why = {}}};
}

/// "once" strikes once, "poison" in every attempt.
scenario::Scenario two_faults() {
  scenario::Scenario scenario;
  scenario.faults.resize(2);
  scenario.faults[0].id = "once";
  scenario.faults[1].id = "poison";
  scenario.faults[1].every_attempt = true;
  return scenario;
}

const std::vector<OrderRow> kOrderRows = {
    {"whole",
     {a_begun(), a_rules(), a_step(), a_fault(0, "struck"), a_fault(0, "over"), a_end()},
     ""},
    {"no_begin", {a_rules()}, "expected the fact \"begin\""},
    {"no_rules", {a_begun(), a_step()}, "expected the fact \"rules\""},
    {"another_backend", {a_begun("ray")}, "these facts are not of --backend torchrun"},
    {"cannot_start", {a_invalid()}, ""},
    {"cannot_go_on", {a_begun(), a_invalid()}, ""},
    {"begins_twice",
     {a_begun(), a_rules(), a_begun()},
     "the facts \"begin\" and \"rules\" come once"},
    {"rules_twice",
     {a_begun(), a_rules(), a_rules()},
     "the facts \"begin\" and \"rules\" come once"},
    {"behind_the_end",
     {a_begun(), a_rules(), a_end(), a_step()},
     "the run has ended before this fact"},
    {"behind_invalid", {a_invalid(), a_begun()}, "the run has ended before this fact"},
    {"struck_twice",
     {a_begun(), a_rules(), a_fault(0, "struck"), a_fault(0, "struck")},
     "fault once is told for the second time"},
    {"missed_behind_struck",
     {a_begun(), a_rules(), a_fault(0, "struck"), a_fault(0, "missed")},
     "fault once is told for the second time"},
    {"in_every_attempt", {a_begun(), a_rules(), a_fault(1, "struck"), a_fault(1, "struck")}, ""},
    {"over_before_it_struck",
     {a_begun(), a_rules(), a_fault(0, "over")},
     "fault once is over, and has not struck"},
    {"over_though_missed",
     {a_begun(), a_rules(), a_fault(0, "missed"), a_fault(0, "over")},
     "fault once is over, and has not struck"},
};

class FactOrderRows : public testing::TestWithParam<OrderRow> {};

TEST_P(FactOrderRows, SaysWhyTheLastFactIsNotTheNextOne) {
  const scenario::Scenario scenario = two_faults();
  FactOrder order(scenario, Backend::kTorchrun);
  const std::vector<Fact>& facts = GetParam().facts;
  for (std::size_t i = 0; i + 1 < facts.size(); ++i) {
    ASSERT_EQ(order.take(facts[i]), "") << "fact " << i;
  }
  EXPECT_EQ(order.take(facts.back()), GetParam().said);
}

INSTANTIATE_TEST_SUITE_P(All, FactOrderRows, testing::ValuesIn(kOrderRows),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace aftershock::sim::live
