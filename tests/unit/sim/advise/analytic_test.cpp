#include "sim/advise/analytic.h"

#include <gtest/gtest.h>

// Every expected number is printed in oracles.md, to the digits that stand here.
namespace aftershock::sim::advise {
namespace {

TEST(Daly, IntervalsOfO3) {
  struct Row {
    double blocking;
    double mtbf;
    double interval;
  };
  for (const Row& row :
       {Row{5, 1440, 116.690073327}, Row{5, 360, 56.714001999}, Row{5, 15, 9.166502821},
        Row{5, 185.58472553699284, 39.812715302}, Row{1.0 / 6, 185.58472553699284, 7.754496503},
        Row{1, 1440 / 13.0, 14.225101365}}) {
    EXPECT_NEAR(daly_interval(row.blocking, row.mtbf), row.interval, 5.1e-10) << row.mtbf;
  }
  EXPECT_EQ(daly_interval(0, 100), 0);
}

TEST(Daly, EfficienciesOfO4) {
  struct Row {
    RestartModel model;
    double efficiency;
  };
  constexpr double kLlama = 185.58472553699284;  // minutes, 54 d over 419
  const double rsc1 = 1440 / 13.0;
  for (const Row& row : {
           Row{{1440, 117, 5, 10, 0}, 0.912605371},
           Row{{360, 57, 5, 10, 0}, 0.819379810},
           Row{{15, 9.1, 5, 10, 0}, 0.199664591},
           Row{{kLlama, 30, 1, 5, 0}, 0.865529498},
           Row{{rsc1, 60, 0, 5, 10}, 0.660604409},
           Row{{kLlama, 30, 1, 5, 3}, 0.851760682},
           Row{{kLlama, 7.7545, 1.0 / 6, 10, 0}, 0.907950027},
       }) {
    EXPECT_NEAR(efficiency(row.model), row.efficiency, 1.1e-9) << row.efficiency;
  }
}

TEST(Daly, TheOptimumIsFlatAsO3Says) {
  // Printed as M = 185.585: 54 days over 419.
  constexpr double kLlama = 185.58472553699284;
  const double best = daly_interval(1, kLlama);
  EXPECT_NEAR(best, 18.604939, 5.1e-7);
  const double most = efficiency({kLlama, best, 1, 5, 0});
  EXPECT_NEAR(most, 0.875832, 5.1e-7);
  struct Row {
    double part;
    double of_most;
  };
  for (const Row& row :
       {Row{0.5, 0.975944}, Row{0.8, 0.997517}, Row{1.25, 0.997479}, Row{2, 0.974733}}) {
    EXPECT_NEAR(efficiency({kLlama, row.part * best, 1, 5, 0}) / most, row.of_most, 5.1e-7);
  }
}

TEST(Poisson, TailsOfO7) {
  struct Row {
    double per_day;
    double days;
    std::int64_t retries;
    double exhausted;
    double within;
  };
  for (const Row& row :
       {Row{419.0 / 54, 1, 10, 0.160957756948, 5.1e-13},
        Row{419.0 / 54, 1, 15, 0.00627595199556, 5.1e-15},
        Row{13.312, 0.5, 10, 0.0759071461204, 5.1e-14}, Row{0.832, 7, 10, 0.0357715239125, 5.1e-14},
        Row{0.832, 7, 3, 0.832386306851, 5.1e-13}, Row{419.0 / 54, 54, 450, 0.0632290406, 1e-10},
        Row{419.0 / 54, 54, 460, 0.0225744027, 1e-10}}) {
    EXPECT_NEAR(poisson_tail(row.per_day * row.days, row.retries), row.exhausted, row.within);
  }
  EXPECT_EQ(poisson_tail(3, -1), 1);
  EXPECT_EQ(poisson_tail(0, 0), 0);
}

TEST(Poisson, RetriesAreTheFewestThatDo) {
  // O7's second row: 15 retries leave 0.63 %, 14 more than 1 % (0.63 % and the term of 15, 0.79 %).
  EXPECT_EQ(poisson_retries(419.0 / 54, 0.01), 15);
  for (const double mean : {0.001, 0.5, 3.0, 60.0, 4000.0}) {
    for (const double tail : {0.5, 0.01, 1e-6}) {
      const std::int64_t k = poisson_retries(mean, tail);
      EXPECT_LE(poisson_tail(mean, k), tail);
      EXPECT_GT(poisson_tail(mean, k - 1), tail);
    }
  }
  EXPECT_EQ(poisson_retries(0, 0.01), 0);
}

TEST(Erlang, LossesOfO8) {
  struct Row {
    double load;
    std::int64_t spares;
    double halted;
    double within;
  };
  for (const Row& row :
       {Row{13.312, 13, 0.161994642, 5.1e-10}, Row{13.312, 20, 0.01340454841, 5.1e-12},
        Row{13.312, 25, 0.0006976807631, 5.1e-14}, Row{419.0 / 54, 16, 0.001609055778, 5.1e-13},
        Row{1, 3, 1.0 / 65, 1e-15}, Row{0.832, 4, 0.0014461088670117, 5.1e-17}}) {
    EXPECT_NEAR(erlang_b(row.spares + 1, row.load), row.halted, row.within) << row.load;
  }
}

TEST(Erlang, SmallestSparesOfO8) {
  EXPECT_EQ(spares_for(13.312, 0.01), 21);
  EXPECT_EQ(spares_for(13.312 * 5, 0.01), 81);
  EXPECT_EQ(spares_for(13.312 / 4, 0.01), 8);
  EXPECT_EQ(spares_for(7.7593, 0.01), 14);
  EXPECT_EQ(spares_for(13.312, 0.001), 25);
  EXPECT_EQ(spares_for(0, 0.01), 0);
}

}  // namespace
}  // namespace aftershock::sim::advise
