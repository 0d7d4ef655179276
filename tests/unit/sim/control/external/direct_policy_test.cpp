#include "sim/control/external/direct_policy.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/external/server.h"
#include "policies/registry.h"
#include "sim/control/external/external_source.h"

namespace aftershock::sim::control {
namespace {

using policies::Batch;
using policies::Decision;
using policies::View;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The change that a policy of these tests makes to the decision that it is about to give.
using Spoil = std::function<void(Decision&)>;

class Scripted final : public policies::Policy {
 public:
  explicit Scripted(Spoil spoil) : spoil_(std::move(spoil)) {
    info_.name = "scripted";
    info_.states = {"RUNNING", "DONE"};
    info_.budgets = {"retries"};
    info_.rules = {{"scripted.first", "", ""}, {"scripted.second", "", ""}};
  }
  [[nodiscard]] const policies::PolicyInfo& info() const override { return info_; }
  [[nodiscard]] Decision on_events(const Batch& /*batch*/, const View& /*view*/) override {
    Decision decision;
    decision.steps.push_back({.rule = 1, .to_state = 1});
    spoil_(decision);
    ++used_;
    return decision;
  }
  [[nodiscard]] nlohmann::json durable(policies::TimeUs at_us) const override {
    return {{"at", at_us}, {"text", "\xff"}};
  }
  [[nodiscard]] std::uint16_t state() const override { return used_ == 0 ? 0 : 1; }
  [[nodiscard]] std::vector<policies::BudgetState> budgets() const override {
    return used_ == 5 ? std::vector<policies::BudgetState>()
                      : std::vector{policies::BudgetState{used_, 3}};
  }
  [[nodiscard]] std::vector<policies::TrialState> trials() const override {
    return {{.trial = 1, .id = "a\xff", .status = "RUNNING", .failures = used_}};
  }
  [[nodiscard]] std::unique_ptr<policies::Policy> clone() const override {
    if (used_ == 3) {
      throw std::runtime_error("no more of me");
    }
    return std::make_unique<Scripted>(*this);
  }

 private:
  policies::PolicyInfo info_;
  Spoil spoil_;
  std::int64_t used_ = 0;
};

/// A conversation with the same policies that counts the lines said.
class Served final : public Channel {
 public:
  Served(policies::Server::Maker make, std::size_t& lines)
      : server_("test", std::move(make)), lines_(lines) {}
  std::variant<std::string_view, NoAnswer> ask(std::string_view line,
                                               std::string_view /*query*/) override {
    ++lines_;
    return server_.answer(line);
  }
  std::string blame(std::string_view why) override { return "test: " + std::string(why); }

 private:
  policies::Server server_;
  std::size_t& lines_;
};

/// A source of policies that can be had either way.
class DirectPolicy : public ::testing::Test {
 protected:
  void make_with(const policies::Server::Maker& make) {
    source_ = std::make_shared<ExternalSource>(
        ExternalOptions{.title = "test",
                        .open = [this, make] { return std::make_unique<Served>(make, lines_); },
                        .direct = DirectWay{.make = make, .blame = [](std::string_view why) {
                                              return "test: " + std::string(why);
                                            }}});
  }
  std::unique_ptr<policies::Policy> made(const policies::PolicyRequest& request = {}) {
    auto result = source_->make(request, policies::PolicySource::Setting{});
    return std::move(std::get<policies::ConfiguredPolicy>(result).policy);
  }
  std::unique_ptr<policies::Policy> scripted(const Spoil& spoil) {
    make_with([spoil](const policies::PolicyRequest&) {
      return policies::ConfiguredPolicy{.policy = std::make_unique<Scripted>(spoil)};
    });
    return made();
  }
  Decision tell(policies::Policy& policy, std::int64_t t_us = 0) {
    const Batch batch{++seq_, t_us, {policies::JobSubmitted{.job = 0, .workers = 8}}};
    return policy.on_events(batch, view_);
  }
  /// The failure of a policy whose first decision is spoiled so.
  std::string failure_of(const Spoil& spoil) {
    const auto policy = scripted(spoil);
    seq_ = 0;
    static_cast<void>(tell(*policy));
    return std::string(policy->failure());
  }

