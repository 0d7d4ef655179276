#include "sim/scenario/read/installed.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/registry.h"
#include "sim/scenario/read/read.h"
#include "tests/unit/sim/scenario/smallest.h"

namespace aftershock::sim::scenario {
namespace {

/// Its policies are the library's, of their first profile.
class PortedSource final : public policies::PolicySource {
 public:
  policies::MakeResult make(const policies::PolicyRequest& request,
                            const std::optional<Setting>&) override {
    policies::PolicyRequest first = request;
    first.profile.clear();
    return policies::make_policy(first);
  }
  [[nodiscard]] std::string title() const override { return "ported"; }
};

class FakeHosts final : public InstalledPolicies {
 public:
  std::variant<std::shared_ptr<policies::PolicySource>, std::string> find(
      std::string_view family) override {
    asked.emplace_back(family);
    if (family != "ray_train") {
      return std::string("no host of that");
    }
    return source;
  }
  [[nodiscard]] std::string_view option() const override { return given; }

  std::vector<std::string> asked;
  std::string given;
  std::shared_ptr<policies::PolicySource> source = std::make_shared<PortedSource>();
};

/// The smallest scenario with a job for each policy.
std::string with_policies(const std::vector<std::string>& policies) {
  auto scenario = policies::json_from_text(kSmallest);
  const auto job = scenario["jobs"][0];
  scenario["jobs"] = nlohmann::json::array();
  for (const std::string& policy : policies) {
    auto one = job;
    one["name"] = "llm-" + std::to_string(scenario["jobs"].size());
    one["policy"] = policies::json_from_text(policy);
    scenario["jobs"].push_back(one);
  }
  return policies::text_from_json(scenario);
}

std::string first_error_of(const ReadResult& read) {
  const auto* errors = std::get_if<std::vector<ScenarioError>>(&read);
  return errors == nullptr ? "" : format(errors->front());
}

const std::string kInstalledRay = R"({"name": "ray_train", "profile": "installed"})";
const std::string kPortedRay = R"({"name": "ray_train"})";
const std::string kInstalledOther = R"({"name": "kubeflow", "profile": "installed"})";

TEST(Installed, OneMakerPlaysThePoliciesOfAllJobs) {
  const auto hosts = std::make_shared<FakeHosts>();
  ReadOptions options;
  options.installed = hosts;
  const auto read =
      read_scenario_text(with_policies({kInstalledRay, kInstalledRay}), "it", options);
  ASSERT_EQ(first_error_of(read), "");
  EXPECT_EQ(std::get<ReadScenario>(read).scenario.policies, hosts->source);
  EXPECT_EQ(hosts->asked, std::vector<std::string>{"ray_train"});
}

TEST(Installed, AScenarioWithoutItAsksForNone) {
  const auto hosts = std::make_shared<FakeHosts>();
  ReadOptions options;
  options.installed = hosts;
  const auto read = read_scenario_text(with_policies({kPortedRay}), "it", options);
  ASSERT_EQ(first_error_of(read), "");
  EXPECT_EQ(std::get<ReadScenario>(read).scenario.policies, nullptr);
  EXPECT_TRUE(hosts->asked.empty());
}

TEST(Installed, AnotherMakerOfAllPoliciesGoesBefore) {
  ReadOptions options;
  options.installed = std::make_shared<FakeHosts>();
  options.policies = std::make_shared<PortedSource>();
  const auto read = read_scenario_text(with_policies({kInstalledRay}), "it", options);
  ASSERT_EQ(first_error_of(read), "");
  EXPECT_EQ(std::get<ReadScenario>(read).scenario.policies, options.policies);
}

TEST(Installed, ErrorsSayTheirPlace) {
  struct Row {
    std::vector<std::string> policies;
    bool hosts;
    std::string option;
    std::string error;
  };
  const std::vector<Row> rows{
      {{kInstalledRay, kPortedRay},
       true,
       "",
       "ray_train stands beside ray_train@installed, and installed code"},
      {{kPortedRay, kInstalledRay},
       true,
       "",
       "ray_train stands beside ray_train@installed, and installed code"},
      {{kInstalledRay, kInstalledOther},
       true,
       "",
       "kubeflow@installed stands beside ray_train@installed"},
      {{kInstalledOther}, true, "", "no host of that"},
      {{kInstalledRay}, false, "", "ray_train@installed: installed code is not started here"},
      {{kPortedRay},
       true,
       "--python",
       "--python: serves installed code, and the scenario has none"},
  };
  for (const Row& row : rows) {
    ReadOptions options;
    if (row.hosts) {
      const auto hosts = std::make_shared<FakeHosts>();
      hosts->given = row.option;
      options.installed = hosts;
    }
    const std::string error =
        first_error_of(read_scenario_text(with_policies(row.policies), "it", options));
    EXPECT_NE(error.find(row.error), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace aftershock::sim::scenario
