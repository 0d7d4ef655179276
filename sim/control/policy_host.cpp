#include "sim/control/policy_host.h"

#include <utility>

namespace aftershock::sim::control {

PolicyHost::PolicyHost(std::unique_ptr<policies::Policy> policy, policies::Inventory inventory,
                       policies::PodTerms terms)
    : policy_(std::move(policy)), view_(std::move(inventory)), terms_(std::move(terms)) {}

PolicyHost::PolicyHost(const PolicyHost& other)
    : policy_(other.policy_ ? other.policy_->clone() : nullptr),
      view_(other.view_),
      batch_(other.batch_),
      terms_(other.terms_) {}

PolicyHost& PolicyHost::operator=(const PolicyHost& other) {
  if (this != &other) {
    *this = PolicyHost(other);
  }
  return *this;
}

policies::Decision PolicyHost::answer(std::int64_t t_us, std::vector<policies::Event>& events,
                                      bool poll) {
  ++batch_.seq;
  batch_.t_us = t_us;
  batch_.poll = poll;
  // The old batch's storage comes back to the caller for its next events.
  std::swap(batch_.events, events);
  events.clear();
  // All of a batch is known at once: the view is that behind its last event when the first is
  // answered.
  for (const policies::Event& event : batch_.events) {
    view_.apply(event);
  }
  return policy_->on_events(batch_, view_);
}

}  // namespace aftershock::sim::control
