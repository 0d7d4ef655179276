#include "sim/chance/draws.h"

#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::chance {
namespace {

constexpr int kManyDraws = 20'000;

RandomKey key() { return {.seed = 7, .branch = 0, .source = RandomSource::kFault, .entity = 3}; }

std::vector<std::uint32_t> first_numbers(const RandomKey& of, std::uint64_t n, Purpose purpose,
                                         std::size_t count = 8) {
  RandomDraw draw(of, n, purpose);
  std::vector<std::uint32_t> numbers;
  numbers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(draw.bits32());
  }
  return numbers;
}

TEST(RandomDraw, TheSameKeyGivesTheSameNumbers) {
  EXPECT_EQ(first_numbers(key(), 5, Purpose::kArrival), first_numbers(key(), 5, Purpose::kArrival));
}

TEST(RandomDraw, EveryPartOfTheKeyMatters) {
  std::set<std::vector<std::uint32_t>> seen;
  seen.insert(first_numbers(key(), 0, Purpose::kArrival));
  RandomKey other = key();
  other.seed = 8;
  seen.insert(first_numbers(other, 0, Purpose::kArrival));
  other = key();
  other.branch = 1;
  seen.insert(first_numbers(other, 0, Purpose::kArrival));
  other = key();
  other.source = RandomSource::kNode;
  seen.insert(first_numbers(other, 0, Purpose::kArrival));
  other = key();
  other.entity = 4;
  seen.insert(first_numbers(other, 0, Purpose::kArrival));
  other = key();
  other.entity = 3 | (std::uint64_t{1} << 32U);
  seen.insert(first_numbers(other, 0, Purpose::kArrival));
  seen.insert(first_numbers(key(), 1, Purpose::kArrival));
  seen.insert(first_numbers(key(), std::uint64_t{1} << 32U, Purpose::kArrival));
  seen.insert(first_numbers(key(), 0, Purpose::kTarget));
  EXPECT_EQ(seen.size(), 9U);
}

// Swapping two parts of a key must not give the same key.
TEST(RandomDraw, SeedAndEntityAreNotInterchangeable) {
  const RandomKey one{.seed = 1, .branch = 0, .source = RandomSource::kFault, .entity = 2};
  const RandomKey two{.seed = 2, .branch = 0, .source = RandomSource::kFault, .entity = 1};
  EXPECT_NE(first_numbers(one, 0, Purpose::kArrival), first_numbers(two, 0, Purpose::kArrival));
}

// A long draw must not run into the numbers of its neighbours.
TEST(RandomDraw, StreamsDoNotOverlapHoweverMuchOneTakes) {
  const std::vector<std::uint32_t> many = first_numbers(key(), 0, Purpose::kArrival, 4000);
  const std::multiset<std::uint32_t> taken(many.begin(), many.end());
  for (const Purpose purpose : {Purpose::kTarget, Purpose::kCause, Purpose::kRepair}) {
    const std::vector<std::uint32_t> neighbour = first_numbers(key(), 0, purpose, 8);
    int common = 0;
    for (const std::uint32_t number : neighbour) {
      common += static_cast<int>(taken.count(number));
    }
    EXPECT_LE(common, 1) << static_cast<int>(purpose);  // chance: 8 * 4000 / 2^32
  }
  for (const std::uint64_t n : {1U, 2U, 3U, 1000U}) {
    const std::vector<std::uint32_t> neighbour = first_numbers(key(), n, Purpose::kArrival, 8);
    int common = 0;
    for (const std::uint32_t number : neighbour) {
      common += static_cast<int>(taken.count(number));
    }
    EXPECT_LE(common, 1) << n;
  }
}

