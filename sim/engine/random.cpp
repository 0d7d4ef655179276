#include "sim/engine/random.h"

#include <cmath>
#include <limits>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/weibull_distribution.hpp>

#include "base/assert.h"

namespace aftershock::sim {

namespace {

// glibc picks its double exp, log and pow at run time by the processor's features, and their last
// bits differ; the long double ones have no such variants. So every law is drawn in long double.
using Real = long double;

constexpr int kMaxRedraws = 100'000;

std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
  h += 0x9e3779b97f4a7c15U + word;
  h = (h ^ (h >> 30U)) * 0xbf58476d1ce4e5b9U;
  h = (h ^ (h >> 27U)) * 0x94d049bb133111ebU;
  return h ^ (h >> 31U);
}

std::int64_t to_us(Real value) {
  constexpr Real kLargest = 4e18L;
  if (value <= 0) {
    return 0;
  }
  return value >= kLargest ? static_cast<std::int64_t>(kLargest) : std::llround(value);
}

struct Drawer {
  RandomDraw& random;

  std::int64_t operator()(const Distribution::Constant& law) const { return law.value_us; }
  std::int64_t operator()(const Distribution::Exponential& law) const {
    boost::random::exponential_distribution<Real> unit(1);
    return to_us(unit(random) * static_cast<Real>(law.mean_us));
  }
  std::int64_t operator()(const Distribution::Uniform& law) const {
    boost::random::uniform_int_distribution<std::int64_t> uniform(law.low_us, law.high_us);
    return uniform(random);
  }
  std::int64_t operator()(const Distribution::Lognormal& law) const {
    boost::random::lognormal_distribution<Real> unit(0, static_cast<Real>(law.sigma));
    return to_us(unit(random) * static_cast<Real>(law.median_us));
  }
  std::int64_t operator()(const Distribution::Weibull& law) const {
    boost::random::weibull_distribution<Real> weibull(static_cast<Real>(law.shape),
                                                      static_cast<Real>(law.scale_us));
    return to_us(weibull(random));
  }
  std::int64_t operator()(const Distribution::Gamma& law) const {
    boost::random::gamma_distribution<Real> gamma(static_cast<Real>(law.shape),
                                                  static_cast<Real>(law.scale_us));
    return to_us(gamma(random));
  }
  std::int64_t operator()(const Distribution::Empirical& law) const {
    boost::random::uniform_int_distribution<std::size_t> index(0, law.values_us.size() - 1);
    return law.values_us[index(random)];
  }
};

}  // namespace

RandomDraw::RandomDraw(const RandomKey& key, std::uint64_t n, Purpose purpose) {
  std::uint64_t h = mix(0, key.seed);
  h = mix(h, key.branch);
  h = mix(h, static_cast<std::uint64_t>(key.source));
  h = mix(h, key.entity);
  key_[0] = static_cast<std::uint32_t>(h);
  key_[1] = static_cast<std::uint32_t>(h >> 32U);
  counter_[0] = static_cast<std::uint32_t>(n);
  counter_[1] = static_cast<std::uint32_t>(n >> 32U);
  counter_[2] = static_cast<std::uint32_t>(purpose);
  counter_[3] = 0;
}

RandomDraw::result_type RandomDraw::operator()() {
  if (used_ == 4) {
    r123::Philox4x32 philox;
    block_ = philox(counter_, key_);
    ++counter_[3];
    used_ = 0;
  }
  return block_[used_++];
}

std::int64_t draw_us(const Distribution& distribution, RandomDraw random) {
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

std::int64_t draw_exponential_us(long double mean_us, RandomDraw random) {
  boost::random::exponential_distribution<Real> unit(1);
  return to_us(unit(random) * mean_us);
}

long double draw_gamma(long double shape, RandomDraw random) {
  boost::random::gamma_distribution<Real> gamma(shape, 1 / shape);
  return gamma(random);
}

std::uint32_t draw_index(std::uint32_t count, RandomDraw random) {
  AFTERSHOCK_ASSERT(count > 0);
  boost::random::uniform_int_distribution<std::uint32_t> index(0, count - 1);
  return index(random);
}

long double draw_unit(RandomDraw random) {
  boost::random::uniform_01<Real> unit;
  return unit(random);
}

}  // namespace aftershock::sim
