#include "sim/scenario/read/check_run.h"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "tests/unit/sim/scenario/smallest.h"

namespace aftershock::sim::scenario {
namespace {

struct RunRow {
  const char* storage;  ///< its kind
  const char* run;
  const char* warning;  ///< part of it; empty: none
};

TEST(CheckRun, WarnsOfARunThatItsStorageDoesNotFit) {
  const RunRow rows[] = {
      {"object", R"("storage_path": "s3://b")", ""},
      {"nfs", R"("storage_path": "/mnt/b")", ""},
      {"local", R"("storage_path": "~/ray_results")", ""},
      {"object", "", ""},
      {"nfs", R"("storage_path": "hdfs://b")", ""},
      {"nfs", R"("storage_path": "s3://b")",
       R"(/run/storage_path: s3:// is a path of an object store, and storage "x" is of kind nfs)"},
      {"local", R"("storage_path": "gs://b")", "storage \"x\" is of kind local"},
      {"object", R"("storage_path": "file:///b")", "file:// is a path of files"},
      {"object", R"("storage_path": "/mnt/b")", "without a protocol it is a path of files"},
      {"object", R"("storage_path": "b", "filesystem": {"class": "s3fs.S3FileSystem"})", ""},
      {"object",
       R"("storage_path": "b", "filesystem": {"class": "s3fs.S3FileSystem", "endpoint_url": "u"})",
       ""},
      {"object", R"("filesystem": {"class": "s3fs.S3FileSystem", "endpoint_override": "u"})",
       "/run/filesystem/endpoint_override: is pyarrow's spelling, which s3fs.S3FileSystem does not "
       "know: endpoint_url"},
      {"object", R"("filesystem": {"class": "pyarrow.fs.S3FileSystem", "endpoint_url": "u"})",
       "is fsspec's spelling"},
      {"object", R"("filesystem": {"class": "my.FileSystem", "endpoint_url": "u"})", ""},
      {"nfs", R"("filesystem": {"class": "pyarrow.fs.S3FileSystem"})",
       "/run/filesystem/class: reaches an object store, and storage \"x\" is of kind nfs"},
      {"object", R"("filesystem": {"class": "pyarrow.fs.LocalFileSystem"})", "reaches files"},
  };
  for (const RunRow& row : rows) {
    const std::string job = fmt::format(
        R"({{"name": "llm", "workers": 16, "steps": 10, "step": "1s", "policy": {{"name": "ray_train"}},
            "run": {{{}}}}})",
        row.run);
    ReadOptions options;
    options.sets = {fmt::format(R"(/cluster/storage=[{{"name": "x", "kind": "{}", "read": "1GB/s",
                                    "write": "1GB/s"}}])",
                                row.storage),
                    "/jobs/0=" + job};
    auto result = read_scenario_text(kSmallest, "smallest.json", options);
    ASSERT_TRUE(std::holds_alternative<ReadScenario>(result)) << row.run;
    const auto& found = std::get<ReadScenario>(result).warnings;
    ASSERT_EQ(found.size(), *row.warning == '\0' ? 0U : 1U) << row.run;
    if (!found.empty()) {
      EXPECT_THAT(found.front(), testing::HasSubstr(row.warning));
    }
  }
}

struct NamesRow {
  const char* first;
  const char* second;
  bool warned;
};

// Ten steps of a second: the first job cannot be done before 10 s.
TEST(CheckRun, WarnsOfJobsThatWriteUnderOneNameAtATime) {
  const NamesRow rows[] = {
      {R"("run": {"name": "r"})", R"("run": {"name": "r"})", true},
      {R"("run": {"name": "r"})", R"("run": {"name": "r"}, "submit": "9s")", true},
      {R"("run": {"name": "r"})", R"("run": {"name": "r"}, "submit": "10s")", false},
      {R"("run": {"name": "r"}, "submit": "5s")", R"("run": {"name": "r"})", true},
      {R"("run": {"name": "r"})", R"("run": {"name": "s"})", false},
      {R"("run": {"name": "r", "storage_path": "/a"})",
       R"("run": {"name": "r", "storage_path": "/a/"})", true},
      {R"("run": {"name": "r", "storage_path": "/a"})",
       R"("run": {"name": "r", "storage_path": "/b"})", false},
      {R"("run": {"name": "r-{uuid}"})", R"("run": {"name": "r-{uuid}"})", false},
      {R"("run": {})", R"("run": {})", false},
  };
  for (const NamesRow& row : rows) {
    const auto job = [](const char* name, const char* rest) {
      return fmt::format(
          R"({{"name": "{}", "workers": 8, "steps": 10, "step": "1s", "policy": {{"name": "ray_train"}}, {}}})",
          name, rest);
    };
    ReadOptions options;
    options.sets = {fmt::format("/jobs=[{}, {}]", job("a", row.first), job("b", row.second))};
    auto result = read_scenario_text(kSmallest, "smallest.json", options);
    ASSERT_TRUE(std::holds_alternative<ReadScenario>(result)) << row.first << ' ' << row.second;
    const auto& found = std::get<ReadScenario>(result).warnings;
    ASSERT_EQ(found.size(), row.warned ? 1U : 0U) << row.first << ' ' << row.second;
    if (row.warned) {
      EXPECT_THAT(found.front(),
                  testing::HasSubstr("/jobs/1/run/name: job \"a\" runs under the same path and "
                                     "name at the same time"));
    }
  }
}

// Ten steps of a second, all trials at once at best.
TEST(CheckRun, WarnsOfExperimentsThatWriteUnderOneNameAtATime) {
  const NamesRow rows[] = {
      {R"("run": {"name": "r"})", R"("run": {"name": "r"})", true},
      {R"("run": {"name": "r"})", R"("run": {"name": "r"}, "submit": "9s")", true},
      {R"("run": {"name": "r"})", R"("run": {"name": "r"}, "submit": "10s")", false},
      {R"("run": {"name": "r"})", R"("run": {"name": "s"})", false},
      {R"("run": {"name": "r-{uuid}"})", R"("run": {"name": "r-{uuid}"})", false},
      {R"("run": {})", R"("run": {})", false},
  };
  for (const NamesRow& row : rows) {
    const auto experiment = [](const char* name, const char* rest) {
      return fmt::format(
          R"({{"name": "{}", "trials": 2, "steps": 10, "step": "1s", "policy": {{"name": "ray_tune"}}, {}}})",
          name, rest);
    };
    ReadOptions options;
    options.sets = {fmt::format("/experiments=[{}, {}]", experiment("a", row.first),
                                experiment("b", row.second))};
    auto result = read_scenario_text(kSmallest, "smallest.json", options);
    ASSERT_TRUE(std::holds_alternative<ReadScenario>(result)) << row.first << ' ' << row.second;
    const auto& found = std::get<ReadScenario>(result).warnings;
    ASSERT_EQ(found.size(), row.warned ? 1U : 0U) << row.first << ' ' << row.second;
    if (row.warned) {
      EXPECT_THAT(found.front(),
                  testing::HasSubstr("/experiments/1/run/name: experiment \"a\" runs under the "
                                     "same path and name at the same time"));
    }
  }
}

}  // namespace
}  // namespace aftershock::sim::scenario
