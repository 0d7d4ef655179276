#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/results/cell_summary.h"
#include "reports/results/database.h"
#include "reports/results/run_store.h"

namespace aftershock::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class HostileResults : public ::testing::Test {
 protected:
  HostileResults()
      : path_((std::filesystem::temp_directory_path() /
               (std::string("aftershock-hostile-") +
                ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                  .string()) {}
  ~HostileResults() override { std::filesystem::remove(path_); }

  /// A file of three runs of each of two cells.
  void make() const {
    std::filesystem::remove(path_);
    StoreHeader header;
    header.scenario = "one";
    header.replicas = 3;
    header.pointers = {"/a"};
    header.cells = {{"a", "ray_train@2026-05", {{"/x", "1"}}},
                    {"b", "ray_train@2026-05", {{"/x", "2"}}}};
    auto made = RunStore::create(path_, header);
    auto& store = std::get<RunStore>(made);
    for (std::uint32_t i = 0; i < 6; ++i) {
      RunRow row;
      row.cell = i / 3;
      row.replica = i % 3;
      row.outcome = "completed";
      row.values.resize(metrics().size() + 1);
      store.add(row);
    }
    store.trouble(1, 2, "killed by signal 9");
    store.recording(0, 1, "one.recordings/x");
    store.finish();
    ASSERT_EQ(store.problem(), "");
  }

  void change(const std::string& sql) const {
    Database database(path_, Database::Mode::kWrite);
    database.execute(sql);
    ASSERT_TRUE(database.good()) << sql << ": " << database.problem();
  }

  /// The first problem of a reader of all that the file holds; empty: it is good.
  [[nodiscard]] std::string read() const {
    auto opened = RunReader::open(path_);
    if (const auto* problem = std::get_if<std::string>(&opened)) {
      EXPECT_THAT(*problem, StartsWith(path_ + ": "));
      return *problem;
    }
    const auto cells = summarise_cells(std::get<RunReader>(opened));
    const auto* problem = std::get_if<std::string>(&cells);
    return problem == nullptr ? "" : *problem;
  }

  const std::string path_;
};

TEST_F(HostileResults, IsReadWhereNothingWasChanged) {
  make();
  EXPECT_EQ(read(), "");
}

TEST_F(HostileResults, IsAnErrorWithItsPlace) {
  const std::string about = "update sweep set about = json_set(about, ";
  const std::pair<std::string, std::string_view> kRows[] = {
      {about + "'$.shards', 0)", "it is shard 1 of 0"},
      {about + "'$.shard', 0)", "it is shard 0 of 1"},
      {about + "'$.shard', 2)", "it is shard 2 of 1"},
      {about + "'$.replicas', -1)", "its replicas cannot be read"},
      {about + "'$.replicas', 4294967296)", "its replicas cannot be read"},
      {about + "'$.replicas', 1.5)", "its replicas cannot be read"},
      {about + "'$.first_seed', '7')", "its first_seed cannot be read"},
      {about + "'$.digest', '12')", "its digest cannot be read"},
      {about + "'$.digest', 'ghijklmnopqrstuv')", "its digest cannot be read"},
      {about + "'$.pointers', json('[\"ettr\"]'))", "its pointers cannot be read"},
      {about + "'$.pointers', json('[\"/a\",\"/a\"]'))", "its pointers cannot be read"},
      {about + "'$.pointers', json('[\"/b\"]'))", "its table run has no column /b"},
      {about + "'$.text', 1)", "its text cannot be read"},
      {"update sweep set about = x'7b7d'", "its column about holds bytes; expected text"},
      {"update sweep set about = '{\"scenario\":\"' || cast(x'ff' as text) || '\"}'",
       "what it says about its sweep cannot be read"},
      {"update sweep set about = replace(hex(zeroblob(50000)), '00', '[')", "cannot be read"},
      {"update sweep set complete = 2", "its column complete holds 2; expected a whole number"},
      {"insert into sweep select * from sweep", "its table sweep has several rows"},
      {"delete from sweep", "it was never begun"},
      {"delete from cell", "it has no cells"},
      {"update cell set cell = 9 where cell = 1", "its table cell, row 2: its column cell holds 9"},
      {"update cell set label = x'00'", "its table cell, row 1: its column label holds bytes"},
      {"update cell set parameters = '[]'", "its parameters cannot be read"},
      {"update cell set parameters = '{\"/x\":1}'", "its parameters cannot be read"},
      {"update run set cell = 2 where cell = 1", "its column cell holds 2; expected"},
      {"update run set replica = -1 where replica = 1",
       "run -1 of cell 0 cannot be read: its column replica holds -1"},
      {"update run set replica = 4294967296 where replica = 2", "holds 4294967296"},
      {"update run set replica = 'one' where replica = 1", "its column replica holds text"},
      {"update run set seed = 1e300 where replica = 1", "its column seed holds 1e+300"},
      {"update run set seed = 'many'", "its column seed holds text; expected a whole number"},
      {"update run set verdict = 'fine'", "run 0 of cell 0 cannot be read: its verdict"},
      {"update run set hash = 'ff'", "its hash is not one"},
      {"update run set outcome = x'ff'", "its column outcome holds bytes; expected text"},
      {"update run set ettr = -0.5", "its column ettr holds -0.5; expected a number from 0"},
      {"update run set ettr = 'high'", "its column ettr holds text; expected a number"},
      {"update run set wall_us = 9e999", "its column wall_us holds inf"},
      {"update run set wall_us = -9223372036854775808", "holds -9223372036854775808"},
      {"update run set \"/a\" = x''", "its column /a holds bytes"},
      {"update trouble set cell = 2", "its table trouble, row 1: its column cell holds 2"},
      {"update trouble set what = x'00'", "its column what holds bytes; expected text"},
      {"update recording set replica = 0.5", "its table recording, row 1: its column replica"},
      {"alter table run rename to old; create view run as select * from old",
       "its run is a view, not a table"},
      {"alter table sweep rename to old; create view sweep as select * from old",
       "its sweep is a view, not a table"},
      {"alter table cell rename to old; create view cell as with recursive c(n) as (select 0 "
       "union all select n + 1 from c) select n as cell, 'a' as label, 'b' as policy, '{}' as "
       "parameters from c",
       "its cell is a view, not a table"},
      {"drop table recording; create view recording as with recursive c(n) as (select 0 union all "
       "select n + 1 from c) select 0 as cell, n as replica, '' as path from c",
       "its recording is a view, not a table"},
      {"drop table trouble; create table trouble (cell, replica, what as (hex(zeroblob(9))))",
       "its table trouble computes the column what"}};
  for (const auto& [sql, message] : kRows) {
    make();
    change(sql);
    EXPECT_THAT(read(), HasSubstr(message)) << sql;
  }
}

TEST_F(HostileResults, RunsNoTriggerOfAFileThatIsGoneOnWith) {
  make();
  change("create trigger t after insert on run begin delete from run; end");
  {
    auto resumed = RunStore::resume(path_, {});
    ASSERT_TRUE(std::holds_alternative<RunStore>(resumed)) << std::get<std::string>(resumed);
    auto& store = std::get<RunStore>(resumed);
    RunRow row;
    row.replica = 3;
    row.verdict = Verdict::kInternalError;
    store.add(row);
    store.finish();
    EXPECT_EQ(store.problem(), "");
  }
  Database database(path_, Database::Mode::kRead);
  EXPECT_EQ(database.number("select count(*) from run"), 7);
}

TEST_F(HostileResults, EndsAStatementThatGoesOnForEver) {
  Database database(path_, Database::Mode::kCreate);
  EXPECT_EQ(database.number("with recursive c(n) as (select 0 union all select n + 1 from c) "
                            "select max(n) from c"),
            std::nullopt);
  EXPECT_EQ(database.problem(), path_ + ": reading it does not come to an end; it is damaged");
}

}  // namespace
}  // namespace aftershock::reports
