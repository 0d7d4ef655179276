#include "sim/control/policy_host.h"

#include <memory>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::sim::control {
namespace {

/// Counts its batches as its state, and keeps what it was told.
class Listener final : public policies::Policy {
 public:
  [[nodiscard]] const policies::PolicyInfo& info() const override { return info_; }
  policies::Decision on_events(const policies::Batch& batch, const policies::View& view) override {
    ++heard_;
    last_ = batch;
    node_reachable_ = view.reachable(0);
    return {};
  }
  [[nodiscard]] nlohmann::json durable(policies::TimeUs) const override { return {}; }
  [[nodiscard]] std::uint16_t state() const override { return heard_; }
  [[nodiscard]] std::vector<policies::BudgetState> budgets() const override { return {}; }
  [[nodiscard]] std::unique_ptr<policies::Policy> clone() const override {
    return std::make_unique<Listener>(*this);
  }

  [[nodiscard]] const policies::Batch& last() const { return last_; }
  [[nodiscard]] bool node_reachable() const { return node_reachable_; }

 private:
  policies::PolicyInfo info_;
  std::uint16_t heard_ = 0;
  policies::Batch last_;
  bool node_reachable_ = true;
};

PolicyHost host() {
  policies::Inventory inventory;
  inventory.nodes.push_back({.pool = "p", .prefix = "p-", .first = 0, .count = 1});
  return {std::make_unique<Listener>(), std::move(inventory)};
}

const Listener& listener(const PolicyHost& host) {
  return dynamic_cast<const Listener&>(host.policy());
}

TEST(PolicyHost, NumbersBatchesAndTakesTheirEvents) {
  PolicyHost subject = host();
  std::vector<policies::Event> events{policies::JobSubmitted{.job = 0, .workers = 8}};
  subject.answer(0, events);
  EXPECT_TRUE(events.empty()) << "the next batch starts with none";
  EXPECT_EQ(subject.batch().seq, 1U);
  EXPECT_EQ(listener(subject).last().events.size(), 1U);
  subject.answer(7, events);
  EXPECT_EQ(subject.batch().seq, 2U);
  EXPECT_EQ(subject.batch().t_us, 7);
  EXPECT_TRUE(listener(subject).last().events.empty());
}

TEST(PolicyHost, SaysOfEachBatchWhetherItIsAPoll) {
  PolicyHost subject = host();
  std::vector<policies::Event> events;
  for (const bool poll : {false, true, false}) {
    subject.answer(0, events, poll);
    EXPECT_EQ(listener(subject).last().poll, poll);
  }
}

TEST(PolicyHost, FoldsABatchIntoTheViewBeforeThePolicySeesIt) {
  PolicyHost subject = host();
  std::vector<policies::Event> events{policies::NodeUnreachable{.node = 0}};
  subject.answer(1, events);
  EXPECT_FALSE(listener(subject).node_reachable());
  events.emplace_back(policies::NodeJoined{.node = 0});
  subject.answer(2, events);
  EXPECT_TRUE(listener(subject).node_reachable());
}

TEST(PolicyHost, ACopyGoesItsOwnWay) {
  PolicyHost subject = host();
  std::vector<policies::Event> events{policies::NodeUnreachable{.node = 0}};
  subject.answer(1, events);
  PolicyHost copy = subject;
  events.emplace_back(policies::NodeJoined{.node = 0});
  copy.answer(2, events);
  EXPECT_EQ(copy.policy().state(), 2);
  EXPECT_EQ(subject.policy().state(), 1);
  EXPECT_EQ(subject.batch().seq, 1U);
  subject.answer(3, events);
  EXPECT_FALSE(listener(subject).node_reachable()) << "the copy's event is the copy's alone";
  subject = copy;
  EXPECT_EQ(subject.policy().state(), 2);
  EXPECT_EQ(subject.batch().t_us, 2);
}

TEST(PolicyHost, MayBeEmpty) {
  const PolicyHost empty;
  const PolicyHost copy = empty;  // NOLINT(performance-unnecessary-copy-initialization): the test
  EXPECT_EQ(copy.batch().seq, 0U);
}

}  // namespace
}  // namespace aftershock::sim::control
