#include "sim/scenario/read/policy_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"

namespace aftershock::sim::scenario {
namespace {

// Each POLICY.yaml, POLICY.WORDS.yaml or .json has beside it, in NAME.expected, what a reader is
// told of it for a job of 32 workers on nodes of eight: warnings, or errors, one a line, sorted.
const std::string kPolicyFolder = "tests/data/manifests/";

const std::string kScenario = R"({"schema": 1, "name": "pasted",
 "cluster": {"pools": [{"name": "gpu", "nodes": 4, "accelerators": {"kind": "gpu", "per_node": 8}}]},
 "jobs": [{"name": "llm", "workers": 32, "steps": 10, "step": "1s", "policy": {"name": "ray_train"}}]})";

std::string without_policy_folder(std::string text) {
  for (auto at = text.find(kPolicyFolder); at != std::string::npos; at = text.find(kPolicyFolder)) {
    text.erase(at, kPolicyFolder.size());
  }
  return text;
}

std::vector<std::string> told_of(const std::string& name) {
  const std::string policy = name.substr(0, name.find('.'));
  auto file = read_policy_file(kPolicyFolder + name, policy);
  if (const auto* error = std::get_if<ScenarioError>(&file)) return {format(*error)};
  ReadOptions options;
  options.policy_file = std::get<PolicyFile>(std::move(file));
  options.policy.emplace();
  options.policy->name = policy;
  options.policy->config = options.policy_file->config;
  std::vector<std::string> told;
  for (const std::string& ignored : options.policy_file->ignored) {
    told.push_back("warning: " + ignored);
  }
  const auto read = read_scenario_text(kScenario, "pasted.json", options);
  if (const auto* errors = std::get_if<std::vector<ScenarioError>>(&read)) {
    for (const ScenarioError& error : *errors) told.push_back(format(error));
    return told;
  }
  for (const std::string& warning : std::get<ReadScenario>(read).warnings) {
    told.push_back(warning);
  }
  return told;
}

TEST(PolicyFile, EveryManifestOfTheFolderIsToldOfAsExpected) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kPolicyFolder)) {
    if (entry.path().extension() != ".expected") names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  ASSERT_GT(names.size(), 30U);
  for (const std::string& name : names) {
    std::ifstream expected(kPolicyFolder + name + ".expected");
    EXPECT_TRUE(expected.is_open()) << name;
    std::vector<std::string> lines;
    for (std::string line; std::getline(expected, line);) lines.push_back(line);
    std::vector<std::string> told = told_of(name);
    for (std::string& line : told) line = without_policy_folder(std::move(line));
    std::ranges::sort(told);
    EXPECT_EQ(told, lines) << name;
  }
}

TEST(PolicyFile, InsideAScenarioAManifestIsToldOfAlike) {
  std::ifstream file(kPolicyFolder + "job.json");
  std::ostringstream manifest;
  manifest << file.rdbuf();
  const std::string policy = R"({"name": "ray_train"})";
  std::string text = kScenario;
  text.replace(text.find(policy), policy.size(),
               R"({"name": "job", "config": )" + manifest.str() + "}");
  const auto read = read_scenario_text(text, "pasted.json");
  const auto& warnings = std::get<ReadScenario>(read).warnings;
  EXPECT_EQ(warnings.size(), told_of("job.json").size());
  ASSERT_FALSE(warnings.empty());
  EXPECT_NE(warnings.front().find("/jobs/0/policy/config/spec/"), std::string::npos);
}

// Twenty warnings are shown at most, so those that matter come first.
TEST(PolicyFile, MembersThatAreNotModelledAreToldFirst) {
  const std::vector<std::string> told = told_of("job.json");
  const auto loud = [](const std::string& line) {
    return line.find("not modelled here") != std::string::npos;
  };
  EXPECT_EQ(std::ranges::count_if(told, loud), 4);
  EXPECT_TRUE(std::ranges::is_partitioned(told, loud));
}

TEST(PolicyFile, AFileThatIsNotThereIsAnErrorOfItsOwn) {
  const auto none = read_policy_file("no_such.yaml", "job");
  EXPECT_EQ(format(std::get<ScenarioError>(none)),
            "no_such.yaml: cannot be opened: No such file or directory");
}

TEST(PolicyFile, ANameWithoutAnEndingIsReadAsItsTextBegins) {
  Sources sources;
  const auto json = sources.add({"/dev/fd/63", R"( {"max_failures": 1})", true});
  const auto yaml = sources.add({"/dev/fd/63", "max_failures: 1", true});
  for (const auto source : {json, yaml}) {
    auto parsed = parse_policy_text(sources, source, "ray_train");
    EXPECT_EQ(to_json(std::get<PolicyText>(parsed).config)["max_failures"], 1);
  }
}

TEST(PolicyFile, AJsonFileIsNoYaml) {
  Sources sources;
  const auto source = sources.add({"a.json", "max_failures: 1", true});
  const auto parsed = parse_policy_text(sources, source, "ray_train");
  EXPECT_EQ(std::get<ScenarioError>(parsed).line, 1U);
}

}  // namespace
}  // namespace aftershock::sim::scenario
