#include "policies/parts/kubelet_backoff.h"

#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json.h"

namespace aftershock::policies {
namespace {

// client-go's own answers: policies/external/hosts/training_operator, kubelet_backoff.
TEST(KubeletBackoff, WaitsAsClientGoDoes) {
  std::ifstream file("tests/data/hosts/kubelet_backoff.ndjson");
  int count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    const auto parsed = parse_json(line);
    const auto* vector = std::get_if<nlohmann::json>(&parsed);
    ASSERT_NE(vector, nullptr) << line;
    KubeletBackoff kubelets;
    std::vector<DurationUs> waits_s;
    TimeUs now_us = 5 * kSecondUs;
    for (const auto& run_s : (*vector)["runs_s"]) {
      now_us += run_s.get<DurationUs>() * kSecondUs;
      const TimeUs restart_us = kubelets.restart_us(3, now_us);
      waits_s.push_back((restart_us - now_us) / kSecondUs);
      now_us = restart_us;
    }
    EXPECT_EQ(waits_s, (*vector)["waits_s"].get<std::vector<DurationUs>>()) << line;
  }
  EXPECT_EQ(count, 69);
}

TEST(KubeletBackoff, EachPodWaitsForItself) {
  KubeletBackoff kubelets;
  EXPECT_EQ(kubelets.restart_us(0, kSecondUs), kSecondUs);
  EXPECT_EQ(kubelets.restart_us(1, kSecondUs), kSecondUs);
  EXPECT_EQ(kubelets.restart_us(0, kSecondUs), 11 * kSecondUs);
}

}  // namespace
}  // namespace aftershock::policies
