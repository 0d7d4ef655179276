#include "gui/compare/phase_difference.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/assert.h"

namespace aftershock::gui {

namespace {

bool gets_on(const JobState& state) {
  return state.is == JobState::Is::kCompleted || state.phase == Kind::kProductive;
}

bool is_known(const JobState& state) { return state.is != JobState::Is::kUnknown; }

/// The same states at the times of A beside them.
std::vector<StateFrom> beside(const std::vector<StateFrom>& b, const TimeMap& map) {
  std::vector<StateFrom> out;
  for (const StateFrom& each : b) {
    // The first holds from before all time.
    const std::int64_t begin_us = out.empty() ? each.begin_us : map.a_reaching(each.begin_us);
    if (!out.empty() && out.size() > 1 && out.back().begin_us == begin_us) {
      out.back().state = each.state;
    } else {
      out.push_back({begin_us, each.state});
    }
  }
  return out;
}

template <typename Stretch>
void unite(std::vector<Stretch>& stretches) {
  std::ranges::sort(stretches);
  std::vector<Stretch> united;
  for (const Stretch& each : stretches) {
    if (!united.empty() && each.first <= united.back().second) {
      united.back().second = std::max(united.back().second, each.second);
    } else {
      united.push_back(each);
    }
  }
  stretches = std::move(united);
}

}  // namespace

Ahead ahead_of(const JobState& a, const JobState& b) {
  AFTERSHOCK_ASSERT(a != b);
  if (gets_on(a) == gets_on(b)) {
    const bool done_a = a.is == JobState::Is::kCompleted;
    const bool done_b = b.is == JobState::Is::kCompleted;
    return done_a == done_b ? Ahead::kNeither : done_a ? Ahead::kA : Ahead::kB;
  }
  return gets_on(a) ? Ahead::kA : Ahead::kB;
}

std::vector<PhaseDifference> phase_differences(const std::vector<StateFrom>& a,
                                               const std::vector<StateFrom>& b, const TimeMap& map,
                                               std::int64_t until_us) {
  const std::vector<StateFrom> in_a_time = beside(b, map);
  std::vector<PhaseDifference> out;
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  while (at_a < a.size() && at_b < in_a_time.size()) {
    const StateFrom& in_a = a[at_a];
    const StateFrom& in_b = in_a_time[at_b];
    constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    const std::int64_t end_a = at_a + 1 < a.size() ? a[at_a + 1].begin_us : kNever;
    const std::int64_t end_b = at_b + 1 < in_a_time.size() ? in_a_time[at_b + 1].begin_us : kNever;
    const std::int64_t begin_us = std::max(in_a.begin_us, in_b.begin_us);
    const std::int64_t end_us = std::min({end_a, end_b, until_us});
    if (begin_us < end_us && in_a.state != in_b.state && is_known(in_a.state) &&
        is_known(in_b.state)) {
      out.push_back({begin_us, end_us, in_a.state, in_b.state});
    }
    at_a += end_a <= end_b ? 1U : 0U;
    at_b += end_b <= end_a ? 1U : 0U;
  }
  return out;
}

PhaseDifferences::PhaseDifferences(const RunStates& a, const RunStates& b, const TimeMap& map) {
  const std::int64_t until_us = std::max(a.last_us, map.a_reaching(b.last_us));
  for (const auto& [entity, states] : a.of) {
    const auto in_b = b.of.find(entity);
    if (in_b == b.of.end()) {
      continue;
    }
    auto phases = phase_differences(states, in_b->second, map, until_us);
    for (const PhaseDifference& each : phases) {
      any_.at(static_cast<std::size_t>(ahead_of(each.a, each.b)))
          .emplace_back(each.begin_us, each.end_us);
    }
    if (!phases.empty()) {
      jobs_.push_back({entity, std::move(phases)});
    }
  }
  for (auto& stretches : any_) {
    unite(stretches);
  }
}

AheadMask PhaseDifferences::within(std::int64_t from_us, std::int64_t to_us) const {
  AheadMask mask = 0;
  for (std::size_t i = 0; i < any_.size(); ++i) {
    const auto first = std::ranges::upper_bound(any_.at(i), from_us, {}, &Stretch::second);
    if (from_us < to_us && first != any_.at(i).end() && first->first < to_us) {
      mask |= mask_of(static_cast<Ahead>(i));
    }
  }
  return mask;
}

std::vector<std::pair<const JobDifferences*, PhaseDifference>> PhaseDifferences::told(
    std::int64_t from_us, std::int64_t to_us, std::size_t most) const {
  // Beyond so many in one pixel the longest of the first has to do.
  constexpr std::ptrdiff_t kLookedAt = 10'000;
  std::vector<std::pair<const JobDifferences*, PhaseDifference>> out;
  for (const JobDifferences& job : jobs_) {
    if (out.size() == most) {
      break;
    }
    const auto first = std::ranges::upper_bound(job.phases, from_us, {}, &PhaseDifference::end_us);
    const auto last =
        std::ranges::lower_bound(first, job.phases.end(), to_us, {}, &PhaseDifference::begin_us);
    const auto end = first + std::min(last - first, kLookedAt);
    const auto longest = std::max_element(first, end, [&](const auto& x, const auto& y) {
      const auto inside = [&](const PhaseDifference& each) {
        return std::min(each.end_us, to_us) - std::max(each.begin_us, from_us);
      };
      return inside(x) < inside(y);
    });
    if (longest != end) {
      out.emplace_back(&job, *longest);
    }
  }
  return out;
}

std::int64_t PhaseDifferences::total_us(Ahead ahead) const {
  std::int64_t sum = 0;
  for (const Stretch& each : any_.at(static_cast<std::size_t>(ahead))) {
    sum += each.second - each.first;
  }
  return sum;
}

std::int64_t PhaseDifferences::next_begin(std::int64_t t_us) const {
  std::optional<std::int64_t> next;
  for (const auto& stretches : any_) {
    const auto found = std::ranges::upper_bound(stretches, t_us, {}, &Stretch::first);
    if (found != stretches.end()) {
      next = std::min(next.value_or(found->first), found->first);
    }
  }
  return next.value_or(t_us);
}

std::int64_t PhaseDifferences::previous_begin(std::int64_t t_us) const {
  std::optional<std::int64_t> previous;
  for (const auto& stretches : any_) {
    const auto found = std::ranges::lower_bound(stretches, t_us, {}, &Stretch::first);
    if (found != stretches.begin()) {
      const std::int64_t begin_us = std::prev(found)->first;
      previous = std::max(previous.value_or(begin_us), begin_us);
    }
  }
  return previous.value_or(t_us);
}

}  // namespace aftershock::gui
