#include "gui/lod/rasterise.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::gui {
namespace {

// Up to so many spans a column it is quicker to paint spans than to add buckets up.
constexpr std::size_t kSpansPerColumn = 12;
// Groups up to this size are painted lane over lane.
constexpr std::size_t kSmallGroupLanes = 64;
constexpr std::size_t kSmallGroupSpans = 4096;
// A group's lowest buckets: one for three spans, but no more than a few screens need.
constexpr std::size_t kSpansPerGroupBucket = 3;
constexpr std::size_t kGroupBuckets = std::size_t{1} << 18;
// Kinds that are still looked for are determined again after so many lanes, at last.
constexpr std::size_t kLanesToFirstCheck = 16;
constexpr std::size_t kLanesBetweenChecks = 4096;

// The sum of a column's buckets.
struct Sum {
  Cell cell;
  double best = 0;
  double covered = 0;
  // Of what was found where a bucket is too wide, the kind that lasts longest.
  Kind found = Kind::kCount;
  double found_us = 0;

  void add(const Cell& part, double weight) {
    covered += part.covered * weight;
    const double time = part.part * weight;
    if (part.mask == 0) {
      return;
    }
    if (part.dominant == cell.dominant) {
      best += time;
    } else if (outweighs(part.dominant, time, cell.dominant, best)) {
      cell.dominant = part.dominant;
      best = time;
    }
  }
  void find(Kind kind, std::int64_t us) {
    cell.mask |= mask_of(kind);
    const auto lasts_us = static_cast<double>(us);
    if (outweighs(kind, lasts_us, found, found_us)) {
      found = kind;
      found_us = lasts_us;
    }
  }
  // The bucket's kind may be on the other side of the border.
  void settle() {
    if (cell.mask == 0) {
      *this = {};
    } else if (found != Kind::kCount && !has(cell.mask, cell.dominant)) {
      cell.dominant = found;
    }
  }
  void finish(double length) {
    const auto rounded = [&](double time) {
      const double share = time / length;
      return static_cast<std::uint8_t>(share <= 0 ? 0 : std::clamp(share, 1.0, 255.0));
    };
    cell.part = rounded(best);
    cell.covered = std::max(cell.part, rounded(covered));
  }
};

// All columns from the pyramid; what it leaves open is found in `times`, without them, and where
// the pyramid knows nothing, it goes to `gaps`.
class FromPyramid {
 public:
  FromPyramid(const Pyramid& pyramid, const KindTimes* times, KindMask kinds,
              const Columns& columns, std::vector<Gap>& gaps, std::span<Cell> cells)
      : pyramid_(pyramid), kinds_(kinds), columns_(columns), gaps_(gaps), cells_(cells) {
    gaps.clear();
    if (times != nullptr) {
      times_.emplace(*times);
    }
  }

  void paint() {
    for (int column = 0; column < columns_.count(); ++column) {
      const std::int64_t begin = columns_.begin_us(column);
      const std::int64_t end = columns_.begin_us(column + 1);
      Sum sum;
      const std::int64_t from = std::max(begin, pyramid_.begin_us);
      const std::int64_t to = std::min(end, pyramid_.end_us);
      if (from < to) {
        inside(column, from, to, sum);
      }
      if (end > pyramid_.end_us) {
        behind(column, std::max(begin, pyramid_.end_us), end, sum);
      }
      if (times_) {
        sum.settle();
      }
      sum.finish(static_cast<double>(end) - static_cast<double>(begin));
      cells_[static_cast<std::size_t>(column)] = sum.cell;
    }
  }

 private:
  void inside(int column, std::int64_t from, std::int64_t to, Sum& sum) {
    const int shift = pyramid_.shift;
    const std::int64_t width = std::int64_t{1} << shift;
    const std::int64_t low = from >> shift;
    const std::int64_t high = to >> shift;
    const std::int64_t first = (from & (width - 1)) == 0 ? low : low + 1;
    whole(first, high, sum);
    if (low == high) {
      part(column, low, from, to, sum);
      return;
    }
    if (first != low) {
      part(column, low, from, first * width, sum);
    }
    if ((to & (width - 1)) != 0) {
      part(column, high, high * width, to, sum);
    }
  }

  void behind(int column, std::int64_t from, std::int64_t to, Sum& sum) {
    if (!pyramid_.is_whole) {
      gap(column, from, to, kinds_, sum);
      return;
    }
    sum.cell.mask |= pyramid_.open;
    const double length = static_cast<double>(to) - static_cast<double>(from);
    for_each_kind(pyramid_.open,
                  [&](Kind kind) { sum.add({mask_of(kind), kind, 255, 255, 1}, length); });
  }

  // Buckets [first, last) of the lowest level, in as few as there are on all levels.
  void whole(std::int64_t first, std::int64_t last, Sum& sum) const {
    double weight = static_cast<double>(std::int64_t{1} << pyramid_.shift);
    for (std::size_t level = 0; first < last; ++level) {
      if (level + 1 == pyramid_.levels.size()) {
        for (; first < last; ++first) {
          one(level, first, weight, sum);
        }
        return;
      }
      if ((first & 1) != 0) {
        one(level, first++, weight, sum);
      }
      if ((last & 1) != 0) {
        one(level, --last, weight, sum);
      }
      first >>= 1;
      last >>= 1;
      weight *= 2;
    }
  }

