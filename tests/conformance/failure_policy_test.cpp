// The decision table of Ray Train V2's failure policy, whole sequences of it: a controller stops at
// the first RAISE, the failure policy itself goes on counting.

#include "policies/ray_train/failure_policy.h"

#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::policies::ray_train {
namespace {

ErrorClass error_of(const std::string& word) {
  if (word == "worker_group") {
    return ErrorClass::kWorkerGroup;
  }
  if (word == "preemption") {
    return ErrorClass::kPreemption;
  }
  return word == "start" ? ErrorClass::kRetryableController : ErrorClass::kOtherController;
}

TEST(FailurePolicy, DecidesAsTheTableSays) {
  std::ifstream file("tests/conformance/ray_train/failure_policy.json");
  const auto rows =
      policies::json_or_discarded(std::string(std::istreambuf_iterator<char>(file), {}));
  ASSERT_TRUE(rows.is_array());
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    FailureCounters counters{{row.at("max_failures").get<std::int64_t>(), 0},
                             {row.at("controller_failure_limit").get<std::int64_t>(), 0},
                             {row.value("max_preemption_failures", std::int64_t{-1}), 0}};
    std::vector<std::string> decisions;
    for (const auto& error : row.at("errors")) {
      const Ruling ruling = rule_on(counters, error_of(error.get<std::string>()));
      decisions.emplace_back(ruling.verdict == Verdict::kRetry ? "RETRY" : "RAISE");
    }
    EXPECT_EQ(decisions, row.at("decisions").get<std::vector<std::string>>());
  }
}

}  // namespace
}  // namespace aftershock::policies::ray_train
