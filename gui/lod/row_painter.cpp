#include "gui/lod/row_painter.h"

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "gui/lod/reach.h"

namespace aftershock::gui {
namespace {

// A row while it is painted. Spans of one kind come in order and do not overlap (what overlaps has
// been cut off), so a kind has one column at a time that is partly its own.
class RowPainter {
 public:
  RowPainter(const Columns& columns, int first, int last, RowScratch& scratch,
             std::span<Cell> cells)
      : columns_(columns), first_(first), scratch_(scratch), cells_(cells) {
    const auto count = static_cast<std::size_t>(last - first);
    std::fill_n(cells.begin() + first, count, Cell{});
    scratch_.best_us.assign(count, 0);
    scratch_.covered_us.assign(count, 0);
    scratch_.partial.clear();
    column_of_.fill(-1);
  }

  void touch(Kind kind, int column) {
    cell(column).mask |= mask_of(kind);
    scratch_.partial.push_back(column);
  }

  // [from, to) is there, and from `fresh` on nothing else has been; both within the row.
  void paint(Kind kind, std::int64_t from, std::int64_t to, std::int64_t fresh, int column) {
    std::int64_t border = columns_.begin_us(column + 1);
    if (to < border || from > columns_.begin_us(column)) {
      const std::int64_t end = std::min(to, border);
      add(kind, column, between(from, end), between(std::max(from, fresh), end));
      if (to <= border) {
        return;
      }
      from = border;
      ++column;
    }
    const int last = columns_.of(to - 1);
    const bool is_whole = to == columns_.begin_us(last + 1);
    fill(kind, column, is_whole ? last + 1 : last);
    if (!is_whole) {
      border = columns_.begin_us(last);
      from = std::max(from, border);
      add(kind, last, between(from, to), between(std::max(from, fresh), to));
    }
  }

  // Time that is known only as a sum.
  void add_block(const Block& block, int column) {
    cell(column).mask |= block.mask;
    const double length = between(columns_.begin_us(column), columns_.begin_us(column + 1));
    // The overlap of spans is unknown here: it may be the whole column, but must not look like it.
    const double us = std::min(block.dominant_us, length * 0.99);
    add(block.dominant, column, us, us);
  }

  void finish() {
    for (const int column : scratch_.partial) {
      Cell& at = cell(column);
      const double length = between(columns_.begin_us(column), columns_.begin_us(column + 1));
      if (at.part == 255) {
        continue;
      }
      if (best_us(column) == 0) {
        at.dominant = most_severe(at.mask);
      }
      at.part = in_255ths(best_us(column), length);
      at.covered = std::max(at.part, in_255ths(covered_us(column), length));
    }
  }

 private:
  // A column far out may be shorter than the microsecond that times have: nothing is in it.
  static std::uint8_t in_255ths(double us, double length) {
    return us <= 0 ? 0 : us >= length ? 255 : static_cast<std::uint8_t>(1 + us / length * 253);
  }
  static double between(std::int64_t from, std::int64_t to) {
    return to > from ? static_cast<double>(to) - static_cast<double>(from) : 0;
  }
  Cell& cell(int column) { return cells_[static_cast<std::size_t>(column)]; }
  double& best_us(int column) {
    return scratch_.best_us[static_cast<std::size_t>(column - first_)];
  }
  double& covered_us(int column) {
    return scratch_.covered_us[static_cast<std::size_t>(column - first_)];
  }

  void add(Kind kind, int column, double us, double fresh_us) {
    Cell& at = cell(column);
    at.mask |= mask_of(kind);
    if (at.part == 255) {
      return;
    }
    const auto k = static_cast<std::size_t>(kind);
    if (column_of_[k] != column) {
      column_of_[k] = column;
      us_[k] = 0;
      scratch_.partial.push_back(column);
    }
    us_[k] += us;
    covered_us(column) += fresh_us;
    if (outweighs(kind, us_[k], at.dominant, best_us(column))) {
      at.dominant = kind;
      best_us(column) = us_[k];
    }
  }

