#include "sim/scenario/expression/summary_places.h"

#include <memory>
#include <variant>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::scenario {
namespace {

TEST(SummaryPlaces, AreToldFromWhatNoSummaryHas) {
  const struct {
    const char* pointer;
    const char* nearest;  ///< null: it is a place
  } rows[] = {
      {"/verdict", nullptr},
      {"/jobs", nullptr},
      {"/jobs/0", nullptr},
      {"/jobs/12/outcome", nullptr},
      {"/jobs/0/budgets/job-retry-num/used", nullptr},
      {"/jobs/0/budgets/max_failures/charges/3/rule", nullptr},
      {"/jobs/0/ledger_us/rolled_back", nullptr},
      {"/faults/node_crash/fired", nullptr},
      {"/cluster/idle_us", nullptr},
      {"/expect/0/ok", nullptr},
      {"/jobs/0/outcom", "outcome"},
      {"/jobs/llm/ettr", ""},
      {"/jobs/0/ledger_us/productve", "productive"},
      {"/jobs/0/budgets/max_failures/usde", "used"},
      {"/jobs/0/ettr/x", ""},
      {"/verdict/0", ""},
      {"/cluster/costs", "cost"},
      {"/jobs/0//", ""},
  };
  for (const auto& row : rows) {
    const auto problem = check_summary_place(row.pointer);
    ASSERT_EQ(problem.has_value(), row.nearest != nullptr) << row.pointer;
    if (problem) {
      EXPECT_EQ(problem->nearest, row.nearest) << row.pointer << ": " << problem->message;
    }
  }
}

TEST(SummaryPlaces, OfNumbersAreToldFromOthers) {
  const struct {
    const char* pointer;
    const char* message;   ///< null: numbers stand there, or truths
    const char* expected;  ///< as far as it is written here
  } rows[] = {
      {"/jobs/0/ettr", nullptr, ""},
      {"/jobs/0/budgets/max_failures/exhausted", nullptr, ""},
      {"/experiments/0/statuses/ERROR", nullptr, ""},
      {"/expect/0/ok", nullptr, ""},
      {"/jobs/0/outcome", "is text", R"(as in {"at": "/jobs/0/outcome", "is": "completed"})"},
      {"/verdict", "is text", R"("is": "...")"},
      {"/jobs/0/rules/3", "is text", ""},
      {"/jobs/0/pods/0/env/RANK", "is text", ""},
      {"/jobs/0/recoveries", "is a list", "such as /jobs/0/recoveries/0/detected_us"},
      {"/jobs/0/rules", "is a list", "a number"},
      {"/jobs/0/budgets", "is an object", "such as /jobs/0/budgets/NAME/used"},
      {"/jobs/0", "is an object", "such as /jobs/0/wall_us"},
      {"/jobs/0/ledger_us", "is an object", "such as /jobs/0/ledger_us/productive"},
  };
  for (const auto& row : rows) {
    const auto problem = check_number_place(row.pointer);
    ASSERT_EQ(problem.has_value(), row.message != nullptr) << row.pointer;
    if (problem) {
      EXPECT_TRUE(problem->message.ends_with(row.message)) << problem->message;
      EXPECT_NE(problem->expected.find(row.expected), std::string::npos) << problem->expected;
    }
  }
}

TEST(SummaryPlaces, AreThoseOfSummaries) {
  for (const char* file : {"scenarios/quickstart.json", "scenarios/reference_54_days.json",
                           "scenarios/tune/deterministic_bug.json"}) {
    auto read = read_scenario_file(file);
    ASSERT_TRUE(std::holds_alternative<ReadScenario>(read)) << file;
    const auto scenario =
        std::make_shared<const Scenario>(std::move(std::get<ReadScenario>(read).scenario));
    const nlohmann::json leaves =
        nlohmann::json(reports::to_json(simulate::simulate(scenario, {}))).flatten();
    for (const auto& [pointer, value] : leaves.items()) {
      EXPECT_FALSE(check_summary_place(pointer)) << file << ": " << pointer;
      const bool number = value.is_number() || value.is_boolean();
      if (!pointer.starts_with("/expect/") && (number || value.is_string())) {
        EXPECT_EQ(!check_number_place(pointer), number) << file << ": " << pointer;
      }
    }
  }
}

}  // namespace
}  // namespace aftershock::sim::scenario
