#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gui/lanes/directory.h"
#include "gui/lanes/lane_key.h"

namespace aftershock::gui {

/// Room for a map, in logical pixels.
struct MapRoom {
  int width = 0;
  int height = 0;
  int text_px = 16;  ///< height of a line of text
};

/// A square of the map: one node, head or storage, or `key.run` of them from `key.node` on.
struct MapCell {
  LaneKey key;
  int x = 0;
  int y = 0;
};

/// The places that stand together: all heads, all storages, a pool, a rack of it. A pool with racks
/// has the cells of all of them, and stands before them.
struct MapBlock {
  LaneKey key;        ///< of heads and storages their section
  std::string title;  ///< stands above the cells; may be empty
  int x = 0;
  int y = 0;  ///< of the title
  int width = 0;
  int height = 0;
  std::size_t first_cell = 0;
  std::size_t cells = 0;
};

/// Where the places of a cluster are drawn.
struct MapLayout {
  int side = 0;           ///< of a cell
  int gap = 0;            ///< between two of them
  int title_px = 0;       ///< height of a block's title
  std::int64_t each = 1;  ///< so many places have a cell together, of a block's last one fewer
  std::vector<MapCell> cells;
  std::vector<MapBlock> blocks;
  /// Heads come first, then storages, which begin here, then pools, by their number; each ends
  /// where the next begins, the last with the cells.
  std::size_t first_storage = 0;
  std::vector<std::size_t> first_of_pool;
  std::int64_t left_out = 0;  ///< pools that there was no room for
};

/// Cells are as large as there is room, with the names of racks where those fit, too; where not
/// even small ones have room, several places share one. It takes time for the cells, at most
/// kMostCells, whatever the directory claims.
MapLayout lay_out(const Directory& directory, const MapRoom& room);

/// The most cells that a map has.
inline constexpr std::int64_t kMostCells = 16'384;

/// The index of the cell that a node, head or storage is in; `cells.size()` for none.
std::size_t cell_of(const MapLayout& layout, const LaneKey& place);
/// The index of the cell at a point; `cells.size()` for none.
std::size_t cell_at(const MapLayout& layout, int x, int y);
/// The nearest cell to the left (-1, 0), right (1, 0), above (0, -1) or below (0, 1); `from`
/// where there is none.
std::size_t next_cell(const MapLayout& layout, std::size_t from, int dx, int dy);

}  // namespace aftershock::gui
