#include "sim/faults/fault_book.h"

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::faults {
namespace {

scenario::Scenario one_fault(scenario::FaultKind kind) {
  scenario::Scenario scenario;
  scenario::FaultSpec fault;
  fault.id = "f";
  scenario::WeightedEffect effect;
  effect.effect.kind = kind;
  fault.effects.push_back(effect);
  scenario.faults.push_back(fault);
  return scenario;
}

core::RunCore core_of(const scenario::Scenario& scenario) {
  return {std::make_shared<scenario::Scenario>(scenario), nullptr, nullptr, 100};
}

TEST(FaultBook, KeepsTheNumbersOfFaultsThatFoundSomething) {
  const scenario::Scenario scenario = one_fault(scenario::FaultKind::kPreemption);
  core::RunCore core = core_of(scenario);
  FaultBook book(scenario, nullptr, {});
  FaultRecord fault;
  fault.t_us = 7;
  EXPECT_EQ(book.open(fault), 0U);
  book.fire(core, 0);
  EXPECT_EQ(book.open(fault), 1U);
  book.mask(core, 1, true);
  EXPECT_EQ(book.open(fault), 1U);
  EXPECT_EQ(book.records().size(), 2U);
  EXPECT_TRUE(book[0].fired);
  EXPECT_EQ(book.masked()[static_cast<std::size_t>(scenario::FaultKind::kPreemption)], 1);
  EXPECT_EQ(core.recorder().records(), 2);
}

TEST(FaultBook, TellsWhoeverAsksOfEveryStrikeAsItWasAimed) {
  const scenario::Scenario scenario = one_fault(scenario::FaultKind::kNodeCrash);
  core::RunCore core = core_of(scenario);
  std::vector<FaultRecord> strikes;
  FaultBook book(scenario, &strikes, {});
  FaultRecord fault;
  fault.pool = 0;
  fault.node = 3;
  book.mask(core, book.open(fault), true);
  book.fire(core, book.open(fault));
  book.open_again(fault);
  ASSERT_EQ(strikes.size(), 2U);
  EXPECT_EQ(strikes[0].node, 3U);
  EXPECT_FALSE(strikes[1].fired);
}

TEST(FaultBook, SaysWhenATriggerStrikesOrThatItsPhaseHasYetToBeMeasured) {
  scenario::Scenario scenario = one_fault(scenario::FaultKind::kNodeCrash);
  scenario::PhaseTrigger trigger;
  trigger.offset_us = 5;
  scenario.faults.front().when = trigger;
  FaultBook fixed(scenario, nullptr, {});
  EXPECT_TRUE(fixed.has_triggers());
  EXPECT_EQ(fixed.trigger_offset_us(0, trigger), 5);
  EXPECT_FALSE(fixed.spent(0));
  trigger.offset_ppm = 500'000;
  FaultBook measured(scenario, nullptr, {{0U, std::int64_t{42}}});
  EXPECT_EQ(measured.trigger_offset_us(0, trigger), 42);
  FaultBook probing(scenario, nullptr, {});
  EXPECT_EQ(probing.trigger_offset_us(0, trigger), std::nullopt);
  EXPECT_TRUE(probing.spent(0));
}

TEST(FaultBook, CountsStrikesOfFaultsThatWaitForSteps) {
  const scenario::Scenario scenario = one_fault(scenario::FaultKind::kHang);
  FaultBook book(scenario, nullptr, {});
  EXPECT_EQ(book.count_step_strike(0), 0U);
  EXPECT_EQ(book.count_step_strike(0), 1U);
}

scenario::Distribution seconds(std::int64_t count) {
  return {.shape = scenario::Distribution::Constant{count * 1'000'000}, .min_us = {}, .max_us = {}};
}

TEST(DrawLasts, GoesByTheEffectAndThenByRepairs) {
  scenario::Scenario scenario = one_fault(scenario::FaultKind::kNodeCrash);
  scenario.cluster.pools.resize(1);
  scenario::FaultEffect& effect = scenario.faults.front().effects.front().effect;
  FaultRecord fault;
  fault.pool = 0;
  EXPECT_EQ(draw_lasts(scenario, fault), std::nullopt);
  effect.until_repaired = true;
  scenario.cluster.pools[0].repair = seconds(60);
  EXPECT_EQ(draw_lasts(scenario, fault), 60'000'000);
  fault.domain = 1;  // the nodes of a rack are repaired one by one
  EXPECT_EQ(draw_lasts_together(scenario, fault), std::nullopt);
  effect.lasts = seconds(5);
  EXPECT_EQ(draw_lasts(scenario, fault), 5'000'000);
  EXPECT_EQ(draw_lasts_together(scenario, fault), 5'000'000);
}

TEST(FaultBookDeathTest, AnOccurrenceHasANumberAndIsTakenBackOnlyBeforeItStrikes) {
  const scenario::Scenario scenario = one_fault(scenario::FaultKind::kNodeCrash);
  core::RunCore core = core_of(scenario);
  FaultBook book(scenario, nullptr, {});
  const std::uint32_t number = book.open({});
  EXPECT_DEATH(book.detect(number + 1), "assertion failed");
  book.fire(core, number);
  EXPECT_DEATH(book.mask(core, number, true), "assertion failed");
}

}  // namespace
}  // namespace aftershock::sim::faults
