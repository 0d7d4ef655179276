#include "sim/workload/checkpoint_name.h"

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace aftershock::sim::workload {
namespace {

TEST(DateName, IsThatOfTheZoneOfTheStart) {
  struct Row {
    const char* start;
    std::int64_t at_us;
    const char* wanted;
  };
  const Row rows[] = {
      {"2026-11-20T18:00:00+08:00", 0, "2026-11-20_18-00-00.000000"},
      {"2026-11-20T18:00:00+08:00", 21'600'000'000, "2026-11-21_00-00-00.000000"},
      {"2026-11-20T18:00:00+08:00", 21'599'999'999, "2026-11-20_23-59-59.999999"},
      {"2028-02-28T23:59:59Z", 1'000'000, "2028-02-29_00-00-00.000000"},
      {"2026-12-31T00:00:00Z", kDay, "2027-01-01_00-00-00.000000"},
      {"", 3'723'000'004, "1970-01-01_01-02-03.000004"},
      {"", 365 * kDay, "1971-01-01_00-00-00.000000"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(date_name(row.start, row.at_us), row.wanted);
  }
}

// Only Train V2 names them by their date; Train V1 and Tune count from 0.
TEST(CheckpointName, IsThatOfWhoRunsTheJob) {
  const std::string_view start = "2026-11-20T18:00:00+08:00";
  EXPECT_EQ(checkpoint_name({"ray_train", start}, 3, 1'500'000),
            "checkpoint_2026-11-20_18-00-01.500000");
  EXPECT_EQ(checkpoint_name({"ray_train_v1", start}, 5, 1'500'000), "checkpoint_000004");
  EXPECT_EQ(checkpoint_name({"ray_tune", start}, 1, 0), "checkpoint_000000");
  EXPECT_EQ(checkpoint_name({"modelarts", start}, 12, 0), "checkpoint_000012");
}

}  // namespace
}  // namespace aftershock::sim::workload
