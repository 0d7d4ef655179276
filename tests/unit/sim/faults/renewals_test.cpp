#include "sim/faults/renewals.h"

#include <cmath>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "sim/faults/source.h"

namespace aftershock::sim::faults {
namespace {

scenario::Scenario nodes_with(scenario::Distribution gaps, std::uint32_t nodes) {
  scenario::Scenario made;
  made.seed = 5;
  scenario::PoolSpec pool;
  pool.name = "p";
  pool.nodes = nodes;
  pool.max_nodes = nodes;
  made.cluster.pools.push_back(pool);
  scenario::FaultSpec fault;
  fault.id = "f";
  fault.target.kind = scenario::TargetKind::kPool;
  fault.source = scenario::StochasticSource{.mean_gap_us = 1e6L, .per = scenario::RatePer::kNode};
  fault.source->gaps = std::move(gaps);
  fault.effects.push_back({});
  made.faults.push_back(fault);
  return made;
}

// Every 10 s each unit strikes, in the order of the units.
TEST(Renewals, ComeInOrderAndUnitByUnit) {
  const scenario::Scenario scenario = nodes_with(scenario::Distribution::constant(10), 3);
  Renewals renewals(scenario, 0, nullptr);
  for (std::int64_t i = 0; i < 9; ++i) {
    EXPECT_EQ(renewals.next().at_us, 10 * (i / 3 + 1));
    EXPECT_EQ(renewals.next().unit, i % 3);
    EXPECT_EQ(renewals.gap_us(), i % 3 == 0 ? 10 : 0);
    renewals.pop(scenario, nullptr);
  }
}

// A unit's gaps are its own: more units, or other ones, do not change them.
TEST(Renewals, OfAUnitAreTheSameAmongOthers) {
  const scenario::Distribution law{
      .shape = scenario::Distribution::Weibull{1e6, 0.7}, .min_us = {}, .max_us = {}};
  std::map<std::uint32_t, std::vector<std::int64_t>> seen[2];
  for (const std::uint32_t nodes : {3U, 50U}) {
    const scenario::Scenario scenario = nodes_with(law, nodes);
    Renewals renewals(scenario, 0, nullptr);
    while (renewals.next().at_us < 20'000'000) {
      seen[nodes == 3 ? 0 : 1][renewals.next().unit].push_back(renewals.next().at_us);
      renewals.pop(scenario, nullptr);
    }
  }
  ASSERT_EQ(seen[0].size(), 3U);
  for (const auto& [unit, times] : seen[0]) {
    EXPECT_EQ(times, seen[1][unit]) << unit;
  }
}

// Weibull's mean is scale * gamma(1 + 1/shape) = 2 s at shape 1/2 and scale 1 s, its variance
// 24 - 4 = 20 s^2; of 40,000 gaps the mean has a standard error of sqrt(20/40000) = 0.02236 s.
TEST(Renewals, HaveTheMeanOfTheirLaw) {
  const scenario::Scenario scenario = nodes_with(
      {.shape = scenario::Distribution::Weibull{1e6, 0.5}, .min_us = {}, .max_us = {}}, 1);
  Renewals renewals(scenario, 0, nullptr);
  constexpr int kGaps = 40'000;
  double sum_us = 0;
  for (int i = 0; i < kGaps; ++i) {
    sum_us += static_cast<double>(renewals.gap_us());
    renewals.pop(scenario, nullptr);
  }
  EXPECT_NEAR(sum_us / kGaps, 2e6, 4 * 0.02236e6);
}

// Rates of 10,000 units with shape 2: mean 1, variance 1/2, so the mean of them has a standard
// error of sqrt(0.5/10000) = 0.00707. Gaps are shorter in the same proportion.
TEST(UnitRates, AreGammaAroundTheMean) {
  scenario::Scenario scenario = nodes_with(scenario::Distribution::constant(1'000'000), 10'000);
  scenario.faults[0].source->mixed_shape = 2;
  const UnitRates rates(scenario, 0);
  ASSERT_EQ(rates.size(), 10'000U);
  EXPECT_NEAR(rates.total() / 10'000, 1, 4 * 0.00707);
  double square = 0;
  for (std::uint32_t unit = 0; unit < rates.size(); ++unit) {
    const auto off = rates.of(unit) - 1;
    square += off * off / 10'000;
  }
  EXPECT_NEAR(square, 0.5, 0.05);
  const Renewals renewals(scenario, 0, &rates);
  const auto [at_us, unit] = renewals.next();
  EXPECT_EQ(at_us, std::llround(1e6 / rates.of(unit)));
  for (std::uint32_t other = 0; other < rates.size(); ++other) {
    EXPECT_LE(rates.of(other), rates.of(unit));
  }
}

// In 40,000 draws each of 4 units comes up as its rate is of the total, within four standard
// errors of a share.
TEST(UnitRates, AreDrawnInProportion) {
  scenario::Scenario scenario = nodes_with(scenario::Distribution::constant(1'000'000), 4);
  scenario.faults[0].source->mixed_shape = 0.5;
  const UnitRates rates(scenario, 0);
  constexpr int kDraws = 40'000;
  int drawn[4] = {};
  for (std::uint64_t n = 0; n < kDraws; ++n) {
    ++drawn[rates.draw(chance::RandomDraw(fault_key(scenario, 0, 0), n, chance::Purpose::kTarget))];
  }
  for (std::uint32_t unit = 0; unit < 4; ++unit) {
    const auto share = rates.of(unit) / rates.total();
    EXPECT_NEAR(static_cast<double>(drawn[unit]) / kDraws, share,
                4 * std::sqrt(share * (1 - share) / kDraws) + 1e-9)
        << unit;
  }
}

}  // namespace
}  // namespace aftershock::sim::faults
