#pragma once

#include <cstdint>
#include <string_view>

#include <Random123/philox.h>

// Chance: every draw is a function of seed, future, owner, purpose and number. Owners are told
// apart by their names and not by their places in the scenario, so that what is added to a list
// changes no draw of what stands there already:
//
// | source     | owner                       | number                                           |
// |------------|-----------------------------|--------------------------------------------------|
// | kFault     | the fault's id              | the occurrence; a unit's gap; one of a series    |
// | kNode      | its pool's name, its slot   | the machine in the slot, and its isolations      |
// | kJob       | the job's name              | the attempt; a checkpoint's upload               |
// | kHead      | the head's name             | the restart                                      |
// | kTrial     | experiment, trial's number  | the attempt; 0 for what stays the trial's        |
// | kGenerator | nobody: the seed alone      | one after the other, of a generated scenario     |
// | kSplitting | nobody: a future of its own | 0                                                |
namespace aftershock::sim::chance {

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
  kCured,
  kPeerSeen,
  kPeerGone,
};

/// Kinds of things that own random numbers.
enum class RandomSource : std::uint32_t {
  kFault,
  kNode,
  kJob,
  kHead,
  kTrial,
  kGenerator,
  kSplitting,
};

/// Names a family of draws: the same key gives the same numbers whatever else a run does.
struct RandomKey {
  std::uint64_t seed = 0;
  std::uint64_t branch = 0;  ///< which future of a copied world
  RandomSource source = RandomSource::kFault;
  std::uint64_t entity = 0;  ///< of named()
};

/// The entity of that name, or one of its parts: a hash of 64 bits, so that two names of a scenario
/// meet once in 10^15 scenarios.
std::uint64_t named(std::string_view name, std::uint64_t part = 0);

/// The numbers for draw `n` of one purpose: a counter-based generator (Philox 4x32-10) whose
/// counter holds (n, source, purpose), so that no draw depends on how many numbers another one
/// took.
class RandomDraw {
 public:
  RandomDraw(const RandomKey& key, std::uint64_t n, Purpose purpose);

  /// 32 bits, and 64.
  std::uint32_t bits32() {
    if (used_ == 4) {
      make_block();
    }
    return block_[used_++];
  }
  std::uint64_t bits64() {
    const std::uint64_t low = bits32();
    return low | std::uint64_t{bits32()} << 32U;
  }

 private:
  void make_block();

  r123::Philox4x32::key_type key_{};
  r123::Philox4x32::ctr_type counter_{};
  r123::Philox4x32::ctr_type block_{};
  unsigned used_ = 4;
};

}  // namespace aftershock::sim::chance
