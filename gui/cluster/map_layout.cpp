#include "gui/cluster/map_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "gui/cluster/bases.h"

namespace aftershock::gui {

namespace {

/// A way to draw it all.
struct Style {
  int side = 0;
  bool rack_titles = false;
  std::int64_t each = 1;
};

constexpr int kSharedSide = 11;
constexpr int kSmallestWithNames = 14;

class Flow {
 public:
  Flow(const Directory& directory, const MapRoom& room, const Style& style)
      : directory_(directory), room_(room), style_(style) {
    layout_.side = style.side;
    layout_.gap = style.side >= 12 ? 2 : 1;
    layout_.title_px = room.text_px;
    layout_.each = style.each;
    pitch_ = layout_.side + layout_.gap;
    columns_ = std::max<std::int64_t>(1, (room.width + layout_.gap) / pitch_);
  }

  /// Whether there was room.
  bool fill() {
    for (const Section section : {Section::kHeads, Section::kStorages}) {
      layout_.first_storage = layout_.cells.size();
      if (places_in(directory_, section, -1) > 0) {
        add_block({.section = section}, section == Section::kHeads ? "heads" : "storages", 0,
                  places_in(directory_, section, -1));
      }
    }
    for (std::int64_t pool = 0; pool < std::ssize(directory_.pools); ++pool) {
      layout_.first_of_pool.push_back(layout_.cells.size());
      if (directory_.pools[static_cast<std::size_t>(pool)].slots <= 0) {
        continue;
      }
      if (!has_room()) {
        layout_.left_out = std::ssize(directory_.pools) - pool;
        return false;
      }
      add_pool(pool);
    }
    return has_room();
  }

  MapLayout take() { return std::move(layout_); }

 private:
  [[nodiscard]] bool has_room() const {
    return bottom_ <= room_.height && std::ssize(layout_.cells) <= kMostCells;
  }

  void new_line(int gap) {
    if (x_ > 0 || bottom_ > y_) {
      y_ = bottom_ + gap;
    }
    x_ = 0;
    bottom_ = y_;
  }

  void add_pool(std::int64_t index) {
    const PoolNames& pool = directory_.pools[static_cast<std::size_t>(index)];
    const LaneKey key{.section = Section::kPools, .group = index};
    const std::string title = label_of(directory_, key);
    new_line(kBlockGap);
    // Racks that are smaller than a cell are not told apart.
    if (pool.racks <= 1 || pool.racks > pool.slots || pool.slots / pool.racks < style_.each) {
      add_block(key, title, 0, pool.slots);
      layout_.blocks.back().key = pool.racks == 1 ? with_rack(key, 0) : key;
      return;
    }
    const std::size_t block = layout_.blocks.size();
    MapBlock whole{.key = key, .title = title, .x = 0, .y = y_};
    whole.first_cell = layout_.cells.size();
    layout_.blocks.push_back(whole);
    y_ += layout_.title_px;
    bottom_ = y_;
    for (std::int64_t rack = 0; rack < pool.racks && has_room(); ++rack) {
      const auto [first, end] = slots_of_rack(pool, rack);
      const LaneKey of = with_rack(key, rack);
      add_block(of, style_.rack_titles ? label_of(directory_, of) : "", first, end - first);
      whole.width = std::max(whole.width, layout_.blocks.back().x + layout_.blocks.back().width);
    }
    whole.height = bottom_ - whole.y;
    whole.cells = layout_.cells.size() - whole.first_cell;
    layout_.blocks[block] = whole;
  }

  static LaneKey with_rack(LaneKey key, std::int64_t rack) {
    key.rack = rack;
    return key;
  }

  void add_block(const LaneKey& key, const std::string& title, std::int64_t first,
                 std::int64_t places) {
    const std::int64_t cells = (places + style_.each - 1) / style_.each;
    const auto across = static_cast<int>(std::min(cells, columns_));
    const int title_width =
        std::min(room_.width, static_cast<int>(title.size()) * room_.text_px * 5 / 9);
    const int width = std::max(across * pitch_ - layout_.gap, title_width);
    if (x_ > 0 && x_ + width > room_.width) {
      new_line(kLineGap);
    }
    const int title_px = title.empty() ? 0 : layout_.title_px;
    MapBlock block{.key = key, .title = title, .x = x_, .y = y_, .width = width};
    block.first_cell = layout_.cells.size();
    LaneKey cell = key;
    int y = y_ + title_px;
    for (std::int64_t i = 0; i < cells && std::ssize(layout_.cells) <= kMostCells; ++i) {
      const std::int64_t column = i % columns_;
      y = y_ + title_px + static_cast<int>(i / columns_) * pitch_;
      cell.node = first + i * style_.each;
      cell.run = std::min(style_.each, first + places - cell.node);
      if (cell.section == Section::kPools) {
        cell.rack = rack_of(directory_.pools[static_cast<std::size_t>(cell.group)], cell.node);
      }
      layout_.cells.push_back({cell, x_ + static_cast<int>(column) * pitch_, y});
      if (y > room_.height) {
        break;  // it is too much anyway
      }
    }
    block.height = y + layout_.side - y_;
    block.cells = layout_.cells.size() - block.first_cell;
    bottom_ = std::max(bottom_, y_ + block.height);
    x_ += width + kBlockGap;
    layout_.blocks.push_back(std::move(block));
  }

