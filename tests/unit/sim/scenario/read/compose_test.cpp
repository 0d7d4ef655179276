#include "sim/scenario/read/compose.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::scenario {
namespace {

LocatedValue parsed(Sources& sources, const std::string& text) {
  return std::get<LocatedValue>(parse_located(sources, sources.add({"test.json", text, true})));
}

// The cases of RFC 7396, appendix A, as far as they are about objects.
TEST(MergePatch, FollowsTheStandard) {
  struct Case {
    std::string target;
    std::string patch;
    std::string result;
  };
  const Case cases[] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
  };
  for (const Case& each : cases) {
    Sources sources;
    LocatedValue target = parsed(sources, each.target);
    merge_patch(target, parsed(sources, each.patch));
    EXPECT_EQ(policies::text_from_json(to_ordered_json(target)), each.result)
        << each.target << " " << each.patch;
  }
}

TEST(Set, ChangesTheTree) {
  const std::string base =
      R"({"seed":1,"jobs":[{"name":"a"},{"name":"b"}],"m":{"x/y":1,"n":"3","b":"true"}})";
  struct Case {
    std::string argument;
    std::string pointer;
    std::string result;
  };
  const Case cases[] = {
      {"/seed=7", "/seed", "7"},
      {"/seed=\"7\"", "/seed", "\"7\""},
      {"/until=3d", "/until", "\"3d\""},
      {"/question=", "/question", "\"\""},
      {"/question=a=b", "/question", "\"a=b\""},
      {"/jobs/1/step=1.5h", "/jobs/1", R"({"name":"b","step":"1.5h"})"},
      {"/jobs/0/checkpoint/keep=2", "/jobs/0/checkpoint", R"({"keep":2})"},
      {"/jobs/-={\"name\":\"c\"}", "/jobs", R"([{"name":"a"},{"name":"b"},{"name":"c"}])"},
      {"/faults/-={\"id\":\"f\"}", "/faults", R"([{"id":"f"}])"},
      {"/m/n=4", "/m", R"({"x/y":1,"n":"4","b":"true"})"},
      {"/m/b=false", "/m", R"({"x/y":1,"n":"3","b":"false"})"},
      {"/m/x~1y=4", "/m", R"({"x/y":4,"n":"3","b":"true"})"},
      {"/jobs/0/name=4", "/jobs/0", R"({"name":4})"},
      {"/m/x~1y=[1,2]", "/m", R"({"x/y":[1,2],"n":"3","b":"true"})"},
      {"/m=null", "", R"({"jobs":[{"name":"a"},{"name":"b"}],"seed":1})"},
      {"/jobs/0=null", "/jobs", R"([{"name":"b"}])"},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.argument);
    Sources sources;
    LocatedValue root = parsed(sources, base);
    const auto error = apply_set(root, each.argument, sources);
    ASSERT_FALSE(error) << format(*error);
    const auto at = to_json(root).at(nlohmann::json::json_pointer(each.pointer));
    EXPECT_EQ(at, policies::json_from_text(each.result));
  }
}

TEST(Set, RefusesWhatHasNoPlace) {
  const std::string base = R"({"seed":1,"jobs":[{"name":"a"}],"faults":[]})";
  struct Case {
    std::string argument;
    std::string error;
  };
  const Case cases[] = {
      {"seed=7",
       "--set seed=7: is not POINTER=VALUE; expected for example /jobs/0/checkpoint/every=20min"},
      {"/seed",
       "--set /seed: is not POINTER=VALUE; expected for example /jobs/0/checkpoint/every=20min"},
      {"/seed/x=1",
       "--set /seed/x=1: /seed/x: lies within a number; expected a pointer into an object or a "
       "list"},
      {"/jobs/1/step=1s",
       "--set /jobs/1/step=1s: /jobs/1: the list has no element \"1\"; expected \"0\", or \"-\" to "
       "append"},
      {"/jobs/00/step=1s",
       "--set /jobs/00/step=1s: /jobs/00: the list has no element \"00\"; expected \"0\", or \"-\" "
       "to append"},
      {"/faults/0=1",
       "--set /faults/0=1: /faults/0: the list has no element \"0\"; expected \"-\" to append"},
      {"/jobs/0/x~2=1",
       "--set /jobs/0/x~2=1: has a \"~\" that escapes nothing; expected \"~0\" or \"~1\""},
      {"/jobs/-={\"name\"}",
       "--set /jobs/-={\"name\"}: /jobs/-/name: unexpected '}'; expected ':'"},
      {"/extends=x.json",
       "--set /extends=x.json: /extends: comes too late: files are merged before; expected another "
       "scenario file"},
  };
  for (const Case& each : cases) {
    Sources sources;
    LocatedValue root = parsed(sources, base);
    const auto error = apply_set(root, each.argument, sources);
    ASSERT_TRUE(error) << each.argument;
    EXPECT_EQ(format(*error), each.error);
  }
}

