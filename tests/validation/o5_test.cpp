#include <algorithm>
#include <ostream>

#include <gtest/gtest.h>

#include "tests/validation/renewal.h"

// Oracle O5: what a failure loses. The ledger counts work, so a failure during a save loses no more
// than the compute before it; where a save takes no time that is the time lost.
namespace aftershock::sim::validation {
namespace {

/// Lost work of every failure in minutes; empty when it is not what the loop says.
std::vector<double> lost_by(const FinishedRun& run, const Process& process) {
  const Played played = play(process, FailuresOf(run));
  std::vector<std::int64_t> lost_us;
  std::int64_t sum_us = 0;
  for (const workload::Recovery& recovery : run.recoveries) {
    lost_us.push_back(recovery.lost_us);
    sum_us += recovery.lost_us;
  }
  if (lost_us != played.lost_us || sum_us != run.job().lost_us) {
    return {};
  }
  std::vector<double> lost(lost_us.size());
  std::ranges::transform(lost_us, lost.begin(), [](std::int64_t us) {
    return static_cast<double>(us) / kMicrosPerMinute;
  });
  return lost;
}

Moments lost_over_seeds(const scenario::Scenario& scenario, const Process& process,
                        std::uint64_t runs) {
  std::vector<double> all;
  for (const auto& lost : over_seeds(
           scenario, seeds(runs), [&](const FinishedRun& run) { return lost_by(run, process); })) {
    EXPECT_FALSE(lost.empty()) << "not as the loop plays it";
    all.insert(all.end(), lost.begin(), lost.end());
  }
  return Moments(all);
}

struct Lost {
  const char* name;
  double tau;
  double save;
  double mtbf;
  double printed;  ///< time lost; 0: a row of our own
};

void PrintTo(const Lost& row, std::ostream* out) { *out << row.name; }

class O5 : public testing::TestWithParam<Lost> {};

TEST_P(O5, LostByAFailure) {
  const Lost& row = GetParam();
  const double lam = 1 / row.mtbf;
  const double lost = work_lost(lam, row.tau, row.save);
  if (row.save == 0) {
    EXPECT_NEAR(lost, time_lost(lam, row.tau), 1e-9);
  }
  if (row.printed > 0) {
    expect_printed("lost", lost, row.printed, 9);
  }
  const Renewal renewal{row.name, row.tau, row.save, 0, 0, row.mtbf, 500, 300};
  const auto scenario = read("tests/validation/renewal.json", sets_of(renewal));
  ASSERT_TRUE(scenario);
  const Moments got = lost_over_seeds(*scenario, process_of(renewal), renewal.runs);
  expect_within_four_errors(row.name, got.mean, lost, got.mean_error());
}

INSTANTIATE_TEST_SUITE_P(
    Rows, O5,
    testing::Values(Lost{"llama_hourly", 60, 0, 185.58472553699284, 28.386296750},
                    Lost{"llama_31min", 31, 0, 185.58472553699284, 15.068681549},
                    Lost{"hour_32min", 32, 0, 60, 14.584474824},
                    Lost{"llama_with_saves", 30, 1, 185.58472553699284, 0},
                    Lost{"hour_with_long_saves", 27, 5, 60, 0}),
    [](const auto& row) { return row.param.name; });

// Uploads behind training: what a failure falls back on was taken `upload` earlier.
TEST(O5, LostWhileUploadsAreUnderWay) {
  constexpr double kTau = 30;
  constexpr double kUpload = 5;
  constexpr double kMtbf = 1440;
  const double lost = async_work_lost(1 / kMtbf, kTau, kUpload);
  // The oracle's form takes the failure's phase for uniform, which it is for lam tau << 1.
  const double uniform_phase = kTau / 2 + kUpload;
  EXPECT_EQ(uniform_phase, 20.0);
  EXPECT_NEAR(lost, uniform_phase, kTau * (kTau + kUpload) / kMtbf / 2);
  EXPECT_NEAR(async_work_lost(1e-7, kTau, kUpload), uniform_phase, 1e-4);

  const auto scenario =
      read("tests/validation/renewal.json",
           {R"(/cluster/storage=[{"name": "store", "read": "300000GB/s", )"
            R"("write": "1GB/s"}])",
            "/jobs/0/checkpoint/bytes=300GB", "/jobs/0/checkpoint/upload=async",
            "/jobs/0/checkpoint/blocking=0s", "/jobs/0/restart_phases/launching=0s",
            "/jobs/0/step=30min", "/jobs/0/steps=null", "/until=200d"});
  ASSERT_TRUE(scenario);
  const Process process{.tau_us = minutes(kTau),
                        .upload_us = minutes(kUpload),
                        .download_us = 1000,  // 300 GB at 300 TB/s
                        .until_us = minutes(200 * 1440)};
  const Moments got = lost_over_seeds(*scenario, process, 20);
  expect_within_four_errors("uploads of 5 min", got.mean, lost, got.mean_error());
  expect_within_four_errors("uploads of 5 min, phase uniform", got.mean, uniform_phase,
                            got.mean_error());
}

struct Async {
  const char* name;
  double factor;  ///< of the best interval by first order, sqrt(2 b M)
};

void PrintTo(const Async& row, std::ostream* out) { *out << row.name; }

class O5Async : public testing::TestWithParam<Async> {};

// The cost of uploads in the long run. From the begin of training to the next one: save j, which
// takes b, counts if the failure comes later than j (tau + b) + P, so what is kept is a geometric
// sum, and an upload acts as a longer restart does: e^(-lam P). It moves the best interval by
// nothing, as the oracle's first order says, b/tau + lam (tau/2 + P + R).
TEST_P(O5Async, UploadsActAsLongerRestarts) {
  constexpr double kSave = 1;
  constexpr double kUpload = 5;
  constexpr double kRestart = 5;
  constexpr double kMtbf = 450;  // the best interval is 30 minutes
  constexpr double kDays = 200;
  const double tau = GetParam().factor * young_tau(kSave, kMtbf);
  const double exact = efficiency(1 / kMtbf, tau, kSave, kRestart + kUpload);
  const double overhead = young_overhead(tau, kSave, kRestart + kUpload, kMtbf);
  // Less than the second order's largest terms away from it.
  const double reach = (tau + kSave + kRestart + kUpload) / kMtbf;
  EXPECT_NEAR(1 / exact - 1, overhead, reach * reach + kSave / tau * reach);

  Renewal renewal{GetParam().name, tau, kSave, kRestart, 0, kMtbf, 1, 40};
  auto sets = sets_of(renewal);
  for (const char* set :
       {R"(/cluster/storage=[{"name": "store", "read": "300000GB/s", "write": "1GB/s"}])",
        "/jobs/0/checkpoint/bytes=300GB", "/jobs/0/checkpoint/upload=async", "/jobs/0/steps=null",
        "/until=200d"}) {
    sets.emplace_back(set);
  }
  const auto scenario = read("tests/validation/renewal.json", sets);
  ASSERT_TRUE(scenario);
  const Process process{.tau_us = minutes(tau),
                        .save_us = minutes(kSave),
                        .upload_us = minutes(kUpload),
                        .restart_us = minutes(kRestart),
                        .download_us = 1000,
                        .until_us = minutes(kDays * 1440)};
  const auto ettrs = over_seeds(*scenario, renewal.runs, [&](const FinishedRun& run) {
    return run.productive_us() == play(process, FailuresOf(run)).productive_us ? run.job().ettr : 0;
  });
  for (const double ettr : ettrs) {
    ASSERT_GT(ettr, 0) << "not as the loop plays it";
  }
  const Moments got(ettrs);
  expect_within_four_errors(renewal.name, got.mean, exact, got.mean_error());
}

INSTANTIATE_TEST_SUITE_P(Rows, O5Async,
                         testing::Values(Async{"half", 0.5}, Async{"best", 1}, Async{"twice", 2}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace aftershock::sim::validation
