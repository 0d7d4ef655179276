#include <numeric>

#include <gtest/gtest.h>

#include "tests/validation/renewal.h"

// Oracle O15: lost accelerator-hours of 16,384 GPUs at the rate of Llama 3, a restart of ten
// minutes, hourly saves that take no time.
namespace aftershock::sim::validation {
namespace {

constexpr double kGpus = 16384;
constexpr double kLlamaDays = 54;
constexpr double kLlamaFailures = 419;
constexpr double kRestartMin = 10;
constexpr double kHourMin = 60;

TEST(O15, LostAcceleratorHours) {
  // First order counts half an interval and a restart for each of 419 failures.
  const double held_h = kGpus * kLlamaDays * 24;
  const double first_order_h = kGpus * kLlamaFailures * (kRestartMin + kHourMin / 2) / 60;
  expect_printed("held", held_h, 21233664, 0);
  expect_printed("first order", first_order_h, 4576597.3, 1);
  expect_printed("first order, share", first_order_h / held_h, 0.215535, 6);
  // The exact share is less: a failure during a restart or a second one within the interval costs
  // less than another restart and half an interval.
  const Renewal renewal{"hourly", kHourMin, 0, kRestartMin, 0, kLlamaDays * 1440 / kLlamaFailures,
                        1040,     60};
  const double exact = 1 - renewal.efficiency();
  expect_printed("exact, share", exact, 0.197390, 6);
  EXPECT_LT(exact, first_order_h / held_h);

  auto sets = sets_of(renewal);
  sets.emplace_back("/cluster/pools/0/nodes=2048");
  sets.emplace_back("/cluster/pools/0/accelerators/per_node=8");
  sets.emplace_back("/jobs/0/workers=16384");
  const auto scenario = read("tests/validation/renewal.json", sets);
  ASSERT_TRUE(scenario);
  const Process process = process_of(renewal);
  const auto held = over_seeds(*scenario, seeds(renewal.runs), [&](const FinishedRun& run) {
    const Played played = play(process, FailuresOf(run));
    const auto& ledger_us = run.job().ledger_accelerator_us;
    const auto held_us = std::accumulate(ledger_us.begin(), ledger_us.end(), std::int64_t{0});
    const auto workers = static_cast<std::int64_t>(kGpus);
    const auto productive_us = ledger_us[static_cast<std::size_t>(reports::Bucket::kProductive)];
    return held_us == (played.wall_us + kEndSeenLaterUs) * workers &&
                   productive_us == played.productive_us * workers
               ? static_cast<double>(held_us) / 3.6e9
               : 0;
  });
  for (const double hours : held) {
    ASSERT_GT(hours, 0) << "not as the loop plays it";
  }
  const Moments hours(held);
  const double useful = kGpus * static_cast<double>(renewal.segments) * kHourMin / 60;
  expect_within_four_errors("lost share of accelerator-hours", 1 - useful / hours.mean, exact,
                            useful / hours.mean * hours.mean_error() / hours.mean);
}

}  // namespace
}  // namespace aftershock::sim::validation
