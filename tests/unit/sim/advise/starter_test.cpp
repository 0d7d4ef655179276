#include "sim/advise/starter.h"

#include <algorithm>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/registry.h"
#include "sim/advise/choices.h"
#include "sim/advise/starter_numbers.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::advise {
namespace {

std::string text_of(const StarterRequest& request) {
  const auto made = make_starter(request);
  EXPECT_TRUE(std::holds_alternative<Starter>(made)) << std::get<std::string>(made);
  return std::get<Starter>(made).text;
}

TEST(Starter, EveryPolicyOnEveryKindIsReadWithoutWarningsAndRuns) {
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    for (const std::string_view profile : entry.profiles) {
      for (const scenario::AcceleratorKind kind :
           {scenario::AcceleratorKind::kGpu, scenario::AcceleratorKind::kNpu}) {
        StarterRequest request;
        request.kind = kind;
        request.accelerators = 512;
        request.policy.name = entry.name;
        request.policy.profile = profile;
        const std::string text = text_of(request);
        SCOPED_TRACE(std::string(entry.name) + "@" + std::string(profile));
        auto read = scenario::read_scenario_text(text, "starter.json");
        ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read))
            << scenario::format(std::get<1>(read).front());
        auto& [scenario, warnings, check] = std::get<scenario::ReadScenario>(read);
        EXPECT_THAT(warnings, ::testing::IsEmpty());
        EXPECT_EQ(check.seeds, std::nullopt);
        EXPECT_EQ(text, text_of(request));
        const auto summary =
            simulate::simulate(std::make_shared<const scenario::Scenario>(std::move(scenario)), {});
        if (profile == "shared_store") {
          // Four of nine restarts never come there, so no choice of the starter keeps its job
          // alive.
          EXPECT_EQ(summary.jobs.front().outcome, "failed");
        } else {
          EXPECT_EQ(summary.verdict, reports::Verdict::kPassed);
        }
      }
    }
  }
}