/// A folder of files that is gone afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "scenario_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::filesystem::path write(const std::string& name,
                                            const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

const std::string kWhole = R"({"schema": 1, "name": "whole", "until": "1d",
 "cluster": {"pools": [{"name": "gpu", "nodes": 2}]},
 "jobs": [{"name": "llm", "workers": 16, "step": "10s", "policy": {"name": "ray_train"}}]
})";

TEST(Extends, ChainsAndTakesNamesRelativeToTheFile) {
  const Folder folder;
  (void)folder.write("bases/whole.json", kWhole);
  (void)folder.write("bases/middle.json",
                     R"({"extends": "whole.json", "seed": 5, "name": "middle"})");
  const auto top = folder.write("top.json",
                                R"({"extends": "bases/middle.json", "seed": 6, "until": null,
                                    "jobs": [{"name": "a", "workers": 8, "step": "1s", "steps": 9,
                                              "policy": {"name": "ray_train"}}]})");
  const auto result = read_scenario_file(top);
  ASSERT_TRUE(std::holds_alternative<ReadScenario>(result))
      << format(std::get<std::vector<ScenarioError>>(result).front());
  const Scenario& scenario = std::get<ReadScenario>(result).scenario;
  EXPECT_EQ(scenario.name, "middle");
  EXPECT_EQ(scenario.seed, 6U);
  EXPECT_FALSE(scenario.until_us);
  EXPECT_EQ(scenario.jobs.at(0).workers, 8U);
  EXPECT_FALSE(scenario.resolved->contains("extends"));
  // The resolved scenario is a scenario by itself, and the same one.
  const auto again =
      read_scenario_text(policies::text_from_json(*scenario.resolved), "resolved.json");
  EXPECT_EQ(*std::get<ReadScenario>(again).scenario.resolved, *scenario.resolved);
}

TEST(Extends, NoLongerThanSixteenFiles) {
  const Folder folder;
  (void)folder.write("0.json", kWhole);
  for (int i = 1; i <= 16; ++i) {
    (void)folder.write(std::to_string(i) + ".json",
                       "{\"extends\": \"" + std::to_string(i - 1) + ".json\"}");
  }
  const auto path = [&](int i) {
    return folder.write("top.json", "{\"extends\": \"" + std::to_string(i) + ".json\"}");
  };
  EXPECT_TRUE(std::holds_alternative<ReadScenario>(read_scenario_file(path(14))));
  const auto result = read_scenario_file(path(15));
  EXPECT_EQ(std::get<std::vector<ScenarioError>>(result).front().message,
            "too many files extend each other");
}

TEST(Options, ErrorsNameTheArgument) {
  const auto errors = [](const ReadOptions& options) {
    const auto result = read_scenario_text(kWhole, "whole.json", options);
    std::string text;
    if (const auto* list = std::get_if<std::vector<ScenarioError>>(&result)) {
      for (const ScenarioError& error : *list) text += format(error) + "\n";
    }
    return text;
  };
  ReadOptions set;
  set.sets = {"/jobs/0/step=10"};
  EXPECT_EQ(errors(set),
            "--set /jobs/0/step=10: /jobs/0/step: is a number; expected a duration above zero such "
            "as \"90s\", \"30min\" or \"1.5h\"\n");
  ReadOptions policy;
  policy.policy = PolicySpec{"ray_trian", "", nlohmann::json({{"max_failures", 3}})};
  policy.policy_from = "--policy ray_trian";
  EXPECT_NE(errors(policy).find("--policy ray_trian: /jobs/0/policy/name: "), std::string::npos)
      << errors(policy);
}

