// Every line of every .jsonl file beside this one is a test: a policy is built, fed with batches,
// and held to what its original does. How a case is written stands in policies/api/case_runner.h.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/case_runner.h"
#include "policies/api/json_as_text.h"
#include "policies/registry.h"

namespace aftershock::policies {
namespace {

namespace fs = std::filesystem;

// Tests run in the root of the tree.
const fs::path kFolder = "tests/conformance";

struct Row {
  std::string file;
  std::string text;
  std::size_t line = 0;
  std::string name;
};

std::string test_name(const Row& row) {
  std::string name = row.file + "_" + std::to_string(row.line) + "_" + row.name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char letter) { return !std::isalnum(letter); }, '_');
  return name;
}

std::vector<Row> rows() {
  std::vector<Row> all;
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(kFolder, error)) {
    if (entry.path().extension() == ".jsonl") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream stream(file);
    std::string text;
    for (std::size_t line = 1; std::getline(stream, text); ++line) {
      const auto object = policies::json_or_discarded(text);
      const bool named = object.is_object() && object.contains("name");
      all.push_back({file.parent_path().filename().string() + "_" + file.stem().string(), text,
                     line, named ? object["name"].get<std::string>() : ""});
    }
  }
  return all;
}

class Conformance : public testing::Test {
 public:
  explicit Conformance(Row row) : row_(std::move(row)) {}

  void TestBody() override {
    const auto results = run_cases(row_.text, make_policy, "ray_train");
    ASSERT_EQ(results.size(), 1U);
    EXPECT_TRUE(results[0].passed) << results[0].name << "\n" << results[0].diff;
  }

 private:
  Row row_;
};

TEST(ConformanceFiles, AreThere) { EXPECT_GT(rows().size(), 100U); }

// Registration at run time keeps the text of a case out of the test's parameters, and so out of
// what
// --gtest_list_tests prints.
const bool kRegistered = [] {
  for (const Row& row : rows()) {
    testing::RegisterTest("Conformance", test_name(row).c_str(), nullptr, nullptr, __FILE__,
                          static_cast<int>(row.line), [row] { return new Conformance(row); });
  }
  return true;
}();

}  // namespace
}  // namespace aftershock::policies
