#pragma once

#include <memory>
#include <vector>

#include "policies/api/pod_terms.h"
#include "policies/api/policy.h"

namespace aftershock::sim::control {

/// Runs one job's policy: numbers its batches and folds them into its view. A value: copying it
/// copies the policy whole.
class PolicyHost {
 public:
  PolicyHost() = default;
  PolicyHost(std::unique_ptr<policies::Policy> policy, policies::Inventory inventory,
             policies::PodTerms terms = {});
  PolicyHost(const PolicyHost& other);
  PolicyHost& operator=(const PolicyHost& other);
  PolicyHost(PolicyHost&&) = default;
  PolicyHost& operator=(PolicyHost&&) = default;
  ~PolicyHost() = default;

  /// The policy's description of itself.
  [[nodiscard]] const policies::PolicyInfo& info() const { return policy_->info(); }
  [[nodiscard]] const policies::Policy& policy() const { return *policy_; }
  /// The terms of its configuration, where it is a policy of pods.
  [[nodiscard]] const policies::PodTerms& terms() const { return terms_; }

  /// Its process is killed: nothing is asked of it again.
  void kill() { policy_->killed(); }

  /// Hands the events over as the next batch, which is one of a `poll`; `batch()` gives it until
  /// the next call.
  policies::Decision answer(std::int64_t t_us, std::vector<policies::Event>& events,
                            bool poll = false);
  [[nodiscard]] const policies::Batch& batch() const { return batch_; }

 private:
  std::unique_ptr<policies::Policy> policy_;
  policies::View view_;
  policies::Batch batch_;
  policies::PodTerms terms_;
};

}  // namespace aftershock::sim::control
