#include <cmath>
#include <ostream>

#include <gtest/gtest.h>

#include "tests/validation/formulas.h"
#include "tests/validation/run.h"
#include "tests/validation/statistics.h"

// Oracle O1: how many failures there are. The number in an exposure T is Poisson with mean lam T,
// and so is that of each cause of a process that is split among several.
namespace aftershock::sim::validation {
namespace {

/// Failures of the run, all of which hit something and interrupted the job.
double count_of(const FinishedRun& run) {
  const bool all = run.recoveries.size() == run.faults.size() &&
                   run.job().attempts == static_cast<std::int64_t>(run.faults.size()) + 1 &&
                   run.summary.verdict == reports::Verdict::kPassed;
  return all ? static_cast<double>(run.faults.size()) : -1;
}

struct Counts {
  const char* name;
  int nodes;
  const char* rate;
  double days;
  double per_day;
  double printed_mtbf_h;
  std::uint64_t runs;
};

void PrintTo(const Counts& row, std::ostream* out) { *out << row.name; }

class O1 : public testing::TestWithParam<Counts> {};

TEST_P(O1, FailuresArePoisson) {
  const Counts& row = GetParam();
  expect_printed("MTBF", 24 / row.per_day, row.printed_mtbf_h, 6);
  const auto scenario = read("tests/validation/o1_counts.json",
                             {"/cluster/pools/0/nodes=" + std::to_string(row.nodes),
                              "/jobs/0/workers=" + std::to_string(row.nodes * 8),
                              std::string("/faults/0/source/rate=") + row.rate,
                              "/until=" + std::to_string(std::llround(row.days * 24)) + "h"});
  ASSERT_TRUE(scenario);
  const auto counts = over_seeds(*scenario, seeds(row.runs), count_of);
  for (const double count : counts) {
    ASSERT_GE(count, 0) << "a failure that interrupted nothing";
  }
  const double mean = row.per_day * row.days;
  const auto n = static_cast<double>(counts.size());
  const Moments got(counts);
  const std::string name = row.name;
  expect_within_four_errors(name + ", mean", got.mean, mean, std::sqrt(mean / n));
  // The variance of a sample's variance: (fourth central moment - variance^2) / n.
  expect_within_four_errors(name + ", variance", got.variance, mean,
                            std::sqrt((mean + 2 * mean * mean) / n));

  // How often Garwood's interval holds the mean; it is made to do so at least as often as it says.
  boost::math::poisson law(mean);
  double coverage = 0;
  for (int i = 0; i < static_cast<int>(mean + 20 * std::sqrt(mean)); ++i) {
    const auto [low, high] = garwood(i, 0.95);
    coverage += low <= mean && mean <= high ? boost::math::pdf(law, i) : 0;
  }
  EXPECT_GE(coverage, 0.95);
  std::int64_t held = 0;
  for (const double count : counts) {
    const auto [low, high] = garwood(count, 0.95);
    held += low <= mean && mean <= high ? 1 : 0;
  }
  expect_share(name + ", within Garwood's interval", held, counts.size(), coverage);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, O1,
    testing::Values(
        Counts{"llama_unexpected", 2048, "419/110592 node-days", 54, 419 / 54.0, 3.093079, 300},
        Counts{"llama_all", 2048, "466/110592 node-days", 54, 466 / 54.0, 2.781116, 200},
        Counts{"rsc1_16k", 2048, "6.5/1000 node-days", 20, 13.312, 1.802885, 200},
        Counts{"rsc1_131k", 16384, "6.5/1000 node-days", 2, 106.496, 0.225361, 100},
        Counts{"rsc2_16k", 2048, "2.34/1000 node-days", 54, 4.79232, 5.008013, 200}),
    [](const auto& row) { return row.param.name; });

TEST(O1Figures, AsPrinted) {
  constexpr double kNodeDays = 2048 * 54;
  expect_printed("a day", 419 / 54.0, 7.759259, 6);
  expect_printed("a day", 466 / 54.0, 8.629630, 6);
  expect_printed("per 1000 node-days", 1000 * 419 / kNodeDays, 3.788701, 6);
  expect_printed("per 1000 node-days", 1000 * 466 / kNodeDays, 4.213686, 6);
  const auto [low, high] = garwood(419, 0.95);
  expect_printed("low", low, 379.836, 3);
  expect_printed("high", high, 461.106, 3);
  expect_printed("MTBF low", 54 * 24 / high, 2.8106, 4);
  expect_printed("MTBF high", 54 * 24 / low, 3.4120, 4);
  expect_printed("r low", 1000 * low / kNodeDays, 3.4346, 4);
  expect_printed("r high", 1000 * high / kNodeDays, 4.1694, 4);
  const auto [all_low, all_high] = garwood(466, 0.95);
  expect_printed("low, all", all_low, 424.645, 3);
  expect_printed("high, all", all_high, 510.294, 3);
}

TEST(O1Causes, ArePoissonEach) {
  const auto scenario = read("tests/validation/o1_causes.json");
  ASSERT_TRUE(scenario);
  const auto& causes = scenario->faults.front().effects;
  ASSERT_EQ(causes.size(), 18U);
  // Always all of them: a dispersion is a chi-square, whose tail is a normal one's only with many.
  const auto counts = over_seeds(*scenario, 200, [&](const FinishedRun& run) {
    std::vector<double> by_cause(causes.size());
    for (const faults::FaultRecord& fault : run.faults) {
      by_cause[fault.effect] += count_of(run) >= 0 ? 1 : 0;
    }
    return by_cause;
  });
  const auto n = static_cast<double>(counts.size());
  constexpr double kFourErrors = 6.334e-5;  // outside of four standard errors, both sides
  const auto p_of = [](double chi_squared, double degrees) {
    return boost::math::cdf(
        boost::math::complement(boost::math::chi_squared(degrees), chi_squared));
  };
  double total = 0;
  double goodness = 0;
  for (std::size_t cause = 0; cause < causes.size(); ++cause) {
    double sum = 0;
    double dispersion = 0;
    const double mean = causes[cause].weight;  // the weights are the counts in these 54 days
    for (const auto& by_cause : counts) {
      sum += by_cause[cause];
      dispersion += (by_cause[cause] - mean) * (by_cause[cause] - mean) / mean;
    }
    total += sum;
    goodness += (sum - n * mean) * (sum - n * mean) / (n * mean);
    expect_within_four_errors(causes[cause].effect.label, sum / n, mean, std::sqrt(mean / n));
    // About its mean each run's count is Poisson: sum (x - m)^2 / m has mean n and variance
    // n (2 + 1/m).
    expect_within_four_errors(causes[cause].effect.label + ", dispersion", dispersion, n,
                              std::sqrt(n * (2 + 1 / mean)));
  }
  // Independent Poisson counts: chi-square with a degree of freedom each.
  const double p = p_of(goodness, static_cast<double>(causes.size()));
  std::printf("%.0f failures, chi-square %.3f, p %.4f\n", total, goodness, p);
  EXPECT_GT(p, kFourErrors);
  EXPECT_GT(1 - p, kFourErrors) << "closer than chance allows";
}

// 100 seeds of 54 days: 41,900 in all, within 673 at 99.9 %.
TEST(O1Total, OfAHundredSeeds) {
  const auto scenario = read("tests/validation/o1_counts.json");
  ASSERT_TRUE(scenario);
  const auto counts = over_seeds(*scenario, 100, count_of);
  EXPECT_NEAR(Moments(counts).mean * 100, 41900, 673);
}

}  // namespace
}  // namespace aftershock::sim::validation
