#include "reports/html/sweep_data.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/report.h"
#include "reports/render/cells_text.h"
#include "reports/results/cell_summary.h"
#include "tests/unit/reports/sample_recording.h"

namespace aftershock::reports {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A file of two cells of 101 runs: ETTR is replica / 100, useful work half of what that lacks,
/// and in the second cell both are 0.001 more; every second run of the first exhausts its retries
/// after a day, in the second none does, and one is stuck.
class SweepDataOfAFile : public ::testing::Test {
 protected:
  SweepDataOfAFile()
      : folder_(std::filesystem::temp_directory_path() /
                (std::string("aftershock-sweep-data-") +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    StoreHeader header;
    header.scenario = "<b>s</b>";
    header.path = "my scenario.json";
    header.version = "aftershock 0.1.0";
    header.text = "{}";
    header.replicas = 101;
    header.cells = {{"spares=1", "p@1", {{"/cluster/pools/0/spares", "1"}}},
                    {"policy=q@2", "q@2", {{"policy", "q@2"}}}};
    auto created = RunStore::create(path(), header);
    auto& store = std::get<RunStore>(created);
    for (std::uint32_t cell = 0; cell < 2; ++cell) {
      for (std::uint32_t replica = 0; replica <= 100; ++replica) {
        store.add(run(cell, replica));
      }
    }
    store.recording(1, 7, "kept.aftershock.zst");
    store.finish();
  }
  ~SweepDataOfAFile() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return (folder_ / "s.sqlite").string(); }
  [[nodiscard]] RunReader reader() const { return std::get<RunReader>(RunReader::open(path())); }

  static RunRow run(std::uint32_t cell, std::uint32_t replica) {
    constexpr std::int64_t kDay_us = 86'400'000'000;
    const bool exhausted = cell == 0 && replica % 2 == 1;
    RunRow row;
    row.cell = cell;
    row.replica = replica;
    row.seed = 1 + replica;
    const bool stuck = cell == 1 && replica == 7;
    row.outcome = exhausted ? "failed" : stuck ? "running" : "completed";
    row.reason = exhausted ? "exhausted(max)" : stuck ? "" : "completed";
    row.values.resize(metrics().size());
    const auto set = [&row](std::string_view name, MetricValue value) {
      row.values[*metric_named(name)] = value;
    };
    set("completed", std::int64_t{!exhausted && !stuck});
    set("alive", std::int64_t{!exhausted && !stuck});
    set("failed", std::int64_t{exhausted});
    set("stuck", std::int64_t{stuck});
    set("useful_share", (100 - replica) / 200.0 + (cell == 1 ? 0.001 : 0.0));
    set("ettr", replica / 100.0 + (cell == 1 ? 0.001 : 0.0));
    set("lost_us", std::int64_t{60'000'000});
    set("attempts", std::int64_t{3});
    set("cost", 3.0);
    constexpr std::int64_t kHour_us = 3'600'000'000;
    set("useful_accelerator_us", replica % 2 == 0 ? 3 * kHour_us : kHour_us);
    set("simulated_us", 2 * kDay_us);
    set("productive_us", kDay_us);
    set("wall_us", 2 * kDay_us);
    if (exhausted) {
      set("exhausted_us", kDay_us);
    } else if (!stuck) {
      set("finish_us", 2 * kDay_us);
    }
    // The one that went most wrong, whatever its useful work.
    row.verdict = stuck ? Verdict::kStuck : Verdict::kPassed;
    return row;
  }

