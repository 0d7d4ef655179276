#include "reports/results/run_store.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/results/cell_summary.h"

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;

class RunStoreTest : public ::testing::Test {
 protected:
  RunStoreTest()
      : folder_(std::filesystem::temp_directory_path() /
                (std::string("aftershock-store-") +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~RunStoreTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const char* name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

StoreHeader header() {
  StoreHeader header;
  header.scenario = "one \"quoted\" name";
  header.path = "scenarios/one.json";
  header.version = "aftershock 0.1.0";
  header.text = "{}";
  header.digest = 0xfedcba9876543210U;
  header.first_seed = 7;
  header.replicas = 3;
  header.pointers = {"/jobs/0/attempts", "/a\"b"};
  header.cells = {{"every=30min", "ray_train@2026-05", {{"/jobs/0/checkpoint/every", "30min"}}},
                  {"every=1h", "ray_train@2026-05", {{"/jobs/0/checkpoint/every", "1h"}}}};
  return header;
}

RunRow row(std::uint32_t cell, std::uint32_t replica) {
  RunRow row;
  row.cell = cell;
  row.replica = replica;
  row.seed = 7 + replica;
  row.hash = 0x8000000000000001U + replica;
  row.outcome = "failed";
  row.reason = "exhausted(max_failures)";
  row.verdict_reason = "1 of 2 expectations failed";
  row.values.resize(metrics().size() + 2);
  row.values[*metric_named("ettr")] = 0.1 + 0.2;
  row.values[*metric_named("wall_us")] = std::numeric_limits<std::int64_t>::max();
  row.values[*metric_named("exhausted_us")] = std::int64_t{1000} * (replica + 1);
  row.values.back() = -1.5;
  return row;
}

std::vector<RunRow> rows_of(const std::string& path) {
  auto reader = RunReader::open(path);
  std::vector<RunRow> rows;
  std::get<RunReader>(reader).each([&rows](RunRow&& each) {
    rows.push_back(std::move(each));
    return true;
  });
  return rows;
}

TEST_F(RunStoreTest, WhatWasAddedIsReadByCellAndReplica) {
  {
    auto store = RunStore::create(path("a"), header());
    ASSERT_TRUE(std::holds_alternative<RunStore>(store)) << std::get<std::string>(store);
    auto& good = std::get<RunStore>(store);
    for (const auto& each : {row(1, 0), row(0, 2), row(0, 0), row(0, 0)}) {
      good.add(each);
    }
    good.trouble(1, 0, "killed by signal 9");
    good.recording(0, 2, "a.recordings/x");
    good.finish();
    EXPECT_EQ(good.problem(), "");
  }
  EXPECT_EQ(rows_of(path("a")), (std::vector{row(0, 0), row(0, 2), row(1, 0)}));
  auto reader = RunReader::open(path("a"));
  auto& good = std::get<RunReader>(reader);
  EXPECT_TRUE(good.complete());
  EXPECT_EQ(good.header(), header());
  EXPECT_EQ(good.troubles().at(0).what, "killed by signal 9");
  EXPECT_EQ(good.recordings().at(0).path, "a.recordings/x");
}

TEST_F(RunStoreTest, GoesOnAndIsNotCompleteUntilItIsFinished) {
  {
    auto store = RunStore::create(path("a"), header());
    std::get<RunStore>(store).add(row(0, 0));
    std::get<RunStore>(store).commit();
    std::get<RunStore>(store).add(row(0, 1));  // lost: never committed
  }
  {
    auto reader = RunReader::open(path("a"));
    EXPECT_FALSE(std::get<RunReader>(reader).complete());
  }
  EXPECT_EQ(rows_of(path("a")), std::vector{row(0, 0)});
  {
    auto store = RunStore::resume(path("a"), header());
    ASSERT_TRUE(std::holds_alternative<RunStore>(store)) << std::get<std::string>(store);
    auto& good = std::get<RunStore>(store);
    EXPECT_EQ(good.header(), header());
    good.set_replicas(9);
    good.add(row(0, 1));
    good.add(row(1, 5));
    good.drop_from(5);
    good.finish();
    EXPECT_EQ(good.problem(), "");
  }
  auto reader = RunReader::open(path("a"));
  EXPECT_EQ(std::get<RunReader>(reader).header().replicas, 9);
  EXPECT_EQ(rows_of(path("a")), (std::vector{row(0, 0), row(0, 1)}));
}

TEST_F(RunStoreTest, OneWriterAtATime) {
  auto store = RunStore::create(path("a"), header());
  ASSERT_TRUE(std::holds_alternative<RunStore>(store));
  EXPECT_THAT(std::get<std::string>(RunStore::create(path("a"), header())),
              HasSubstr("is there already"));
  EXPECT_THAT(std::get<std::string>(RunStore::resume(path("a"), header())),
              HasSubstr("being written by another sweep"));
  EXPECT_THAT(std::get<std::string>(RunReader::open(path("a"))),
              HasSubstr("being written by another sweep"));
}

TEST_F(RunStoreTest, OtherFilesAreRefused) {
  std::ofstream(path("text")) << "hello\n";
  std::ofstream(path("empty"));
  {
    Database other(path("other"), Database::Mode::kCreate);
    other.execute("create table run (a)");
    Database newer(path("newer"), Database::Mode::kCreate);
    newer.execute("pragma application_id = 1095979602; pragma user_version = 99");
    Database older(path("older"), Database::Mode::kCreate);
    older.execute("pragma application_id = 1095979602; pragma user_version = 3");
    Database hollow(path("hollow"), Database::Mode::kCreate);
    hollow.execute(
        "pragma application_id = 1095979602; pragma user_version = 4;"
        "create table sweep (about, complete); insert into sweep values ('{}', 1)");
  }
  const std::pair<const char*, const char*> kRows[] = {{"text", "not a file of results"},
                                                       {"empty", "not a file of results"},
                                                       {"other", "not a file of results"},
                                                       {"newer", "schema 99"},
                                                       {"older", "schema 3"},
                                                       {"hollow", "cannot be read"},
                                                       {"none", "unable to open"},
                                                       {".", "directory"}};
  for (const auto& [name, message] : kRows) {
    const auto opened = RunReader::open(path(name));
    ASSERT_TRUE(std::holds_alternative<std::string>(opened)) << name;
    EXPECT_THAT(std::get<std::string>(opened), HasSubstr(message)) << name;
    if (std::string_view(name) != "empty") {
      EXPECT_TRUE(std::holds_alternative<std::string>(RunStore::resume(path(name), header())))
          << name;
    }
  }
}

// Builds between two versions may write other columns under the same schema.
TEST_F(RunStoreTest, FilesOfAnotherBuildAreRefusedByName) {
  const std::pair<const char*, const char*> kRows[] = {
      {"alter table run rename column ettr to ratio", "its table run has no column ettr"},
      {"alter table run add column more", "its table run has a column more"},
      {"alter table trouble drop column what", "its table trouble has no column what"},
      {"drop table recording", "it has no table recording"}};
  for (const auto& [change, message] : kRows) {
    std::filesystem::remove(path("a"));
    {
      auto store = RunStore::create(path("a"), header());
      std::get<RunStore>(store).add(row(0, 0));
      std::get<RunStore>(store).finish();
    }
    {
      Database changed(path("a"), Database::Mode::kWrite);
      changed.execute(change);
      ASSERT_TRUE(changed.good()) << changed.problem();
    }
    const auto opened = RunReader::open(path("a"));
    ASSERT_TRUE(std::holds_alternative<std::string>(opened)) << change;
    EXPECT_THAT(std::get<std::string>(opened), HasSubstr(path("a") +
                                                         ": was written by another "
                                                         "build, aftershock 0.1.0: " +
                                                         message));
    EXPECT_THAT(std::get<std::string>(RunStore::resume(path("a"), header())), HasSubstr(message));
  }
}

TEST_F(RunStoreTest, WhatWasKilledBeforeItBeganIsBegun) {
  std::ofstream(path("empty"));
  {
    auto store = RunStore::resume(path("empty"), header());
    ASSERT_TRUE(std::holds_alternative<RunStore>(store)) << std::get<std::string>(store);
    std::get<RunStore>(store).add(row(0, 0));
    std::get<RunStore>(store).finish();
  }
  EXPECT_EQ(rows_of(path("empty")), std::vector{row(0, 0)});
}

TEST_F(RunStoreTest, AFileThatIsCutOffSaysSo) {
  {
    auto store = RunStore::create(path("a"), header());
    for (std::uint32_t replica = 0; replica < 3000; ++replica) {
      std::get<RunStore>(store).add(row(0, replica));
    }
    std::get<RunStore>(store).finish();
  }
  std::filesystem::resize_file(path("a"), std::filesystem::file_size(path("a")) / 2);
  auto opened = RunReader::open(path("a"));
  if (auto* reader = std::get_if<RunReader>(&opened)) {
    EXPECT_TRUE(reader->each([](RunRow&&) { return true; }).has_value());
  }
}

TEST_F(RunStoreTest, CellsAreSummarised) {
  {
    auto store = RunStore::create(path("a"), header());
    auto& good = std::get<RunStore>(store);
    for (std::uint32_t replica = 0; replica < 3; ++replica) {
      RunRow each = row(1, replica);
      each.values[*metric_named("productive_us")] = std::int64_t{80} + 5 * replica;
      each.values[*metric_named("wall_us")] = std::int64_t{100};
      each.values[*metric_named("completed")] = std::int64_t{replica == 0};
      each.values[*metric_named("alive")] = std::int64_t{replica != 2};
      each.values[*metric_named("failed")] = std::int64_t{replica == 2};
      each.values[*metric_named("stuck")] = std::int64_t{0};
      each.values[*metric_named("useful_share")] = 0.5 + 0.1 * replica;
      good.add(each);
    }
    RunRow died;
    died.cell = 1;
    died.replica = 3;
    died.verdict = Verdict::kInternalError;
    good.add(died);
    good.finish();
  }
  auto reader = RunReader::open(path("a"));
  const auto cells = std::get<0>(summarise_cells(std::get<RunReader>(reader)));
  ASSERT_EQ(cells.size(), 1);
  EXPECT_EQ(cells[0].cell, 1);
  EXPECT_EQ(cells[0].runs, 4);
  EXPECT_DOUBLE_EQ(cells[0].ettr->value, 0.85);
  EXPECT_DOUBLE_EQ(cells[0].useful_share->value, 0.6) << "the mean of the runs' own";
  EXPECT_DOUBLE_EQ(cells[0].completed->value, 1.0 / 3);
  EXPECT_DOUBLE_EQ(cells[0].alive->value, 2.0 / 3);
  EXPECT_DOUBLE_EQ(cells[0].failed->value, 1.0 / 3);
  EXPECT_DOUBLE_EQ(cells[0].stuck->value, 0);
  EXPECT_DOUBLE_EQ(cells[0].exhausted->value, 1);
  EXPECT_EQ(time_quantile(*cells[0].exhaustion)->t_us, 2000);
  EXPECT_EQ(worst_verdict(cells), Verdict::kInternalError);
}

TEST(RunRow, GoesThroughBytes) {
  const RunRow whole = row(1, 2);
  const std::string bytes = to_bytes(whole);
  EXPECT_EQ(row_from_bytes(bytes), whole);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(row_from_bytes(std::string_view(bytes).substr(0, size)), std::nullopt);
  }
  EXPECT_EQ(row_from_bytes(bytes + "x"), std::nullopt);
}

TEST(RunRow, HasTheReasonOfItsJobBesideThatOfItsVerdict) {
  RunSummary summary;
  JobSummary job;
  job.outcome = "failed";
  job.reason = "exhausted(max_failures)";
  summary.jobs = {job};
  EXPECT_EQ(why_of(row_of(summary, {})), "exhausted(max_failures)");
  summary.verdict = Verdict::kFailed;
  summary.verdict_reason = "1 of 2 expectations failed";
  const RunRow row = row_of(summary, {});
  EXPECT_EQ(row.outcome, "failed");
  EXPECT_EQ(row.reason, "exhausted(max_failures)");
  EXPECT_EQ(row.verdict_reason, "1 of 2 expectations failed");
  EXPECT_EQ(why_of(row), "1 of 2 expectations failed");
  EXPECT_EQ(row_from_bytes(to_bytes(row)), row);
}

using RunStoreDeathTest = RunStoreTest;

TEST_F(RunStoreDeathTest, ARowIsOfACellAndHasAValueForEachColumn) {
  auto made = RunStore::create(path("rows.runs"), header());
  auto& store = std::get<RunStore>(made);
  EXPECT_DEATH(store.add(row(2, 0)), "assertion failed");
  RunRow short_of_one = row(0, 0);
  short_of_one.values.pop_back();
  EXPECT_DEATH(store.add(short_of_one), "assertion failed");
}

}  // namespace
}  // namespace aftershock::reports
