#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/chance/exponential.h"
#include "sim/chance/gamma_function.h"
#include "sim/chance/of_laws.h"
#include "sim/scenario/shape/check.h"
#include "sim/scenario/shape/fields.h"

namespace aftershock::sim::scenario {
namespace {

std::int64_t duration(const LocatedValue& value) {
  return std::get<std::int64_t>(parse_duration(std::get<std::string>(value.data)));
}

double mean_of(const LocatedValue& law) { return static_cast<double>(duration(*law.find("mean"))); }

/// Whole microseconds, as all other lengths of time.
double rounded(double us) { return std::max(1.0, std::round(us)); }

Distribution::Lognormal read_lognormal(const LocatedValue& law) {
  const double sigma = *any_number(*law.find("sigma"));
  if (const LocatedValue* median = law.find("median")) {
    return {static_cast<double>(duration(*median)), sigma};
  }
  return {rounded(mean_of(law) * chance::exponential(-sigma * sigma / 2)), sigma};
}

/// Share of the draws that a cut leaves. It is drawn again until one is inside, so it must not be
/// nothing.
double share_inside(const Distribution& law) {
  // Just below min, so that values equal to it are inside.
  const double under =
      law.min_us ? chance::share_up_to(law, static_cast<double>(*law.min_us) - 0.5) : 0;
  const double up_to = law.max_us ? chance::share_up_to(law, static_cast<double>(*law.max_us)) : 1;
  return up_to - under;
}

void check_cut(const LocatedValue& value, const Distribution& distribution, ErrorList& errors) {
  const auto& [shape, min_us, max_us] = distribution;
  if (min_us && max_us && *min_us > *max_us) {
    errors.add(*value.find("min"), {"\"min\" is above \"max\"", "at most \"max\"", {}});
    return;
  }
  if (!min_us && !max_us) return;
  constexpr double kLeast = 1e-3;
  if (share_inside(distribution) >= kLeast) return;
  errors.add(*value.find(min_us ? "min" : "max"),
             {"the cut leaves less than one draw in a thousand", "a cut that the law reaches", {}});
}

}  // namespace

Distribution read_distribution(const LocatedValue& value, ErrorList& errors) {
  if (value.get_if<std::string>() != nullptr) return Distribution::constant(duration(value));
  Distribution result = Distribution::constant(0);
  if (const LocatedValue* exponential = value.find("exponential")) {
    result.shape = Distribution::Exponential{duration(*exponential->find("mean"))};
  } else if (const LocatedValue* uniform = value.find("uniform")) {
    const auto& ends = std::get<LocatedValue::List>(uniform->data);
    const Distribution::Uniform law{duration(ends[0]), duration(ends[1])};
    if (law.low_us > law.high_us) {
      errors.add(*uniform,
                 {"the first duration is longer than the second", "the shorter one first", {}});
    }
    result.shape = law;
  } else if (const LocatedValue* lognormal = value.find("lognormal")) {
    result.shape = read_lognormal(*lognormal);
  } else if (const LocatedValue* weibull = value.find("weibull")) {
    const double shape = *any_number(*weibull->find("shape"));
    result.shape = Distribution::Weibull{
        rounded(mean_of(*weibull) / chance::gamma_function(1 + 1 / shape)), shape};
  } else if (const LocatedValue* gamma = value.find("gamma")) {
    const double shape = *any_number(*gamma->find("shape"));
    result.shape = Distribution::Gamma{mean_of(*gamma) / shape, shape};
  } else {
    Distribution::Empirical law;
    for (const auto& element : std::get<LocatedValue::List>(value.find("empirical")->data)) {
      law.values_us.push_back(duration(element));
    }
    result.shape = std::move(law);
  }
  if (const LocatedValue* min = value.find("min")) result.min_us = duration(*min);
  if (const LocatedValue* max = value.find("max")) result.max_us = duration(*max);
  check_cut(value, result, errors);
  return result;
}

}  // namespace aftershock::sim::scenario
