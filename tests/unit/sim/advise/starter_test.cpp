#include "sim/advise/starter.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policies/registry.h"
#include "sim/advise/choices.h"
#include "sim/advise/starter_numbers.h"
#include "sim/scenario/read.h"
#include "sim/world/simulate.h"

namespace aftershock::sim {
namespace {

std::string text_of(const StarterRequest& request) {
  const auto made = make_starter(request);
  EXPECT_TRUE(std::holds_alternative<Starter>(made)) << std::get<std::string>(made);
  return std::get<Starter>(made).text;
}

TEST(Starter, EveryPolicyOnEveryKindIsReadWithoutWarningsAndRuns) {
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    for (const std::string_view profile : entry.profiles) {
      for (const AcceleratorKind kind : {AcceleratorKind::kGpu, AcceleratorKind::kNpu}) {
        StarterRequest request;
        request.kind = kind;
        request.accelerators = 512;
        request.policy.name = entry.name;
        request.policy.profile = profile;
        const std::string text = text_of(request);
        SCOPED_TRACE(std::string(entry.name) + "@" + std::string(profile));
        auto read = read_scenario_text(text, "starter.json");
        ASSERT_TRUE(std::holds_alternative<ReadScenario>(read))
            << format(std::get<1>(read).front());
        auto& [scenario, warnings, check] = std::get<ReadScenario>(read);
        EXPECT_THAT(warnings, ::testing::IsEmpty());
        EXPECT_EQ(check.seeds, std::nullopt);
        EXPECT_EQ(text, text_of(request));
        const auto summary = simulate(std::make_shared<const Scenario>(std::move(scenario)), {});
        EXPECT_EQ(summary.verdict, reports::Verdict::kPassed);
      }
    }
  }
}

TEST(Starter, NotesRecommendOnlyWhatCanBeChosen) {
  int words = 0;
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    for (const AcceleratorKind kind : {AcceleratorKind::kGpu, AcceleratorKind::kNpu}) {
      StarterRequest request;
      request.kind = kind;
      request.accelerators = 512;
      request.policy.name = entry.name;
      const std::string text = text_of(request);
      const auto read = read_scenario_text(text, "starter.json");
      const Scenario& scenario = std::get<ReadScenario>(read).scenario;
      constexpr std::string_view kFlag = "advise FILE --choose ";
      for (std::size_t at = 0; (at = text.find(kFlag, at)) != text.npos; ++words) {
        at += kFlag.size();
        const std::string word = text.substr(at, text.find('`', at) - at);
        const auto choices = read_choices({word}, scenario);
        EXPECT_EQ(choices.index(), 0U)
            << entry.name << ": " << (choices.index() == 1 ? std::get<1>(choices) : "");
      }
    }
  }
  EXPECT_GT(words, 0);
}

TEST(Starter, FourThousandNinetySixNpus) {
  StarterRequest request;
  request.kind = AcceleratorKind::kNpu;
  request.accelerators = 4096;
  const auto causes = starter_causes(request.kind, true, false);
  double weights = 0;
  for (const StarterCause& cause : causes) weights += cause.weight;
  EXPECT_EQ(weights, 419);  // Llama 3's table 5
  const StarterNumbers numbers = starter_numbers(request, causes);
  EXPECT_EQ(numbers.nodes, 512U);
  // 512 of 2,048 nodes have a quarter of 419 in 54 days.
  EXPECT_NEAR(numbers.failures_a_day, 419.0 / 54 / 4, 1e-12);
  // 10 s to save and a failure in 12.37 h: sqrt(2 x 10 s x 44,540 s) - 10 s is 934 s.
  EXPECT_EQ(numbers.interval_s, 16 * 60);
  // (48 + 6 + 2) of 419 are plain exits.
  EXPECT_NEAR(numbers.exits, 30 * 419.0 / 54 / 4 * 56 / 419, 1e-9);
  // 74 + 6 + 21, a tenth of 188, and 32 for two of 132.8 hours each.
  EXPECT_NEAR(numbers.in_repair,
              419.0 / 54 / 4 * (74 + 6 + 21 + 18.8 + 32 * 2 / 132.8) / 419 * 132.8 / 24, 1e-9);
}

TEST(Starter, WeightsOfBothKindsAreTheTable) {
  for (const AcceleratorKind kind : {AcceleratorKind::kGpu, AcceleratorKind::kNpu}) {
    for (const bool pods : {false, true}) {
      double weights = 0;
      for (const StarterCause& cause : starter_causes(kind, pods, false)) weights += cause.weight;
      EXPECT_EQ(weights, kStarterWeights);
    }
  }
}

TEST(Starter, WhatCannotBeMadeIsSaid) {
  struct Row {
    std::uint32_t accelerators;
    const char* policy;
    const char* says;
  };
  for (const Row& row :
       {Row{100, "ray_train", "the nearest are 96 and 104"},
        Row{3, "ray_train", "the nearest is 8"}, Row{0, "ray_train", "the nearest is 8"},
        Row{8, "ray_trian", "did you mean ray_train?"}}) {
    StarterRequest request;
    request.accelerators = row.accelerators;
    request.policy.name = row.policy;
    const auto made = make_starter(request);
    ASSERT_TRUE(std::holds_alternative<std::string>(made));
    EXPECT_THAT(std::get<std::string>(made), ::testing::HasSubstr(row.says));
  }
}

TEST(Starter, NamesAreWrittenAsText) {
  StarterRequest request;
  request.accelerators = 8;
  request.policy.name = "ray_train";
  request.name = "a\"b\\c";
  auto read = read_scenario_text(text_of(request), "starter.json");
  ASSERT_TRUE(std::holds_alternative<ReadScenario>(read));
  EXPECT_EQ(std::get<ReadScenario>(read).scenario.name, request.name);
}

}  // namespace
}  // namespace aftershock::sim
