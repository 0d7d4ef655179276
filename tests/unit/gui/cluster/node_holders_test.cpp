#include "gui/cluster/node_holders.h"

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gui/trace/loader.h"
#include "reports/recording/header.h"
#include "tests/unit/reports/recording/sample_reading.h"

namespace aftershock::gui {
namespace {

using reports::testing::ScratchFolder;

/// Jobs a and b on a pool of eight nodes with two accelerators each, and a pool that nobody uses.
std::string header_of_two_jobs() {
  reports::RecordingHeader header;
  header.entities = {{"node", "gpu", 0, 7, "gpu-%d", 0, 2, "gpu"},
                     {"spare", "gpu", 7, 1, "gpu-spare-0", 0, 2, "gpu"},
                     {"node", "cpu", 0, 2, "cpu-%d", 0, 0, ""}};
  header.policies = {{"ray@1", {}, {}, {}}};
  header.jobs = {{"a", "ray@1", 8, 8, "gpu", {}, 0}, {"b", "ray@1", 4, 4, "gpu", {}, 0}};
  header.experiments = {{"x", "tune@1", "gpu", 3, 10'000, {}}};
  return reports::header_line(header) + "\n";
}

struct HeldRun {
  ScratchFolder folder;
  Trace trace;
  std::optional<Scene> scene;
  std::optional<ClusterStates> states;
  std::optional<NodeHolders> holders;

  explicit HeldRun(const std::string& lines) {
    const std::string path = folder.path() + "/x.aftershock";
    std::ofstream(path, std::ios::binary) << header_of_two_jobs() << lines;
    load(trace, path);
    scene.emplace(trace, TreeOptions{.all = true});
    states.emplace(*scene);
    holders.emplace(*scene);
  }

  /// Of the nodes of the pool at a time a letter each: the holder, "." for none.
  std::string owners(std::int64_t t_us) {
    holders->go_to(t_us);
    std::string text;
    for (std::int64_t node = 0; node < 8; ++node) {
      const std::uint32_t owner = holders->owner_of(0, node);
      text += owner == kNone ? '.' : "abx"[owner];
    }
    return text;
  }

  /// "3 up, 1 hung" of some nodes of a pool at a time.
  std::string census(std::int64_t t_us, std::int64_t pool = 0, std::int64_t first = 0,
                     std::int64_t count = 8) {
    states->go_to(t_us);
    holders->go_to(t_us);
    LaneKey cell;
    cell.section = Section::kPools;
    cell.group = pool;
    cell.node = first;
    cell.run = count;
    std::string text;
    const Census all = holders->census(*states, cell);
    for (std::size_t i = 0; i < kPlaceStates; ++i) {
      if (all[i] != 0) {
        text += (text.empty() ? "" : ", ") + std::to_string(all[i]) + " " +
                std::string(name_of(static_cast<PlaceState>(i)));
      }
    }
    return text;
  }
};

std::string holds(const char* t, const char* on, const char* nodes) {
  return std::string(R"({"t":)") + t + R"(,"r":"holds","on":")" + on + R"(","nodes":")" + nodes +
         "\"}\n";
}

const std::string kTwoHolders = holds("0", "job:a", "0-3") + holds("0", "job:b", "4-5") +
                                holds("10", "job:a", "0-2,7") + holds("20", "job:b", "") +
                                holds("30", "job:a", "");

TEST(NodeHolders, AreThoseOfTheTimeWhicheverWayOneGoes) {
  HeldRun loaded(kTwoHolders);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(loaded.owners(-1), "........");
    EXPECT_EQ(loaded.owners(5), "aaaabb..");
    EXPECT_EQ(loaded.owners(35), "........");
    EXPECT_EQ(loaded.owners(10), "aaa.bb.a");
    EXPECT_EQ(loaded.owners(20), "aaa....a");
    EXPECT_EQ(loaded.holders->owners()[0].nodes, 4);
    EXPECT_EQ(loaded.owners(0), "aaaabb..");
    EXPECT_EQ(loaded.holders->owners()[1].nodes, 2);
  }
}

TEST(NodeHolders, SayWhetherAStepChangedAnything) {
  HeldRun loaded(kTwoHolders);
  EXPECT_TRUE(loaded.holders->go_to(0));
  EXPECT_FALSE(loaded.holders->go_to(9));
  EXPECT_TRUE(loaded.holders->go_to(10));
  EXPECT_FALSE(loaded.holders->go_to(19));
  EXPECT_TRUE(loaded.holders->go_to(5));
}

TEST(NodeHolders, TellFreeNodesFromThoseOfJobs) {
  HeldRun loaded(kTwoHolders);
  EXPECT_EQ(loaded.census(5), "6 up, 1 free, 1 spare");
  // The spare is the fourth node of a job now.
  EXPECT_EQ(loaded.census(10), "6 up, 2 free");
  EXPECT_EQ(loaded.census(30), "7 free, 1 spare");
  // Nobody ever uses it, so the recording does not say that it is free.
  EXPECT_EQ(loaded.census(5, 1, 0, 2), "2 up");
}

TEST(NodeHolders, ANodeThatIsDownIsNeitherFreeNorUsed) {
  HeldRun loaded(kTwoHolders + R"({"t":40,"r":"begin","on":"node:gpu-0","id":1,"what":"down"}
)" + holds("50", "job:a", "0-1"));
  EXPECT_EQ(loaded.census(45, 0, 0, 2), "1 free, 1 down");
  EXPECT_EQ(loaded.census(50, 0, 0, 2), "1 up, 1 down");
}

TEST(NodeHolders, OfSharedNodesIsTheExperimentUntilTheLastTrialLeaves) {
  HeldRun loaded(holds("0", "experiment:x/trial:0", "3") + holds("1", "experiment:x/trial:1", "3") +
                 holds("2", "experiment:x/trial:0", "") + holds("3", "experiment:x/trial:1", ""));
  EXPECT_EQ(loaded.owners(2), "...x....");
  EXPECT_EQ(loaded.holders->owners()[2].nodes, 1);
  EXPECT_EQ(loaded.owners(3), "........");
}

TEST(NodeHolders, TheMainOwnerOfACellHasMostOfIt) {
  HeldRun loaded(kTwoHolders);
  loaded.holders->go_to(5);
  LaneKey cell;
  cell.section = Section::kPools;
  cell.group = 0;
  cell.node = 3;
  cell.run = 3;
  EXPECT_EQ(loaded.holders->main_owner(cell), 1U);
  cell.node = 6;
  cell.run = 2;
  EXPECT_EQ(loaded.holders->main_owner(cell), kNone);
}

std::string phase(const char* begin, const char* end, int id, const char* what) {
  return std::string(R"({"t":)") + begin + R"(,"r":"begin","on":"job:a","id":)" +
         std::to_string(id) + R"(,"what":")" + what + "\"}\n" + R"({"t":)" + end +
         R"(,"r":"end","id":)" + std::to_string(id) + "}\n";
}

std::string hang(const char* t, const char* on, const char* target) {
  return std::string(R"({"t":)") + t + R"(,"r":"fault","on":")" + on +
         R"(","number":0,"id":"f","kind":"hang","what":"hang","target":")" + target +
         R"(","outcome":"fired"})" + "\n";
}

