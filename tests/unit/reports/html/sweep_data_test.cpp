#include "reports/html/sweep_data.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/report.h"

namespace aftershock::reports {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A file of two cells of 101 runs: ETTR is replica / 100, and in the second cell 0.001 more; every
/// second run of the first exhausts its retries after a day, in the second none does.
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
    row.outcome = exhausted ? "failed" : "completed";
    row.reason = exhausted ? "exhausted(max)" : "completed";
    row.values.resize(metrics().size());
    const auto set = [&row](std::string_view name, MetricValue value) {
      row.values[*metric_named(name)] = value;
    };
    set("ettr", replica / 100.0 + (cell == 1 ? 0.001 : 0.0));
    set("lost_us", std::int64_t{60'000'000});
    set("simulated_us", 2 * kDay_us);
    set("wall_us", 2 * kDay_us);
    if (exhausted) {
      set("exhausted_us", kDay_us);
    }
    // The one that went most wrong, whatever its ETTR.
    row.verdict = cell == 1 && replica == 7 ? Verdict::kStuck : Verdict::kPassed;
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
  EXPECT_EQ(data.distributions[*metric_named("cost")][0].count, 0);
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
  ASSERT_FALSE(data.differences.empty());
  const CellAgainstFirst& ettr = data.differences.front();
  EXPECT_EQ(data.columns[ettr.column], "ettr");
  EXPECT_EQ(ettr.cell, 1U);
  EXPECT_EQ(ettr.paired.pairs, 101);
  EXPECT_EQ(ettr.paired.higher, 101);
  EXPECT_NEAR(ettr.paired.mean.value, 0.001, 1e-12);
  EXPECT_THAT(data.undifferent, Contains("lost_us"));
}

TEST_F(SweepDataOfAFile, WorstRunsAreByVerdictThenEttr) {
  RunReader file = reader();
  const SweepData data = read_sweep(file);
  ASSERT_EQ(data.worst.size(), kWorstRuns);
  EXPECT_EQ(data.worst[0].verdict, Verdict::kStuck);
  EXPECT_EQ(data.worst[1], run(0, 0));
  EXPECT_EQ(data.worst[2], run(1, 0));
  EXPECT_EQ(data.worst[3], run(0, 1));
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
  EXPECT_THAT(result.page, HasSubstr("--seed 1 --set /cluster/pools/0/spares=1</code>"));
  // 50 of 101 runs have exhausted their retries after a day: 51/101 have not.
  EXPECT_THAT(result.page, HasSubstr("[86400000000,0.504950495"));
}

}  // namespace
}  // namespace aftershock::reports
