#include "sim/advise/looks.h"

#include <algorithm>

namespace aftershock::sim::advise {

void begin_looks(const AdviceQuestion& question, sweep::Plan& plan) {
  for (std::size_t cell = question.choices.size(); cell < plan.cells.size(); ++cell) {
    plan.cells[cell].replicas = std::min(kFirstLook, plan.replicas);
  }
}

bool look_again(const AdviceQuestion& question, const Advice& advice, sweep::Plan& plan) {
  bool more = false;
  for (std::size_t rate = 1; rate < advice.results.size(); ++rate) {
    for (std::size_t choice = 0; choice < question.choices.size(); ++choice) {
      const Keeps keeps = advice.results[rate][choice].keeps;
      auto& replicas = plan.cells[rate * question.choices.size() + choice].replicas;
      if (keeps == Keeps::kSurely || keeps == Keeps::kNot || !replicas ||
          *replicas >= plan.replicas) {
        continue;
      }
      replicas = *replicas > plan.replicas / 2 ? plan.replicas : 2 * *replicas;
      more = true;
    }
  }
  return more;
}

}  // namespace aftershock::sim::advise