  std::filesystem::path folder_;
};

TEST_F(SweepDataOfAFile, HasQuantilesOfEachCell) {
  RunReader file = reader();
  const SweepData data = read_sweep(file);
  ASSERT_EQ(data.cells.size(), 2U);
  const auto& ettr = data.distributions[*metric_named("ettr")];
  ASSERT_EQ(ettr.size(), 2U);
  ASSERT_EQ(ettr[0].quantiles.size(), kPercentsShown.size());
  for (std::size_t i = 0; i < kPercentsShown.size(); ++i) {
    EXPECT_NEAR(ettr[0].quantiles[i].value, kPercentsShown.at(i) / 100.0, 1e-12);
  }
  EXPECT_FALSE(ettr[0].quantiles.front().interval);
  // Of 101 values the 41st and the 61st: P(B(101, 1/2) <= 40) = 0.0230, and 41 would be too many.
  EXPECT_EQ(ettr[0].quantiles[3].interval, (Interval{0.40, 0.60}));
  EXPECT_NEAR(ettr[0].mean, 0.5, 1e-12);
  EXPECT_EQ(data.distributions[*metric_named("recovery_us")][0].count, 0);
}

TEST_F(SweepDataOfAFile, HasTheShareOfRunsUpToEachValue) {
  RunReader file = reader();
  const SweepData data = read_sweep(file);
  const Distribution& ettr = data.distributions[*metric_named("ettr")][0];
  ASSERT_EQ(ettr.shares.size(), 101U);
  EXPECT_EQ(ettr.shares.front(), (ShareUpTo{0.0, 1 / 101.0}));
  EXPECT_EQ(ettr.shares.back(), (ShareUpTo{1.0, 1.0}));
  // The same value in every run is one step.
  const Distribution& lost = data.distributions[*metric_named("lost_us")][0];
  EXPECT_EQ(lost.shares, (std::vector<ShareUpTo>{{60e6, 1.0}}));
  // sqrt(ln(2 / 0.05) / (2 * 101))
  EXPECT_NEAR(ettr.band, 0.135136, 1e-6);
}

TEST_F(SweepDataOfAFile, PairsRunsOfOneSeed) {
  RunReader file = reader();
  const SweepData data = read_sweep(file);
  std::vector<std::string> columns;
  for (const CellAgainstFirst& difference : data.differences) {
    columns.push_back(data.columns[difference.column]);
    EXPECT_EQ(difference.cell, 1U);
    EXPECT_EQ(difference.paired.pairs, 101);
  }
  ASSERT_THAT(columns, ElementsAre("completed", "alive", "failed", "stuck", "useful_share", "ettr"))
      << "outcomes first";
  // 50 runs of the first are exhausted and one of the second is stuck, in a pair of these.
  EXPECT_EQ(data.differences[1].paired.higher, 49);
  EXPECT_EQ(data.differences[1].paired.lower, 0);
  for (const std::size_t share : {4U, 5U}) {
    EXPECT_EQ(data.differences[share].paired.higher, 101);
    EXPECT_NEAR(data.differences[share].paired.mean.value, 0.001, 1e-12);
  }
  EXPECT_THAT(data.undifferent, Contains("lost_us"));
}

TEST_F(SweepDataOfAFile, WorstRunsAreByVerdictThenUsefulWork) {
  RunReader file = reader();
  const SweepData data = read_sweep(file);
  ASSERT_EQ(data.worst.size(), kWorstRuns);
  EXPECT_EQ(data.worst[0].verdict, Verdict::kStuck);
  EXPECT_EQ(data.worst[1], run(0, 100));
  EXPECT_EQ(data.worst[2], run(1, 100));
  EXPECT_EQ(data.worst[3], run(0, 99));
}

TEST_F(SweepDataOfAFile, PageHasCommandsCellsAndTheCurve) {
  RunReader file = reader();
  const PageResult result = sweep_page(file, path());
  ASSERT_EQ(result.problem, "");
  EXPECT_THAT(result.page, HasSubstr("202 runs: 201 passed, 1 stuck"));
  EXPECT_THAT(result.page, HasSubstr("&lt;b&gt;s&lt;/b&gt;"));
  EXPECT_THAT(result.page, Not(HasSubstr("<b>s</b>")));
  EXPECT_THAT(result.page, HasSubstr("aftershock run &#39;my scenario.json&#39; --seed 8 --policy "
                                     "q@2</code><br><code>aftershock view kept.aftershock.zst"));
  EXPECT_THAT(result.page, HasSubstr("--seed 101 --set /cluster/pools/0/spares=1</code>"));
  // 50 of 101 runs have exhausted their retries after a day: 51/101 have not.
  EXPECT_THAT(result.page, HasSubstr("[86400000000,0.504950495"));
}

// Half of the first cell's runs die: a higher ETTR beside that is not called better.
TEST_F(SweepDataOfAFile, PageJudgesOnlyWhatComparesLives) {
  RunReader file = reader();
  const std::string page = sweep_page(file, path()).page;
  EXPECT_THAT(page, HasSubstr("<p>Where runs ended at different places, "));
  struct Row {
    const char* metric;
    const char* told;
  };
  for (const Row& row :
       {Row{"completed", "better"}, Row{"alive", "better"}, Row{"failed", "better"},
        Row{"stuck", "no"}, Row{"useful_share", "better"}, Row{"ettr", "higher"}}) {
    const std::size_t at = page.find(std::string("<tr data-metric=\"") + row.metric + '"');
    ASSERT_NE(at, page.npos) << row.metric;
    EXPECT_THAT(page.substr(at, page.find("</tr>", at) - at),
                HasSubstr(std::string("<span class=\"") + row.told + "\">"))
        << row.metric;
  }
  EXPECT_THAT(page, HasSubstr("<caption>useful_share: quantiles</caption>"));
}

TEST_F(SweepDataOfAFile, IsToldInATableOfItsCells) {
  RunReader file = reader();
  const auto cells = std::get<0>(summarise_cells(file));
  EXPECT_EQ(cells_text(file, cells, {}), testing::read_file("tests/data/reports/cells.txt"));
}

TEST_F(SweepDataOfAFile, JsonHasOneIntervalAShareAndTheCostOfAllRuns) {
  RunReader file = reader();
  const auto cells = std::get<0>(summarise_cells(file));
  const auto json = to_json(file, cells)["cells"][0];
  // None of 101: z^2 / (n + z^2) by Wilson.
  EXPECT_NEAR(json["p_stuck"]["high"].get<double>(), 3.8415 / 104.8415, 1e-4);
  EXPECT_EQ(json["metrics"]["stuck"]["high"], json["p_stuck"]["high"]);
  EXPECT_EQ(json["metrics"]["failed"]["low"], json["p_failed"]["low"]);
  // 101 x 3 by 51 x 3 h and 50 x 1 h; the mean of the runs' own is 1.99.
  EXPECT_NEAR(json["cost_per_useful_hour"]["value"].get<double>(), 303.0 / 203, 1e-9);
}

}  // namespace
}  // namespace aftershock::reports
