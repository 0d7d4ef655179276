#include "gui/lod/kind_times.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "gui/lod/halves.h"
#include "gui/lod/lane_lod.h"
#include "gui/lod/time_axis.h"

namespace aftershock::gui {
namespace {

using Parts = std::vector<KindTimes::Part>;

// Cells of time by which it is known what adds nothing: one for so many spans.
constexpr std::size_t kSpansPerCell = 16;
constexpr std::size_t kMostCells = std::size_t{1} << 18;

// The time of a group in cells, and which of them one span fills from end to end.
struct CellScale {
  std::int64_t first_us = 0;
  std::int64_t last_us = 0;  // of all that begins
  int shift = 0;
  std::uint32_t cells = 1;

  [[nodiscard]] std::uint32_t of(std::int64_t t_us) const {
    const std::int64_t cell = (std::clamp(t_us, first_us, last_us) >> shift) - (first_us >> shift);
    return static_cast<std::uint32_t>(cell);
  }
};

CellScale scale_of(std::span<const LaneSpans> lanes, std::size_t spans) {
  CellScale scale{.first_us = kFurthest_us, .last_us = -kFurthest_us};
  for (const LaneSpans& lane : lanes) {
    if (!lane.empty()) {
      scale.first_us = std::min(scale.first_us, lane.begin_us.front());
      scale.last_us = std::max(scale.last_us, lane.begin_us.back());
    }
  }
  scale.first_us = std::clamp(scale.first_us, -kFurthest_us, kFurthest_us - 1);
  scale.last_us = std::clamp(scale.last_us, scale.first_us, kFurthest_us - 1);
  const std::size_t most = std::clamp(spans / kSpansPerCell, std::size_t{1}, kMostCells);
  const auto count = [&] {
    return static_cast<std::size_t>((scale.last_us >> scale.shift) -
                                    (scale.first_us >> scale.shift)) +
           1;
  };
  while (count() > most && scale.shift < 62) {
    ++scale.shift;
  }
  scale.cells = static_cast<std::uint32_t>(count());
  return scale;
}

// Cells that are filled, each with the way to the next one that is not.
class Filled {
 public:
  explicit Filled(std::uint32_t cells) : next_(cells + std::size_t{1}) {
    for (std::uint32_t cell = 0; cell <= cells; ++cell) {
      next_[cell] = cell;
    }
  }
  // The first cell from this one on that is not filled.
  std::uint32_t free_from(std::uint32_t cell) {
    while (next_[cell] != cell) {
      next_[cell] = next_[next_[cell]];
      cell = next_[cell];
    }
    return cell;
  }
  void fill(std::uint32_t from, std::uint32_t to) {
    for (from = free_from(from); from < to; from = free_from(from)) {
      next_[from] = from + 1;
    }
  }

 private:
  std::vector<std::uint32_t> next_;
};

// In the order of their begins: into as many boxes as there are parts, then within each.
void sort_by_begin(Parts& parts) {
  constexpr std::size_t kFew = 64;
  const auto by_begin = [](const KindTimes::Part& a, const KindTimes::Part& b) {
    return a.begin_us < b.begin_us;
  };
  if (std::ranges::is_sorted(parts, by_begin)) {
    return;
  }
  if (parts.size() <= kFew) {
    std::ranges::sort(parts, by_begin);
    return;
  }
  const auto [least, most] = std::ranges::minmax(parts, by_begin);
  int shift = 0;
  const auto box_of = [&, first_us = least.begin_us](std::int64_t t_us) {
    return (static_cast<std::uint64_t>(t_us) - static_cast<std::uint64_t>(first_us)) >> shift;
  };
  while (box_of(most.begin_us) >= parts.size()) {
    ++shift;
  }
  std::vector<std::uint32_t> ends(box_of(most.begin_us) + 2);
  for (const KindTimes::Part& part : parts) {
    ++ends[box_of(part.begin_us) + 1];
  }
  for (std::size_t box = 1; box < ends.size(); ++box) {
    ends[box] += ends[box - 1];
  }
  Parts sorted(parts.size());
  for (const KindTimes::Part& part : parts) {
    sorted[ends[box_of(part.begin_us)]++] = part;
  }
  // Each box ends now where the next one began.
  auto first = sorted.begin();
  for (std::size_t box = 0; box + 1 < ends.size(); ++box) {
    const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(ends[box]);
    std::sort(first, last, by_begin);
    first = last;
  }
  parts = std::move(sorted);
}

// Of parts in the order of their begins.
void join(Parts& parts) {
  if (parts.empty()) {
    return;
  }
  auto last = parts.begin();
  for (const KindTimes::Part& part : parts) {
    if (part.begin_us <= last->end_us) {
      last->end_us = std::max(last->end_us, part.end_us);
    } else {
      *++last = part;
    }
  }
  parts.erase(last + 1, parts.end());
  parts.shrink_to_fit();
}

// The spans of some of the lanes, by kind.
class Gatherer {
 public:
  explicit Gatherer(const CellScale& scale) : scale_(scale) {}

