#include <algorithm>
#include <ostream>

#include <gtest/gtest.h>

#include "tests/validation/renewal.h"

// Oracle O12: how long failures go unseen, and what share of the time stalls leave.
namespace aftershock::sim::validation {
namespace {

constexpr double kMicrosPerSecond = 1e6;

struct Latency {
  std::uint32_t cause = 0;
  std::int64_t fault_us = 0;
  std::int64_t us = 0;  ///< -1: never seen
};

/// Of the failures around which, for `apart_us` before and after, there was no other: that leaves
/// out whom another failure's detection gave away, and says nothing about cause or phase.
std::vector<Latency> latencies(const scenario::Scenario& scenario, std::uint64_t runs,
                               std::int64_t apart_us) {
  std::vector<Latency> all;
  for (const auto& of_run : over_seeds(scenario, runs, [&](const FinishedRun& run) {
         std::vector<Latency> found;
         for (const workload::Recovery& recovery : run.recoveries) {
           const std::size_t i = recovery.fault;
           const std::int64_t t_us = run.faults[i].t_us;
           if ((i > 0 && t_us - run.faults[i - 1].t_us <= apart_us) || i + 1 == run.faults.size() ||
               run.faults[i + 1].t_us - t_us <= apart_us) {
             continue;
           }
           found.push_back({run.faults[i].effect, t_us, recovery.detected_us.value_or(-1) - t_us});
         }
         return found;
       })) {
    all.insert(all.end(), of_run.begin(), of_run.end());
  }
  return all;
}

struct Heartbeat {
  const char* name;
  double every;  ///< seconds
  int misses;
  double shortest;
  double mean;
  double longest;
};

void PrintTo(const Heartbeat& row, std::ostream* out) { *out << row.name; }

class O12Heartbeat : public testing::TestWithParam<Heartbeat> {};

TEST_P(O12Heartbeat, Latency) {
  const Heartbeat& row = GetParam();
  ASSERT_EQ(row.shortest, (row.misses - 1) * row.every);
  ASSERT_EQ(row.mean, (row.misses - 0.5) * row.every);
  ASSERT_EQ(row.longest, row.misses * row.every);
  const auto every_us = std::llround(row.every * kMicrosPerSecond);
  const auto scenario = read("tests/validation/o12_detection.json",
                             {fmt::format("/cluster/heartbeat/every={}us", every_us),
                              fmt::format("/cluster/heartbeat/misses={}", row.misses)});
  ASSERT_TRUE(scenario);
  std::vector<double> seconds;
  for (const Latency& latency :
       latencies(*scenario, seeds(8), std::llround(row.longest * kMicrosPerSecond))) {
    seconds.push_back(static_cast<double>(latency.us) / kMicrosPerSecond);
    // The misses-th beat after the last one that came.
    ASSERT_EQ(latency.us, every_us * row.misses - latency.fault_us % every_us);
  }
  const auto [least, most] = std::ranges::minmax(seconds);
  EXPECT_GE(least, row.shortest);
  EXPECT_LE(most, row.longest);
  // Uniform between them: with n of them the extremes come as near as a few n-ths.
  const double near = 20 * row.every / static_cast<double>(seconds.size());
  EXPECT_LT(least, row.shortest + near);
  EXPECT_GT(most, row.longest - near);
  const Moments got(seconds);
  expect_within_four_errors(row.name, got.mean, row.mean, row.every / std::sqrt(12 * got.count));
}

INSTANTIATE_TEST_SUITE_P(Rows, O12Heartbeat,
                         testing::Values(Heartbeat{"every_5s_3_misses", 5, 3, 10, 12.5, 15},
                                         Heartbeat{"every_2s_5_misses", 2, 5, 8, 9, 10},
                                         Heartbeat{"every_10s_1_miss", 10, 1, 0, 5, 10}),
                         [](const auto& row) { return row.param.name; });

TEST(O12, CollectiveTimeout) {
  for (const int timeout_min : {10, 30}) {
    const auto scenario =
        read("tests/validation/o12_detection.json",
             {"/faults/0/kind=hang", "/faults/0/target=job:job",
              "/faults/0/source/exponential/per=job", "/faults/0/source/exponential/mtbf=6h",
              fmt::format("/jobs/0/collective_timeout={}min", timeout_min)});
    ASSERT_TRUE(scenario);
    const auto found = latencies(*scenario, 1, minutes(timeout_min));
    ASSERT_GT(found.size(), 100U);
    for (const Latency& latency : found) {
      ASSERT_EQ(latency.us, minutes(timeout_min));
    }
  }
}

TEST(O12, MixtureMean) {
  // Half of the failures are seen at once, 3 in 10 by heartbeats, 2 in 10 by the timeout.
  const double mean = 0.5 * 0 + 0.3 * 12.5 + 0.2 * 600;
  const auto scenario =
      read("tests/validation/o12_detection.json",
           {"/faults/0/kind=null", "/faults/0/source/exponential/mtbf=12h",
            R"(/faults/0/causes=[{"kind": "worker_crash", "how": "exception", "weight": 5}, )"
            R"({"kind": "node_crash", "weight": 3}, {"kind": "hang", "weight": 2}])",
            "/until=40000h"});
  ASSERT_TRUE(scenario);
  std::vector<double> seconds;
  for (const Latency& latency : latencies(*scenario, seeds(8), minutes(10))) {
    seconds.push_back(static_cast<double>(latency.us) / kMicrosPerSecond);
  }
  // Its variance is known, too: that of which cause it is, and of the heartbeat's phase.
  const double square = 0.3 * (12.5 * 12.5 + 25 / 12.0) + 0.2 * 600 * 600;
  expect_within_four_errors(
      "mixture, seconds", Moments(seconds).mean, mean,
      std::sqrt((square - mean * mean) / static_cast<double>(seconds.size())));
}

struct Stall {
  const char* name;
  double mtbf;  ///< minutes
  double stall;
  bool between_starts;  ///< the MTBF counts the stall itself: from start to start of interruptions
  double printed;
};

void PrintTo(const Stall& row, std::ostream* out) { *out << row.name; }

class O12Stall : public testing::TestWithParam<Stall> {};

TEST_P(O12Stall, Fraction) {
  const Stall& row = GetParam();
  const double share =
      row.between_starts ? (row.mtbf - row.stall) / row.mtbf : row.mtbf / (row.mtbf + row.stall);
  expect_printed("share", share, row.printed, 6);
  const double up = row.between_starts ? row.mtbf - row.stall : row.mtbf;
  const auto scenario = read("tests/validation/o12_stall.json",
                             {fmt::format("/faults/0/lasts={}us", minutes(row.stall)),
                              fmt::format("/faults/0/source/exponential/mtbf={}us", minutes(up))});
  ASSERT_TRUE(scenario);
  constexpr double kWork = 20000;
  const auto walls = over_seeds(*scenario, seeds(40), [&](const FinishedRun& run) {
    const auto stalls = static_cast<std::int64_t>(run.faults.size());
    const std::int64_t wall_us = minutes(kWork) + stalls * minutes(row.stall);
    return run.job().wall_us == wall_us && run.productive_us() == minutes(kWork) &&
                   run.job().outcome == "completed" &&
                   run.summary.verdict == reports::Verdict::kPassed
               ? static_cast<double>(wall_us) / kMicrosPerMinute
               : 0;
  });
  for (const double wall : walls) {
    ASSERT_GT(wall, 0) << "something else than stalls took time";
  }
  // Stalls in that much work are Poisson, so the mean of the wall time is known, and its error.
  const Moments wall(walls);
  const double error = row.stall * std::sqrt(kWork / up / wall.count) / wall.mean;
  expect_within_four_errors(row.name, kWork / wall.mean, share, kWork / wall.mean * error);
}

INSTANTIATE_TEST_SUITE_P(Rows, O12Stall,
                         testing::Values(Stall{"between_starts_18_10", 18, 10, true, 0.444444},
                                         Stall{"between_starts_18_3", 18, 3, true, 0.833333},
                                         Stall{"between_starts_llama", 185.5847, 10, true,
                                               0.946116},
                                         Stall{"uptime_18_10", 18, 10, false, 0.642857},
                                         Stall{"uptime_18_3", 18, 3, false, 0.857143},
                                         Stall{"uptime_llama", 185.5847, 10, false, 0.948871}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace aftershock::sim::validation
