#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "policies/api/policy.h"

namespace aftershock::sim {

/// The memory of a mutant from one decision to the next.
struct Memo {
  int times = 0;
  std::vector<policies::Command> commands;
  std::vector<policies::BudgetMove> moves;
};

/// How a policy goes wrong: what it hears before it decides, and what it says when it has. Either
/// may be left out.
struct Mutation {
  std::function<void(policies::Batch&, Memo&)> hears;
  std::function<void(const policies::Batch&, policies::Decision&, Memo&)> says;
};

/// A policy that goes wrong in one way.
class Mutant final : public policies::Policy {
 public:
  Mutant(std::unique_ptr<policies::Policy> policy, Mutation mutation)
      : policy_(std::move(policy)), mutation_(std::move(mutation)) {}
  Mutant(const Mutant& other)
      : Policy(other),
        policy_(other.policy_->clone()),
        mutation_(other.mutation_),
        memo_(other.memo_) {}
  Mutant& operator=(const Mutant&) = delete;
  ~Mutant() override = default;

  [[nodiscard]] const policies::PolicyInfo& info() const override { return policy_->info(); }
  [[nodiscard]] policies::Decision on_events(const policies::Batch& batch,
                                             const policies::View& view) override {
    policies::Batch heard = batch;
    if (mutation_.hears) {
      mutation_.hears(heard, memo_);
    }
    policies::Decision decision = policy_->on_events(heard, view);
    if (mutation_.says) {
      mutation_.says(batch, decision, memo_);
    }
    return decision;
  }
  [[nodiscard]] nlohmann::json durable(policies::TimeUs at_us) const override {
    return policy_->durable(at_us);
  }
  [[nodiscard]] std::uint16_t state() const override { return policy_->state(); }
  [[nodiscard]] std::vector<policies::BudgetState> budgets() const override {
    return policy_->budgets();
  }
  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<Mutant>(*this);
  }

 private:
  std::unique_ptr<policies::Policy> policy_;
  Mutation mutation_;
  Memo memo_;
};

/// Calls `change(Asked&)` for every command of this type.
template <class Asked, class Change>
void each(policies::Decision& decision, Change change) {
  for (policies::Step& step : decision.steps) {
    for (policies::Command& command : step.commands) {
      if (auto* asked = std::get_if<Asked>(&command)) {
        change(*asked);
      }
    }
  }
}

/// The first command of this type, none where there is none.
template <class Asked>
const Asked* first(const policies::Decision& decision) {
  for (const policies::Step& step : decision.steps) {
    for (const policies::Command& command : step.commands) {
      if (const auto* asked = std::get_if<Asked>(&command)) {
        return asked;
      }
    }
  }
  return nullptr;
}

/// Says the same, but for every command of this type.
template <class Asked, class Change>
Mutation changes(Change change) {
  return {.hears = {},
          .says = [change](const policies::Batch&, policies::Decision& decision, Memo&) {
            each<Asked>(decision, change);
          }};
}

/// Says the same without the commands of this type.
template <class Asked>
Mutation drops() {
  return {.hears = {}, .says = [](const policies::Batch&, policies::Decision& decision, Memo&) {
            for (policies::Step& step : decision.steps) {
              std::erase_if(step.commands, [](const policies::Command& command) {
                return std::holds_alternative<Asked>(command);
              });
            }
          }};
}

/// Says what `change` makes of it, or hears that.
inline Mutation says(void (*change)(const policies::Batch&, policies::Decision&, Memo&)) {
  return {.hears = {}, .says = change};
}
inline Mutation hears(void (*change)(policies::Batch&, Memo&)) {
  return {.hears = change, .says = {}};
}

}  // namespace aftershock::sim
