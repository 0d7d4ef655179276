#include "gui/why/range_times.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace aftershock::gui {

namespace {

using Sums = std::array<std::int64_t, kKinds>;

std::int64_t& time_in(Sums& sums, Kind kind) { return sums.at(static_cast<std::size_t>(kind)); }

/// Phases of a file that no run wrote may overlap: no sum goes beyond what fits.
void add_time(Sums& sums, Kind kind, std::int64_t us) {
  std::int64_t& sum = time_in(sums, kind);
  if (__builtin_add_overflow(sum, us, &sum)) {
    sum = kOpen;
  }
}

/// A phase that nothing ends lasts until the last record.
std::int64_t phase_end(const Trace& trace, const LaneSpans& spans, std::size_t i) {
  return spans.end_us[i] == kOpen ? trace.last_us : spans.end_us[i];
}

Sums sums_within(const Trace& trace, std::uint32_t entity, std::int64_t from_us,
                 std::int64_t to_us) {
  Sums sums{};
  const Lane* phases = lane_of(trace, entity, SubLane::kPhases);
  if (phases == nullptr || from_us >= to_us) {
    return sums;
  }
  const LaneSpans spans = phases->columns.spans();
  const auto [first, last] = phases->columns.overlapping(from_us, to_us);
  for (std::size_t i = first; i < last; ++i) {
    const std::int64_t begin_us = std::max(spans.begin_us[i], from_us);
    const std::int64_t end_us = std::min(phase_end(trace, spans, i), to_us);
    if (begin_us >= end_us) {
      continue;
    }
    const std::int64_t gone =
        spans.kind[i] == Kind::kProductive ? trace.lost.lost_us(entity, begin_us, end_us) : 0;
    add_time(sums, spans.kind[i], end_us - begin_us - gone);
    add_time(sums, Kind::kRolledBack, gone);
  }
  return sums;
}

/// The entities whose phases make up what an account is about: of an experiment its trials.
std::vector<std::uint32_t> at_work(const Trace& trace, std::uint32_t entity) {
  const std::string_view name = trace.entities[entity];
  if (!name.starts_with("experiment:") || lane_of(trace, entity, SubLane::kPhases) != nullptr) {
    return {entity};
  }
  const std::string trials = std::string(name) + "/trial:";
  std::vector<std::uint32_t> entities;
  for (const Lane& lane : trace.lanes) {
    if (lane.sub == SubLane::kPhases && trace.entities[lane.entity].starts_with(trials)) {
      entities.push_back(lane.entity);
    }
  }
  return entities;
}

/// When the last `left_us` of the work of a phase began that was not lost again; what is not in the
/// phase is left in it.
std::int64_t begin_of_last(const Trace& trace, std::uint32_t entity, std::int64_t begin_us,
                           std::int64_t end_us, std::int64_t& left_us) {
  const auto take = [&](std::int64_t from_us) {
    const std::int64_t kept_us = std::max<std::int64_t>(0, end_us - from_us);
    const std::int64_t taken_us = std::min(kept_us, left_us);
    left_us -= taken_us;
    return end_us - taken_us;
  };
  for (const Stretch& lost : std::views::reverse(trace.lost.between(entity, begin_us, end_us))) {
    const std::int64_t at_us = take(std::max(lost.end_us, begin_us));
    if (left_us == 0) {
      return at_us;
    }
    end_us = lost.begin_us;
  }
  return take(begin_us);
}

}  // namespace

BucketTimes range_times(const Trace& trace, const Account& account, std::int64_t from_us,
                        std::int64_t to_us) {
  Sums sums{};
  for (const std::uint32_t entity : at_work(trace, account.entity)) {
    const Sums own = sums_within(trace, entity, from_us, to_us);
    for (std::size_t i = 0; i < kKinds; ++i) {
      add_time(sums, static_cast<Kind>(i), own.at(i));
    }
  }
  if (account.unsaved_from_us < to_us) {
    Sums unsaved =
        sums_within(trace, account.entity, std::max(from_us, account.unsaved_from_us), to_us);
    const std::int64_t unsaved_us = time_in(unsaved, Kind::kProductive);
    time_in(sums, Kind::kProductive) -= unsaved_us;
    add_time(sums, Kind::kRolledBack, unsaved_us);
  }
  BucketTimes times;
  for (std::size_t i = 0; i < kKinds; ++i) {
    if (sums.at(i) > 0) {
      times.emplace_back(std::string(kKindNames.at(i)), sums.at(i));
    }
  }
  return times;
}

std::int64_t unsaved_from_us(const Trace& trace, const Account& account) {
  const auto told =
      std::ranges::find(account.us, name_of(Kind::kRolledBack), &BucketTimes::value_type::first);
  const Lane* phases = lane_of(trace, account.entity, SubLane::kPhases);
  if (told == account.us.end() || phases == nullptr) {
    return kOpen;
  }
  Sums sums = sums_within(trace, account.entity, 0, kOpen);
  std::int64_t left_us = told->second - time_in(sums, Kind::kRolledBack);
  if (left_us <= 0 || left_us > time_in(sums, Kind::kProductive)) {
    return kOpen;
  }
  const LaneSpans spans = phases->columns.spans();
  for (std::size_t i = spans.kind.size(); i-- > 0;) {
    if (spans.kind[i] != Kind::kProductive) {
      continue;
    }
    const std::int64_t at_us = begin_of_last(trace, account.entity, spans.begin_us[i],
                                             phase_end(trace, spans, i), left_us);
    if (left_us == 0) {
      return at_us;
    }
  }
  return kOpen;
}

}  // namespace aftershock::gui