  void one(std::size_t level, std::int64_t bucket, double weight, Sum& sum) const {
    const Cell& cell = pyramid_.cell(level, bucket);
    sum.cell.mask |= cell.mask;
    sum.add(cell, weight);
  }

  // [from, to) is within a bucket.
  void part(int column, std::int64_t bucket, std::int64_t from, std::int64_t to, Sum& sum) {
    const Cell& cell = pyramid_.cell(0, bucket);
    sum.add(cell, static_cast<double>(to - from));
    if (cell.throughout != 0) {
      sum.cell.mask |= mask_of(cell.dominant);
    }
    if (!times_) {
      gap(column, from, to, cell.mask, sum);
      return;
    }
    for_each_kind(cell.mask & ~sum.cell.mask, [&](Kind kind) {
      if (const std::int64_t us = times_->lasts_us(kind, from, to); us > 0) {
        sum.find(kind, us);
      }
    });
  }

  void gap(int column, std::int64_t from, std::int64_t to, KindMask maybe, const Sum& sum) {
    const KindMask open = maybe & ~sum.cell.mask;
    if (from < to && open != 0) {
      gaps_.push_back({.begin_us = from, .end_us = to, .column = column, .open = open});
    }
  }

  const Pyramid& pyramid_;
  std::optional<KindTimesReader> times_;
  KindMask kinds_;
  const Columns& columns_;
  std::vector<Gap>& gaps_;
  std::span<Cell> cells_;
};

// Looks lane after lane for what is still open; most of it the first few lanes have. How many lanes
// it took.
std::size_t look_up_all(std::span<const LaneView> lanes, std::vector<Gap>& gaps,
                        std::span<Cell> cells) {
  KindMask wanted = ~KindMask{0};
  std::size_t next_check = 0;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (i == next_check) {
      next_check += std::clamp(i, kLanesToFirstCheck, kLanesBetweenChecks);
      wanted = 0;
      // All that a bucket may hold is there then, so what dominates in it is.
      std::erase_if(gaps, [&](const Gap& gap) {
        const KindMask open = gap.open & ~gap.found;
        wanted |= open;
        cells[static_cast<std::size_t>(gap.column)].mask |= gap.found;
        return open == 0;
      });
    }
    if (wanted == 0) {
      return i;
    }
    look_up(lanes[i], wanted, gaps);
  }
  return lanes.size();
}

// Puts in what was found, and sees to it that what dominates is there.
void close_gaps(const std::vector<Gap>& gaps, std::span<Cell> cells) {
  for (const Gap& gap : gaps) {
    Cell& cell = cells[static_cast<std::size_t>(gap.column)];
    cell.mask |= gap.found;
  }
  for (const Gap& gap : gaps) {
    Cell& cell = cells[static_cast<std::size_t>(gap.column)];
    if (cell.mask == 0) {
      cell = {};
    } else if (cell.dominant == Kind::kCount || !has(cell.mask, cell.dominant)) {
      const bool is_known = gap.dominant != Kind::kCount && gap.lead_us > 0;
      cell.dominant = is_known ? gap.dominant : most_severe(cell.mask);
      cell.part = std::max<std::uint8_t>(cell.part, is_known ? 1 : 0);
      cell.covered = std::max(cell.covered, cell.part);
    }
  }
}

// A microsecond may be several pixels wide.
void widen(const Columns& columns, std::span<Cell> cells) {
  if (columns.count() == columns.width_px()) {
    return;
  }
  for (int x = columns.width_px() - 1; x >= 0; --x) {
    cells[static_cast<std::size_t>(x)] = cells[static_cast<std::size_t>(columns.of_pixel(x))];
  }
}

void paint_columns(const LaneView& lane, const Columns& columns, RasterScratch& scratch,
                   std::span<Cell> cells) {
  const LaneSpans& spans = lane.spans;
  const Pyramid& pyramid = lane.lod->pyramid;
  if (!pyramid.empty()) {
    const std::size_t first = first_from(spans, columns.begin_us(0), 0);
    const std::size_t last = first_from(spans, columns.begin_us(columns.count()), first);
    const double bucket = static_cast<double>(std::int64_t{1} << pyramid.shift);
    if (last - first > kSpansPerColumn * static_cast<std::size_t>(columns.count()) &&
        bucket * columns.per_us() <= 0.25) {
      FromPyramid(pyramid, nullptr, lane.lod->kinds, columns, scratch.gaps, cells).paint();
      look_up_all({&lane, 1}, scratch.gaps, cells);
      close_gaps(scratch.gaps, cells);
      return;
    }
  }
  sweep(lane, columns, 0, columns.count(), scratch.row, cells);
}

