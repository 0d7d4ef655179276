#include "policies/ray_tune/trial.h"

namespace aftershock::policies::ray_tune {
namespace {

std::string five_digits(std::uint32_t number) {
  constexpr std::size_t kDigits = 5;
  std::string digits = std::to_string(number);
  if (digits.size() < kDigits) {
    digits.insert(0, kDigits - digits.size(), '0');
  }
  return digits;
}

}  // namespace

std::string trial_id(const Trial& trial, std::uint32_t number) {
  return five_digits(trial.session) + '_' + five_digits(number);
}

std::vector<CheckpointId> register_checkpoint(Trial& trial, CheckpointId checkpoint,
                                              std::optional<std::uint32_t> num_to_keep) {
  std::vector<CheckpointId> dropped;
  trial.checkpoint = checkpoint;
  if (num_to_keep) {
    trial.kept.push_back(checkpoint);
    while (trial.kept.size() > *num_to_keep) {
      dropped.push_back(trial.kept.front());
      trial.kept.erase(trial.kept.begin());
    }
  }
  return dropped;
}

}  // namespace aftershock::policies::ray_tune