TEST(Options, ReplaceThePolicyWholeThenSetWithinIt) {
  ReadOptions options;
  options.policy = PolicySpec{"ray_train", "2026-05", nlohmann::json({{"max_failures", 3}})};
  options.sets = {"/jobs/0/policy/config/max_failures=5", "/seed=4"};
  options.seed = UINT64_MAX;
  const auto result = read_scenario_text(kWhole, "whole.json", options);
  ASSERT_TRUE(std::holds_alternative<ReadScenario>(result))
      << format(std::get<std::vector<ScenarioError>>(result).front());
  const Scenario& scenario = std::get<ReadScenario>(result).scenario;
  EXPECT_EQ(scenario.jobs[0].policy.profile, "2026-05");
  EXPECT_EQ(*scenario.jobs[0].policy.config, nlohmann::json({{"max_failures", 5}}));
  EXPECT_EQ(scenario.seed, UINT64_MAX);
}

/// The settings of a policy that takes the place of another by its name alone.
nlohmann::json config_under(const std::string& own, const PolicySpec& policy) {
  const std::string text = R"({"schema": 1, "name": "a", "until": "1h",
   "cluster": {"heads": [{"name": "head"}],
               "pools": [{"name": "gpu", "nodes": 4, "accelerators": {"kind": "gpu", "per_node": 8}}]},
   "jobs": [{"name": "llm", "workers": 32, "step": "10s",
             "env": {"RAY_TRAIN_V2_ENABLED": "1"}, "policy": )" +
                           own + "}]}";
  ReadOptions options;
  options.policy = policy;
  const auto result = read_scenario_text(text, "elastic.json", options);
  const auto* read = std::get_if<ReadScenario>(&result);
  EXPECT_NE(read, nullptr) << own << policy.name << ": "
                           << format(std::get<std::vector<ScenarioError>>(result).front());
  nlohmann::json config =
      read == nullptr ? nlohmann::json::object() : *read->scenario.jobs[0].policy.config;
  // The pool's, which the reader fills in.
  config.erase("nproc_per_node");
  config.erase("nprocPerNode");
  return config;
}

// A comparison of a policy that may go on with fewer nodes with one that may not is of sizes, not
// of policies.
TEST(Options, AnotherPolicyHasTheSizesThatTheJobMayHave) {
  struct Case {
    const char* own;
    PolicySpec policy;
    nlohmann::json config;
  };
  const auto none = nlohmann::json::object();
  const char* const ray = R"({"name": "ray_train", "config": {"num_workers": [4, 32]}})";
  const char* const torchrun = R"({"name": "torchrun", "config": {"nnodes": "2:4"}})";
  const Case cases[] = {
      {ray, {"torchrun", "", none}, {{"max_restarts", 3}, {"nnodes", "1:4"}}},
      {ray, {"kubeflow", "", none}, {{"elasticPolicy", {{"minReplicas", 1}, {"maxReplicas", 4}}}}},
      {torchrun, {"ray_train", "", none}, {{"max_failures", 3}, {"num_workers", {16, 32}}}},
      {R"({"name": "kubeflow", "config": {"elasticPolicy": {"minReplicas": 3, "maxReplicas": 4}}})",
       {"torchrun", "", none},
       {{"max_restarts", 3}, {"nnodes", "3:4"}}},
      // Nine workers are on two nodes.
      {R"({"name": "ray_train", "config": {"num_workers": [9, 32]}})",
       {"torchrun", "", none},
       {{"max_restarts", 3}, {"nnodes", "2:4"}}},
      // That version knows one size, as jobs of JobSet have.
      {torchrun, {"ray_train", "2.43", none}, {{"max_failures", 3}}},
      {ray, {"jobset", "", none}, config_under(R"({"name": "ray_train"})", {"jobset", "", none})},
      // A job of one size stays one, and settings that are given are the whole.
      {R"({"name": "ray_train", "config": {"num_workers": 32}})",
       {"torchrun", "", none},
       {{"max_restarts", 3}}},
      {ray, {"torchrun", "", nlohmann::json({{"max_restarts", 7}})}, {{"max_restarts", 7}}},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(config_under(each.own, each.policy), each.config) << each.own << each.policy.name;
  }
}

}  // namespace
}  // namespace aftershock::sim::scenario
