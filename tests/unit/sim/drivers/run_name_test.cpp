#include "sim/drivers/run_name.h"

#include <gtest/gtest.h>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::drivers {
namespace {

TEST(RunKey, TellsRunsApart) {
  scenario::RunSpec run;
  run.storage = 0;
  run.storage_path = "s3://a";
  run.name = "one";
  const auto run_key = [](const scenario::RunSpec& spec, std::uint32_t holder,
                          std::uint32_t driver = 1) {
    return sim::drivers::run_key(spec, holder, driver, "ray_tune");
  };
  EXPECT_EQ(run_key(run, 1), run_key(run, 2));
  EXPECT_EQ(run_key(run, 1), run_key(run, 1, 2));
  EXPECT_EQ(run_key(run, 1), sim::drivers::run_key(run, 1, 1, "ray_train_v1"));
  EXPECT_NE(run_key(run, 1), sim::drivers::run_key(run, 1, 1, "ray_train"));
  scenario::RunSpec other = run;
  other.storage_path = "s3://b";
  EXPECT_NE(run_key(run, 1), run_key(other, 1));
  other = run;
  other.storage = 1;
  EXPECT_NE(run_key(run, 1), run_key(other, 1));
  other = run;
  other.name.clear();
  EXPECT_NE(run_key(other, 1), run_key(other, 2));
  EXPECT_EQ(run_key(other, 1), run_key(other, 1, 2));
  other.name = "a-{uuid}";
  EXPECT_NE(run_key(other, 1), run_key(other, 1, 2));
}

TEST(RunPath, IsAsPeopleWriteIt) {
  scenario::RunSpec run;
  run.storage_path = "s3://a/";
  EXPECT_EQ(run_path(run, 0, 1), "");
  run.name = "one";
  EXPECT_EQ(run_path(run, 0, 1), "s3://a/one");
  run.name = "b-{uuid}-c";
  EXPECT_EQ(run_path(run, 3, 2), "s3://a/b-00030002-c");
}

}  // namespace
}  // namespace aftershock::sim::drivers