TEST(NodeHolders, ANodeHangsUntilItsProcessIsEnded) {
  HeldRun loaded(holds("0", "job:a", "0-3") + phase("0", "10", 1, "training") +
                 hang("10", "node:gpu-2", "job:a/rank:4") + phase("10", "20", 2, "undetected") +
                 phase("20", "25", 3, "tearing_down") + phase("25", "40", 4, "launching"));
  EXPECT_EQ(loaded.census(9, 0, 0, 4), "4 up");
  EXPECT_EQ(loaded.census(10, 0, 0, 4), "3 up, 1 hung");
  EXPECT_EQ(loaded.census(24, 0, 2, 1), "1 hung");
  EXPECT_EQ(loaded.census(24, 0, 0, 2), "2 up");
  EXPECT_EQ(loaded.census(25, 0, 0, 4), "4 up");
}

TEST(NodeHolders, ANodeHangsUntilItsJobGoesOn) {
  HeldRun loaded(holds("0", "job:a", "0-3") + phase("0", "10", 1, "training") +
                 hang("10", "node:gpu-2", "job:a/rank:4") + phase("10", "20", 2, "undetected") +
                 phase("20", "25", 3, "training"));
  EXPECT_EQ(loaded.census(19, 0, 0, 4), "3 up, 1 hung");
  EXPECT_EQ(loaded.census(20, 0, 0, 4), "4 up");
}

TEST(NodeHolders, ARankHangsOnTheNodeOfItsSlot) {
  // As recordings of real processes have it; two ranks a node.
  HeldRun loaded(holds("0", "job:a", "4-5,1") + phase("0", "10", 1, "training") +
                 hang("10", "job:a", "job:a/rank:5") + phase("10", "20", 2, "undetected") +
                 phase("20", "25", 3, "tearing_down"));
  EXPECT_EQ(loaded.census(15, 0, 1, 1), "1 hung");
  EXPECT_EQ(loaded.census(15), "2 up, 4 free, 1 spare, 1 hung");
}

TEST(NodeHolders, BearWhateverAFileSays) {
  HeldRun loaded(holds("0", "job:a", "0-4294967295") + holds("0", "job:nobody", "0-3") +
                 holds("0", "node:gpu-1", "0-3") + holds("1", "job:b", "2-3") +
                 holds("2", "job:a", "x") + holds("3", "job:a", "6") + holds("4", "job:b", "") +
                 hang("4", "job:a", "job:a/rank:99999999999999999999") +
                 hang("4", "job:a", "job:a/rank:-3") + hang("4", "run", "job:a/rank:1"));
  // Of a node that two jobs claim one has it.
  EXPECT_EQ(loaded.owners(0).find('.'), std::string::npos);
  EXPECT_EQ(loaded.owners(4), "......a.");
  EXPECT_EQ(loaded.owners(-1), "........");
  EXPECT_EQ(loaded.owners(9), "......a.");
  EXPECT_EQ(loaded.census(9), "1 up, 6 free, 1 spare");
}

}  // namespace
}  // namespace aftershock::gui
