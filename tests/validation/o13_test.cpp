#include <ostream>

#include <gtest/gtest.h>

#include "tests/validation/formulas.h"
#include "tests/validation/renewal.h"

// Oracle O13: the period of checkpoints that NVIDIA gives, and the availability it maximises. The
// period includes the save.
//
// Its relation to O4: with lam = 1/Tf and x = lam Tc, y = lam Tr,
//   A     = (1 - Ts/Tc) / (1 + y + x/2)
//   exact = (1 - Ts/Tc) / (e^y (e^x - 1)/x)
// whose denominators agree to the first order; the second is s = y^2/2 + x y/2 + x^2/6 larger, and
// all that follows makes it no more than s e^(x+y).
namespace aftershock::sim::validation {
namespace {

struct Period {
  const char* name;
  double save;
  double mtbf;
  double restart;
  double factor;        ///< of the best period
  double printed_best;  ///< where factor is 1
  double printed_availability;
};

void PrintTo(const Period& row, std::ostream* out) { *out << row.name; }

class O13 : public testing::TestWithParam<Period> {};

TEST_P(O13, Availability) {
  const Period& row = GetParam();
  const double best = best_period(row.save, row.mtbf, row.restart);
  const double most = availability(best, row.save, row.mtbf, row.restart);
  const double period = row.factor * best;
  const double first_order = availability(period, row.save, row.mtbf, row.restart);
  if (row.factor == 1) {
    expect_printed("best period", best, row.printed_best, 9);
    expect_printed("availability", most, row.printed_availability, 9);
  } else {
    EXPECT_LT(first_order, most);
  }
  const Renewal renewal{row.name, period - row.save, row.save, row.restart, 0, row.mtbf, 400, 100};
  const double x = period / row.mtbf;
  const double y = row.restart / row.mtbf;
  const double second = (y * y / 2 + x * y / 2 + x * x / 6) / (1 + y + x / 2);
  const double gap = first_order / renewal.efficiency() - 1;
  EXPECT_GT(gap, second * (1 - 1e-9));
  EXPECT_LT(gap, second * std::exp(x + y));
  expect_renewal(renewal);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, O13,
    testing::Values(Period{"day", 5, 1440, 10, 1, 125.519707932, 0.913984124},
                    Period{"day_half", 5, 1440, 10, 0.5, 0, 0},
                    Period{"day_twice", 5, 1440, 10, 2, 0, 0},
                    Period{"llama", 1, kLlama, 5, 1, 20.549154741, 0.878990739},
                    Period{"llama_half", 1, kLlama, 5, 0.5, 0, 0},
                    Period{"llama_twice", 1, kLlama, 5, 2, 0, 0},
                    Period{"rsc1", 0.1, 110.7692, 5, 1, 4.912882712, 0.917859532},
                    Period{"rsc1_half", 0.1, 110.7692, 5, 0.5, 0, 0},
                    Period{"rsc1_twice", 0.1, 110.7692, 5, 2, 0, 0}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace aftershock::sim::validation
