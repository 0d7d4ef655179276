#include "policies/registry.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::policies {
namespace {

TEST(Registry, BuildsWhatItShips) {
  for (const PolicyEntry& entry : shipped_policies()) {
    for (const std::string_view profile : entry.profiles) {
      PolicyRequest request;
      request.name = entry.name;
      request.profile = profile;
      if (entry.name == "ray_train") {
        request.env = {{"RAY_TRAIN_V2_ENABLED", "1"}};  // else the older profiles are V1
      }
      const auto made = make_policy(request);
      ASSERT_TRUE(std::holds_alternative<ConfiguredPolicy>(made));
      EXPECT_EQ(std::get<ConfiguredPolicy>(made).policy->info().profile, profile);
    }
  }
}

TEST(Registry, NamesTheNearest) {
  PolicyRequest request;
  request.name = "raytrain";
  const auto name = std::get<std::vector<ConfigIssue>>(make_policy(request));
  EXPECT_EQ(name.front().pointer, "/name");
  EXPECT_EQ(name.front().nearest, "ray_train");
  request.name = "ray_train";
  request.profile = "2026-5";
  const auto profile = std::get<std::vector<ConfigIssue>>(make_policy(request));
  EXPECT_EQ(profile.front().pointer, "/profile");
  EXPECT_EQ(profile.front().nearest, "2026-05");
}

TEST(Registry, NamesInstalledCodeWhereItIsHosted) {
  struct Row {
    const char* policy;
    const char* nearest;
    bool expects;
  };
  for (const Row& row : {Row{"ray_train", "installed", true}, Row{"job", "installed", true},
                         Row{"ray_tune", "installed", true}, Row{"torchrun", "installed", true},
                         Row{"modelarts", "", false}}) {
    PolicyRequest request;
    request.name = row.policy;
    request.profile = "instaled";
    const auto issues = std::get<std::vector<ConfigIssue>>(make_policy(request));
    EXPECT_EQ(issues.front().nearest, row.nearest) << row.policy;
    EXPECT_EQ(issues.front().expected.ends_with(", or installed"), row.expects) << row.policy;
  }
}

TEST(Registry, HasPresetsThatTheirPoliciesTakeEachWithASource) {
  for (const PolicyEntry& entry : shipped_policies()) {
    for (const Preset& preset : entry.presets) {
      PolicyRequest request;
      request.name = entry.name;
      request.config = json_from_text<nlohmann::json>(std::string(preset.config));
      EXPECT_TRUE(std::holds_alternative<ConfiguredPolicy>(make_policy(request)))
          << entry.name << ":" << preset.name;
      EXPECT_FALSE(preset.source.empty()) << entry.name << ":" << preset.name;
    }
  }
}

TEST(Registry, SaysWhatAPolicyDecidesFor) {
  for (const PolicyEntry& entry : shipped_policies()) {
    PolicyRequest request;
    request.name = entry.name;
    const auto made = make_policy(request);
    EXPECT_EQ(std::get<ConfiguredPolicy>(made).policy->info().subject, entry.subject);
  }
}

TEST(Registry, KnowsWhosePodsStartAndWriteATableOfRanks) {
  EXPECT_EQ(shipped_policy("modelarts")->pods, PodStarts::kPodsWithRankTable);
  EXPECT_EQ(shipped_policy("volcano")->pods, PodStarts::kPods);
  EXPECT_EQ(shipped_policy("ray_train")->pods, PodStarts::kNone);
}

TEST(Registry, RayTrainWithV2OffIsV1) {
  PolicyRequest request;
  request.name = "ray_train";
  request.env["RAY_TRAIN_V2_ENABLED"] = "False";
  const auto made = make_policy(request);
  const auto& configured = std::get<ConfiguredPolicy>(made);
  EXPECT_EQ(configured.policy->info().name, "ray_train_v1");
  EXPECT_EQ(configured.policy->info().profile, "2026-05");
  ASSERT_EQ(configured.warnings.size(), 1U);
  EXPECT_EQ(configured.warnings[0].pointer, "/env/RAY_TRAIN_V2_ENABLED");
}

// A setting of V2 for a version that runs V1 by default gets the reason why it is V1.
TEST(Registry, SaysWhyItIsV1) {
  PolicyRequest request;
  request.name = "ray_train";
  request.profile = "2.49";
  *request.config = {{"controller_failure_limit", 3}};
  const auto unset = std::get<std::vector<ConfigIssue>>(make_policy(request));
  ASSERT_EQ(unset.size(), 1U);
  EXPECT_EQ(unset[0].pointer, "/config/controller_failure_limit");
  EXPECT_NE(unset[0].message.find("ray_train_v1@2.38"), std::string::npos);
  EXPECT_NE(unset[0].message.find("sets RAY_TRAIN_V2_ENABLED to \"1\""), std::string::npos);
  EXPECT_NE(unset[0].expected.find("{\"RAY_TRAIN_V2_ENABLED\": \"1\"}"), std::string::npos);

  request.env["RAY_TRAIN_V2_ENABLED"] = "0";
  const auto off = std::get<std::vector<ConfigIssue>>(make_policy(request));
  EXPECT_NE(off[0].message.find("switches Ray Train V2 off"), std::string::npos);

  // A request that names V1 is not told of V2.
  request.name = "ray_train_v1";
  request.profile = "2.38";
  const auto asked = std::get<std::vector<ConfigIssue>>(make_policy(request));
  EXPECT_EQ(asked[0].message.find("RAY_TRAIN_V2_ENABLED"), std::string::npos);
}

}  // namespace
}  // namespace aftershock::policies
