#include "sim/results/judge.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/results/metrics.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::results {
namespace {

constexpr const char* kScenario = R"({"schema": 1, "name": "judged", "until": "1d",
  "cluster": {"pools": [{"name": "gpu", "nodes": 1, "price_per_node_hour": 2}]},
  "jobs": [{"name": "llm", "pool": "gpu", "workers": 1, "steps": 10, "step": "1s",
            "policy": {"name": "ray_train"}}],
  "expect": [{"that": ")";

constexpr const char* kSummary = R"({"simulated_us": 7200000000, "cluster": {"cost": 1.5},
  "jobs": [{"outcome": "completed", "ettr": 0.9, "attempts": 4, "lost": {"us": 60000000},
    "budgets": {"node": {"exhausted": true}}}]})";

reports::ExpectResult judged(const std::string& that) {
  auto read = scenario::read_scenario_text(kScenario + that + "\"}]}", "judged.json");
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
    ADD_FAILURE() << scenario::format(errors->front());
    return {};
  }
  // All other metrics of the whole run have no value.
  std::vector<reports::MetricValue> metrics(reports::metrics().size());
  const std::pair<const char*, std::int64_t> values[] = {
      {"completed", 2}, {"failed", 3}, {"lost_us", 6}, {"recoveries", 11}};
  for (const auto& [name, value] : values) {
    metrics[*reports::metric_named(name)] = value;
  }
  return judge(std::get<scenario::ReadScenario>(read).scenario.expect,
               policies::json_from_text<nlohmann::ordered_json>(kSummary), metrics)
      .front();
}

TEST(Judge, HoldsAConditionAgainstTheSummary) {
  const struct {
    const char* that;
    bool ok;
    const char* got;
  } rows[] = {
      {"ettr > 85% and attempts <= 4", true, R"({"ettr":0.9,"attempts":4})"},
      {"ettr > 0.95 or attempts > 4", false, R"({"ettr":0.9,"attempts":4})"},
      {"not (lost.us > 1min)", true, R"({"lost.us":60000000})"},
      {"llm.lost.us < 1min", false, R"({"llm.lost.us":60000000})"},
      {"simulated_us == 2h and cluster.cost < 2", true,
       R"({"simulated_us":7200000000,"cluster.cost":1.5})"},
      {"/jobs/0/ettr >= 0.9", true, R"({"/jobs/0/ettr":0.9})"},
      {"budgets.node.exhausted == 1", true, R"({"budgets.node.exhausted":true})"},
      // A value that is not there decides nothing: neither it nor its contrary holds.
      {"not (budgets.max_failures.used > 3)", false, R"({"budgets.max_failures.used":null})"},
      {"ettr > 0.5 or budgets.max_failures.used > 3", true,
       R"({"ettr":0.9,"budgets.max_failures.used":null})"},
      // A name that the summary does not have is a metric of the whole run, as in sweeps.
      {"completed == 2 and failed == 3", true, R"({"completed":2,"failed":3})"},
      {"lost_us < 1us and lost.us > 1s", false, R"({"lost_us":6,"lost.us":60000000})"},
      {"recoveries > 0", true, R"({"recoveries":11})"},
      {"exhausted_us > 1h", false, R"({"exhausted_us":null})"},
      {"not (exhausted_us > 1h)", false, R"({"exhausted_us":null})"},
  };
  for (const auto& row : rows) {
    const reports::ExpectResult result = judged(row.that);
    EXPECT_EQ(result.at, row.that);
    EXPECT_EQ(result.ok, row.ok) << row.that;
    EXPECT_EQ(policies::text_from_json(result.got), row.got);
  }
}

}  // namespace
}  // namespace aftershock::sim::results
