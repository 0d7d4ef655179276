#include <ostream>

#include <gtest/gtest.h>

#include "tests/validation/formulas.h"
#include "tests/validation/renewal.h"

// Oracles O2 and O3: where the best interval lies, and how flat the efficiency is around it. The
// first orders and the exact optimum are formulas, held to the printed digits; the simulation is
// held to the exact efficiency (O4) at those intervals, since an optimum so flat cannot be found by
// looking for the best of simulated runs.
namespace aftershock::sim::validation {
namespace {

struct Young {
  const char* name;
  double d;
  double mtbf;
  double tau;
  double root;  ///< sqrt(2 d / M); 0: not printed
};

void PrintTo(const Young& row, std::ostream* out) { *out << row.name; }

class O2 : public testing::TestWithParam<Young> {};

TEST_P(O2, YoungsInterval) {
  const Young& row = GetParam();
  constexpr double kRestart = 5;
  const double tau = young_tau(row.d, row.mtbf);
  expect_printed("tau", tau, row.tau, 6);
  if (row.root > 0) {
    expect_printed("overhead", young_overhead(tau, row.d, 0, row.mtbf), row.root, 6);
  }
  // First order: the overhead that it leaves out is that of d + R against M, twice and more.
  const Renewal renewal{row.name, tau, row.d, kRestart, 0, row.mtbf, 400, 100};
  const double exact = 1 / renewal.efficiency() - 1;
  const double first_order = young_overhead(tau, row.d, kRestart, row.mtbf);
  EXPECT_GT(exact, first_order);
  expect_renewal(renewal);
}

INSTANTIATE_TEST_SUITE_P(Rows, O2,
                         testing::Values(Young{"day", 5, 1440, 120.000000, 0.083333},
                                         Young{"six_hours", 5, 360, 60.000000, 0},
                                         Young{"rsc1", 1, 1440 / 13.0, 14.884168, 0.134371}),
                         [](const auto& row) { return row.param.name; });

struct Daly {
  const char* name;
  double d;
  double mtbf;
  double restart;
  double young;
  double first;
  double higher;
  double exact;
  double argmin;
  std::int64_t segments;
};

void PrintTo(const Daly& row, std::ostream* out) { *out << row.name; }

class O3 : public testing::TestWithParam<Daly> {};

TEST_P(O3, DalysInterval) {
  const Daly& row = GetParam();
  expect_printed("Young", young_tau(row.d, row.mtbf), row.young, 6);
  expect_printed("first order", daly_first_tau(row.d, row.restart, row.mtbf), row.first, 6);
  expect_printed("higher order", daly_higher_tau(row.d, row.mtbf), row.higher, 6);
  const double tau = daly_exact_tau(row.d, row.mtbf);
  expect_printed("exact", tau, row.exact, 9);
  expect_printed("argmin", tau, row.argmin, 5);
  // It is the best: to both sides the exact efficiency is less.
  const Renewal best{row.name, tau, row.d, row.restart, 0, row.mtbf, row.segments, 100};
  for (const double factor : {0.999, 1.001}) {
    Renewal beside = best;
    beside.tau *= factor;
    EXPECT_LT(beside.efficiency(), best.efficiency()) << factor;
  }
  expect_renewal(best);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, O3,
    testing::Values(
        Daly{"day", 5, 1440, 10, 120.000000, 115.415946, 116.689815, 116.690073327, 116.69007, 400},
        Daly{"six_hours", 5, 360, 10, 60.000000, 55.827625, 56.712963, 56.714001999, 56.71400, 400},
        Daly{"quarter_hour", 5, 15, 10, 12.247449, 10.811388, 9.140920, 9.166502821, 9.16650, 100},
        Daly{"llama", 5, kLlama, 10, 43.079546, 39.224962, 39.810693, 39.812715302, 39.81272, 400},
        Daly{"llama_quick_save", 1 / 6.0, kLlama, 5, 7.865213, 7.803794, 7.754494, 7.754496503,
             7.75450, 400},
        Daly{"rsc1", 1, 1440 / 13.0, 5, 14.884168, 14.216388, 14.224967, 14.225101365, 14.22510,
             400}),
    [](const auto& row) { return row.param.name; });

struct Flat {
  const char* name;
  double factor;  ///< of the best interval
  double printed;
};

void PrintTo(const Flat& row, std::ostream* out) { *out << row.name; }

class O3Flatness : public testing::TestWithParam<Flat> {};

TEST_P(O3Flatness, AroundTheBest) {
  const Flat& row = GetParam();
  constexpr double kMtbf = kLlama;
  const double best = daly_exact_tau(1, kMtbf);
  expect_printed("tau", best, 18.604939, 6);
  const double most = efficiency(1 / kMtbf, best, 1, 5);
  expect_printed("efficiency", most, 0.875832, 6);
  const Renewal renewal{row.name, row.factor * best, 1, 5, 0, kMtbf, 400, 200};
  expect_printed("of the best", renewal.efficiency() / most, row.printed, 6);
  expect_renewal(renewal);
}

INSTANTIATE_TEST_SUITE_P(Rows, O3Flatness,
                         testing::Values(Flat{"half", 0.5, 0.975944}, Flat{"less", 0.8, 0.997517},
                                         Flat{"best", 1, 1}, Flat{"more", 1.25, 0.997479},
                                         Flat{"twice", 2, 0.974733}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace aftershock::sim::validation
