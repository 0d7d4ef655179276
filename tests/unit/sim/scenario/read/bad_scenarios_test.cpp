#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"

namespace aftershock::sim::scenario {
namespace {

// Each NAME.json has its errors beside it in NAME.expected, one a line, without the folder. A line
// that begins with '#' there is a remark: "# schema: ..." says whether the JSON Schema sees it too,
// and why not.
const std::string kFolder = "tests/data/bad_scenarios/";

std::string without_folder(std::string text) {
  for (auto at = text.find(kFolder); at != std::string::npos; at = text.find(kFolder)) {
    text.erase(at, kFolder.size());
  }
  return text;
}

std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct Expected {
  std::string errors;
  bool says_schema = false;
};

Expected read_expected(const std::string& path) {
  Expected expected;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# schema: ")) expected.says_schema = true;
    if (!line.starts_with('#')) expected.errors += line + "\n";
  }
  return expected;
}

TEST(BadScenarios, AreRefusedWithTheseWords) {
  const auto names = scenario_names();
  EXPECT_GE(names.size(), 60U);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const auto result = read_scenario_file(kFolder + name + ".json");
    const auto* errors = std::get_if<std::vector<ScenarioError>>(&result);
    ASSERT_NE(errors, nullptr) << "was accepted";
    std::string got;
    for (const ScenarioError& error : *errors) got += without_folder(format(error)) + "\n";
    const Expected expected = read_expected(kFolder + name + ".expected");
    EXPECT_EQ(got, expected.errors);
    EXPECT_TRUE(expected.says_schema);
  }
}

TEST(BadScenarios, TellNoMoreThanTwentyErrors) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"key_" + std::to_string(i) + "\": 1,";
  text += "\"schema\": 1}";
  const auto result = read_scenario_text(text, "many.json");
  EXPECT_EQ(std::get<std::vector<ScenarioError>>(result).size(), 20U);
}

// Every beginning of a scenario is refused, whatever it is cut in the middle of.
TEST(BadScenarios, EveryCutOffFileIsRefused) {
  std::ifstream file(kFolder + "bases/good.json");
  std::stringstream buffer;
  buffer << file.rdbuf();
  const std::string text = buffer.str();
  const std::size_t end = text.find_last_of('}');
  ASSERT_TRUE(std::holds_alternative<ReadScenario>(read_scenario_text(text, "whole.json")));
  for (std::size_t size = 0; size <= end; ++size) {
    const auto result = read_scenario_text(text.substr(0, size), "cut.json");
    ASSERT_TRUE(std::holds_alternative<std::vector<ScenarioError>>(result)) << size;
  }
}

}  // namespace
}  // namespace aftershock::sim::scenario
