#include "sim/chance/draws.h"

#include <variant>

#include "base/assert.h"
#include "sim/chance/laws.h"

namespace aftershock::sim::chance {

namespace {

constexpr int kMaxRedraws = 100'000;

struct Drawer {
  RandomDraw& random;

  std::int64_t operator()(const scenario::Distribution::Constant& law) const {
    return law.value_us;
  }
  std::int64_t operator()(const scenario::Distribution::Exponential& law) const {
    return whole_us(standard_exponential(random) * static_cast<double>(law.mean_us));
  }
  std::int64_t operator()(const scenario::Distribution::Uniform& law) const {
    AFTERSHOCK_ASSERT(law.low_us <= law.high_us);
    const std::uint64_t count =
        static_cast<std::uint64_t>(law.high_us) - static_cast<std::uint64_t>(law.low_us) + 1;
    return law.low_us + static_cast<std::int64_t>(below(count, random));
  }
  std::int64_t operator()(const scenario::Distribution::Lognormal& law) const {
    return whole_us(standard_lognormal(law.sigma, random) * law.median_us);
  }
  std::int64_t operator()(const scenario::Distribution::Weibull& law) const {
    return whole_us(standard_weibull(law.shape, random) * law.scale_us);
  }
  std::int64_t operator()(const scenario::Distribution::Gamma& law) const {
    return whole_us(standard_gamma(law.shape, random) * law.scale_us);
  }
  std::int64_t operator()(const scenario::Distribution::Empirical& law) const {
    return law.values_us[below(law.values_us.size(), random)];
  }
};

}  // namespace

std::int64_t whole_us(double us) {
  constexpr double kLargest = 4e18;
  if (!(us > 0)) {
    return 0;
  }
  const auto whole = static_cast<std::int64_t>(us < kLargest ? us : kLargest);
  return us - static_cast<double>(whole) >= 0.5 && us < kLargest ? whole + 1 : whole;
}

std::int64_t draw_us(const scenario::Distribution& distribution, RandomDraw random) {
  for (int tries = 0; tries < kMaxRedraws; ++tries) {
    const std::int64_t value = std::visit(Drawer{random}, distribution.shape);
    if ((!distribution.min_us || value >= *distribution.min_us) &&
        (!distribution.max_us || value <= *distribution.max_us)) {
      return value;
    }
  }
  // The cut leaves next to nothing of the law: its nearer edge is the honest answer.
  return distribution.min_us ? *distribution.min_us : *distribution.max_us;
}

std::int64_t draw_exponential_us(double mean_us, RandomDraw random) {
  return whole_us(standard_exponential(random) * mean_us);
}

double draw_gamma(double shape, RandomDraw random) { return standard_gamma(shape, random) / shape; }

std::uint32_t draw_index(std::uint32_t count, RandomDraw random) {
  return static_cast<std::uint32_t>(below(count, random));
}

double draw_unit(RandomDraw random) { return unit(random); }

}  // namespace aftershock::sim::chance