  void fill(Kind kind, int from, int to) {
    const Cell whole{mask_of(kind), kind, 255, 255, 1};
    for (int column = from; column < to; ++column) {
      Cell& at = cell(column);
      if (at.mask == 0) {
        at = whole;
        continue;
      }
      const KindMask mask = at.mask | whole.mask;
      if (at.part != 255 || severity(kind) > severity(at.dominant)) {
        at = whole;
      }
      at.mask = mask;
    }
  }

  const Columns& columns_;
  int first_;
  RowScratch& scratch_;
  std::span<Cell> cells_;
  std::array<int, 32> column_of_;
  std::array<double, 32> us_{};
};

// The largest block that begins with span i and lies in a column that ends at `border_us`.
const Block* block_within(const LaneView& lane, std::size_t i, std::int64_t border_us,
                          std::size_t& spans) {
  const Block* found = nullptr;
  std::size_t unit = kBlockSpans;
  for (const std::vector<Block>& blocks : lane.lod->blocks) {
    const std::size_t b = i / unit;
    if (i % unit != 0 || b >= blocks.size() || lane.spans.begin_us[i + unit - 1] >= border_us ||
        blocks[b].latest_end_us > border_us) {
      break;
    }
    found = &blocks[b];
    spans = unit;
    unit *= kBlockSpans;
  }
  return found;
}

// Of a lane without overlaps each column is painted once, from left to right.
class SequentialPainter {
 public:
  SequentialPainter(const Columns& columns, int first, int last, std::span<Cell> cells)
      : columns_(columns), last_(last), cells_(cells.data()), column_(first) {
    look();
  }

  void paint(Kind kind, std::int64_t from, std::int64_t to) {
    if (from >= border_us_) {
      close(Cell{}, from);
    }
    if (to <= border_us_) {
      gather(kind, to - from);
      return;
    }
    gather(kind, border_us_ - from);
    close({mask_of(kind), kind, 255, 255, 1}, to);
    if (column_ < last_ && to > columns_.begin_us(column_)) {
      gather(kind, to - columns_.begin_us(column_));
    }
  }

  // The block, if one column holds it.
  const Block* pass(const LaneView& lane, std::size_t i, std::size_t& count) {
    if (lane.spans.begin_us[i] >= border_us_) {
      close(Cell{}, lane.spans.begin_us[i]);
    }
    const Block* block = block_within(lane, i, border_us_, count);
    if (block != nullptr) {
      gather(block->dominant, static_cast<std::int64_t>(block->dominant_us));
      cell_.mask |= block->mask;
    }
    return block;
  }

  void finish() {
    if (column_ < last_) {
      close(Cell{}, columns_.begin_us(last_));
    }
  }

 private:
  void look() {
    border_us_ = columns_.begin_us(column_ + 1);
    cell_ = {};
    best_us_ = 0;
    all_us_ = 0;
  }

  void gather(Kind kind, std::int64_t us) {
    std::int64_t& sum = us_[static_cast<std::size_t>(kind)];
    sum =
        has(cell_.mask, kind) && sum_of_[static_cast<std::size_t>(kind)] == column_ ? sum + us : us;
    sum_of_[static_cast<std::size_t>(kind)] = column_;
    cell_.mask |= mask_of(kind);
    all_us_ += us;
    if (sum > best_us_ || (sum == best_us_ && (cell_.dominant == Kind::kCount ||
                                               severity(kind) > severity(cell_.dominant)))) {
      best_us_ = sum;
      cell_.dominant = kind;
    }
  }

  // On to the column that holds `t_us`; those between get `between`.
  void close(const Cell& between, std::int64_t t_us) {
    if (best_us_ > 0) {
      const std::int64_t length = border_us_ - columns_.begin_us(column_);
      cell_.part = in_255ths(best_us_, length);
      cell_.covered = in_255ths(all_us_, length);
    } else {
      cell_.dominant = most_severe(cell_.mask);
    }
    cells_[column_] = cell_;
    ++column_;
    const int next = t_us >= columns_.begin_us(last_)        ? last_
                     : t_us < columns_.begin_us(column_ + 1) ? column_
                                                             : columns_.of(t_us);
    while (column_ < next) {
      cells_[column_++] = between;
    }
    if (column_ < last_) {
      look();
    }
  }

