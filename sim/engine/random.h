#pragma once

#include <array>
#include <cstdint>

#include <Random123/philox.h>

#include "sim/scenario/distribution.h"

namespace aftershock::sim {

/// The purpose of a draw; draws for different purposes never share numbers.
enum class Purpose : std::uint32_t {
  kArrival,
  kTarget,
  kCause,
  kRepair,
  kProvision,
  kLasts,
  kLaunching,
  kRendezvous,
  kRestoring,
  kWarmingUp,
  kTearingDown,
  kFinalizing,
  kUploadRetry,
  kStep,
  kHeal,
  kHealFails,
  kStormError,
  kEscalation,
  kUnitGap,
  kUnitRate,
  kBurst,
  kBurstTime,
  kDefect,
  kAccelerator,
  kGenerator,
};

/// Kinds of things that own random numbers.
enum class RandomSource : std::uint32_t { kFault, kNode, kJob, kHead, kTrial, kGenerator };

/// Names a family of draws: the same key gives the same numbers whatever else a run does.
struct RandomKey {
  std::uint64_t seed = 0;
  std::uint64_t branch = 0;  ///< which future of a copied world
  RandomSource source = RandomSource::kFault;
  std::uint64_t entity = 0;
};

/// The numbers for draw `n` of one purpose: a counter-based generator (Philox 4x32-10) whose
/// counter holds (n, purpose), so that no draw depends on how many numbers another one took.
/// Meets the standard's uniform random bit generator requirements.
class RandomDraw {
 public:
  using result_type = std::uint32_t;

  RandomDraw(const RandomKey& key, std::uint64_t n, Purpose purpose);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xffffffffU; }
  result_type operator()();

 private:
  r123::Philox4x32::key_type key_{};
  r123::Philox4x32::ctr_type counter_{};
  r123::Philox4x32::ctr_type block_{};
  unsigned used_ = 4;
};

/// A length of time from the distribution, in whole microseconds, at least 0.
std::int64_t draw_us(const Distribution& distribution, RandomDraw random);

/// An exponential gap with the given mean, in whole microseconds.
std::int64_t draw_exponential_us(long double mean_us, RandomDraw random);

/// From the gamma law with this shape and mean 1.
long double draw_gamma(long double shape, RandomDraw random);

/// Uniform over 0 .. count-1.
std::uint32_t draw_index(std::uint32_t count, RandomDraw random);

/// Uniform over [0, 1).
long double draw_unit(RandomDraw random);

}  // namespace aftershock::sim
