#include "policies/kubeflow/restart_counts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json.h"

namespace aftershock::policies::kubeflow {
namespace {

RestartPolicy policy_of(std::string_view word) {
  constexpr std::array<std::string_view, 4> kWords{"OnFailure", "Always", "Never", "ExitCode"};
  const auto* const found = std::ranges::find(kWords, word);
  EXPECT_NE(found, kWords.end()) << word;
  return static_cast<RestartPolicy>(found - kWords.begin());
}

template <class Number>
std::optional<Number> number_of(const nlohmann::json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<Number>());
}

/// Calls `hold` with each line that a program of policies/external/hosts/training_operator printed.
template <class Hold>
int each_vector(const std::string& name, const Hold& hold) {
  std::ifstream file("tests/data/hosts/" + name);
  int count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    const auto parsed = parse_json(line);
    if (const auto* vector = std::get_if<nlohmann::json>(&parsed)) {
      hold(*vector, line);
    } else {
      ADD_FAILURE() << name << ": " << line;
    }
  }
  return count;
}

TEST(RestartCounts, AreJudgedAsTheTrainingOperatorDoes) {
  const int count =
      each_vector("past_backoff_limit.ndjson", [](const auto& vector, const auto& line) {
        std::vector<SeenPod> pods;
        for (const auto& pod : vector["pods"]) {
          SeenPod& seen = pods.emplace_back();
          const auto& replica = pod["replica"].template get_ref<const std::string&>();
          seen.policy =
              policy_of(vector["restart_policies"][replica].template get_ref<const std::string&>());
          seen.runs = pod["phase"] == "Running";
          for (const char* const kind : {"init", "restarts"}) {
            for (const auto& restarts : pod.value(kind, nlohmann::json::array())) {
              seen.restarts += restarts.template get<std::uint32_t>();
            }
          }
        }
        const auto limit = number_of<std::uint32_t>(vector["backoff_limit"]);
        EXPECT_EQ(past_backoff_limit(limit, pods), vector["past"].template get<bool>()) << line;
      });
  EXPECT_EQ(count, 301);
}

TEST(FailedPod, IsJudgedAsTheTrainingOperatorDoes) {
  const int count = each_vector("failed_pod.ndjson", [](const auto& vector, const auto& line) {
    const FailedPod judged =
        judge_failed_pod(number_of<std::uint32_t>(vector["backoff_limit"]),
                         policy_of(vector["restart_policy"].template get_ref<const std::string&>()),
                         number_of<std::int32_t>(vector["exit_code"]));
    const bool failed = vector["failed"].template get<bool>();
    EXPECT_EQ(judged != FailedPod::kMadeAnew, failed) << line;
    // Over the limit the operator deletes all pods before it says Failed, and those that it makes
    // anew one by one. Otherwise it leaves them.
    const int leaving = vector["leaving"].template get<bool>() ? 1 : 0;
    const int deleted = judged == FailedPod::kBackoffLimit ? 2 - leaving
                        : judged == FailedPod::kMadeAnew   ? 1 - leaving
                                                           : 0;
    EXPECT_EQ(deleted, vector["deleted"].template get<int>()) << line;
  });
  EXPECT_EQ(count, 160);
}

TEST(RestartCounts, AsManyAsTheLimitAreOneTooMany) {
  EXPECT_EQ(restarts_allowed(std::nullopt), std::nullopt);
  EXPECT_EQ(restarts_allowed(0), 0);
  EXPECT_EQ(restarts_allowed(1), 0);
  EXPECT_EQ(restarts_allowed(4), 3);
}

}  // namespace
}  // namespace aftershock::policies::kubeflow
