#include "policies/external/server.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/events.h"
#include "policies/external/messages.h"
#include "policies/registry.h"

namespace aftershock::policies {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kWorld =
    R"({"type":"world","seed":"1","policy":{"name":"ray_train","profile":"2026-05",)"
    R"("config":{"max_failures":3},"env":{"RAY_TRAIN_V2_ENABLED":"1"}},)"
    R"("inventory":{"nodes":[],"jobs":[{"name":"llm","max_workers":8}]}})";

TEST(Server, AnswersMessageByMessage) {
  Server server("test", make_policy);
  EXPECT_THAT(server.answer(R"({"type":"hello","protocol":"1.0"})"),
              StartsWith(R"({"type":"hello_ok","protocol":"1.0","name":"test")"));
  const std::string ready(server.answer(kWorld));
  EXPECT_THAT(ready, StartsWith(R"({"type":"ready","name":"ray_train","profile":"2026-05")"));
  EXPECT_THAT(ready, HasSubstr(R"({"name":"max_failures","used":0,"limit":3})"));
  EXPECT_THAT(
      server.answer(
          R"({"type":"batch","seq":1,"t_us":0,"events":[{"type":"job_submitted","workers":8}]})"),
      StartsWith(R"({"type":"decide","seq":1,"steps":[)"));
  EXPECT_EQ(server.answer(R"({"type":"ask","what":"trials"})"),
            R"({"type":"answer","what":"trials","trials":[]})");
  EXPECT_EQ(server.answer(R"({"type":"reset"})"), R"({"type":"reset_ok"})");
  EXPECT_EQ(server.answer(kWorld), ready);
  EXPECT_FALSE(server.over());
  EXPECT_EQ(server.answer(R"({"type":"end"})"), R"({"type":"bye"})");
  EXPECT_TRUE(server.over());
}

TEST(Server, SpeaksTheVersionThatItAsksForWhereTheWorldDoes) {
  const struct {
    const char* asks;
    const char* world;  // the simulator's version in its world
    bool persists;
  } cases[] = {{"1.0", "", false},
               {"1.0", R"("protocol":"1.1",)", true},
               {"1.1", "", false},  // an earlier simulator, which would refuse the member
               {"1.1", R"("protocol":"1.1",)", true},
               {"1.1", R"("protocol":"1.0",)", false}};
  for (const auto& [asks, said, persists] : cases) {
    Server server("test", make_policy, asks);
    EXPECT_THAT(server.answer(R"({"type":"hello","protocol":"1.0"})"),
                StartsWith(std::string(R"({"type":"hello_ok","protocol":")") + asks));
    std::string world(kWorld);
    world.insert(world.find("\"seed\""), said);
    const std::string ready(server.answer(world));
    EXPECT_EQ(ready.find("\"persists\":[\"list of kept checkpoints\"") != ready.npos, persists)
        << asks << said;
    EXPECT_THAT(server.answer(R"({"type":"batch","seq":1,"t_us":0,"poll":true,"events":)"
                              R"([{"type":"job_submitted","workers":8}]})"),
                StartsWith(R"({"type":"decide","seq":1,)"));
  }
  Server server("test", make_policy);
  std::string world(kWorld);
  world.insert(world.find("\"seed\""), R"("protocol":"2.0",)");
  EXPECT_THAT(server.answer(world), HasSubstr("/protocol: another protocol"));
}

TEST(Messages, AWorldGivesItsSeedToThePolicy) {
  const struct {
    const char* said;
    std::optional<std::uint64_t> seed;
  } cases[] = {{R"("1")", 1},   {R"("18446744073709551615")", UINT64_MAX}, {"1", {}}, {R"("")", {}},
               {R"("1x")", {}}, {R"("18446744073709551616")", {}}};
  for (const auto& [said, seed] : cases) {
    std::string text(kWorld);
    text.replace(text.find(R"("1")"), 3, said);
    const auto world = json_or_discarded(text);
    const auto read = wire::world_from_json(world);
    const auto* found = std::get_if<wire::World>(&read);
    ASSERT_EQ(found != nullptr, seed.has_value()) << said;
    if (seed) {
      EXPECT_EQ(found->request.seed, *seed) << said;
    }
  }
}

TEST(Messages, MinorOfAVersionIsTheNewestThatBothSpeak) {
  const std::pair<const char*, std::optional<int>> cases[] = {
      {"1.0", 0}, {"1.1", 1},  {"1.9", 1},  {"1", 0},     {"1.x", {}},  {"1.", {}},
      {"", {}},   {"0.9", {}}, {"2.0", {}}, {"1.-1", {}}, {"1.1.0", {}}};
  for (const auto& [version, minor] : cases) {
    EXPECT_EQ(wire::minor_of(version), minor) << version;
  }
}

TEST(Messages, FirstVersionLacksWhatTheSecondAdds) {
  const Batch batch{.seq = 2,
                    .t_us = 30,
                    .events = {WorkersStopped{.epoch = 1, .released = {GivenBack::kProcesses}}},
                    .poll = true};
  constexpr std::string_view kEvent =
      R"({"type":"workers_stopped","job":0,"epoch":1,"unreachable":[],"error":"")";
  EXPECT_EQ(wire::batch_line(batch, 0),
            R"({"type":"batch","seq":2,"t_us":30,"events":[)" + std::string(kEvent) + "}]}");
  EXPECT_EQ(wire::batch_line(batch, 1),
            R"({"type":"batch","seq":2,"t_us":30,"poll":true,"events":[)" + std::string(kEvent) +
                R"(,"released":["processes"]}]})");
}

TEST(Server, SaysWhatItCannotAnswer) {
  Server server("test", make_policy);
  for (const char* line :
       {"", "x", "[]", "{}", R"({"type":7})", R"({"type":"other"})", R"({"type":"batch","seq":1})",
        R"({"type":"ask","what":"trials"})", R"({"type":"world"})"}) {
    EXPECT_THAT(server.answer(line), StartsWith(R"({"type":"error","message":")")) << line;
  }
  std::string wrong(kWorld);
  wrong.replace(wrong.find("max_failures"), 12, "max_failuers");
  EXPECT_THAT(server.answer(wrong), StartsWith(R"({"type":"refused","issues":[{"pointer":"/conf)"));
}

/// A policy that says of itself, and decides, what its test wants.
class Odd final : public Policy {
 public:
  Odd() {
    info_.name = "odd";
    info_.states = {"A"};
    info_.budgets = {"retries"};
    info_.rules = {{"odd.rule", "", ""}};
  }
  [[nodiscard]] const PolicyInfo& info() const override { return info_; }
  [[nodiscard]] Decision on_events(const Batch&, const View&) override {
    Decision decision;
    decision.steps.push_back({.rule = rule, .budgets = {{.budget = budget, .used = 1}}});
    return decision;
  }
  [[nodiscard]] nlohmann::json durable(TimeUs) const override { return {}; }
  [[nodiscard]] std::uint16_t state() const override { return now; }
  [[nodiscard]] std::vector<BudgetState> budgets() const override {
    return std::vector<BudgetState>(count);
  }
  [[nodiscard]] std::unique_ptr<Policy> clone() const override {
    return std::make_unique<Odd>(*this);
  }

  std::uint16_t now = 0;
  std::uint16_t rule = 0;
  std::uint16_t budget = 0;
  std::size_t count = 1;

 private:
  PolicyInfo info_;
};

// A policy in C++ can say what no message could.
TEST(Server, SaysWhatItsPolicyGotWrong) {
  const struct {
    std::function<void(Odd&)> spoil;
    const char* to_world;
    const char* to_batch;
  } cases[] = {
      {[](Odd&) {}, R"({"type":"ready",)", R"({"type":"decide",)"},
      {[](Odd& odd) { odd.now = 1; }, R"("message":"/state: got 1, and the policy has 1 states")",
       nullptr},
      {[](Odd& odd) { odd.count = 0; }, R"("message":"/budgets: got 0; expected all 1")", nullptr},
      {[](Odd& odd) { odd.rule = 4; }, R"({"type":"ready",)",
       R"("message":"answered wrongly: /steps/0/rule: got 4, and the policy has 1 rules")"},
      {[](Odd& odd) { odd.budget = 1; }, R"({"type":"ready",)",
       R"("message":"answered wrongly: /steps/0/budgets/0/budget: got 1,)"},
  };
  for (const auto& each : cases) {
    Server server("test", [&](const PolicyRequest&) {
      auto odd = std::make_unique<Odd>();
      each.spoil(*odd);
      return ConfiguredPolicy{.policy = std::move(odd)};
    });
    EXPECT_THAT(server.answer(kWorld), HasSubstr(each.to_world));
    if (each.to_batch != nullptr) {
      EXPECT_THAT(server.answer(R"({"type":"batch","seq":1,"t_us":0,"events":[]})"),
                  HasSubstr(each.to_batch));
    }
  }
  Server none("test", [](const PolicyRequest&) { return ConfiguredPolicy(); });
  EXPECT_THAT(none.answer(kWorld), HasSubstr("its maker returned no policy"));
  EXPECT_EQ(none.threw("boom"), R"({"type":"error","message":"threw an exception: boom"})");
}

}  // namespace
}  // namespace aftershock::policies
