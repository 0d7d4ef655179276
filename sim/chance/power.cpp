#include "sim/chance/power.h"

#include "sim/chance/exponential.h"
#include "sim/chance/logarithm.h"

namespace aftershock::sim::chance {

double power(double x, double y) { return exponential(y * logarithm(x)); }

}  // namespace aftershock::sim::chance