TEST(Starter, NotesRecommendOnlyWhatCanBeChosen) {
  int words = 0;
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    for (const scenario::AcceleratorKind kind :
         {scenario::AcceleratorKind::kGpu, scenario::AcceleratorKind::kNpu}) {
      StarterRequest request;
      request.kind = kind;
      request.accelerators = 512;
      request.policy.name = entry.name;
      const std::string text = text_of(request);
      const auto read = scenario::read_scenario_text(text, "starter.json");
      const scenario::Scenario& scenario = std::get<scenario::ReadScenario>(read).scenario;
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

/// Places of the file that hold a number, or a text with one in it, names excluded.
void find_numbers(const nlohmann::json& value, const std::string& pointer,
                  std::vector<std::string>& places) {
  if (value.is_structured()) {
    for (const auto& item : value.items())
      find_numbers(item.value(), pointer + "/" + item.key(), places);
    return;
  }
  const std::string text = value.is_string() ? value.get<std::string>() : std::string();
  const bool named = text.starts_with("s3") || pointer.ends_with("/name");
  if (value.is_number() || (!named && text.find_first_of("0123456789") != text.npos)) {
    places.push_back(pointer);
  }
}

/// Places that the notes speak of, each with what they say of it: "PLACE, PLACE: words" at the
/// beginning of a sentence, where a place without a slash before it stands beside the one before.
std::vector<std::pair<std::string, std::string>> places_told(const nlohmann::json& notes) {
  const std::regex heading(R"((^|[.:;] )(/[^ ,:]+(?:, [^ ,:]+)*): )");
  std::vector<std::pair<std::string, std::string>> told;
  for (const auto& note : notes) {
    const auto text = note.get<std::string>();
    for (std::sregex_iterator found(text.begin(), text.end(), heading), end; found != end;) {
      const std::string places = found->str(2);
      const auto from = static_cast<std::size_t>(found->position() + found->length());
      ++found;
      const auto to = found == end ? text.size() : static_cast<std::size_t>(found->position());
      std::string parent;
      std::istringstream list(places);
      for (std::string place; std::getline(list >> std::ws, place, ',');) {
        if (!place.starts_with("/"))
          place = parent + "/" + place;
        else
          parent = place.substr(0, place.rfind('/'));
        told.emplace_back(place, text.substr(from, to - from));
      }
    }
  }
  return told;
}

void expect_sources(const StarterRequest& request) {
  const auto file = policies::json_from_text<nlohmann::json>(text_of(request));
  const auto told = places_told(file["notes"]);
  auto content = file;
  for (const char* none : {"schema", "name", "question", "notes"}) content.erase(none);
  std::vector<std::string> numbers;
  find_numbers(content, "", numbers);
  EXPECT_GT(numbers.size(), 30U);
  const std::regex source(R"(--\w|assumption|\b20\d\d\b)");
  for (const std::string& place : numbers) {
    const auto sourced = std::ranges::find_if(told, [&](const auto& note) {
      const bool within = place == note.first || place.starts_with(note.first + "/");
      return within && std::regex_search(note.second, source);
    });
    EXPECT_NE(sourced, told.end()) << request.policy.name << ": " << place;
  }
}

TEST(Starter, EveryNumberHasASource) {
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    for (const std::string_view profile : entry.profiles) {
      for (const scenario::AcceleratorKind kind :
           {scenario::AcceleratorKind::kGpu, scenario::AcceleratorKind::kNpu}) {
        StarterRequest request;
        request.kind = kind;
        request.accelerators = 512;
        request.policy.name = entry.name;
        request.policy.profile = profile;
        expect_sources(request);
        request.spot = SpotRequest{};
        expect_sources(request);
        request.spot = SpotRequest{"12.5", "2min", "7min"};
        expect_sources(request);
      }
    }
  }
}

TEST(Starter, AMarketTakesBackWhatWasTold) {
  for (const policies::PolicyEntry& entry : policies::shipped_policies()) {
    StarterRequest request;
    request.accelerators = 1600;
    request.policy.name = entry.name;
    request.days = 3;
    request.spot = SpotRequest{"40", "30s", "10min"};
    SCOPED_TRACE(entry.name);
    auto read = scenario::read_scenario_text(text_of(request), "spot.json");
    ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read))
        << scenario::format(std::get<1>(read).front());
    auto& [scenario, warnings, check] = std::get<scenario::ReadScenario>(read);
    EXPECT_THAT(warnings, ::testing::IsEmpty());
    const scenario::PoolSpec& pool = scenario.cluster.pools[0];
    EXPECT_EQ(pool.market, scenario::Market::kSpot);
    EXPECT_EQ(pool.replacement, scenario::Replacement::kProvision);
    EXPECT_EQ(pool.provision, scenario::Distribution::constant(600'000'000));
    EXPECT_EQ(pool.spares, 0U);
    ASSERT_EQ(scenario.faults.size(), 2U);
    const scenario::FaultSpec& market = scenario.faults[1];
    EXPECT_EQ(market.effects[0].effect.kind, scenario::FaultKind::kPreemption);
    EXPECT_EQ(market.effects[0].effect.notice_us, 30'000'000);
    // 200 nodes of which each is taken once in 5 days.
    EXPECT_NEAR(static_cast<double>(market.source->mean_gap_us), 5 * 86'400e6, 1);
  }
}

TEST(Starter, BudgetsAndCheckpointsCountPreemptions) {
  StarterRequest request;
  request.accelerators = 1600;
  const auto causes = starter_causes(request.kind, SickNode::kPassedOver, false);
  const StarterNumbers alone = starter_numbers(request, causes);
  const auto spot = std::get<StarterSpot>(starter_spot({"40", "30s", "10min"}, 200));
  const StarterNumbers numbers = starter_numbers(request, causes, &spot);
  EXPECT_EQ(numbers.failure_retries, alone.all_retries);
  EXPECT_NEAR(numbers.nodes_lost - alone.nodes_lost, 1200, 1e-9);
  // 1,200 preemptions and 22.7 failures have a deviation of 35: 3.09 of them above the mean.
  EXPECT_NEAR(static_cast<double>(numbers.all_retries), 1222.7 + 3.09 * 35, 3);
  // 10 s to save and a stop in 2,119 s: sqrt(2 x 10 s x 2,119 s) - 10 s is 196 s.
  EXPECT_EQ(numbers.interval_s, 200);
  EXPECT_EQ(alone.trial_retries, 3);
  // A trial runs 12 of 30 days, in which its node is stopped 2.45 times in the mean: more than 12
  // times in 1.9 of a million trials, more than 11 in 10. There are 400.
  EXPECT_EQ(numbers.trial_retries, 12);
}