// A few lanes as one row: what most of them do most of the time dominates.
void paint_over(std::span<const LaneView> lanes, const Columns& columns, RasterScratch& scratch,
                std::span<Cell> cells) {
  constexpr std::size_t kSlots = 32;
  const auto count = static_cast<std::size_t>(columns.count());
  std::fill_n(cells.begin(), count, Cell{});
  std::vector<Cell>& row = scratch.row.row;
  std::vector<std::uint16_t>& sums = scratch.row.sums;
  row.resize(count);
  sums.assign(count * kSlots, 0);
  for (const LaneView& lane : lanes) {
    paint_columns(lane, columns, scratch, row);
    for (std::size_t column = 0; column < count; ++column) {
      cells[column].mask |= row[column].mask;
      sums[column * kSlots + static_cast<std::size_t>(row[column].dominant)] += row[column].part;
      // The slot of no kind has what there is of any.
      sums[column * kSlots + static_cast<std::size_t>(Kind::kCount)] += row[column].covered;
    }
  }
  for (std::size_t column = 0; column < count; ++column) {
    Cell& cell = cells[column];
    const auto sum_of = [&](Kind kind) {
      return static_cast<std::size_t>(sums[column * kSlots + static_cast<std::size_t>(kind)]);
    };
    for_each_kind(cell.mask, [&](Kind kind) {
      if (outweighs(
              kind, static_cast<double>(sum_of(kind)), cell.dominant,
              static_cast<double>(cell.dominant == Kind::kCount ? 0 : sum_of(cell.dominant)))) {
        cell.dominant = kind;
      }
    });
    const auto mean = [&](std::size_t sum) {
      return static_cast<std::uint8_t>(sum == 0 ? 0 : std::max<std::size_t>(sum / lanes.size(), 1));
    };
    cell.part = cell.mask == 0 ? std::uint8_t{0} : mean(sum_of(cell.dominant));
    cell.covered = std::max(cell.part, mean(sum_of(Kind::kCount)));
  }
}

}  // namespace

GroupLod make_group_lod(std::span<const LaneView> lanes, bool grows) {
  GroupLod group;
  for (const LaneView& lane : lanes) {
    group.kinds |= lane.lod->kinds;
    group.spans += lane.spans.size();
  }
  if (lanes.size() > kSmallGroupLanes || group.spans > kSmallGroupSpans) {
    std::vector<LaneSpans> spans;
    spans.reserve(lanes.size());
    for (const LaneView& lane : lanes) {
      spans.push_back(lane.spans);
    }
    const std::size_t buckets = std::min(group.spans / kSpansPerGroupBucket, kGroupBuckets);
    group.pyramid = make_pyramid(spans, std::max<std::size_t>(buckets, 16));
    group.end_us = group.pyramid.end_us;
    if (!grows) {
      group.times = make_kind_times(spans);
    }
  }
  return group;
}

void extend(GroupLod& group, std::span<const LaneView> lanes, std::int64_t changed_from_us) {
  std::size_t spans = 0;
  for (const LaneView& lane : lanes) {
    group.kinds |= lane.lod->kinds;
    spans += lane.spans.size();
  }
  forget_from(group.pyramid, changed_from_us);
  const std::int64_t known = group.pyramid.end_us - group.pyramid.begin_us;
  const std::int64_t lost = group.end_us - group.pyramid.end_us;
  if (spans > group.spans + group.spans / 4 || lost > known / 3) {
    group = make_group_lod(lanes, true);
  }
}

void rasterise(const LaneView& lane, const Columns& columns, RasterScratch& scratch,
               std::span<Cell> cells) {
  AFTERSHOCK_ASSERT(lane.lod != nullptr && lane.lod->count == lane.spans.size());
  AFTERSHOCK_ASSERT(cells.size() == static_cast<std::size_t>(columns.width_px()));
  paint_columns(lane, columns, scratch, cells);
  widen(columns, cells);
}

void rasterise(const GroupLod& group, std::span<const LaneView> lanes, const Columns& columns,
               RasterScratch& scratch, std::span<Cell> cells) {
  AFTERSHOCK_ASSERT(cells.size() == static_cast<std::size_t>(columns.width_px()));
  if (!group.pyramid.empty()) {
    const KindTimes* times = group.times ? &*group.times : nullptr;
    FromPyramid(group.pyramid, times, group.kinds, columns, scratch.gaps, cells).paint();
    scratch.looked_up += look_up_all(lanes, scratch.gaps, cells);
    close_gaps(scratch.gaps, cells);
    widen(columns, cells);
    return;
  }
  paint_over(lanes, columns, scratch, cells);
  widen(columns, cells);
}

std::vector<std::size_t> count_times(std::span<const std::int64_t> times_us,
                                     const Columns& columns) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(columns.width_px()));
  auto from = times_us.begin();
  for (int x = 0; x < columns.width_px(); ++x) {
    const int column = columns.of_pixel(x);
    from = std::lower_bound(from, times_us.end(), columns.begin_us(column));
    // Several pixels may show the same microsecond.
    const auto to = std::lower_bound(from, times_us.end(), columns.begin_us(column + 1));
    counts[static_cast<std::size_t>(x)] = static_cast<std::size_t>(to - from);
  }
  return counts;
}

}  // namespace aftershock::gui
