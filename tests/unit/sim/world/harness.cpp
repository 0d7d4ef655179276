#include "tests/unit/sim/world/harness.h"

#include <functional>
#include <optional>
#include <variant>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "policies/api/json_as_text.h"
#include "reports/recording/hash.h"
#include "reports/recording/memory_sink.h"
#include "sim/engine/isolate.h"
#include "sim/results/summarise.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "sim/world/closing.h"
#include "tests/unit/sim/world/holdings_check.h"

namespace aftershock::sim::world {

namespace {

using PlainJson = nlohmann::json;

constexpr const char* kBasePool = R"({"name": "p", "nodes": 2, "accelerators": {"per_node": 2}})";
constexpr const char* kBaseJob = R"({"name": "a", "pool": "p", "workers": 4, "steps": 100,
  "step": "10s", "collectives": {"transport": "hccl"}, "policy": {"name": "ray_train", "config": {"max_failures": 9}}})";

constexpr const char* kBaseExperiment = R"({"name": "x", "pool": "p", "trials": 4, "steps": 10,
  "step": "10s", "checkpoint": {},
  "policy": {"name": "ray_tune", "config": {"max_failures": 9}}})";

/// A world that is looked at after every entry.
class Watched final : public engine::Playable {
 public:
  explicit Watched(World& world) : world_(world) {}

  engine::Calendar& calendar() override { return world_.calendar(); }
  engine::Transfers& transfers() override { return world_.transfers(); }
  [[nodiscard]] std::int64_t now_us() const override { return world_.now_us(); }
  [[nodiscard]] bool over() const override { return world_.over(); }
  void play(const engine::Entry& entry) override {
    world_.play(entry);
    for (const std::string& problem : inconsistencies(world_)) {
      problems_.push_back(std::to_string(world_.now_us()) + " us: " + problem);
    }
  }

  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  World& world_;
  std::vector<std::string> problems_;
};

using ScenarioPointer = std::shared_ptr<const scenario::Scenario>;

ScenarioPointer parsed(const std::string& text) {
  scenario::ReadResult result = scenario::read_scenario_text(text, "test.json");
  if (auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&result)) {
    for (const scenario::ScenarioError& error : *errors) {
      ADD_FAILURE() << error.pointer << ": " << error.message;
    }
    return nullptr;
  }
  return std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(result).scenario));
}

/// In a process of its own: an engine of SimGrid lives once in a process.
PlainJson isolated(const std::function<PlainJson()>& work) {
  const auto text = engine::run_isolated([&] {
    // A run that does not end is a failure, not a hang.
    constexpr rlim_t kLongestSeconds = 60;
    const rlimit longest{kLongestSeconds, kLongestSeconds};
    setrlimit(RLIMIT_CPU, &longest);
    return policies::text_from_json(work());
  });
  if (!text) {
    ADD_FAILURE() << "the process died or did not end";
    return PlainJson::object();
  }
  return policies::json_from_text(*text);
}

PlainJson watched(const ScenarioPointer& scenario) {
  WorldOptions options;
  options.trigger_offsets_us =
      simulate::resolve_trigger_offsets(scenario, engine::Driver::kAutomatic).offsets_us;
  const auto before = simulate::fault_free_before(*scenario);
  World world(scenario, simulate::make_hosts(*scenario), options);
  Watched watched(world);
  engine::drive(watched, engine::Driver::kAutomatic);
  close_run(world);
  std::vector<std::string> problems = watched.problems();
  for (const std::string& problem : inconsistencies(world)) {
    problems.push_back("at the end: " + problem);
  }
  const reports::RunSummary summary =
      results::summarise(world, simulate::fault_free_run(world, before), {}, true);
  return {{"summary", reports::to_json(summary)}, {"problems", problems}};
}

PlainJson recorded(const ScenarioPointer& scenario, engine::Driver driver) {
  reports::MemorySink sink;
  simulate::SimulateOptions options;
  options.driver = driver;
  options.sink = &sink;
  const reports::RunSummary summary = simulate::simulate(scenario, options);
  reports::RollingHash hash;
  hash.add(sink.text());
  return {{"summary", reports::to_json(summary)},
          {"recording", hash.value()},
          {"held_twice", held_twice(*scenario, sink.text())}};
}

/// Bare, recorded and inside SimGrid. One process has all three where two of them do without
/// SimGrid: a fork of a sanitized one takes longer than most runs.
PlainJson run_in_three_ways(const ScenarioPointer& scenario) {
  const std::function<PlainJson()> ways[] = {
      [&] { return watched(scenario); },
      [&] { return recorded(scenario, engine::Driver::kAutomatic); },
      [&] { return recorded(scenario, engine::Driver::kSimGrid); },
  };
  PlainJson runs = PlainJson::array();
  if (simulate::may_contend(*scenario)) {
    for (const auto& way : ways) {
      runs.push_back(isolated(way));
    }
    return runs;
  }
  return isolated([&] {
    for (const auto& way : ways) {
      runs.push_back(way());
    }
    return runs;
  });
}

void expect_sums(const PlainJson& summary) {
  for (const PlainJson& job : summary.at("jobs")) {
    const auto sum = [&](const char* ledger) {
      std::int64_t total = 0;
      for (const auto& [bucket, us] : job.at(ledger).items()) {
        total += us.get<std::int64_t>();
      }
      return total;
    };
    const auto wall_us = job.at("wall_us").get<std::int64_t>();
    EXPECT_EQ(sum("ledger_us"), wall_us) << job.at("name");
    EXPECT_EQ(sum("ledger_accelerator_us") % std::max<std::int64_t>(1, wall_us), 0);
  }
  for (const PlainJson& experiment : summary.at("experiments")) {
    std::int64_t lost_us = 0;
    for (const PlainJson& trial : experiment.at("trials")) {
      lost_us += trial.at("lost").at("us").get<std::int64_t>();
    }
    // Trials that a restored experiment does not know, or refuses to know, are nobody's.
    if (experiment.at("lost_trials").empty() && !experiment.at("trials").empty()) {
      EXPECT_EQ(experiment.at("lost").at("us"), lost_us);
    } else {
      EXPECT_GE(experiment.at("lost").at("us"), lost_us);
    }
    EXPECT_EQ(experiment.at("ledger_us").at("rolled_back"), experiment.at("lost").at("us"));
  }
  EXPECT_EQ(summary.at("invariants").at("violated"), PlainJson::array());
}

}  // namespace

