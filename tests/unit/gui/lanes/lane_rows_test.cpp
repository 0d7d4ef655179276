#include "gui/lanes/lane_rows.h"

#include <gtest/gtest.h>

#include "tests/unit/gui/lanes/sample_cluster.h"

namespace aftershock::gui::testing {
namespace {

using Lines = std::vector<std::string>;

class LaneRowsTest : public ::testing::Test {
 protected:
  LaneKey key(const char* text) const { return key_of(directory_, text).value(); }
  Lines lines(const LaneState& state) const { return listed(directory_, tree_, state); }

  Directory directory_ = make_directory(sample_header(), {"step"});
  LaneTree tree_ = make_tree(
      directory_,
      content_of(directory_, {"accelerator:gpu-4/1", "job:llm/phases", "job:llm/budget:retries",
                              "node:gpu-4", "node:gpu-1", "head:head-a", "accelerator:gpu-4/0",
                              "experiment:tune/trial:7/phases", "node:gpu-4", "node:cpu-0"}),
      {});
};

TEST_F(LaneRowsTest, AtFirstJobsAreOpenAndClustersAreNot) {
  EXPECT_EQ(lines(first_state(tree_)),
            (Lines{"heads +", "llm", "  phases", "  budgets", "    retries", "tune", "  trial 7 +",
                   "gpu +", "cpu +"}));
}

TEST_F(LaneRowsTest, EverythingOpen) {
  LaneState state;
  set_all_open(state, true);
  EXPECT_EQ(lines(state), (Lines{"heads", "  head-a", "llm", "  phases", "  budgets", "    retries",
                                 "tune", "  trial 7", "    phases", "gpu", "  rack 0", "    gpu-1",
                                 "  rack 1", "    gpu-4", "      0", "      1", "cpu", "  cpu-0"}));
  set_open(state, key("rack:gpu/1"), false);
  set_open(state, key("job:llm"), false);
  EXPECT_EQ(lines(state), (Lines{"heads", "  head-a", "llm +", "tune", "  trial 7", "    phases",
                                 "gpu", "  rack 0", "    gpu-1", "  rack 1 +", "cpu", "  cpu-0"}));
}

TEST_F(LaneRowsTest, AGroupInAClosedOneKeepsItsState) {
  LaneState state;
  set_open(state, key("rack:gpu/0"), true);
  EXPECT_EQ(lines(state), (Lines{"heads +", "llm +", "tune +", "gpu +", "cpu +"}));
  set_open(state, key("pool:gpu"), true);
  EXPECT_EQ(lines(state), (Lines{"heads +", "llm +", "tune +", "gpu", "  rack 0", "    gpu-1",
                                 "  rack 1 +", "cpu +"}));
}

TEST_F(LaneRowsTest, Filter) {
  LaneState state;
  state.filter = "GPU-4";
  EXPECT_EQ(lines(state), (Lines{"gpu +", "  rack 1 +", "    gpu-4 +", "      0", "      1"}));
  state.filter = "retr";
  EXPECT_EQ(lines(state), (Lines{"llm +", "  budgets +", "    retries"}));
  state.filter = "nobody";
  EXPECT_EQ(lines(state), Lines{});
}

TEST_F(LaneRowsTest, HiddenAndPinned) {
  LaneState state;
  toggle_hidden(state, key("pool:gpu"));
  toggle_hidden(state, key("heads"));
  toggle_pinned(state, key("node:gpu-4"));
  toggle_pinned(state, key("job:llm"));
  EXPECT_EQ(lines(state), (Lines{"llm +", "tune +", "cpu +"}));
  const LaneRows rows = make_rows(directory_, tree_, state);
  ASSERT_EQ(rows.pinned.size(), 2U);
  EXPECT_EQ(tree_.nodes[rows.pinned[0]].key, key("node:gpu-4"));
  state.show_hidden = true;
  toggle_hidden(state, key("heads"));
  toggle_pinned(state, key("node:gpu-4"));
  EXPECT_EQ(lines(state).size(), 5U);
  EXPECT_EQ(state.hidden, std::vector<LaneKey>{key("pool:gpu")});
  EXPECT_EQ(state.pinned, std::vector<LaneKey>{key("job:llm")});
}

TEST_F(LaneRowsTest, RowsAndLanes) {
  LaneState state;
  reveal(state, tree_, key("accelerator:gpu-4/1"));
  const LaneRows rows = make_rows(directory_, tree_, state);
  const struct {
    const char* lane;
    std::uint32_t row;
  } table[] = {{"heads", 0},      {"head:head-a", 0},         {"job:llm/budget:retries", 1},
               {"pool:gpu", 3},   {"accelerator:gpu-4/1", 8}, {"node:gpu-0", 4},
               {"node:gpu-2", 4}, {"node:gpu-5", 5},          {"pool:cpu", 9},
               {"node:cpu-2", 9}, {"job:a/b", kNowhere},      {"storage:nfs", kNowhere}};
  for (const auto& row : table) {
    EXPECT_EQ(row_near(tree_, rows, key(row.lane)), row.row) << row.lane;
  }
  for (std::uint32_t row = 0; row < rows.nodes.size(); ++row) {
    EXPECT_EQ(row_near(tree_, rows, tree_.nodes[rows.nodes[row]].key), row);
  }
}

// A row 2 below the top stays there when all above it closes or opens.
TEST_F(LaneRowsTest, TheLaneInSightStaysWhereItIs) {
  LaneState state;
  set_all_open(state, true);
  LaneRows rows = make_rows(directory_, tree_, state);
  EXPECT_EQ(first_row_for(tree_, rows, key("node:gpu-4"), 2, 4), 13U - 2U);
  set_open(state, key("job:llm"), false);
  set_open(state, key("heads"), false);
  rows = make_rows(directory_, tree_, state);
  EXPECT_EQ(first_row_for(tree_, rows, key("node:gpu-4"), 2, 4), 9U - 2U);
  set_open(state, key("pool:gpu"), false);
  rows = make_rows(directory_, tree_, state);
  // heads llm tune trial phases gpu cpu cpu-0: its pool stands for it in row 5.
  EXPECT_EQ(first_row_for(tree_, rows, key("node:gpu-4"), 2, 4), 3U);
  EXPECT_EQ(first_row_for(tree_, rows, key("node:gpu-4"), 9, 4), 0U);
  EXPECT_EQ(first_row_for(tree_, rows, key("node:cpu-0"), 0, 4), 4U);
}

TEST_F(LaneRowsTest, GroupsOfTheFirstRowStayInSight) {
  LaneState state;
  set_all_open(state, true);
  const LaneRows rows = make_rows(directory_, tree_, state);
  Lines names;
  for (const std::uint32_t node : sticky_groups(tree_, rows, 15)) {
    names.push_back(label_of(directory_, tree_.nodes[node].key));
  }
  EXPECT_EQ(names, (Lines{"gpu", "rack 1", "gpu-4"}));
  EXPECT_TRUE(sticky_groups(tree_, rows, 0).empty());
  EXPECT_TRUE(sticky_groups(tree_, rows, 999).empty());
}

TEST_F(LaneRowsTest, AGroupHasTheContentOfItsLanes) {
  const auto ids = [&](const char* lane) {
    std::vector<std::uint32_t> found;
    for (const LaneContent& content : content_of(tree_, find(tree_, key(lane)).value())) {
      found.push_back(content.id);
    }
    return found;
  };
  using Ids = std::vector<std::uint32_t>;
  EXPECT_EQ(ids("node:gpu-4"), (Ids{3, 8, 6, 0}));
  EXPECT_EQ(ids("pool:gpu"), (Ids{4, 3, 8, 6, 0}));
  EXPECT_EQ(ids("heads"), (Ids{5}));
  EXPECT_EQ(ids("pool:cpu"), (Ids{9}));
}

TEST(LaneTree, AllOfASmallCluster) {
  const Directory directory = make_directory(sample_header());
  const LaneTree tree =
      make_tree(directory, content_of(directory, {"accelerator:gpu-4/1"}), {.all = true});
  // 2 heads and 2 storages with their groups, 2 jobs, 1 + 20 of the experiment,
  // 1 + 2 + 8 * 3 of one pool, 1 + 3 of the other.
  EXPECT_EQ(tree.nodes.size(), 2U + 2U + 2U + 21U + 27U + 4U);
  LaneState state;
  set_open(state, {.section = Section::kPools, .group = 0}, true);
  set_open(state, {.section = Section::kPools, .group = 0, .rack = 1}, true);
  EXPECT_EQ(
      listed(directory, tree, state),
      (Lines{"heads +", "llm", "a/b", "tune +", "gpu", "  rack 0 +", "  rack 1", "    gpu-4 +",
             "    gpu-5 +", "    gpu-spare-0 +", "    gpu-6 +", "cpu +", "storages +"}));
}

// A thousand million nodes of which two are heard of.
TEST(LaneTree, AllOfAVastCluster) {
  reports::RecordingHeader header;
  header.entities = {{"node", "x", 0, 1'000'000'000, "x-%d", 0, 8, "gpu"}};
  const Directory directory = make_directory(header);
  LaneState state;
  set_all_open(state, true);
  const auto tree = [&] {
    return make_tree(directory, content_of(directory, {"node:x-17", "accelerator:x-500/3"}),
                     {.all = true, .open_runs = state.open_runs});
  };
  EXPECT_EQ(listed(directory, tree(), state), (Lines{"x", "  x-0..x-16", "  x-17", "  x-18..x-499",
                                                     "  x-500", "    3", "  x-501..x-999999999"}));
  const LaneKey rest{.section = Section::kPools, .group = 0, .node = 501, .run = 999'999'499};
  set_open(state, rest, true);
  // In 1024 parts of ceil(999999499 / 1024) = 976563, and of one of those 1024 of 954.
  LaneTree open = tree();
  Lines lines = listed(directory, open, state);
  EXPECT_EQ(lines.size(), 7U + 1024U);
  EXPECT_EQ(lines[7], "    x-501..x-977063");
  set_open(state, {.section = Section::kPools, .group = 0, .node = 501, .run = 976'563}, true);
  set_open(state, {.section = Section::kPools, .group = 0, .node = 501, .run = 954}, true);
  open = tree();
  lines = listed(directory, open, state);
  EXPECT_EQ(lines[8], "      x-501..x-1454");
  EXPECT_EQ(lines[9], "        x-501");
  EXPECT_EQ(lines[9 + 953], "        x-1454");
  EXPECT_EQ(lines[9 + 954], "      x-1455..x-2408");
  set_open(state, rest, false);
  EXPECT_EQ(listed(directory, tree(), state).size(), 7U);
}

TEST(LaneTree, OfNothing) {
  const Directory directory = make_directory({});
  const LaneTree tree = make_tree(directory, {}, {.all = true});
  const LaneRows rows = make_rows(directory, tree, first_state(tree));
  EXPECT_TRUE(rows.nodes.empty());
  EXPECT_EQ(row_near(tree, rows, {}), kNowhere);
  EXPECT_EQ(first_row_for(tree, rows, {}, 3, 10), 0U);
}

}  // namespace
}  // namespace aftershock::gui::testing
