#include "gui/cluster/map_layout.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gui/cluster/bases.h"
#include "tests/unit/gui/lanes/sample_cluster.h"

namespace aftershock::gui {
namespace {

Directory cluster_of(std::int64_t nodes, std::int64_t racks) {
  reports::RecordingHeader header;
  header.entities = {{"head", "", 0, 1, "head-0", 0, 0, ""},
                     {"node", "gpu", 0, nodes, "gpu-%d", racks, 8, "gpu"},
                     {"storage", "", 0, 1, "s3", 0, 0, ""}};
  return make_directory(header);
}

/// All of a cluster is on the map, each once and within the room, and no two lie upon each other.
void expect_whole(const Directory& directory, const MapLayout& layout, const MapRoom& room) {
  ASSERT_EQ(layout.left_out, 0);
  std::map<std::pair<Section, std::int64_t>, std::int64_t> next;
  std::vector<std::pair<int, int>> places;
  for (std::size_t i = 0; i < layout.cells.size(); ++i) {
    const MapCell& cell = layout.cells[i];
    std::int64_t& slot = next[{cell.key.section, cell.key.group}];
    ASSERT_EQ(cell.key.node, slot);
    ASSERT_GT(cell.key.run, 0);
    slot += cell.key.run;
    EXPECT_GE(cell.x, 0);
    EXPECT_LE(cell.x + layout.side, room.width);
    EXPECT_LE(cell.y + layout.side, room.height);
    places.emplace_back(cell.y, cell.x);
    EXPECT_EQ(cell_at(layout, cell.x, cell.y), i);
    EXPECT_EQ(cell_of(layout, cell.key), i);
    LaneKey last = cell.key;
    last.node += cell.key.run - 1;
    EXPECT_EQ(cell_of(layout, last), i);
  }
  for (const auto& [group, slots] : next) {
    EXPECT_EQ(slots, places_in(directory, group.first, group.second));
  }
  std::ranges::sort(places);
  for (std::size_t i = 1; i < places.size(); ++i) {
    EXPECT_TRUE(places[i].first != places[i - 1].first ||
                places[i].second >= places[i - 1].second + layout.side);
  }
}

struct RoomRow {
  std::int64_t nodes;
  std::int64_t racks;
  MapRoom room;
  std::int64_t each;  ///< nodes a cell at least
};

TEST(MapLayout, HasEverythingOnceWhateverThereIs) {
  for (const RoomRow& row :
       {RoomRow{17, 4, {360, 500}, 1}, RoomRow{1, 0, {360, 500}, 1},
        RoomRow{512, 64, {360, 500}, 1}, RoomRow{512, 0, {300, 300}, 1},
        RoomRow{4096, 128, {360, 600}, 2}, RoomRow{4096, 512, {1000, 800}, 1},
        RoomRow{100'000, 100'000, {360, 500}, 2}, RoomRow{1'000'000'000, 1'000'000, {360, 500}, 2},
        RoomRow{1'000'000'000, 2'000'000'000, {360, 500}, 2}}) {
    SCOPED_TRACE(std::to_string(row.nodes) + " nodes in " + std::to_string(row.racks));
    const Directory directory = cluster_of(row.nodes, row.racks);
    const MapLayout layout = lay_out(directory, row.room);
    EXPECT_GE(layout.each, row.each);
    EXPECT_EQ(layout.each == 1, row.each == 1);
    EXPECT_LE(std::ssize(layout.cells), kMostCells);
    expect_whole(directory, layout, row.room);
  }
}

TEST(MapLayout, SmallClustersHaveTheNamesOfTheirRacks) {
  const Directory directory = make_directory(testing::sample_header());
  const MapLayout layout = lay_out(directory, {360, 400});
  std::vector<std::string> titles;
  for (const MapBlock& block : layout.blocks) {
    titles.push_back(block.title);
  }
  EXPECT_EQ(titles,
            (std::vector<std::string>{"heads", "storages", "gpu", "rack 0", "rack 1", "cpu"}));
  const MapBlock& pool = layout.blocks[2];
  EXPECT_EQ(pool.cells, 8U);
  EXPECT_EQ(layout.blocks[3].first_cell, pool.first_cell);
}

TEST(MapLayout, LeavesOutWhatHasNoRoomAndSaysSo) {
  reports::RecordingHeader header;
  for (int pool = 0; pool < 5000; ++pool) {
    const std::string name = "p" + std::to_string(pool);
    header.entities.push_back({"node", "", 0, 3, name + "-%d", 0, 0, ""});
    header.entities.back().pool = name;
  }
  const Directory directory = make_directory(header);
  const MapLayout layout = lay_out(directory, {360, 400});
  EXPECT_GT(layout.left_out, 4900);
  EXPECT_FALSE(layout.cells.empty());
  EXPECT_EQ(cell_of(layout, key_of(directory, "node:p4999-0").value()), layout.cells.size());
  EXPECT_TRUE(lay_out(directory, {0, 0}).cells.size() <= 1);
  EXPECT_TRUE(lay_out(make_directory({}), {360, 400}).cells.empty());
}

TEST(MapLayout, ArrowsGoToTheNeighbours) {
  const Directory directory = cluster_of(64, 0);
  const MapLayout layout = lay_out(directory, {200, 400});
  const auto first = cell_of(layout, key_of(directory, "node:gpu-0").value());
  const std::size_t right = next_cell(layout, first, 1, 0);
  EXPECT_EQ(layout.cells[right].key.node, 1);
  EXPECT_EQ(next_cell(layout, right, -1, 0), first);
  EXPECT_EQ(next_cell(layout, first, -1, 0), first);
  const std::size_t below = next_cell(layout, right, 0, 1);
  EXPECT_EQ(layout.cells[below].x, layout.cells[right].x);
  EXPECT_EQ(next_cell(layout, below, 0, -1), right);
  // Above the pool are the heads.
  EXPECT_EQ(layout.cells[next_cell(layout, first, 0, -1)].key.section, Section::kHeads);
}

}  // namespace
}  // namespace aftershock::gui
