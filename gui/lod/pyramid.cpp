#include "gui/lod/pyramid.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/assert.h"
#include "gui/lod/halves.h"
#include "gui/lod/time_axis.h"

namespace aftershock::gui {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

// The lowest buckets while they are made: a column for each kind there is.
class Painter {
 public:
  Painter(Pyramid& pyramid, KindMask kinds)
      : shift_(pyramid.shift),
        begin_us_(pyramid.begin_us),
        end_us_(pyramid.end_us),
        kinds_(kinds),
        columns_(static_cast<std::size_t>(__builtin_popcount(kinds))),
        per_us_(1.0 / static_cast<double>(std::int64_t{1} << pyramid.shift)),
        instants_(pyramid.cells.size()),
        amounts_((instants_.size() + 1) * columns_) {
    for_each_kind(kinds, [&, column = std::size_t{0}](Kind kind) mutable {
      column_of_[static_cast<std::size_t>(kind)] = column++;
    });
  }

  void paint(const LaneSpans& spans) {
    std::array<std::int64_t, 32> reach_us;
    reach_us.fill(kNever);
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const std::int64_t begin = spans.begin_us[i];
      if (begin >= end_us_) {
        break;
      }
      const Kind kind = spans.kind[i];
      const std::int64_t end = std::min(std::max(spans.end_us[i], begin), end_us_);
      std::int64_t& reach = reach_us[static_cast<std::size_t>(kind)];
      if (begin == end && begin >= begin_us_) {
        instants_[bucket(begin)] |= mask_of(kind);
      }
      fill(column_of_[static_cast<std::size_t>(kind)], std::max(begin, reach), end);
      reach = std::max(reach, end);
    }
  }

  // Adds the pixels that another one has painted.
  void add(const Painter& other) {
    for (std::size_t i = 0; i < instants_.size(); ++i) {
      instants_[i] |= other.instants_[i];
    }
    for (std::size_t i = 0; i < amounts_.size(); ++i) {
      amounts_[i].partly += other.amounts_[i].partly;
      amounts_[i].wholly += other.amounts_[i].wholly;
    }
  }

  void finish(std::span<Cell> cells, std::size_t lanes) const {
    std::vector<std::int32_t> whole(columns_);
    const double share = 1.0 / static_cast<double>(lanes);
    for (std::size_t b = 0; b < cells.size(); ++b) {
      Cell cell{.mask = instants_[b]};
      double best = 0;
      double all = 0;
      for_each_kind(kinds_, [&, column = std::size_t{0}](Kind kind) mutable {
        const Amount& amount = amounts_[b * columns_ + column];
        whole[column] += amount.wholly;
        const double time = amount.partly + static_cast<float>(whole[column]);
        all += time;
        const bool there = whole[column] > 0;
        if (time > 0) {
          cell.mask |= mask_of(kind);
        }
        if (has(cell.mask, kind) && outweighs(kind, time, cell.dominant, best)) {
          cell.dominant = kind;
          cell.throughout = there ? 1 : 0;
          best = time;
        }
        ++column;
      });
      cell.part = in_255ths(best * share);
      cell.covered = std::max(cell.part, in_255ths(all * share));
      cells[b] = cell;
    }
  }

 private:
  static std::uint8_t in_255ths(double share) {
    return share >= 1.0 ? 255 : share <= 0 ? 0 : static_cast<std::uint8_t>(1 + share * 253);
  }

  [[nodiscard]] std::size_t bucket(std::int64_t t_us) const {
    return static_cast<std::size_t>((t_us >> shift_) - (begin_us_ >> shift_));
  }

  // Whole buckets are counted where they begin and end, so a span costs the same however long.
  void fill(std::size_t column, std::int64_t from, std::int64_t to) {
    from = std::max(from, begin_us_);
    if (from >= to) {
      return;
    }
    const std::int64_t width = std::int64_t{1} << shift_;
    const std::size_t first = bucket(from);
    const std::size_t last = bucket(to);
    const std::int64_t into = from & (width - 1);
    const std::int64_t over = to & (width - 1);
    if (first == last) {
      part(first, column, to - from);
      return;
    }
    const std::size_t whole = into == 0 ? first : first + 1;
    if (into != 0) {
      part(first, column, width - into);
    }
    if (whole < last) {
      ++amounts_[whole * columns_ + column].wholly;
      --amounts_[last * columns_ + column].wholly;
    }
    if (over != 0) {
      part(last, column, over);
    }
  }

  void part(std::size_t bucket, std::size_t column, std::int64_t us) {
    amounts_[bucket * columns_ + column].partly +=
        static_cast<float>(static_cast<double>(us) * per_us_);
  }

  // Side by side: a span's buckets are anywhere in memory, and each costs a way there.
  struct Amount {
    float partly = 0;         // of a bucket's width, in it
    std::int32_t wholly = 0;  // how many more fill it than the one before
  };

  int shift_;
  std::int64_t begin_us_;
  std::int64_t end_us_;
  KindMask kinds_;
  std::size_t columns_;
  double per_us_;
  std::array<std::size_t, 32> column_of_{};
  std::vector<KindMask> instants_;
  std::vector<Amount> amounts_;
};

struct Extent {
  std::int64_t first_us = kFurthest_us;
  std::int64_t last_us = -kFurthest_us;
  KindMask kinds = 0;
  KindMask open = 0;
};