  std::shared_ptr<ExternalSource> source_;
  std::size_t lines_ = 0;
  std::uint64_t seq_ = 0;
  View view_;
};

constexpr auto kAsItIs = [](Decision&) {};

TEST_F(DirectPolicy, DecidesAsTheOtherWayWithoutAMessage) {
  make_with(policies::make_policy);
  policies::PolicyRequest request;
  request.name = "ray_train";
  *request.config = {{"max_failures", 3}};
  request.env["RAY_TRAIN_V2_ENABLED"] = "1";
  const auto direct = made(request);
  const std::size_t said = lines_;
  const Decision one = tell(*direct);
  EXPECT_EQ(lines_, said);
  source_->listen({.heard = [](std::size_t, const Exchange&) {}});
  const auto by_messages = made(request);
  seq_ = 0;
  const Decision other = tell(*by_messages);
  EXPECT_GT(lines_, said);
  EXPECT_EQ(policies::to_line(one, direct->info()), policies::to_line(other, by_messages->info()));
  EXPECT_EQ(direct->state(), by_messages->state());
  EXPECT_EQ(direct->budgets(), by_messages->budgets());
  EXPECT_EQ(direct->durable(0), by_messages->durable(0));
  source_->listen({});
}

TEST_F(DirectPolicy, CopiesGoTheirOwnWays) {
  const auto policy = scripted(kAsItIs);
  EXPECT_EQ(policy->budgets().front().used, 0);
  static_cast<void>(tell(*policy));
  const auto copy = policy->clone();
  static_cast<void>(tell(*copy));
  EXPECT_EQ(policy->budgets().front().used, 1);
  EXPECT_EQ(copy->budgets().front().used, 2);
  EXPECT_EQ(copy->state(), 1);
  static_cast<void>(tell(*copy));
  const auto none = copy->clone();
  EXPECT_THAT(none->failure(), HasSubstr("its clone() threw an exception: no more of me"));
  EXPECT_THAT(tell(*none).steps, IsEmpty());
  EXPECT_THAT(copy->failure(), IsEmpty());
}

TEST_F(DirectPolicy, WhatIsWrongIsSaidAsOfAMessage) {
  EXPECT_EQ(failure_of(kAsItIs), "");
  EXPECT_EQ(failure_of([](Decision& said) { said.steps[0].rule = 2; }),
            "test: answered batch 1 wrongly: /steps/0/rule: got 2, and the policy has 2 rules");
  EXPECT_EQ(failure_of([](Decision& said) { said.steps[0].saw = {4}; }),
            "test: answered batch 1 wrongly: /steps/0/saw: got 4, and the batch has 1 events");
  EXPECT_EQ(failure_of([](Decision& said) { said.watch.drain = policies::DrainWatch{}; }),
            "test: answered batch 1 wrongly: /watch/drain/period_us: got 0, expected a period");
  EXPECT_EQ(failure_of([](Decision& said) { said.watch.metrics = policies::MetricsWatch{}; }),
            "test: answered batch 1 wrongly: /watch/metrics: expected a poll of the same epoch "
            "beside it");
  EXPECT_THAT(failure_of([](Decision& said) { said.watch.wake_us = -1; }),
              HasSubstr("/watch/wake_us: got -1; expected an integer from 0 to"));
  EXPECT_EQ(failure_of([](Decision&) { throw std::runtime_error("no\nluck"); }),
            "test: did not answer batch 1: it threw an exception:\n  | no\n  | luck");
  EXPECT_EQ(failure_of([](Decision&) { throw 7; }),
            "test: did not answer batch 1: it threw an object that is not a std::exception");
}

TEST_F(DirectPolicy, WordsStayWhenThePolicyGoesAndAreUtf8) {
  auto word = std::make_unique<std::string>("RETRY");
  const auto policy = scripted([&](Decision& said) {
    said.steps[0].decision = *word;
    said.steps[0].rejected.push_back({"EXIT", "too \xff late"});
    said.steps[0].commands.emplace_back(policies::Notify{.text = "\xffx"});
  });
  const Decision decision = tell(*policy);
  word = nullptr;
  ASSERT_EQ(policy->failure(), "");
  EXPECT_EQ(decision.steps[0].decision, "RETRY");
  EXPECT_EQ(decision.steps[0].rejected[0].what, "EXIT");
  EXPECT_EQ(decision.steps[0].rejected[0].why, "too \xEF\xBF\xBD late");
  EXPECT_EQ(std::get<policies::Notify>(decision.steps[0].commands[0]).text, "\xEF\xBF\xBDx");
  EXPECT_EQ(policy->durable(5), (nlohmann::json{{"at", 5U}, {"text", "\xEF\xBF\xBD"}}));
  EXPECT_EQ(policy->trials().front().id, "a\xEF\xBF\xBD");
}

TEST_F(DirectPolicy, OneThatIsKilledStaysAsItWas) {
  const auto policy = scripted(kAsItIs);
  static_cast<void>(tell(*policy));
  policy->killed();
  EXPECT_EQ(policy->trials().front().failures, 1);
  EXPECT_EQ(policy->budgets().front().used, 1);
  EXPECT_TRUE(policy->durable(0).is_null());
  EXPECT_THAT(tell(*policy).steps, IsEmpty());
}

TEST_F(DirectPolicy, BudgetsAreLookedAtWhenTheyMoveAndWhenTheyAreAskedFor) {
  const auto policy = scripted([](Decision& said) {
    if (said.steps[0].budgets.empty()) {
      said.steps[0].budgets.push_back({.used = 1, .limit = 3});
    }
  });
  for (int i = 0; i < 4; ++i) {
    static_cast<void>(tell(*policy));
  }
  EXPECT_EQ(policy->failure(), "");
  static_cast<void>(tell(*policy));
  EXPECT_EQ(policy->failure(), "test: answered batch 5 wrongly: /budgets: got 0, expected all 1");
  EXPECT_EQ(policy->budgets().front().used, 4);

  const auto quiet = scripted(kAsItIs);
  for (int i = 0; i < 5; ++i) {
    static_cast<void>(tell(*quiet));
  }
  EXPECT_EQ(quiet->failure(), "");
  EXPECT_EQ(quiet->budgets().front().used, 1);
  EXPECT_EQ(quiet->failure(),
            "test: says wrongly how its budgets stand: got 0, expected 1 of 0 to 2^53");
}

TEST_F(DirectPolicy, OneThatIsAskedForeverFails) {
  const auto policy = scripted(kAsItIs);
  for (int i = 0; i < 10'000; ++i) {
    static_cast<void>(tell(*policy));
  }
  EXPECT_EQ(policy->failure(), "");
  static_cast<void>(tell(*policy));
  EXPECT_EQ(policy->failure(), "test: loops: it was asked 10000 times in one microsecond");
}

}  // namespace
}  // namespace aftershock::sim::control
