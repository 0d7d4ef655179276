#include "gui/lanes/directory.h"

#include <gtest/gtest.h>

#include "tests/unit/gui/lanes/sample_cluster.h"

namespace aftershock::gui::testing {
namespace {

TEST(Directory, NamesAndKeys) {
  const Directory directory = make_directory(sample_header(), {"step", "ettr"});
  const struct {
    const char* text;
    LaneKey key;
    const char* label;
  } table[] = {
      {"heads", {.section = Section::kHeads}, "heads"},
      {"head:head-a", {.section = Section::kHeads, .node = 0}, "head-a"},
      {"storage:nfs", {.section = Section::kStorages, .node = 0}, "nfs"},
      {"pool:gpu", {.section = Section::kPools, .group = 0}, "gpu"},
      {"pool:gpu/counter:step",
       {.section = Section::kPools, .group = 0, .facet = Facet::kCounters, .item = 0},
       "step"},
      {"pool:gpu/counters",
       {.section = Section::kPools, .group = 0, .facet = Facet::kCounters},
       "counters"},
      {"rack:gpu/1", {.section = Section::kPools, .group = 0, .rack = 1}, "rack 1"},
      {"node:gpu-3", {.section = Section::kPools, .group = 0, .rack = 0, .node = 3}, "gpu-3"},
      // Slots of a pool: its nodes, its spares, then what may be provisioned.
      {"node:gpu-spare-0",
       {.section = Section::kPools, .group = 0, .rack = 1, .node = 6},
       "gpu-spare-0"},
      {"node:gpu-6", {.section = Section::kPools, .group = 0, .rack = 1, .node = 7}, "gpu-6"},
      {"accelerator:gpu-4/1",
       {.section = Section::kPools, .group = 0, .rack = 1, .node = 4, .accelerator = 1},
       "1"},
      {"node:cpu-2", {.section = Section::kPools, .group = 1, .node = 2}, "cpu-2"},
      {"job:llm", {.section = Section::kJobs, .group = 0}, "llm"},
      {"job:a/b", {.section = Section::kJobs, .group = 1}, "a/b"},
      {"job:a/b/attempts",
       {.section = Section::kJobs, .group = 1, .facet = Facet::kAttempts},
       "attempts"},
      {"job:llm/budget:retries",
       {.section = Section::kJobs, .group = 0, .facet = Facet::kBudgets, .item = 1},
       "retries"},
      {"job:llm/counter:ettr",
       {.section = Section::kJobs, .group = 0, .facet = Facet::kCounters, .item = 1},
       "ettr"},
      {"experiment:tune/trial:19",
       {.section = Section::kExperiments, .group = 0, .node = 19},
       "trial 19"},
      {"experiment:tune/trial:0/phases",
       {.section = Section::kExperiments, .group = 0, .node = 0, .facet = Facet::kPhases},
       "phases"},
  };
  for (const auto& row : table) {
    EXPECT_EQ(key_of(directory, row.text), row.key) << row.text;
    EXPECT_EQ(text_of(directory, row.key), row.text);
    EXPECT_EQ(label_of(directory, row.key), row.label);
  }
}

TEST(Directory, HasNobodyOfOtherNames) {
  const Directory directory = make_directory(sample_header(), {"step"});
  for (const char* text : {"",
                           "run",
                           "node:",
                           "node:gpu-",
                           "node:gpu-7",
                           "node:gpu--1",
                           "node:gpu-03",
                           "node:tpu-1",
                           "node:gpu-99999999999999999999",
                           "accelerator:gpu-4/2",
                           "accelerator:gpu-4",
                           "rack:gpu/2",
                           "rack:cpu/0",
                           "rack:gpu",
                           "pool:",
                           "pool:gpu/phases",
                           "pool:gpu/counter:loss",
                           "pool:tpu/counter:step",
                           "job:",
                           "job:lm",
                           "job:llm/nothing",
                           "job:llm/budget:none",
                           "job:llm/counter:loss",
                           "experiment:tune/trial:20",
                           "experiment:tune/trial:-1",
                           "experiment:tune/trial:x",
                           "head:head-b",
                           "galaxy:1"}) {
    EXPECT_EQ(key_of(directory, text), std::nullopt) << text;
  }
}

TEST(Directory, TakesWhateverTheHeaderClaims) {
  reports::RecordingHeader header;
  header.entities = {
      {"node", "a", 0, std::numeric_limits<std::int64_t>::max(), "a-%d", 7, 8, ""},
      {"node", "a", std::numeric_limits<std::int64_t>::min(), 5, "b-%d", -3, -8, ""},
      {"node", "c", 0, -5, "c-%d", 1, 1, ""},
      {"node", "d1", 3, 2, "d1%d-x", 0, std::numeric_limits<std::int64_t>::max(), ""}};
  const Directory directory = make_directory(header);
  EXPECT_TRUE(key_of(directory, "node:a-1099511627775"));
  EXPECT_FALSE(key_of(directory, "node:a-1099511627776"));
  EXPECT_FALSE(key_of(directory, "node:c-0"));
  EXPECT_TRUE(key_of(directory, "node:d14-x"));
  const auto key = key_of(directory, "accelerator:d13-x/1000000000000");
  ASSERT_TRUE(key);
  EXPECT_EQ(text_of(directory, *key), "accelerator:d13-x/1000000000000");
  EXPECT_EQ(text_of(directory, {.section = Section::kPools, .group = 9}), "pool:?");
}

TEST(Directory, RacksAreRunsOfSlots) {
  PoolNames pool;
  pool.racks = 3;
  pool.slots = 8;
  const std::int64_t racks[] = {0, 0, 0, 1, 1, 1, 2, 2};
  for (std::int64_t slot = 0; slot < 8; ++slot) {
    EXPECT_EQ(rack_of(pool, slot), racks[slot]);
  }
  pool.racks = 0;
  EXPECT_EQ(rack_of(pool, 5), -1);
}

}  // namespace
}  // namespace aftershock::gui::testing
