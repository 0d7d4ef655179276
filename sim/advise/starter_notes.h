#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/advise/starter_numbers.h"
#include "sim/advise/starter_policies.h"
#include "sim/advise/starter_spot.h"

// The words of a scenario to start from: its question, and where each number is from.
namespace aftershock::sim::advise {

/// All that decides what the scenario says.
struct StarterTerms {
  std::string pool;         ///< "npu" or "gpu": of the kind, and of the pool
  bool pods = false;        ///< the policy is told of nodes and chips, and pays for pods
  bool makes_pods = false;  ///< the policy starts pods, whose number costs
  bool experiment = false;  ///< many trials, not one job
  std::int64_t days = 0;
  bool days_told = true;
  bool policy_told = true;
  bool with_env = false;  ///< the policy is this one by its job's environment alone
  std::uint32_t accelerators = 0;
  std::int64_t trial_steps = 0;  ///< of an experiment, 10 min each
  std::string collective_timeout;
  StarterNumbers numbers;
  std::optional<StarterPolicy> other;  ///< the words about policies with settings of their own
  std::optional<StarterSpot> spot;     ///< none: no market takes nodes back
  std::string annotations;             ///< as JSON, of a policy that reads them
  bool annotations_told = false;       ///< else they are what this program suggests
};

/// One sentence.
std::string starter_question(const StarterTerms& terms, const scenario::PolicySpec& policy);

/// A note for every number, which begins with its place and says where it is from: by a flag, by a
/// source with its year, or that it is an assumption.
std::vector<std::string> starter_notes(const StarterTerms& terms,
                                       const scenario::PolicySpec& policy);

}  // namespace aftershock::sim::advise
