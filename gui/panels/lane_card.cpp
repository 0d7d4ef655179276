#include "gui/panels/lane_card.h"

#include <algorithm>

namespace aftershock::gui {

namespace {

/// Adds up how long each kind lasts within a range.
class Times {
 public:
  Times(const Trace& trace, const TimeRange& shown) : trace_(trace), shown_(shown) {}

  /// False where there are too many spans.
  bool add(const Lane& lane) {
    const LaneSpans spans = lane.columns.spans();
    const auto [first, last] = lane.columns.overlapping(shown_.begin_us, shown_.end_us);
    counted_ += static_cast<std::int64_t>(last - first);
    if (counted_ > kCountedSpans) {
      return false;
    }
    for (std::size_t i = first; i < last; ++i) {
      const std::int64_t open_us = std::max(trace_.last_us, spans.begin_us[i]);
      const std::int64_t begin_us = std::max(spans.begin_us[i], shown_.begin_us);
      const std::int64_t end_us =
          std::min(spans.end_us[i] == kOpen ? open_us : spans.end_us[i], shown_.end_us);
      if (begin_us >= end_us) {
        continue;
      }
      const bool is_work = lane.sub == SubLane::kPhases && spans.kind[i] == Kind::kProductive;
      const std::int64_t lost_us = is_work ? trace_.lost.lost_us(lane.entity, begin_us, end_us) : 0;
      add(spans.kind[i], end_us - begin_us - lost_us);
      add(Kind::kRolledBack, lost_us);
    }
    return true;
  }

  [[nodiscard]] BucketTimes longest_first() const {
    BucketTimes times;
    for (std::size_t i = 0; i < kKinds; ++i) {
      if (sums_.at(i) > 0) {
        times.emplace_back(std::string(kKindNames.at(i)), sums_.at(i));
      }
    }
    std::ranges::stable_sort(times,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    return times;
  }

 private:
  void add(Kind kind, std::int64_t us) {
    std::int64_t& sum = sums_.at(static_cast<std::size_t>(kind));
    if (__builtin_add_overflow(sum, us, &sum)) {
      sum = kOpen;
    }
  }

  const Trace& trace_;
  TimeRange shown_;
  std::int64_t counted_ = 0;
  std::array<std::int64_t, kKinds> sums_{};
};

}  // namespace

LaneCard lane_card(const Scene& scene, const LaneKey& lane, const TimeRange& shown) {
  LaneCard card;
  const auto node = find(scene.tree(), lane);
  if (!node) {
    return card;
  }
  card.name = text_of(scene.directory(), lane);
  card.shown = shown;
  for (std::uint32_t at = scene.tree().nodes[*node].parent; at != kNowhere;
       at = scene.tree().nodes[at].parent) {
    card.above.push_back(text_of(scene.directory(), scene.tree().nodes[at].key));
  }
  std::ranges::reverse(card.above);
  Times times(scene.trace(), shown);
  for (const LaneContent& each : content_of(scene.tree(), *node)) {
    const Content content = content_from(each.id);
    if (content.is_counter) {
      continue;
    }
    const Lane& of = scene.trace().lanes[content.index];
    ++card.lanes;
    card.spans.at(static_cast<std::size_t>(of.sub)) += static_cast<std::int64_t>(of.columns.size());
    // Of one job or trial its attempts last as long as their phases.
    const bool takes_time = shown.begin_us < shown.end_us && of.sub != SubLane::kFaults &&
                            of.sub != SubLane::kDecisions && of.sub != SubLane::kMarks &&
                            (of.sub != SubLane::kAttempts || lane.facet == Facet::kAttempts);
    card.is_whole = card.is_whole && (!takes_time || times.add(of));
  }
  card.us = times.longest_first();
  return card;
}

}  // namespace aftershock::gui
