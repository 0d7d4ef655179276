#include "gui/lod/lane_lod.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace aftershock::gui {
namespace {

// A bucket for every two spans: with its upper levels 8 bytes a span.
constexpr std::size_t kSpansPerBucket = 2;

void choose_dominant(Block& block, const std::array<double, 32>& time_us) {
  for_each_kind(block.mask, [&](Kind kind) {
    const double us = time_us[static_cast<std::size_t>(kind)];
    if (outweighs(kind, us, block.dominant, block.dominant_us)) {
      block.dominant = kind;
      block.dominant_us = us;
    }
  });
}

Block block_of_spans(const LaneSpans& spans, std::size_t first) {
  Block block{.latest_end_us = kNever};
  std::array<double, 32> time_us{};
  for (std::size_t i = first; i < first + kBlockSpans; ++i) {
    const std::int64_t end = end_of(spans, i);
    block.latest_end_us = std::max(block.latest_end_us, end);
    block.mask |= mask_of(spans.kind[i]);
    time_us[static_cast<std::size_t>(spans.kind[i])] +=
        static_cast<double>(end) - static_cast<double>(spans.begin_us[i]);
  }
  choose_dominant(block, time_us);
  return block;
}

Block block_of_blocks(const std::vector<Block>& below, std::size_t first) {
  Block block{.latest_end_us = kNever};
  std::array<double, 32> time_us{};
  for (std::size_t i = first; i < first + kBlockSpans; ++i) {
    block.latest_end_us = std::max(block.latest_end_us, below[i].latest_end_us);
    block.mask |= below[i].mask;
    time_us[static_cast<std::size_t>(below[i].dominant)] += below[i].dominant_us;
  }
  choose_dominant(block, time_us);
  return block;
}

void make_blocks(LaneLod& lod, const LaneSpans& spans, std::size_t first_changed) {
  std::size_t unit = kBlockSpans;
  for (std::size_t level = 0; spans.size() / unit >= (level == 0 ? 4 : 1); ++level) {
    if (level == lod.blocks.size()) {
      lod.blocks.emplace_back();
    }
    std::vector<Block>& blocks = lod.blocks[level];
    blocks.resize(std::min(blocks.size(), first_changed / unit));
    blocks.reserve(spans.size() / unit);
    for (std::size_t b = blocks.size(); b < spans.size() / unit; ++b) {
      blocks.push_back(level == 0 ? block_of_spans(spans, b * kBlockSpans)
                                  : block_of_blocks(lod.blocks[level - 1], b * kBlockSpans));
    }
    unit *= kBlockSpans;
  }
}

void make_reach(LaneLod& lod, const LaneSpans& spans, std::size_t first_changed) {
  const auto kinds = static_cast<std::size_t>(__builtin_popcount(lod.kinds));
  const std::size_t kept = std::min(lod.reach_us.size() / kinds, first_changed / kReachSpans + 1);
  lod.reach_us.resize(kept * kinds);
  std::array<std::int64_t, kKinds> reach_us;
  reach_us.fill(kNever);
  std::size_t i = 0;
  if (kept > 0) {
    i = (kept - 1) * kReachSpans;
    for_each_kind(lod.kinds, [&, at = (kept - 1) * kinds](Kind kind) mutable {
      reach_us[static_cast<std::size_t>(kind)] = lod.reach_us[at++];
    });
  }
  for (; i < spans.size(); ++i) {
    if (i % kReachSpans == 0 && i / kReachSpans >= kept) {
      for_each_kind(lod.kinds, [&](Kind kind) {
        lod.reach_us.push_back(reach_us[static_cast<std::size_t>(kind)]);
      });
    }
    std::int64_t& reach = reach_us[static_cast<std::size_t>(spans.kind[i])];
    reach = std::max(reach, end_of(spans, i));
  }
}

bool is_sequential(const LaneSpans& spans, std::size_t from) {
  for (std::size_t i = std::max<std::size_t>(from, 1); i < spans.size(); ++i) {
    if (end_of(spans, i - 1) > spans.begin_us[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

LaneLod make_lane_lod(const LaneSpans& spans) {
  LaneLod lod;
  extend(lod, spans, 0, kNever);
  return lod;
}

void extend(LaneLod& lod, const LaneSpans& spans, std::size_t first_changed,
            std::int64_t changed_from_us) {
  first_changed = std::min({first_changed, lod.count, spans.size()});
  const KindMask kinds_before = lod.kinds;
  for (std::size_t i = first_changed; i < spans.size(); ++i) {
    lod.kinds |= mask_of(spans.kind[i]);
  }
  lod.count = spans.size();
  lod.sequential = (first_changed == 0 || lod.sequential) && is_sequential(spans, first_changed);
  make_blocks(lod, spans, first_changed);
  if (lod.sequential || spans.size() <= kReachSpans) {
    lod.reach_us = {};
  } else {
    if (lod.kinds != kinds_before) {
      lod.reach_us.clear();
    }
    make_reach(lod, spans, first_changed);
  }
  forget_from(lod.pyramid, changed_from_us);
  if (spans.size() < kPyramidFrom) {
    return;
  }
  const std::size_t known =
      lod.pyramid.end_us <= lod.pyramid.begin_us ? 0 : first_from(spans, lod.pyramid.end_us, 0);
  if (spans.size() - known > spans.size() / 4) {
    lod.pyramid = make_pyramid({&spans, 1}, spans.size() / kSpansPerBucket);
  }
}

std::size_t first_from(const LaneSpans& spans, std::int64_t t_us, std::size_t hint) {
  AFTERSHOCK_ASSERT(hint <= spans.size());
  const std::span<const std::int64_t> begin = spans.begin_us;
  std::size_t low = hint;
  std::size_t step = 1;
  while (low + step <= begin.size() && begin[low + step - 1] < t_us) {
    low += step;
    step *= 2;
  }
  const auto last = begin.begin() + static_cast<std::ptrdiff_t>(std::min(low + step, begin.size()));
  return static_cast<std::size_t>(
      std::lower_bound(begin.begin() + static_cast<std::ptrdiff_t>(low), last, t_us) -
      begin.begin());
}

}  // namespace aftershock::gui
