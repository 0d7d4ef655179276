#include "sim/replay/replay.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include <gtest/gtest.h>
#include <unistd.h>

#include "policies/api/json_as_text.h"
#include "reports/recording/file_sink.h"
#include "sim/replay/occurrences.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::replay {
namespace {

/// A recording that is gone with this.
class RecordedFile {
 public:
  explicit RecordedFile(const std::string& scenario, std::vector<std::string> sets = {})
      : path_((std::filesystem::temp_directory_path() /
               ("aftershock-replay-" + std::to_string(::getpid()) + ".aftershock"))
                  .string()) {
    scenario::ReadOptions options;
    options.sets = std::move(sets);
    auto read = scenario::read_scenario_file(scenario, options);
    auto* checked = std::get_if<scenario::ReadScenario>(&read);
    if (checked == nullptr) {
      ADD_FAILURE() << scenario << ": "
                    << scenario::format(
                           std::get<std::vector<scenario::ScenarioError>>(read).front());
      return;
    }
    reports::FileSink sink(path_);
    simulate::SimulateOptions simulate_options;
    simulate_options.sink = &sink;
    hash =
        simulate::simulate(std::make_shared<const scenario::Scenario>(std::move(checked->scenario)),
                           simulate_options)
            .hash;
    EXPECT_FALSE(sink.finish());
  }
  ~RecordedFile() { std::remove(path_.c_str()); }
  RecordedFile(const RecordedFile&) = delete;
  RecordedFile& operator=(const RecordedFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  std::uint64_t hash = 0;

 private:
  std::string path_;
};

Replay replayed(const std::string& path) {
  auto result = replay(path);
  EXPECT_TRUE(std::holds_alternative<Replay>(result)) << std::get<std::string>(result);
  return std::get<Replay>(std::move(result));
}

TEST(Replay, TheSameRunIsTheSame) {
  const RecordedFile file("scenarios/quickstart.json");
  const Replay same = replayed(file.path());
  EXPECT_FALSE(same.difference);
  EXPECT_TRUE(same.whole);
  EXPECT_GT(same.records, 1000);
}

TEST(Replay, StopsAtTheFirstRecordThatDiffers) {
  const RecordedFile file("scenarios/quickstart.json");
  const std::string text = file.text();
  // Another world: the first fault of the header's scenario strikes an hour later.
  std::string other = text;
  const std::string at = R"("at":"5h")";
  other.replace(other.find(at), at.size(), R"("at":"6h")");
  file.write(other);
  const Replay later = replayed(file.path());
  ASSERT_TRUE(later.difference);
  constexpr std::int64_t kFiveHours = 18'000'000'000;
  EXPECT_EQ(later.difference->t_us, kFiveHours);
  EXPECT_NE(later.difference->recorded.find("\"r\":\"fault\""), std::string::npos);
  EXPECT_GT(later.records, 0);
}

TEST(Replay, ACutRecordingIsTheSameAsFarAsItGoes) {
  const RecordedFile file("scenarios/quickstart.json");
  const std::string text = file.text();
  file.write(text.substr(0, text.size() / 2));
  const Replay half = replayed(file.path());
  EXPECT_FALSE(half.difference);
  EXPECT_FALSE(half.whole);
  EXPECT_GT(half.records, 100);
}

TEST(Replay, WhatIsNoRecordingIsSaidToBeNone) {
  for (const char* path : {"README.md", "scenarios", "nowhere.aftershock"}) {
    EXPECT_TRUE(std::holds_alternative<std::string>(replay(path))) << path;
    EXPECT_TRUE(std::holds_alternative<std::string>(scripted_run(path))) << path;
  }
}

struct ScriptCase {
  const char* scenario;
  std::vector<std::string> sets;
};

/// Faults of processes and nodes that are all alike.
std::span<const ScriptCase> plain_cases() {
  static const ScriptCase kCases[] = {
      {"scenarios/quickstart.json", {"/faults/4/source/exponential/mtbf=20d"}},
      {"scenarios/quickstart.json",
       {"/faults/4/source/exponential/mtbf=3d", "/faults/4/source/clock=training"}},
      {"scenarios/reference_54_days.json", {"/until=10d"}},
      {"scenarios/quickstart.json",
       {R"(/faults/4={"id":"x","target":"job:llm","source":{"exponential":{"mtbf":"8h","per":"job"}},)"
        R"("causes":[{"kind":"worker_crash"},{"kind":"hang","lasts":{"exponential":{"mean":"5min"}}},)"
        R"({"kind":"accelerator_fault","code":"xid:94"}]})"}},
      {"scenarios/quickstart.json",
       {R"(/faults/4={"id":"x","kind":"partition","target":"pool:gpu","lasts":{"uniform":["1s","1min"]},)"
        R"("source":{"exponential":{"mtbf":"8h","per":"pool"}}})",
        R"(/faults/-={"id":"h","kind":"head_crash","target":"head:head-0",)"
        R"("source":{"exponential":{"mtbf":"1d","per":"node"}}})",
        R"(/cluster/heads/0/restart={"after":"10min"})"}},
      {"scenarios/tune/thousand_trials.json", {"/until=3d"}},
      {"scenarios/tune/thousand_trials.json",
       {"/until=1d", R"(/faults/0={"id":"t","kind":"worker_crash","target":"experiment:search",)"
                     R"("source":{"exponential":{"mtbf":"1h","per":"job"}}})"}}};
  return kCases;
}

/// Laws, clocks, racks, and what befalls machines and storage.
std::span<const ScriptCase> other_cases() {
  static const ScriptCase kCases[] = {
      {"scenarios/quickstart.json",
       {R"(/faults/4/source={"weibull":{"mtbf":"20d","shape":0.7,"per":"node"},)"
        R"("mixed":{"shape":0.9},"bursts":{"more":2,"within":"10min"}})"}},
      {"scenarios/quickstart.json",
       {R"(/faults/4/source={"exponential":{"mtbf":"90d","per":"accelerator"},"clock":"allocated"})"}},
      {"scenarios/quickstart.json",
       {"/cluster/pools/0/power_domains=3",
        R"(/faults/4/source={"exponential":{"mtbf":"4d","per":"rack"}})",
        R"(/faults/-={"id":"p","kind":"node_crash","target":"pool:gpu",)"
        R"("source":{"exponential":{"mtbf":"4d","per":"power_domain"}}})",
        R"(/faults/-={"id":"c","kind":"partition","target":"pool:gpu","lasts":"40s",)"
        R"("source":{"exponential":{"mtbf":"4d","per":"rack"}}})"}},
      {"scenarios/quickstart.json",
       {R"(/faults/4={"id":"s","kind":"straggler","target":"pool:gpu","slowdown":2,)"
        R"("lasts":{"exponential":{"mean":"20min"}},)"
        R"("source":{"exponential":{"mtbf":"60d","per":"accelerator"}}})",
        R"(/faults/-={"id":"m","kind":"preemption","target":"pool:gpu","notice":"2min",)"
        R"("lasts":"30min","source":{"maintenance":{"every":"1d","nodes":2}}})"}},
      {"scenarios/quickstart.json",
       {R"(/faults/4={"id":"l","kind":"lemon_node","target":"pool:gpu","every":"2h","times":3,)"
        R"("lasts":{"exponential":{"mean":"20min"}},)"
        R"("source":{"exponential":{"mtbf":"20d","per":"node"}}})",
        R"(/faults/-={"id":"d","kind":"capacity_denial","target":"pool:gpu","lasts":"1h",)"
        R"("source":{"exponential":{"mtbf":"1d","per":"pool"}}})"}},
      {"scenarios/quickstart.json",
       {"/cluster/repair_crew=1",
        R"(/faults/4={"id":"l","kind":"lemon_node","target":"pool:gpu","every":"2h",)"
        R"("cured_by_repair":0.3,"source":{"exponential":{"mtbf":"20d","per":"node"}}})",
        R"(/faults/-={"id":"k","kind":"node_crash","target":"pool:gpu",)"
        R"("source":{"exponential":{"mtbf":"8d","per":"node"}}})",
        R"(/faults/-={"id":"c","kind":"partition","target":"pool:gpu",)"
        R"("lasts":{"exponential":{"mean":"1min"}},)"
        R"("source":{"exponential":{"mtbf":"4d","per":"node"}}})"}},
      {"scenarios/quickstart.json",
       {R"(/faults/4={"id":"w","kind":"slow_storage","target":"storage:s3","factor":8,)"
        R"("lasts":{"exponential":{"mean":"20min"}},)"
        R"("source":{"exponential":{"mtbf":"8h","per":"node"}}})",
        R"(/faults/-={"id":"f","kind":"link_flap","target":"link:gpu-3/gpu/0","down":"9s",)"
        R"("source":{"exponential":{"mtbf":"8h","per":"node"}}})"}}};
  return kCases;
}

void expect_the_same(std::span<const ScriptCase> cases) {
  for (const ScriptCase& each : cases) {
    if (!std::filesystem::exists(each.scenario)) {
      ADD_FAILURE() << each.scenario;
      continue;
    }
    const RecordedFile file(each.scenario, each.sets);
    const auto made = scripted_run(file.path());
    ASSERT_TRUE(std::holds_alternative<ScriptedRun>(made)) << std::get<std::string>(made);
    const auto& run = std::get<ScriptedRun>(made);
    EXPECT_GT(run.occurrences, 0) << each.scenario;
    EXPECT_EQ(policies::text_from_json(run.scenario).find("exponential\":{\"mtbf"),
              std::string::npos);
    auto read = scenario::read_scenario_text(policies::text_from_json(run.scenario), "scripted");
    ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read))
        << scenario::format(std::get<std::vector<scenario::ScenarioError>>(read).front());
    const auto scenario = std::make_shared<const scenario::Scenario>(
        std::get<scenario::ReadScenario>(std::move(read)).scenario);
    EXPECT_EQ(simulate::simulate(scenario, {}).hash, file.hash) << each.scenario;
    // With another seed it meets the same faults at the same times.
    std::vector<faults::FaultRecord> strikes;
    scenario::Scenario other = *scenario;
    other.seed += 1;
    simulate::SimulateOptions with_strikes;
    with_strikes.strikes = &strikes;
    simulate::simulate(std::make_shared<const scenario::Scenario>(other), with_strikes);
    EXPECT_FALSE(strikes.empty());
  }
}

/// Every random source, whatever it strikes, on whatever clock.
TEST(Occurrences, AScriptedRunHasTheHashOfTheRandomOne) { expect_the_same(plain_cases()); }
TEST(Occurrences, AScriptedRunHasTheHashOfOneWithLawsAndMachines) {
  expect_the_same(other_cases());
}

}  // namespace
}  // namespace aftershock::sim::replay
