#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/simulate/simulate.h"
#include "tests/property/random_scenario.h"
#include "tests/property/run_case.h"

// The laws that must hold in every run, held against scenarios that nobody thought of. A failing
// case prints its scenario: save it and run it.
namespace aftershock::sim {
namespace {

constexpr std::uint64_t kBatches = 20;
constexpr std::uint64_t kCasesPerBatch = 25;

class RandomScenarios : public testing::TestWithParam<std::uint64_t> {
 protected:
  using Scenarios = std::vector<std::pair<std::string, std::shared_ptr<const scenario::Scenario>>>;

  /// The scenarios of this batch, with their texts.
  static Scenarios batch() {
    Scenarios scenarios;
    for (std::uint64_t i = 0; i < kCasesPerBatch; ++i) {
      std::string text = random_scenario(GetParam() * kCasesPerBatch + i);
      auto read = read_text(text);
      if (const auto* errors = std::get_if<std::string>(&read)) {
        ADD_FAILURE() << "the generator made an unusable scenario:\n" << *errors << text;
      } else {
        scenarios.emplace_back(
            std::move(text), std::get<std::shared_ptr<const scenario::Scenario>>(std::move(read)));
      }
    }
    return scenarios;
  }

  static void expect_none(const std::vector<std::string>& problems, const std::string& text) {
    for (const std::string& problem : problems) {
      ADD_FAILURE() << problem << "\n" << text;
    }
  }

  static void expect_same(const std::string& what, const RunResult& one, const RunResult& other,
                          const std::string& text) {
    EXPECT_TRUE(one.summary == other.summary) << what << " changes the run:\n"
                                              << one.summary << "\n"
                                              << other.summary << "\n"
                                              << text;
  }
};

// Both ledgers sum exactly, committed progress never goes down, no device is in two states.
TEST_P(RandomScenarios, AreConserved) {
  for (const auto& [text, scenario] : batch()) {
    const RunResult watched = run_watched(scenario);
    expect_none(watched.problems, text);
    if (watched.problems.empty()) {
      expect_none(problems_of(policies::json_from_text(watched.summary), *scenario), text);
    }
  }
}

// The summary holds the hash, so equal summaries are equal runs.
TEST_P(RandomScenarios, AreTheSameHoweverTheyAreRun) {
  for (const auto& [text, scenario] : batch()) {
    const RunResult recorded = run_ordinarily(scenario, engine::Driver::kAutomatic, true);
    expect_none(recorded.problems, text);
    if (simulate::may_contend(*scenario)) {
      expect_same("not recording", recorded,
                  run_ordinarily(scenario, engine::Driver::kAutomatic, false), text);
      continue;
    }
    const RunResult shared = run_ordinarily(scenario, engine::Driver::kSimGrid, true);
    expect_none(shared.problems, text);
    expect_same("SimGrid", recorded, shared, text);
    EXPECT_EQ(recorded.recording, shared.recording) << text;
    // None of these three is recorded.
    for (const RunResult& half : run_copied(scenario)) {
      expect_none(half.problems, text);
      expect_same("not recording, or copying,", recorded, half, text);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Batch, RandomScenarios, testing::Range<std::uint64_t>(0, kBatches));

}  // namespace
}  // namespace aftershock::sim
