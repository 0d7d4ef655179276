#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "reports/statistics/laws.h"
#include "sim/chance/exponential.h"
#include "sim/chance/gamma_function.h"
#include "sim/scenario/shape/check.h"
#include "sim/scenario/shape/fields.h"

namespace aftershock::sim {
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
  return {rounded(mean_of(law) * exponential(-sigma * sigma / 2)), sigma};
}

/// Share of the draws below a value; for the law of each type.
double below(const Distribution::Constant& law, double us) {
  return us >= static_cast<double>(law.value_us) ? 1 : 0;
}
double below(const Distribution::Exponential& law, double us) {
  return 1 - std::exp(-us / static_cast<double>(law.mean_us));
}
double below(const Distribution::Uniform& law, double us) {
  const auto low = static_cast<double>(law.low_us);
  const auto high = static_cast<double>(law.high_us);
  if (us <= low) return us == low && low == high ? 1 : 0;
  return us >= high ? 1 : (us - low) / (high - low);
}
double below(const Distribution::Lognormal& law, double us) {
  return us <= 0 ? 0 : std::erfc(-std::log(us / law.median_us) / (law.sigma * std::sqrt(2.0))) / 2;
}
double below(const Distribution::Weibull& law, double us) {
  return 1 - std::exp(-std::pow(us / law.scale_us, law.shape));
}
double below(const Distribution::Gamma& law, double us) {
  return us <= 0 ? 0 : reports::gamma_cdf(law.shape, us / law.scale_us);
}
double below(const Distribution::Empirical& law, double us) {
  const auto count = std::count_if(law.values_us.begin(), law.values_us.end(),
                                   [&](std::int64_t v) { return static_cast<double>(v) <= us; });
  return static_cast<double>(count) / static_cast<double>(law.values_us.size());
}

/// Share of the draws that a cut leaves. It is drawn again until one is inside, so it must not be
/// nothing.
double share_inside(const Distribution& distribution) {
  return std::visit(
      [&](const auto& law) {
        // Just below min, so that values equal to it are inside.
        const double under =
            distribution.min_us ? below(law, static_cast<double>(*distribution.min_us) - 0.5) : 0;
        const double up_to =
            distribution.max_us ? below(law, static_cast<double>(*distribution.max_us)) : 1;
        return up_to - under;
      },
      distribution.shape);
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
    result.shape =
        Distribution::Weibull{rounded(mean_of(*weibull) / gamma_function(1 + 1 / shape)), shape};
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

}  // namespace aftershock::sim