std::string scenario_text(std::string_view patch) {
  PlainJson given = policies::json_from_text(patch);
  PlainJson scenario{{"schema", 1}, {"name", "test"}};
  PlainJson pool = policies::json_from_text(kBasePool);
  pool.merge_patch(given.value("pool", PlainJson::object()));
  scenario["cluster"] = {{"pools", {pool}}};
  scenario["cluster"].merge_patch(given.value("cluster", PlainJson::object()));
  for (const PlainJson& experiment : given.value("experiments", PlainJson::array())) {
    PlainJson whole = policies::json_from_text(kBaseExperiment);
    whole.merge_patch(experiment);
    scenario["experiments"].push_back(std::move(whole));
  }
  const bool no_job = scenario.contains("experiments") && !given.contains("job");
  const PlainJson alone =
      no_job ? PlainJson::array() : PlainJson::array({given.value("job", PlainJson::object())});
  for (const PlainJson& job : given.value("jobs", alone)) {
    PlainJson whole = policies::json_from_text(kBaseJob);
    whole.merge_patch(job);
    scenario["jobs"].push_back(std::move(whole));
  }
  for (const char* key : {"pool", "job", "jobs", "experiments", "cluster"}) {
    given.erase(key);
  }
  scenario.merge_patch(given);
  return policies::text_from_json(scenario);
}

Outcomes simulated(std::string_view patch) {
  const ScenarioPointer scenario = parsed(scenario_text(patch));
  if (!scenario) {
    return {};
  }
  const PlainJson runs = run_in_three_ways(scenario);
  for (std::size_t i = 0; i < 3; ++i) {
    if (i >= runs.size() || runs[i].empty()) {
      return {};
    }
  }
  const PlainJson& summary = runs[0].at("summary");
  EXPECT_EQ(runs[0].at("problems"), PlainJson::array());
  EXPECT_EQ(summary, runs[1].at("summary"));
  EXPECT_EQ(summary, runs[2].at("summary"));
  EXPECT_EQ(runs[1].at("recording"), runs[2].at("recording"));
  EXPECT_EQ(runs[1].at("held_twice"), PlainJson::array());
  expect_sums(summary);
  return {summary};
}

const PlainJson& Outcomes::job(std::size_t index) const {
  static const PlainJson kNothing = PlainJson::object();
  return summary.is_object() ? summary.at("jobs").at(index) : kNothing;
}

Buckets Outcomes::ledger(std::size_t index) const {
  Buckets buckets;
  const PlainJson all = job(index).value("ledger_us", PlainJson::object());
  for (const auto& [bucket, us] : all.items()) {
    if (us != 0) {
      buckets[bucket] = us.get<std::int64_t>();
    }
  }
  return buckets;
}

const PlainJson& Outcomes::experiment(std::size_t index) const {
  static const PlainJson kNothing = PlainJson::object();
  return summary.is_object() ? summary.at("experiments").at(index) : kNothing;
}

Buckets Outcomes::trials_ledger(std::size_t index) const {
  Buckets buckets;
  const PlainJson all = experiment(index).value("ledger_us", PlainJson::object());
  for (const auto& [bucket, us] : all.items()) {
    if (us != 0) {
      buckets[bucket] = us.get<std::int64_t>();
    }
  }
  return buckets;
}

std::string Outcomes::trial(std::size_t trial, std::size_t index) const {
  const PlainJson trials = experiment(index).value("trials", PlainJson::array());
  if (trial >= trials.size()) {
    return "no such trial";
  }
  const PlainJson& one = trials.at(trial);
  return one.at("status").get<std::string>() + ' ' +
         policies::text_from_json(one.at("iterations")) + " failures " +
         policies::text_from_json(one.at("failures")) + " restored " +
         policies::text_from_json(one.at("restores")) + " lost " +
         policies::text_from_json(one.at("lost").at("steps")) + " steps " +
         std::to_string(one.at("lost").at("us").get<std::int64_t>() / 1'000'000) + " s";
}

std::int64_t Outcomes::wall(std::size_t index) const { return job(index).value("wall_us", -1LL); }

std::int64_t Outcomes::used(std::string_view budget, std::size_t index) const {
  const PlainJson budgets = job(index).value("budgets", PlainJson::object());
  return budgets.value(std::string(budget), PlainJson::object()).value("used", -1LL);
}

std::int64_t Outcomes::detected(std::size_t recovery, std::size_t index) const {
  const PlainJson recoveries = job(index).value("recoveries", PlainJson::array());
  if (recovery >= recoveries.size() || recoveries.at(recovery).at("detected_us").is_null()) {
    return -1;
  }
  return recoveries.at(recovery).at("detected_us").get<std::int64_t>();
}

std::string Outcomes::faults(const std::string& kind) const {
  const PlainJson counts =
      summary.value("faults", PlainJson::object()).value(kind, PlainJson::object());
  return "fired " + std::to_string(counts.value("fired", 0)) + " masked " +
         std::to_string(counts.value("masked", 0)) + " detected " +
         std::to_string(counts.value("detected", 0));
}

}  // namespace aftershock::sim::world
