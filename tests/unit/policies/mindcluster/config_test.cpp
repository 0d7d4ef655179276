#include "policies/mindcluster/config.h"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::policies::mindcluster {
namespace {

/// A configuration, and whether it is taken.
struct TakenCase {
  nlohmann::json config;
  bool taken;
};

TEST(MindClusterConfig, WhatIsTaken) {
  const TakenCase cases[] = {
      {nlohmann::json::object(), true},
      {{{"fault-scheduling", "grace"}, {"fault-retry-times", 10}}, true},
      {{{"fault-scheduling", "gently"}}, false},
      {{{"fault-retry-time", 10}}, false},
      {{{"fault-retry-times", 101}}, false},
      {{{"recover-strategy", "retry,recover,dump,exit"}}, true},
      {{{"recover-strategy", "elastic-training"}}, false},
  };
  for (const TakenCase& each : cases) {
    PolicyRequest request;
    request.name = "mindcluster";
    *request.config = each.config;
    EXPECT_EQ(std::holds_alternative<ConfiguredPolicy>(make(request)), each.taken) << each.config;
  }
}

TEST(MindClusterConfig, ACopyGoesItsOwnWay) {
  PolicyRequest request;
  request.name = "mindcluster";
  const auto result = make(request);
  const auto& policy = std::get<ConfiguredPolicy>(result).policy;
  static_cast<void>(policy->on_events({1, 0, {JobSubmitted{0, 2}}}, View{}));
  static_cast<void>(policy->on_events({2, 1, {AttemptRunning{0, 1}}}, View{}));
  const auto copy = policy->clone();
  const auto before = copy->state();
  static_cast<void>(policy->on_events(
      {3, 2, {WorkersFailed{.epoch = 1, .ranks = RankSet::range(0, 1)}}}, View{}));
  EXPECT_EQ(copy->state(), before);
  EXPECT_NE(policy->state(), before);
}

}  // namespace
}  // namespace aftershock::policies::mindcluster