// Open spans last beyond any bucket, so they do not stretch it.
Extent extent_of(std::span<const LaneSpans> lanes) {
  Extent extent;
  for (const LaneSpans& spans : lanes) {
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const bool is_open = spans.end_us[i] >= kFurthest_us;
      const std::int64_t end = is_open ? spans.begin_us[i] : spans.end_us[i];
      extent.open |= is_open ? mask_of(spans.kind[i]) : 0;
      extent.last_us = std::max({extent.last_us, end, spans.begin_us[i]});
      extent.kinds |= mask_of(spans.kind[i]);
    }
    if (!spans.empty()) {
      extent.first_us = std::min(extent.first_us, spans.begin_us[0]);
    }
  }
  extent.first_us = std::max(extent.first_us, -kFurthest_us);
  extent.last_us = std::min(extent.last_us, kFurthest_us - 1);
  return extent;
}

bool is_large(std::span<const LaneSpans> lanes) {
  std::size_t spans = 0;
  for (const LaneSpans& lane : lanes) {
    spans += lane.size();
  }
  return lanes.size() > 1 && spans >= kHalvedSpans;
}

void stack_levels(Pyramid& pyramid, std::size_t lowest) {
  std::int64_t first = pyramid.begin_us >> pyramid.shift;
  std::size_t count = lowest;
  std::size_t offset = 0;
  pyramid.levels.push_back({first, 0});
  // The highest bucket may be no wider than times are.
  while (count > 1 && pyramid.shift + static_cast<int>(pyramid.levels.size()) < 62) {
    const std::int64_t last = first + static_cast<std::int64_t>(count) - 1;
    const std::int64_t up_first = first >> 1;
    const auto up_count = static_cast<std::size_t>((last >> 1) - up_first + 1);
    const std::size_t up_offset = pyramid.cells.size();
    for (std::size_t i = 0; i < up_count; ++i) {
      const std::int64_t left = (up_first + static_cast<std::int64_t>(i)) * 2;
      const auto at = [&](std::int64_t bucket) {
        return bucket < first || bucket > last
                   ? Cell{}
                   : pyramid.cells[offset + static_cast<std::size_t>(bucket - first)];
      };
      pyramid.cells.push_back(joined(at(left), at(left + 1)));
    }
    pyramid.levels.push_back({up_first, up_offset});
    first = up_first;
    count = up_count;
    offset = up_offset;
  }
}

}  // namespace

Cell joined(const Cell& left, const Cell& right) {
  Cell cell{.mask = left.mask | right.mask};
  const auto half = [](unsigned sum) {
    return static_cast<std::uint8_t>(sum == 0 ? 0U : std::max(sum / 2, 1U));
  };
  cell.covered = half(static_cast<unsigned>(left.covered) + right.covered);
  if (left.dominant == right.dominant) {
    cell.dominant = left.dominant;
    cell.part = half(static_cast<unsigned>(left.part) + right.part);
    cell.throughout = left.throughout & right.throughout;
    return cell;
  }
  const bool is_left = left.mask != 0 && (right.mask == 0 || outweighs(left.dominant, left.part,
                                                                       right.dominant, right.part));
  const Cell& winner = is_left ? left : right;
  cell.dominant = winner.dominant;
  cell.part = half(winner.part);
  return cell;
}

Pyramid make_pyramid(std::span<const LaneSpans> lanes, std::size_t buckets) {
  AFTERSHOCK_ASSERT(buckets > 0);
  Pyramid pyramid;
  const Extent extent = extent_of(lanes);
  if (extent.kinds == 0 || extent.last_us < extent.first_us) {
    return pyramid;
  }
  const auto count = [&] {
    return static_cast<std::size_t>((extent.last_us >> pyramid.shift) -
                                    (extent.first_us >> pyramid.shift)) +
           1;
  };
  while (count() > buckets && pyramid.shift < 61) {
    ++pyramid.shift;
  }
  const std::int64_t width = std::int64_t{1} << pyramid.shift;
  const std::size_t lowest = count();
  pyramid.begin_us = (extent.first_us >> pyramid.shift) * width;
  pyramid.end_us =
      pyramid.begin_us + static_cast<std::int64_t>(lowest - 1) * width + (width - 1) + 1;
  pyramid.open = extent.open;
  pyramid.cells.reserve(2 * lowest + 64);
  pyramid.cells.resize(lowest);
  std::vector<Painter> painters;
  painters.emplace_back(pyramid, extent.kinds);
  if (is_large(lanes)) {
    painters.emplace_back(pyramid, extent.kinds);
  }
  in_halves(lanes.size(), painters.size() == 2, [&](int half, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      painters[static_cast<std::size_t>(half)].paint(lanes[i]);
    }
  });
  if (painters.size() == 2) {
    painters[0].add(painters[1]);
  }
  painters[0].finish(pyramid.cells, lanes.size());
  stack_levels(pyramid, lowest);
  return pyramid;
}

void forget_from(Pyramid& pyramid, std::int64_t t_us) {
  if (pyramid.empty() || t_us >= pyramid.end_us) {
    return;
  }
  const std::int64_t t = std::max(t_us, pyramid.begin_us);
  pyramid.is_whole = false;
  pyramid.end_us = (t >> pyramid.shift) * (std::int64_t{1} << pyramid.shift);
}

}  // namespace aftershock::gui
