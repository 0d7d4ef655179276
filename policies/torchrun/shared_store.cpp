#include <cstdint>
#include <limits>

#include "policies/torchrun/agents.h"

// The profile whose workers meet in their agents' store.
namespace aftershock::policies::torchrun {
namespace {

// With a shared store, by 90 live runs of torch 2.15 with gloo, 30 each with a monitor interval of
// 0.1, 1 and 5 s, which did not differ by more than chance: 26 restarts came up, 25 after more
// failures, 33 s later, and 39 not within a minute (docs/live.md).
constexpr std::uint64_t kClean = 26;
constexpr std::uint64_t kLate = 25;
constexpr std::uint64_t kDead = 39;
constexpr DurationUs kSharedFailsUs = 33 * kSecondUs;
constexpr DurationUs kSharedJoinUs = 60 * kSecondUs;  // a newcomer waits so long for an address

/// Splitmix64's last step: of numbers that follow each other it makes unlike ones.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31U);
}

}  // namespace

// New workers of several agents look for each other by what the last ones have left in the store.
void Torchrun::draw_restart(Turn& turn, Index at) {
  if (!config_.shares_store || workers_ <= config_.nproc_per_node || !gone().empty()) {
    return;
  }
  const std::uint64_t drawn =
      mixed(mixed(mixed(config_.seed) + job_) + draws_++) % (kClean + kLate + kDead);
  fails_ = drawn < kClean           ? 0
           : drawn < kClean + kLate ? 1
                                    : std::numeric_limits<std::uint32_t>::max();
  joins_ = false;
  meeting_us_ = fails_ > 0 ? kSharedFailsUs : 0;
  if (meeting_us_ > 0) {
    add_step(turn, rule(RuleId::kSharedRestart), PodGroupState::kRestarting, at);
  }
}

bool Torchrun::met(Turn& turn, Index at) {
  if (joins_) {
    give_up(turn, at, rule(RuleId::kSharedJoin));
    return false;
  }
  const BudgetMove move = restarts_.charge(everyone(), 0, ChargeCause::kApplication);
  if (move.exhausted) {
    fail(turn, at, rule(RuleId::kExhausted), "exhausted(max_restarts)").budgets.push_back(move);
    return false;
  }
  add_step(turn, rule(RuleId::kSharedFails), PodGroupState::kRestarting, at)
      .budgets.push_back(move);
  meeting_us_ = --fails_ > 0 ? kSharedFailsUs : 0;
  return true;
}

void Torchrun::draw_join() {
  if (config_.shares_store) {
    joins_ = true;
    meeting_us_ = kSharedJoinUs;
  }
}

}  // namespace aftershock::policies::torchrun
