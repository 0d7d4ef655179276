// Every rule that a family of policies declares is applied by some row of its case files.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/case_runner.h"
#include "policies/api/json.h"
#include "policies/api/json_as_text.h"
#include "policies/registry.h"

namespace aftershock::policies {
namespace {

namespace fs = std::filesystem;

/// Adds the rules that the rows for `profile` apply; rows that name no profile are of the default.
void add_applied(const fs::path& file, std::string_view family, std::string_view profile,
                 bool is_default, std::set<std::string, std::less<>>& applied) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto row = policies::json_from_text(line);
    const std::string named = row.value("profile", "");
    if (named != profile && !(named.empty() && is_default)) {
      continue;
    }
    PolicyRequest request;
    request.name = row.value("policy", std::string(family));
    request.profile = named;
    *request.config = row.value("config", nlohmann::json::object());
    const auto env = row.value("env", nlohmann::json::object());
    for (const auto& item : env.items()) {
      request.env[item.key()] = item.value().get<std::string>();
    }
    auto made = make_policy(request);
    auto* configured = std::get_if<ConfiguredPolicy>(&made);
    if (configured == nullptr || configured->policy->info().name != family) {
      continue;
    }
    Inventory inventory;
    if (row.contains("inventory")) {
      inventory = std::get<Inventory>(inventory_from_json(row["inventory"]));
    }
    Driver driver(std::move(configured->policy), inventory);
    for (const auto& batch : row.value("in", nlohmann::json::array())) {
      const auto answer = driver.decide(batch);
      for (const Step& step : std::get<Decision>(answer).steps) {
        applied.insert(std::string(driver.policy().info().rules[step.rule].id));
      }
    }
  }
}

void expect_all_applied(std::string_view family) {
  const auto shipped = shipped_policies();
  const auto entry = std::find_if(shipped.begin(), shipped.end(),
                                  [&](const PolicyEntry& known) { return known.name == family; });
  ASSERT_NE(entry, shipped.end());
  for (const std::string_view profile : entry->profiles) {
    std::set<std::string, std::less<>> applied;
    for (const auto& file : fs::directory_iterator(fs::path("tests/conformance") / family)) {
      if (file.path().extension() == ".jsonl") {
        // Rules that profiles share are shown by one of them, or by the one that can apply them.
        for (const std::string_view other : entry->profiles) {
          const bool is_default = other == entry->profiles.front();
          if (is_default || other == profile || family == "torchrun") {
            add_applied(file.path(), family, other, is_default, applied);
          }
        }
      }
    }
    PolicyRequest request;
    request.name = family;
    request.profile = profile;
    if (family == "ray_train") {
      request.env = {{"RAY_TRAIN_V2_ENABLED", "1"}};  // else the older profiles are V1
    }
    const auto made = make_policy(request);
    for (const Rule& rule : std::get<ConfiguredPolicy>(made).policy->info().rules) {
      EXPECT_TRUE(applied.contains(rule.id)) << rule.id << " of " << profile << " has no case";
    }
  }
}

TEST(Rules, OfRayTrainAllHaveACase) { expect_all_applied("ray_train"); }

TEST(Rules, OfModelArtsAllHaveACase) { expect_all_applied("modelarts"); }
TEST(Rules, OfRayTuneAllHaveACase) { expect_all_applied("ray_tune"); }
TEST(Rules, OfRayTrainV1AllHaveACase) { expect_all_applied("ray_train_v1"); }
TEST(Rules, OfJobAllHaveACase) { expect_all_applied("job"); }
TEST(Rules, OfJobSetAllHaveACase) { expect_all_applied("jobset"); }
TEST(Rules, OfMindClusterAllHaveACase) { expect_all_applied("mindcluster"); }
TEST(Rules, OfTorchrunAllHaveACase) { expect_all_applied("torchrun"); }
TEST(Rules, OfKubeflowAllHaveACase) { expect_all_applied("kubeflow"); }
TEST(Rules, OfVolcanoAllHaveACase) { expect_all_applied("volcano"); }
TEST(Rules, OfNvrxAllHaveACase) { expect_all_applied("nvrx"); }

}  // namespace
}  // namespace aftershock::policies
