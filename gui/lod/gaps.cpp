#include "gui/lod/gaps.h"

#include <algorithm>

#include "gui/lod/reach.h"

namespace aftershock::gui {
namespace {

// Spans further on than this are found by a search.
constexpr std::size_t kWalk = 8;

void find(Gap& gap, Kind kind, std::int64_t from, std::int64_t to) {
  gap.found |= mask_of(kind);
  const double us = to > from ? static_cast<double>(to) - static_cast<double>(from) : 0;
  if (gap.dominant == kind) {
    gap.lead_us += us;
  } else if (gap.dominant == Kind::kCount || us > gap.lead_us) {
    gap.dominant = kind;
    gap.lead_us = us - gap.lead_us;
  } else {
    gap.lead_us -= us;
  }
}

// Whole blocks from span i on that begin before `end_us`; what outlasts the gap is left to spans.
std::size_t pass_blocks(const LaneView& lane, std::size_t i, Gap& gap) {
  if (lane.lod->blocks.empty()) {
    return i;
  }
  const std::vector<Block>& blocks = lane.lod->blocks[0];
  while (i % kBlockSpans == 0 && i / kBlockSpans < blocks.size()) {
    const Block& block = blocks[i / kBlockSpans];
    if (block.latest_end_us > gap.end_us ||
        lane.spans.begin_us[i + kBlockSpans - 1] >= gap.end_us) {
      break;
    }
    gap.found |= block.mask;
    i += kBlockSpans;
  }
  return i;
}

}  // namespace

void look_up(const LaneView& lane, KindMask wanted, std::span<Gap> gaps) {
  wanted &= lane.lod->kinds;
  if (wanted == 0) {
    return;
  }
  const LaneSpans& spans = lane.spans;
  std::size_t i = 0;
  Reach reach;
  bool is_first = true;
  for (std::size_t g = 0; g < gaps.size();) {
    Gap& gap = gaps[g];
    if (is_first || (i + kWalk < spans.size() && spans.begin_us[i + kWalk] < gap.begin_us)) {
      i = is_first ? static_cast<std::size_t>(std::lower_bound(spans.begin_us.begin(),
                                                               spans.begin_us.end(), gap.begin_us) -
                                              spans.begin_us.begin())
                   : first_from(spans, gap.begin_us, i);
      reach_after(lane, i, gap.begin_us, reach);
      reach.kinds &= wanted;
      is_first = false;
    }
    for (; i < spans.size() && spans.begin_us[i] < gap.begin_us; ++i) {
      if (has(wanted, spans.kind[i])) {
        reach.meet(spans.kind[i], end_of(spans, i));
      }
    }
    for_each_kind(reach.leave(gap.begin_us), [&](Kind kind) {
      find(gap, kind, gap.begin_us, std::min(reach[kind], gap.end_us));
    });
    while (i < spans.size() && spans.begin_us[i] < gap.end_us) {
      if (const std::size_t next = pass_blocks(lane, i, gap); next != i) {
        i = next;
        continue;
      }
      if (has(wanted, spans.kind[i])) {
        const std::int64_t end = end_of(spans, i);
        find(gap, spans.kind[i], spans.begin_us[i], std::min(end, gap.end_us));
        reach.meet(spans.kind[i], end);
      }
      ++i;
    }
    ++g;
    // Where nothing lasts, on to the gap in which the next span begins.
    if (reach.leave(gap.end_us) == 0) {
      if (i == spans.size()) {
        return;
      }
      const std::int64_t next_us = spans.begin_us[i];
      std::size_t step = 1;
      while (g + step < gaps.size() && gaps[g + step].end_us <= next_us) {
        g += step;
        step *= 2;
      }
      while (g < gaps.size() && gaps[g].end_us <= next_us) {
        ++g;
      }
    }
  }
}

}  // namespace aftershock::gui