  [[nodiscard]] std::uint8_t in_255ths(std::int64_t us, std::int64_t length) const {
    const auto part = 1 + static_cast<int>(static_cast<double>(us) * columns_.per_us() * 253);
    return us >= length ? 255 : static_cast<std::uint8_t>(std::min(part, 254));
  }

  const Columns& columns_;
  int last_;
  Cell* cells_;
  int column_;
  std::int64_t border_us_ = 0;
  Cell cell_;
  std::int64_t best_us_ = 0;
  std::int64_t all_us_ = 0;
  std::array<std::int64_t, 32> us_{};
  std::array<int, 32> sum_of_{};
};

void sweep_sequential(const LaneView& lane, const Columns& columns, int first, int last,
                      std::size_t i, std::span<Cell> cells) {
  const LaneSpans& spans = lane.spans;
  const std::int64_t begin_us = columns.begin_us(first);
  const std::int64_t end_us = columns.begin_us(last);
  SequentialPainter painter(columns, first, last, cells);
  if (i > 0 && spans.end_us[i - 1] > begin_us) {
    painter.paint(spans.kind[i - 1], begin_us, std::min(spans.end_us[i - 1], end_us));
  }
  for (; i < spans.size() && spans.begin_us[i] < end_us;) {
    std::size_t count = 1;
    if (i % kBlockSpans == 0 && painter.pass(lane, i, count) != nullptr) {
      i += count;
      continue;
    }
    painter.paint(spans.kind[i], spans.begin_us[i], std::min(end_of(spans, i), end_us));
    ++i;
  }
  painter.finish();
}

}  // namespace

void sweep(const LaneView& lane, const Columns& columns, int first, int last, RowScratch& scratch,
           std::span<Cell> cells) {
  AFTERSHOCK_ASSERT(0 <= first && first <= last && last <= columns.count());
  const LaneSpans& spans = lane.spans;
  const std::int64_t begin_us = columns.begin_us(first);
  const std::int64_t end_us = columns.begin_us(last);
  std::size_t i = static_cast<std::size_t>(
      std::lower_bound(spans.begin_us.begin(), spans.begin_us.end(), begin_us) -
      spans.begin_us.begin());
  if (lane.lod->sequential) {
    sweep_sequential(lane, columns, first, last, i, cells);
    return;
  }
  RowPainter painter(columns, first, last, scratch, cells);
  Reach reach;
  reach_after(lane, i, begin_us, reach);
  std::int64_t any_us = begin_us;
  for_each_kind(reach.kinds, [&](Kind kind) {
    const std::int64_t to = std::min(reach[kind], end_us);
    painter.paint(kind, begin_us, to, any_us, first);
    any_us = std::max(any_us, to);
  });
  int column = first;
  for (; i < spans.size(); ++i) {
    const std::int64_t begin = spans.begin_us[i];
    if (begin >= end_us) {
      break;
    }
    if (begin >= columns.begin_us(column + 1)) {
      column = columns.of(begin);
    }
    if (i % kBlockSpans == 0) {
      std::size_t count = 0;
      while (const Block* block = block_within(lane, i, columns.begin_us(column + 1), count)) {
        painter.add_block(*block, column);
        i += count;
      }
      if (count > 0) {
        --i;
        continue;
      }
    }
    const Kind kind = spans.kind[i];
    const std::int64_t from = has(reach.kinds, kind) ? std::max(begin, reach[kind]) : begin;
    const std::int64_t to = std::min(end_of(spans, i), end_us);
    if (to > from) {
      painter.paint(kind, from, to, any_us, from == begin ? column : columns.of(from));
      any_us = std::max(any_us, to);
      reach.meet(kind, to);
    } else if (from == begin) {
      painter.touch(kind, column);
    }
  }
  painter.finish();
}

}  // namespace aftershock::gui
