#include "gui/scene/cut_index.h"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gui/scene/scene.h"
#include "gui/trace/loader.h"
#include "tests/unit/gui/cluster/random_cluster.h"
#include "tests/unit/reports/recording/sample_reading.h"

namespace aftershock::gui {
namespace {

using reports::testing::ScratchFolder;
using Ranges = std::vector<CutRange>;

Ranges listed(std::span<const CutRange> ranges) { return {ranges.begin(), ranges.end()}; }

TEST(CutIndex, JoinsWhatOverlapsAndKeepsWhatMayStillEnd) {
  Trace trace;
  trace.lanes.push_back({0, SubLane::kStates, LaneColumns(false)});
  LaneColumns& lane = trace.lanes[0].columns;
  const LaneKey rack{.section = Section::kPools, .group = 0, .rack = 1};
  CutIndex cuts;
  lane.add({10, 20, Kind::kCut, 1, 0});
  lane.add({15, 30, Kind::kCut, 2, 0});
  lane.add({35, 40, Kind::kDown, 3, 0});
  const auto open = lane.add({50, kOpen, Kind::kCut, 4, 0});
  cuts.update(trace, 0, rack);
  EXPECT_EQ(listed(cuts.of(rack)), (Ranges{{10, 30}, {50, kOpen}}));
  cuts.update(trace, 0, rack);
  EXPECT_EQ(listed(cuts.of(rack)), (Ranges{{10, 30}, {50, kOpen}}));
  lane.end(open, 55);
  lane.add({55, 60, Kind::kCut, 5, 0});
  lane.add({70, 70, Kind::kCut, 6, 0});
  cuts.update(trace, 0, rack);
  EXPECT_EQ(listed(cuts.of(rack)), (Ranges{{10, 30}, {50, 60}, {70, 70}}));
  EXPECT_TRUE(cuts.of({.section = Section::kPools, .group = 0}).empty());
  cuts.join();
  EXPECT_EQ(listed(cuts.any()), listed(cuts.of(rack)));
  EXPECT_EQ(listed(meeting(cuts.any(), 30, 50)), Ranges{});
  EXPECT_EQ(listed(meeting(cuts.any(), 29, 51)), (Ranges{{10, 30}, {50, 60}}));
  EXPECT_EQ(listed(meeting(cuts.any(), 70, 71)), (Ranges{{70, 70}}));
}

// Bit by bit it knows what it knows of the whole.
TEST(CutIndex, OfARunThatGrewIsThatOfTheWhole) {
  int with_cuts = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string text = testing::random_cluster(seed, 200);
    const ScratchFolder folder;
    const std::string path = folder.path() + "/x.aftershock";
    std::ofstream file(path, std::ios::binary);
    Trace growing;
    std::optional<Scene> scene;
    std::optional<Loader> loader;
    std::size_t written = 0;
    for (int part = 1; part <= 10; ++part) {
      const std::size_t upto = text.size() * static_cast<std::size_t>(part) / 10;
      file << text.substr(written, upto - written) << std::flush;
      written = upto;
      if (!loader) {
        loader.emplace(growing, path, true);
      } else {
        loader->go_on();
      }
      while (loader->wait()) {
        loader->take();
      }
      loader->seal();
      if (!scene && growing.has_header) {
        scene.emplace(growing, TreeOptions{});
      } else if (scene) {
        scene->refresh();
      }
    }
    Trace whole;
    load(whole, path);
    const Scene expected(whole, {});
    EXPECT_EQ(listed(scene->cuts().any()), listed(expected.cuts().any())) << seed;
    with_cuts += expected.cuts().empty() ? 0 : 1;
  }
  EXPECT_GT(with_cuts, 10);
}

}  // namespace
}  // namespace aftershock::gui
