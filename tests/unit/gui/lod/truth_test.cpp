#include <array>
#include <string>

#include <gtest/gtest.h>

#include "gui/lod/rasterise.h"
#include "tests/unit/gui/lod/sample_lanes.h"

// The picture against a painter that looks at every span for every pixel: no kind that is there may
// be missing, none may be there that is not.
namespace aftershock::gui::testing {
namespace {

constexpr std::int64_t kYear = 31'557'600'000'000;

Kind any_kind(Dice& dice, int kinds) {
  return static_cast<Kind>(dice.below(kinds) * 7 % static_cast<std::int64_t>(kKinds));
}

using Make = SampleLane (*)(Dice&, int count);

// One after the other, now and then with nothing between; faults of a microsecond and of none.
SampleLane following(Dice& dice, int count) {
  SampleLane lane;
  std::int64_t t = dice.below(1000);
  for (int i = 0; i < count; ++i) {
    const std::int64_t length = dice.chance(10) ? dice.below(2) : dice.below(1'000'000);
    lane.add(t, t + length, length < 2 ? Kind::kFault : any_kind(dice, 9));
    t += length + (dice.chance(20) ? dice.below(3'000'000) : 0);
  }
  return lane;
}

SampleLane overlapping(Dice& dice, int count) {
  SampleLane lane;
  for (int i = 0; i < count; ++i) {
    const std::int64_t begin = dice.below(kYear);
    // Heavy tails.
    const std::int64_t length = kYear >> dice.below(46);
    lane.add(begin, begin + dice.below(length + 1), any_kind(dice, 31));
  }
  lane.sort();
  return lane;
}

SampleLane nested(Dice& dice, int count) {
  SampleLane lane;
  for (int i = 0; i < count; ++i) {
    lane.add(i * 10, 20 * static_cast<std::int64_t>(count) - i * 10 + dice.below(2),
             any_kind(dice, 5));
  }
  return lane;
}

SampleLane crossing(Dice& dice, int count) {
  SampleLane lane;
  for (int i = 0; i < count; ++i) {
    lane.add(i * 10, i * 10 + 500 + dice.below(3), any_kind(dice, 31));
  }
  return lane;
}

SampleLane at_equal_times(Dice& dice, int count) {
  SampleLane lane;
  for (int i = 0; i < count; ++i) {
    const std::int64_t begin = dice.below(4) * 1'000'000;
    lane.add(begin, begin + dice.below(3), any_kind(dice, 31));
  }
  lane.sort();
  return lane;
}

// All but the ends in one microsecond.
SampleLane burst(Dice& dice, int count) {
  SampleLane lane;
  lane.add(0, 5, Kind::kAttempt);
  for (int i = 0; i < count; ++i) {
    lane.add(777'777, 777'777 + dice.below(2), any_kind(dice, 3));
  }
  lane.add(777'777, 777'900, Kind::kFault);
  lane.add(2'000'000, 2'000'000, Kind::kDecision);
  return lane;
}

// Nearly all of a lane in a small part of its time.
SampleLane skewed(Dice& dice, int count) {
  SampleLane lane;
  for (int i = 0; i < count; ++i) {
    const std::int64_t begin = dice.chance(2) ? dice.below(kYear) : dice.below(kYear / 5000);
    lane.add(begin, begin + dice.below(1'000'000), any_kind(dice, 8));
  }
  lane.sort();
  return lane;
}

SampleLane open_ended(Dice& dice, int count) {
  SampleLane lane;
  for (int i = 0; i < count; ++i) {
    const std::int64_t begin = dice.below(1'000'000);
    lane.add(begin, dice.chance(3) ? kOpen : begin + dice.below(2000), any_kind(dice, 6));
  }
  lane.sort();
  return lane;
}

// Times at the edge of what can be counted, before the start, and ends before begins.
SampleLane absurd(Dice& dice, int count) {
  SampleLane lane;
  for (int i = 0; i < count; ++i) {
    const std::int64_t begin =
        (dice.chance(50) ? -1 : 1) * (std::int64_t{1} << dice.below(63)) + dice.below(3) - 1;
    const std::int64_t length = (std::int64_t{1} << dice.below(62)) - 2;
    lane.add(
        begin,
        begin > 0 && begin > kOpen - std::max<std::int64_t>(length, 0) ? kOpen : begin + length,
        any_kind(dice, 31));
  }
  lane.sort();
  return lane;
}

SampleLane one_kind(Dice&, int count) {
  SampleLane lane;
  for (int i = 0; i < count; ++i) {
    lane.add(i * 100, i * 100 + 100, Kind::kProductive);
  }
  return lane;
}

struct Shape {
  const char* name;
  Make make;
};
constexpr std::array kShapes{Shape{"following", following},  Shape{"overlapping", overlapping},
                             Shape{"nested", nested},        Shape{"crossing", crossing},
                             Shape{"equal", at_equal_times}, Shape{"burst", burst},
                             Shape{"skewed", skewed},        Shape{"open_ended", open_ended},
                             Shape{"absurd", absurd},        Shape{"one_kind", one_kind}};

// Everything, a part of it, around one of its times, or beyond it.
TimeAxis any_axis(Dice& dice, const LaneSpans& spans) {
  constexpr std::array kWidths{1, 2, 7, 64, 333, 1062};
  TimeAxis axis{.begin_us = 0, .end_us = 1000};
  axis.width_px = kWidths[static_cast<std::size_t>(dice.below(std::ssize(kWidths)))];
  if (!spans.empty()) {
    const std::int64_t first = std::max(spans.begin_us[0], -kFurthest_us);
    const std::int64_t last = std::min(spans.begin_us[spans.size() - 1], kFurthest_us - 1);
    axis = {first - dice.below(20), last + dice.below(20), axis.width_px};
    if (dice.chance(75)) {
      const auto i = static_cast<std::size_t>(dice.below(std::ssize(spans.begin_us)));
      const std::int64_t around =
          dice.chance(50) ? spans.begin_us[i] : std::min(spans.end_us[i], last);
      const std::int64_t length = std::int64_t{1} << dice.below(50);
      const std::int64_t half = dice.below(length + 1);
      axis.begin_us = std::clamp(around, -kFurthest_us / 2, kFurthest_us / 2) - half;
      axis.end_us = axis.begin_us + length + dice.below(1000);
    }
  }
  axis = made_valid(axis);
  return dice.chance(30) ? snapped(axis, axis.begin_us + dice.below(100)) : axis;
}

// The first pixel that differs, or nothing.
std::string difference(const std::vector<LaneSpans>& lanes, const TimeAxis& axis,
                       const std::vector<Cell>& cells) {
  const std::vector<KindMask> expected = brute_force(lanes, axis);
  for (std::size_t x = 0; x < cells.size(); ++x) {
    const Cell& cell = cells[x];
    const bool is_right = cell.mask == expected[x] &&
                          (cell.mask == 0 ? cell == Cell{} : has(cell.mask, cell.dominant)) &&
                          cell.part <= cell.covered;
    if (!is_right) {
      return "pixel " + std::to_string(x) + " of [" + std::to_string(axis.begin_us) + ", " +
             std::to_string(axis.end_us) + ") at " + std::to_string(axis.width_px) + " px has " +
             std::to_string(cell.mask) + ", not " + std::to_string(expected[x]) + "; dominant " +
             std::to_string(static_cast<int>(cell.dominant)) + " part " +
             std::to_string(cell.part) + " of " + std::to_string(cell.covered);
    }
  }
  return {};
}

std::vector<Cell> drawn(const LaneView& lane, const TimeAxis& axis) {
  RasterScratch scratch;
  std::vector<Cell> cells(static_cast<std::size_t>(axis.width_px));
  rasterise(lane, Columns(axis), scratch, cells);
  return cells;
}

TEST(LodTruth, EveryPixelOfALane) {
  constexpr std::array kCounts{0, 1, 2, 15, 63, 64, 65, 130, 500, 3000, 9000, 30'000};
  for (const Shape& shape : kShapes) {
    for (std::size_t c = 0; c < kCounts.size(); ++c) {
      Dice dice(c * 100 + static_cast<std::size_t>(shape.name[0]));
      const SampleLane sample = shape.make(dice, kCounts[c]);
      const LaneLod lod = make_lane_lod(sample.spans());
      for (int i = 0; i < (kCounts[c] > 5000 ? 12 : 20); ++i) {
        const TimeAxis axis = any_axis(dice, sample.spans());
        ASSERT_EQ(difference({sample.spans()}, axis, drawn({sample.spans(), &lod}, axis)), "")
            << shape.name << " of " << kCounts[c] << ", view " << i;
      }
    }
  }
}

TEST(LodTruth, AHundredThousandInAMicrosecond) {
  Dice dice(7);
  const SampleLane sample = burst(dice, 100'000);
  const LaneLod lod = make_lane_lod(sample.spans());
  for (int i = 0; i < 10; ++i) {
    const TimeAxis axis = any_axis(dice, sample.spans());
    ASSERT_EQ(difference({sample.spans()}, axis, drawn({sample.spans(), &lod}, axis)), "");
  }
}

TEST(LodTruth, EveryPixelOfAGroup) {
  for (int round = 0; round < 60; ++round) {
    Dice dice(static_cast<std::uint64_t>(round));
    const int lanes = static_cast<int>(dice.below(100)) + 1;
    std::vector<SampleLane> samples;
    for (int i = 0; i < lanes; ++i) {
      const Shape& shape = kShapes[static_cast<std::size_t>(
          (round + (dice.chance(80) ? 0 : dice.below(9))) % std::ssize(kShapes))];
      samples.push_back(shape.make(dice, static_cast<int>(dice.below(300))));
    }
    std::vector<LaneSpans> spans;
    std::vector<LaneLod> lods;
    for (const SampleLane& sample : samples) {
      spans.push_back(sample.spans());
      lods.push_back(make_lane_lod(sample.spans()));
    }
    std::vector<LaneView> members;
    for (std::size_t i = 0; i < lods.size(); ++i) {
      members.push_back({spans[i], &lods[i]});
    }
    // One that grows has nothing for fine pixels but its lanes.
    const GroupLod group = make_group_lod(members, round % 3 == 0);
    RasterScratch scratch;
    for (int i = 0; i < 12; ++i) {
      const TimeAxis axis =
          any_axis(dice, spans[static_cast<std::size_t>(dice.below(std::ssize(spans)))]);
      std::vector<Cell> cells(static_cast<std::size_t>(axis.width_px));
      rasterise(group, members, Columns(axis), scratch, cells);
      ASSERT_EQ(difference(spans, axis, cells), "") << "group " << round << ", view " << i;
    }
  }
}

// As a file that is being written: in chunks, with spans that end later than they were met.
TEST(LodTruth, ALaneThatGrows) {
  for (const Shape& shape : kShapes) {
    Dice dice(static_cast<std::uint64_t>(shape.name[0]));
    const SampleLane whole = shape.make(dice, 5000);
    SampleLane seen;
    LaneLod lod;
    GroupLod group;
    const std::size_t size = whole.begin_us.size();
    std::size_t known = 0;
    while (known < size) {
      const std::size_t next = std::min(
          size, known + 1 + static_cast<std::size_t>(dice.below(dice.chance(50) ? 50 : 3000)));
      std::int64_t changed_from = whole.begin_us[known];
      std::size_t first_changed = known;
      for (std::size_t i = 0; i < known; ++i) {
        if (seen.end_us[i] != whole.end_us[i] && (i + 100 < known || dice.chance(10))) {
          seen.end_us[i] = whole.end_us[i];
          first_changed = std::min(first_changed, i);
          changed_from = std::min(changed_from, std::max(whole.end_us[i], whole.begin_us[i]));
        }
      }
      for (std::size_t i = known; i < next; ++i) {
        seen.add(whole.begin_us[i], dice.chance(5) ? kOpen : whole.end_us[i], whole.kind[i]);
      }
      known = next;
      extend(lod, seen.spans(), first_changed, changed_from);
      const LaneView lane{seen.spans(), &lod};
      extend(group, {&lane, 1}, changed_from);
      for (int i = 0; i < 3; ++i) {
        const TimeAxis axis = any_axis(dice, seen.spans());
        ASSERT_EQ(difference({seen.spans()}, axis, drawn(lane, axis)), "")
            << shape.name << " at " << known;
        RasterScratch scratch;
        std::vector<Cell> cells(static_cast<std::size_t>(axis.width_px));
        rasterise(group, {&lane, 1}, Columns(axis), scratch, cells);
        ASSERT_EQ(difference({seen.spans()}, axis, cells), "") << shape.name << " at " << known;
      }
    }
  }
}

}  // namespace
}  // namespace aftershock::gui::testing