  static constexpr int kBlockGap = 10;  ///< with room for the line of a cut in it
  static constexpr int kLineGap = 8;

  const Directory& directory_;
  MapRoom room_;
  Style style_;
  MapLayout layout_;
  int pitch_ = 1;
  std::int64_t columns_ = 1;
  int x_ = 0;
  int y_ = 0;
  int bottom_ = 0;
};

/// Whether it is worth a try: cells alone are not more than there is room for.
bool may_fit(const Directory& directory, const MapRoom& room, const Style& style) {
  std::int64_t most = static_cast<std::int64_t>(room.width) * room.height / style.side / style.side;
  most = std::min(most, kMostCells);
  for (const PoolNames& pool : directory.pools) {
    most -= pool.slots / style.each;
    if (most < 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

MapLayout lay_out(const Directory& directory, const MapRoom& room) {
  std::vector<Style> styles;
  for (const int side : {34, 30, 26, 22, 18, kSmallestWithNames}) {
    styles.push_back({side, true, 1});
  }
  for (const int side : {18, 14, 12, 10, 9, 8, 7}) {
    styles.push_back({side, false, 1});
  }
  for (std::int64_t each = 2; each <= std::int64_t{1} << 41U; each *= 2) {
    styles.push_back({kSharedSide, false, each});
  }
  for (const Style& style : styles) {
    if (!may_fit(directory, room, style)) {
      continue;
    }
    Flow flow(directory, room, style);
    if (flow.fill()) {
      return flow.take();
    }
  }
  Flow flow(directory, room, styles.back());
  flow.fill();
  return flow.take();
}

std::size_t cell_of(const MapLayout& layout, const LaneKey& place) {
  const auto& pools = layout.first_of_pool;
  const std::size_t first_of_pools = pools.empty() ? layout.cells.size() : pools.front();
  std::size_t begin = 0;
  std::size_t end = layout.first_storage;
  if (place.section == Section::kStorages) {
    begin = layout.first_storage;
    end = first_of_pools;
  } else if (place.section == Section::kPools) {
    const auto pool = static_cast<std::size_t>(place.group);
    begin = pool < pools.size() ? pools[pool] : layout.cells.size();
    end = pool + 1 < pools.size() ? pools[pool + 1] : layout.cells.size();
  }
  const auto first = layout.cells.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = layout.cells.begin() + static_cast<std::ptrdiff_t>(end);
  const auto behind = std::ranges::upper_bound(first, last, place.node, {},
                                               [](const MapCell& cell) { return cell.key.node; });
  if (behind == first || place.node - std::prev(behind)->key.node >= std::prev(behind)->key.run) {
    return layout.cells.size();
  }
  return static_cast<std::size_t>(behind - layout.cells.begin()) - 1;
}

std::size_t cell_at(const MapLayout& layout, int x, int y) {
  const auto found = std::ranges::find_if(layout.cells, [&](const MapCell& cell) {
    return x >= cell.x && x < cell.x + layout.side && y >= cell.y && y < cell.y + layout.side;
  });
  return static_cast<std::size_t>(found - layout.cells.begin());
}

std::size_t next_cell(const MapLayout& layout, std::size_t from, int dx, int dy) {
  if (from >= layout.cells.size()) {
    return 0;
  }
  const MapCell& here = layout.cells[from];
  std::size_t best = from;
  std::int64_t best_way = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < layout.cells.size(); ++i) {
    const std::int64_t x = layout.cells[i].x - here.x;
    const std::int64_t y = layout.cells[i].y - here.y;
    const std::int64_t along = x * dx + y * dy;
    const std::int64_t aside = std::abs(x * dy) + std::abs(y * dx);
    // To the side only within the row; up and down to what is nearest in the next row.
    if (along <= 0 || (dx != 0 && aside > 0)) {
      continue;
    }
    const std::int64_t way = along * 64 + aside;
    if (way < best_way) {
      best_way = way;
      best = i;
    }
  }
  return best;
}

}  // namespace aftershock::gui
