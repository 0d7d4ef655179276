#include "reports/statistics/sample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reports/statistics/laws.h"
#include "tests/unit/reports/statistics/odd_numbers.h"

namespace aftershock::reports {
namespace {

/// `first`, then `low` and `high` in turn, as NIST's NumAcc2 to NumAcc4 are made.
std::vector<double> alternating(double first, double low, double high) {
  std::vector<double> values{first};
  for (int i = 0; i < 500; ++i) {
    values.push_back(low);
    values.push_back(high);
  }
  return values;
}

struct Certified {
  std::string name;
  std::vector<double> values;
  double mean;
  double deviation;
  double relative;  ///< the deviation's part that the values' own rounding to double leaves
};

// NIST Statistical Reference Datasets, univariate summary statistics, certified values.
std::vector<Certified> certified() {
  return {
      {"Mavro",
       {2.00180, 2.00170, 2.00180, 2.00190, 2.00180, 2.00170, 2.00150, 2.00140, 2.00150, 2.00150,
        2.00170, 2.00180, 2.00180, 2.00190, 2.00190, 2.00210, 2.00200, 2.00160, 2.00140, 2.00130,
        2.00130, 2.00150, 2.00150, 2.00160, 2.00150, 2.00140, 2.00130, 2.00140, 2.00150, 2.00140,
        2.00150, 2.00160, 2.00150, 2.00160, 2.00190, 2.00200, 2.00200, 2.00210, 2.00220, 2.00230,
        2.00240, 2.00250, 2.00270, 2.00260, 2.00260, 2.00260, 2.00270, 2.00260, 2.00250, 2.00240},
       2.00185600000000,
       0.000429123454003053,
       1e-12},
      {"Michelson",
       {299.85, 299.74, 299.90, 300.07, 299.93, 299.85, 299.95, 299.98, 299.98, 299.88,
        300.00, 299.98, 299.93, 299.65, 299.76, 299.81, 300.00, 300.00, 299.96, 299.96,
        299.96, 299.94, 299.96, 299.94, 299.88, 299.80, 299.85, 299.88, 299.90, 299.84,
        299.83, 299.79, 299.81, 299.88, 299.88, 299.83, 299.80, 299.79, 299.76, 299.80,
        299.88, 299.88, 299.88, 299.86, 299.72, 299.72, 299.62, 299.86, 299.97, 299.95,
        299.88, 299.91, 299.85, 299.87, 299.84, 299.84, 299.85, 299.84, 299.84, 299.84,
        299.89, 299.81, 299.81, 299.82, 299.80, 299.77, 299.76, 299.74, 299.75, 299.76,
        299.91, 299.92, 299.89, 299.86, 299.88, 299.72, 299.84, 299.85, 299.85, 299.78,
        299.89, 299.84, 299.78, 299.81, 299.76, 299.81, 299.79, 299.81, 299.82, 299.85,
        299.87, 299.87, 299.81, 299.74, 299.81, 299.94, 299.95, 299.80, 299.81, 299.87},
       299.852400000000,
       0.0790105478190518,
       1e-12},
      {"NumAcc1", {10000001, 10000003, 10000002}, 10000002, 1, 1e-15},
      {"NumAcc2", alternating(1.2, 1.1, 1.3), 1.2, 0.1, 1e-14},
      {"NumAcc3", alternating(1000000.2, 1000000.1, 1000000.3), 1000000.2, 0.1, 1e-8},
      {"NumAcc4", alternating(10000000.2, 10000000.1, 10000000.3), 10000000.2, 0.1, 1e-7},
  };
}

TEST(SampleSummary, GivesTheCertifiedMeanAndDeviationOfNist) {
  for (const Certified& set : certified()) {
    const SampleSummary summary = summarise(set.values);
    EXPECT_DOUBLE_EQ(*summary.mean(), set.mean) << set.name;
    EXPECT_NEAR(*summary.deviation(), set.deviation, set.relative * set.deviation) << set.name;
    EXPECT_EQ(summary.count(), static_cast<std::int64_t>(set.values.size()));
    EXPECT_EQ(*summary.min(), *std::ranges::min_element(set.values));
    EXPECT_EQ(*summary.max(), *std::ranges::max_element(set.values));
  }
}

TEST(SampleSummary, MergedPartsGiveWhatTheWholeGives) {
  for (const Certified& set : certified()) {
    const std::size_t third = set.values.size() / 3;
    SampleSummary merged;
    for (std::size_t part = 0; part < 4; ++part) {  // the last one is empty or nearly so
      SampleSummary summary;
      const std::size_t end = std::min((part + 1) * third, set.values.size());
      for (std::size_t i = part * third; i < end; ++i) summary.add(set.values[i]);
      merged.merge(summary);
    }
    merged.merge(SampleSummary());
    EXPECT_DOUBLE_EQ(*merged.mean(), set.mean) << set.name;
    EXPECT_NEAR(*merged.deviation(), set.deviation, set.relative * set.deviation) << set.name;
    EXPECT_EQ(*merged.max(), *std::ranges::max_element(set.values)) << set.name;
  }
}

TEST(SampleSummary, SaysNothingOfWhatHasNoMean) {
  EXPECT_FALSE(SampleSummary().mean());
  EXPECT_FALSE(SampleSummary().mean_estimate());
  for (const double odd : {kNan, kInfinity, -kInfinity}) {
    for (const std::vector<double>& values :
         {std::vector{odd, 1.0, 2.0}, std::vector{1.0, 2.0, odd}}) {
      SampleSummary summary = summarise(values);
      EXPECT_EQ(summary.count(), 3);
      EXPECT_FALSE(summary.mean() || summary.min() || summary.max() || summary.variance() ||
                   summary.deviation() || summary.mean_estimate());
      SampleSummary other = summarise(std::vector{1.0});
      other.merge(summary);
      EXPECT_FALSE(other.mean());
    }
  }
  const SampleSummary one = summarise(std::vector{3.0});
  EXPECT_FALSE(one.variance());
  EXPECT_EQ(one.mean_estimate(), (Estimate{3, {}}));
  for (const double level : {0.0, 1.0, -0.5, 95.0, kNan}) {
    EXPECT_FALSE(one.mean_estimate(level)) << level;
  }
}

TEST(SampleSummary, IsTheSameInEveryOrder) {
  std::vector<double> values{0.1, 1e10, -1e10, 0.2, 0.3, 1e-9, -0.0, 0.0};
  const auto wanted = summarise(values).mean_estimate();
  const auto pairs_of = [](const std::vector<double>& list) {
    std::vector<Pair> pairs;
    for (const double value : list) pairs.push_back({value, 2e10 + value});
    return pairs;
  };
  const auto ratio = ratio_of_means(pairs_of(values));
  std::ranges::sort(values);
  for (int i = 0; i < 500; ++i) {
    std::ranges::next_permutation(values);
    EXPECT_EQ(summarise(values).mean_estimate(), wanted);
    EXPECT_EQ(ratio_of_means(pairs_of(values)), ratio);
  }
}

// Two-sided 95 % and 99 % points of Student's t as every table has them.
TEST(StudentHalfWidth, IsThatOfTheTable) {
  struct Row {
    long double freedom;
    double level, t;
  };
  for (const auto& [freedom, level, t] :
       {Row{1, 0.95, 12.706}, Row{2, 0.95, 4.303}, Row{9, 0.95, 2.262}, Row{30, 0.95, 2.042},
        Row{120, 0.95, 1.980}, Row{1, 0.99, 63.657}, Row{9, 0.99, 3.250}, Row{30, 0.99, 2.750}}) {
    EXPECT_NEAR(static_cast<double>(student_half_width(freedom, level)), t, 0.0005001);
  }
}

// By the interval's definition: at its ends, and nowhere between, t of (first - r second) is the
// point of Student's law.
TEST(RatioOfMeans, EndsWhereATTestWouldTell) {
  const std::vector<Pair> runs{{9.1, 10}, {17.2, 20}, {4.9, 5.2}, {30, 36}, {11, 12.5}};
  const auto t_of = [&](double r) {
    SampleSummary rest;
    for (const Pair& run : runs) rest.add(run.first - r * run.second);
    return *rest.mean() / (*rest.deviation() / std::sqrt(5.0));
  };
  const auto estimate = ratio_of_means(runs);
  EXPECT_DOUBLE_EQ(estimate->value, (9.1 + 17.2 + 4.9 + 30 + 11) / (10 + 20 + 5.2 + 36 + 12.5));
  EXPECT_NEAR(t_of(estimate->interval->low), 2.776445, 1e-6);  // t(0.975, 4)
  EXPECT_NEAR(t_of(estimate->interval->high), -2.776445, 1e-6);
}

TEST(RatioOfMeans, HasNoIntervalWhereTheDenominatorMayBeNothing) {
  EXPECT_FALSE(ratio_of_means(std::vector<Pair>{}));
  EXPECT_FALSE(ratio_of_means(std::vector<Pair>{{1, 1}, {1, -1}}));
  EXPECT_FALSE(ratio_of_means(std::vector<Pair>{{1, 1}, {1, kNan}}));
  EXPECT_EQ(ratio_of_means(std::vector<Pair>{{3, 4}}), (Estimate{0.75, {}}));
  const auto wide = ratio_of_means(std::vector<Pair>{{1, 1}, {1, 30}, {1, -20}});
  EXPECT_DOUBLE_EQ(wide->value, 3.0 / 11);
  EXPECT_FALSE(wide->interval);
  // The same ratio in every run leaves no doubt about it.
  const auto sure = ratio_of_means(std::vector<Pair>{{4, 8}, {5, 10}, {6, 12}});
  EXPECT_EQ(sure, (Estimate{0.5, Interval{0.5, 0.5}}));
}

}  // namespace
}  // namespace aftershock::reports