// A law that needs a varying number of numbers (gamma rejects) leaves the other draws alone: they
// take their numbers by key, not in turn.
TEST(RandomDraw, NoDrawDependsOnHowMuchAnotherOneTook) {
  const scenario::Distribution gamma{
      .shape = scenario::Distribution::Gamma{1e6, 0.3}, .min_us = 900'000, .max_us = {}};
  const std::int64_t before = draw_exponential_us(1e9, RandomDraw(key(), 1, Purpose::kArrival));
  for (int i = 0; i < 100; ++i) {
    draw_us(gamma, RandomDraw(key(), static_cast<std::uint64_t>(i), Purpose::kRepair));
  }
  EXPECT_EQ(before, draw_exponential_us(1e9, RandomDraw(key(), 1, Purpose::kArrival)));
}

struct SampledLaw {
  std::string name;
  scenario::Distribution distribution;
  double mean = 0;
  double variance = 0;
};

void PrintTo(const SampledLaw& law, std::ostream* out) { *out << law.name; }

class LawMoments : public testing::TestWithParam<SampledLaw> {};

TEST_P(LawMoments, MeanAndVarianceWithinFourStandardErrors) {
  const SampledLaw& law = GetParam();
  std::vector<double> values;
  double sum = 0;
  for (int i = 0; i < kManyDraws; ++i) {
    const auto value = static_cast<double>(draw_us(
        law.distribution, RandomDraw(key(), static_cast<std::uint64_t>(i), Purpose::kRepair)));
    ASSERT_GE(value, 0);
    values.push_back(value);
    sum += value;
  }
  const double mean = sum / kManyDraws;
  EXPECT_NEAR(mean, law.mean, 4 * std::sqrt(law.variance / kManyDraws));
  // About the true mean, so that the estimate of the variance is unbiased.
  double second = 0;
  double fourth = 0;
  for (const double value : values) {
    const double square = (value - law.mean) * (value - law.mean);
    second += square / kManyDraws;
    fourth += square * square / kManyDraws;
  }
  EXPECT_NEAR(second, law.variance, 4 * std::sqrt((fourth - second * second) / kManyDraws));
}

scenario::Distribution of(decltype(scenario::Distribution::shape) shape) {
  return {.shape = std::move(shape), .min_us = {}, .max_us = {}};
}

double gamma_function(double x) { return std::tgamma(x); }

INSTANTIATE_TEST_SUITE_P(
    Laws, LawMoments,
    testing::Values(
        SampledLaw{"exponential", of(scenario::Distribution::Exponential{1'000'000}), 1e6, 1e12},
        // Integers low .. high: ((high - low + 1)^2 - 1) / 12
        SampledLaw{"uniform", of(scenario::Distribution::Uniform{500'000, 1'500'000}), 1e6,
                   (1'000'001.0 * 1'000'001.0 - 1) / 12},
        SampledLaw{"coin", of(scenario::Distribution::Uniform{0, 1}), 0.5, 0.25},
        // median exp(s^2 / 2), and (exp(s^2) - 1) exp(s^2) median^2
        SampledLaw{"lognormal", of(scenario::Distribution::Lognormal{1e6, 0.5}),
                   1e6 * std::exp(0.125), (std::exp(0.25) - 1) * std::exp(0.25) * 1e12},
        // scale G(1 + 1/k), and scale^2 (G(1 + 2/k) - G(1 + 1/k)^2)
        SampledLaw{"weibull", of(scenario::Distribution::Weibull{1e6, 1.5}),
                   1e6 * gamma_function(1 + 1 / 1.5),
                   1e12 * (gamma_function(1 + 2 / 1.5) - std::pow(gamma_function(1 + 1 / 1.5), 2))},
        SampledLaw{"gamma", of(scenario::Distribution::Gamma{1e6, 2.5}), 2.5e6, 2.5e12},
        SampledLaw{"gamma_below_one", of(scenario::Distribution::Gamma{1e6, 0.5}), 0.5e6, 0.5e12},
        SampledLaw{"empirical",
                   of(scenario::Distribution::Empirical{{1'000'000, 2'000'000, 6'000'000}}), 3e6,
                   (4e12 + 1e12 + 9e12) / 3}),
    [](const testing::TestParamInfo<SampledLaw>& law) { return law.param.name; });

TEST(Draw, AConstantIsItself) {
  EXPECT_EQ(draw_us(scenario::Distribution::constant(123'456'789),
                    RandomDraw(key(), 0, Purpose::kRepair)),
            123'456'789);
}

TEST(Draw, MinAndMaxRedrawRatherThanClip) {
  const scenario::Distribution uncut{
      .shape = scenario::Distribution::Exponential{1'000'000}, .min_us = {}, .max_us = {}};
  scenario::Distribution cut = uncut;
  cut.min_us = 500'000;
  cut.max_us = 1'500'000;
  int at_the_edges = 0;
  int kept = 0;
  double sum = 0;
  for (int i = 0; i < kManyDraws; ++i) {
    const RandomDraw draw(key(), static_cast<std::uint64_t>(i), Purpose::kRepair);
    const std::int64_t value = draw_us(cut, draw);
    ASSERT_GE(value, 500'000);
    ASSERT_LE(value, 1'500'000);
    at_the_edges += value == 500'000 || value == 1'500'000 ? 1 : 0;
    sum += static_cast<double>(value);
    // A draw within the cut at once is the one without it.
    const std::int64_t whole = draw_us(uncut, draw);
    if (whole >= 500'000 && whole <= 1'500'000) {
      ++kept;
      ASSERT_EQ(value, whole);
    }
  }
  EXPECT_LE(at_the_edges, 2);  // clipping would put 0.39 + 0.22 of all there
  EXPECT_GT(kept, kManyDraws / 4);
  // Exponential of mean 1 cut to [a, a + w] has the mean a + 1 - w / (e^w - 1); its spread is
  // below that of the uniform on it, w / sqrt(12).
  const double mean = 0.5 + 1 - 1 / (std::exp(1.0) - 1);
  EXPECT_NEAR(sum / kManyDraws / 1e6, mean, 4 / std::sqrt(12.0) / std::sqrt(kManyDraws));
}

TEST(Draw, ACutThatLeavesNothingGivesItsNearerEdge) {
  scenario::Distribution law = scenario::Distribution::constant(5);
  law.min_us = 10;
  EXPECT_EQ(draw_us(law, RandomDraw(key(), 0, Purpose::kRepair)), 10);
  law = scenario::Distribution::constant(5);
  law.max_us = 3;
  EXPECT_EQ(draw_us(law, RandomDraw(key(), 0, Purpose::kRepair)), 3);
}

TEST(Draw, ExponentialGapsHaveTheirMean) {
  double sum = 0;
  for (int i = 0; i < kManyDraws; ++i) {
    sum += static_cast<double>(draw_exponential_us(
        2.5e6, RandomDraw(key(), static_cast<std::uint64_t>(i), Purpose::kArrival)));
  }
  EXPECT_NEAR(sum / kManyDraws, 2.5e6, 4 * 2.5e6 / std::sqrt(kManyDraws));
}

TEST(Draw, IndexIsUniformOverAll) {
  std::vector<int> counts(7);
  for (int i = 0; i < kManyDraws; ++i) {
    ++counts.at(draw_index(7, RandomDraw(key(), static_cast<std::uint64_t>(i), Purpose::kTarget)));
  }
  const double p = 1.0 / 7;
  for (const int count : counts) {
    EXPECT_NEAR(count, kManyDraws * p, 4 * std::sqrt(kManyDraws * p * (1 - p)));
  }
  EXPECT_EQ(draw_index(1, RandomDraw(key(), 0, Purpose::kTarget)), 0U);
}

TEST(Draw, UnitIsUniformBelowOne) {
  double sum = 0;
  for (int i = 0; i < kManyDraws; ++i) {
    const double value =
        draw_unit(RandomDraw(key(), static_cast<std::uint64_t>(i), Purpose::kCause));
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / kManyDraws, 0.5, 4 * std::sqrt(1.0 / 12 / kManyDraws));
}

}  // namespace
}  // namespace aftershock::sim::chance
