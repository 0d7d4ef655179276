#include "sim/chance/gamma_function.h"

#include <array>
#include <cstddef>
#include <limits>

// Range: x = 1 + f + n with a whole n and |f| <= 1/2; the function is that of 1 + f times the n
// factors 1 + f, 2 + f, ... Each factor rounds twice.
// Method: 1 / gamma(1 + f) by the first 20 terms of its power series (Abramowitz and
// Stegun 6.1.34), which leave 2^-57 of it.
namespace aftershock::sim::chance {

double gamma_function(double x) {
  constexpr std::array<double, 20> kSeries{1.0,
                                           0.5772156649015328606065,
                                           -0.655878071520253881077,
                                           -0.042002635034095235529,
                                           0.1665386113822914895017,
                                           -0.04219773455554433674821,
                                           -0.009621971527876973562115,
                                           0.007218943246663099542395,
                                           -0.001165167591859065112114,
                                           -0.0002152416741149509728157,
                                           0.0001280502823881161861532,
                                           -0.00002013485478078823865569,
                                           -0.000001250493482142670657345,
                                           0.000001133027231981695882374,
                                           -2.05633841697760710345e-7,
                                           6.116095104481415817862e-9,
                                           5.002007644469222930056e-9,
                                           -1.181274570487020144588e-9,
                                           1.043426711691100510492e-10,
                                           7.78226343990507125405e-12};
  // Of 171.7 the result is beyond a double.
  constexpr double kBeyond = 172;
  if (x >= kBeyond) {
    return std::numeric_limits<double>::infinity();
  }
  const auto n = static_cast<int>(x - 0.5);
  const double f = x - 1 - n;
  double inverse = 0;
  for (std::size_t i = kSeries.size(); i-- > 0;) {
    inverse = inverse * f + kSeries[i];
  }
  double product = 1 / inverse;
  for (int i = 1; i <= n; ++i) {
    product *= i + f;
  }
  return product;
}

}  // namespace aftershock::sim::chance