  void take(const LaneSpans& spans) {
    for (std::size_t i = 0; i < spans.size() && spans.begin_us[i] < kFurthest_us; ++i) {
      const std::int64_t begin = spans.begin_us[i];
      const std::int64_t end = std::max(spans.end_us[i], begin + 1);
      const auto kind = static_cast<std::size_t>(spans.kind[i]);
      if (!filled_.at(kind)) {
        filled_[kind] = std::make_unique<Filled>(scale_.cells);
      }
      Filled& filled = *filled_[kind];
      const std::uint32_t first = scale_.of(begin);
      // Beyond the last begin time has no cells: what lasts longer is never within them.
      const bool is_within = end <= scale_.last_us;
      const std::uint32_t last = scale_.of(end - 1);
      if (is_within && filled.free_from(first) > last) {
        continue;
      }
      of_[kind].push_back({begin, end});
      fill(filled, of_[kind].back());
      if (of_[kind].size() >= room_.at(kind)) {
        condense(kind);
      }
    }
  }
  void finish() {
    filled_ = {};
    for (Parts& parts : of_) {
      sort_by_begin(parts);
      join(parts);
    }
  }
  [[nodiscard]] std::array<Parts, kKinds>& parts() { return of_; }

 private:
  void fill(Filled& filled, const KindTimes::Part& part) const {
    const std::int64_t width = std::int64_t{1} << scale_.shift;
    const bool from_start = (part.begin_us & (width - 1)) == 0 || part.begin_us < scale_.first_us;
    filled.fill(scale_.of(part.begin_us) + (from_start ? 0 : 1), scale_.of(part.end_us));
  }
  // Many parts are often few: so they take no more room than they must, and fill more cells.
  void condense(std::size_t kind) {
    sort_by_begin(of_[kind]);
    join(of_[kind]);
    for (const KindTimes::Part& part : of_[kind]) {
      fill(*filled_[kind], part);
    }
    room_[kind] = std::max(kRoom, 2 * of_[kind].size());
    of_[kind].reserve(room_[kind]);
  }

  static constexpr std::size_t kRoom = std::size_t{1} << 16;

  const CellScale& scale_;
  std::array<std::unique_ptr<Filled>, kKinds> filled_;
  std::array<Parts, kKinds> of_;
  std::array<std::size_t, kKinds> room_ = [] {
    std::array<std::size_t, kKinds> room{};
    room.fill(kRoom);
    return room;
  }();
};

}  // namespace

bool KindTimes::empty() const {
  return std::ranges::all_of(of, [](const Parts& parts) { return parts.empty(); });
}

KindTimes make_kind_times(std::span<const LaneSpans> lanes) {
  std::size_t spans = 0;
  for (const LaneSpans& lane : lanes) {
    spans += lane.size();
  }
  const CellScale scale = scale_of(lanes, spans);
  std::array<Gatherer, 2> halves{Gatherer(scale), Gatherer(scale)};
  in_halves(lanes.size(), spans >= kHalvedSpans, [&](int half, std::size_t from, std::size_t to) {
    Gatherer& gatherer = halves[static_cast<std::size_t>(half)];
    for (std::size_t i = from; i < to; ++i) {
      gatherer.take(lanes[i]);
    }
    gatherer.finish();
  });
  KindTimes times;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    Parts& first = halves[0].parts()[kind];
    const Parts& second = halves[1].parts()[kind];
    if (!second.empty()) {
      const auto middle = static_cast<std::ptrdiff_t>(first.size());
      first.insert(first.end(), second.begin(), second.end());
      std::ranges::inplace_merge(first, first.begin() + middle, {}, &KindTimes::Part::begin_us);
      join(first);
    }
    times.of[kind] = std::move(first);
  }
  return times;
}

std::int64_t KindTimesReader::lasts_us(Kind kind, std::int64_t from_us, std::int64_t to_us) {
  const Parts& parts = times_.of[static_cast<std::size_t>(kind)];
  std::size_t& at = at_[static_cast<std::size_t>(kind)];
  if (at < parts.size() && parts[at].end_us <= from_us) {
    std::size_t step = 1;
    while (at + step < parts.size() && parts[at + step].end_us <= from_us) {
      at += step;
      step *= 2;
    }
    const auto last = std::min(at + step, parts.size());
    const auto found = std::upper_bound(
        parts.begin() + static_cast<std::ptrdiff_t>(at + 1),
        parts.begin() + static_cast<std::ptrdiff_t>(last), from_us,
        [](std::int64_t t_us, const KindTimes::Part& part) { return t_us < part.end_us; });
    at = static_cast<std::size_t>(found - parts.begin());
  }
  return at == parts.size()
             ? 0
             : std::max<std::int64_t>(
                   std::min(parts[at].end_us, to_us) - std::max(parts[at].begin_us, from_us), 0);
}

}  // namespace aftershock::gui