TEST(Starter, APoolThatIsRefilledHoldsWhatRayLeaks) {
  struct Row {
    const char* policy;
    std::uint32_t accelerators;
    std::int64_t days;
    const char* preemptions_a_day;
    const char* provision;
    std::int64_t max_nodes;
  };
  for (const Row& row : {
           // 10.03 stops a day, each within 45 s of the start after another once in 191: 1.57
           // groups
           // in 30 days, and more than 7 in 0.3 of a thousand. 0.18 machines are repaired or on
           // their way, and more than 2 in 0.9 of a thousand.
           Row{"ray_train", 64, 30, "10", "10min", 8 * (1 + 7) + 2},
           Row{"kubeflow", 64, 30, "10", "10min", 8 + 2},
           // 0.0016 groups in a day: one comes, but two never. A tenth is more than 2.85 need.
           Row{"ray_train", 1600, 1, "1", "10min", 200 * (1 + 1) + 20},
           // 19.8 machines are repaired or on their way: a tenth is more than that needs.
           Row{"modelarts", 6400, 30, "200", "1h", 800 + 80},
           // 8.45 are, and more than 19 in 0.5 of a thousand.
           Row{"modelarts", 64, 30, "200", "1h", 8 + 19},
           // Where a start hardly succeeds there is an end to it.
           Row{"ray_train", 64, 30, "1000", "10min", 8 * (1 + 32) + 17},
       }) {
    SCOPED_TRACE(std::string(row.policy) + " " + row.preemptions_a_day);
    StarterRequest request;
    request.accelerators = row.accelerators;
    request.policy.name = row.policy;
    request.days = row.days;
    const auto spot = std::get<StarterSpot>(
        starter_spot({row.preemptions_a_day, "30s", row.provision}, row.accelerators / 8));
    const auto causes = starter_causes(request.kind, SickNode::kPassedOver, false);
    EXPECT_EQ(starter_numbers(request, causes, &spot).max_nodes, row.max_nodes);
  }
}

TEST(Starter, ALargePoolStaysWithinSixtyFourBits) {
  StarterRequest request;
  request.accelerators = kMostStarterAccelerators;
  request.days = 60;
  request.policy.name = "ray_train";
  request.spot = SpotRequest{"1000", "30s", "10min"};
  const auto read = scenario::read_scenario_text(text_of(request), "large.json");
  EXPECT_TRUE(std::holds_alternative<scenario::ReadScenario>(read))
      << scenario::format(std::get<1>(read).front());
}

TEST(Starter, AnnotationsAreThoseThatWereGiven) {
  StarterRequest request;
  request.kind = scenario::AcceleratorKind::kNpu;
  request.accelerators = 4096;
  request.policy.name = "modelarts";
  request.annotations = {"fault-tolerance/job-retry-num=10", "fault-tolerance/pod-retry-num=37"};
  const auto file = policies::json_from_text<nlohmann::json>(text_of(request));
  EXPECT_EQ(file["jobs"][0]["policy"]["config"]["metadata"]["annotations"],
            nlohmann::json({{"fault-tolerance/job-retry-num", "10"},
                            {"fault-tolerance/pod-retry-num", "37"}}));
  request.annotations = {};
  const auto usual = policies::json_from_text<nlohmann::json>(text_of(request));
  EXPECT_EQ(usual["jobs"][0]["policy"]["config"]["metadata"]["annotations"].size(), 4U);
}

TEST(Starter, FourThousandNinetySixNpus) {
  StarterRequest request;
  request.kind = scenario::AcceleratorKind::kNpu;
  request.accelerators = 4096;
  const auto causes = starter_causes(request.kind, SickNode::kIsolated, false);
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
  for (const scenario::AcceleratorKind kind :
       {scenario::AcceleratorKind::kGpu, scenario::AcceleratorKind::kNpu}) {
    for (const SickNode sick : {SickNode::kPassedOver, SickNode::kIsolated, SickNode::kDrained}) {
      double weights = 0;
      for (const StarterCause& cause : starter_causes(kind, sick, false)) weights += cause.weight;
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
  auto read = scenario::read_scenario_text(text_of(request), "starter.json");
  ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read));
  EXPECT_EQ(std::get<scenario::ReadScenario>(read).scenario.name, request.name);
}

}  // namespace
}  // namespace aftershock::sim::advise
