#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/advise/starter_numbers.h"
#include "sim/advise/starter_policies.h"

// The words of a scenario to start from: its question, and where each number is from.
namespace aftershock::sim {

/// All that decides what the scenario says.
struct StarterTerms {
  std::string pool;         ///< "npu" or "gpu": of the kind, and of the pool
  bool pods = false;        ///< the policy is told of nodes and chips, and pays for pods
  bool experiment = false;  ///< many trials, not one job
  std::int64_t days = 0;
  std::uint32_t accelerators = 0;
  std::int64_t trial_steps = 0;  ///< of an experiment, 10 min each
  std::string collective_timeout;
  StarterNumbers numbers;
  std::optional<StarterPolicy> other;  ///< what is said of policies with settings of their own
};

/// One sentence.
std::string starter_question(const StarterTerms& terms, const PolicySpec& policy);

/// A note for everything that a user may want to change, beginning with its place.
std::vector<std::string> starter_notes(const StarterTerms& terms);

}  // namespace aftershock::sim
